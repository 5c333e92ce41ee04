extension DatabaseSchema {
    /// An index.
    ///
    /// ```sql
    /// CREATE UNIQUE INDEX "person_email" ON "person" (lower("email"), "id" DESC) WHERE "email" IS NOT NULL
    /// ```
    public struct Index: Hashable, Sendable {
        /// One of the values by which an index is ordered.
        public struct Term: Hashable, Sendable {
            /// The name of a column; nil if it is an expression.
            public var column: String?
            /// The expression, as SQL; nil if it is a column.
            public var expression: String?
            /// Whether greater values come first.
            public var isDescending = false
            /// Whether NULLs come before all values.
            public var isNullsFirst = false
            /// The collation, if it is not that of the column.
            public var collation: String?

            /// Creates an ascending term of a column.
            public init(column: String) { self.column = column }

            /// Creates an ascending term of an expression.
            public init(expression: String) { self.expression = expression }
        }

        /// The exact name of the index.
        public var name: String
        /// The columns and expressions in order.
        public var terms: [Term] = []
        /// The columns that it holds besides, so that queries need not read the table: `INCLUDE` of PostgreSQL.
        ///
        /// ```sql
        /// CREATE INDEX "note_rank" ON "note" ("rank") INCLUDE ("title")
        /// ```
        public var includedColumns: [String] = []
        /// Whether the combination of values is unique.
        public var isUnique = false
        /// The condition of the rows that are in it, as SQL; nil if all are.
        public var condition: String?
        /// The kind of index: `btree`, `gin`; all of SQLite are `btree`.
        public var method = "btree"
        /// Whether queries can use it: false for one of PostgreSQL whose concurrent creation failed.
        public var isValid = true

        /// The columns that its expressions and its condition read, where an engine drops none that an index needs.
        ///
        /// It is empty unless ``SchemaRequest/tables(_:)`` was asked for.
        @_spi(Driver) public var expressionColumns: [String] = []

        /// Creates an index.
        public init(name: String, terms: [Term] = [], isUnique: Bool = false, condition: String? = nil) {
            self.name = name
            self.terms = terms
            self.isUnique = isUnique
            self.condition = condition
        }

        /// The names of the columns, if it has no expression and covers all rows; otherwise nil.
        ///
        /// ```swift
        /// table.indexes.contains { $0.columns == ["title"] && $0.isUnique }
        /// ```
        public var columns: [String]? {
            let names = terms.compactMap(\.column)
            return names.count == terms.count && condition == nil ? names : nil
        }

        /// Whether it has to be dropped before a column is.
        func needs(_ column: String) -> Bool {
            terms.contains { $0.column == column } || expressionColumns.contains(column)
        }
    }
}
