extension DatabaseSchema {
    /// A primary key or a UNIQUE constraint.
    ///
    /// ```sql
    /// CONSTRAINT "person_email" UNIQUE ("email")
    /// ```
    public struct UniqueConstraint: Hashable, Sendable {
        /// The name of the constraint; nil if it has none, which only SQLite allows.
        public var name: String?
        /// The columns in the order of the constraint.
        public var columns: [String]

        /// Creates a constraint.
        public init(name: String? = nil, columns: [String] = []) {
            self.name = name
            self.columns = columns
        }
    }

    /// A foreign key.
    ///
    /// ```sql
    /// FOREIGN KEY ("lead_id") REFERENCES "person" ("id") ON DELETE SET NULL
    /// ```
    public struct ForeignKey: Hashable, Sendable {
        /// The name of the constraint; nil if it has none, which only SQLite allows.
        public var name: String?
        /// The referencing columns.
        public var columns: [String] = []
        /// The referenced table.
        public var table: String
        /// The schema of the referenced table, if it is another one.
        public var schema: String?
        /// The referenced columns, in the same order.
        ///
        /// It is empty where a foreign key of SQLite names none and there is no such table.
        public var targetColumns: [String] = []
        /// The action on referencing rows when the referenced row is deleted.
        public var onDelete = ForeignKeyDefinition.Action.noAction
        /// The action on referencing rows when the key of the referenced row changes.
        public var onUpdate = ForeignKeyDefinition.Action.noAction

        /// Creates a foreign key.
        public init(
            name: String? = nil, columns: [String] = [], table: String, targetColumns: [String] = [],
            onDelete: ForeignKeyDefinition.Action = .noAction, schema: String? = nil
        ) {
            self.name = name
            self.columns = columns
            self.table = table
            self.targetColumns = targetColumns
            self.onDelete = onDelete
            self.schema = schema
        }
    }

    /// A CHECK constraint.
    ///
    /// ```sql
    /// CONSTRAINT "item_price" CHECK ("price" >= 0)
    /// ```
    public struct Check: Hashable, Sendable {
        /// The name of the constraint; nil if it has none, which only SQLite allows.
        public var name: String?
        /// The condition, as SQL.
        public var expression: String
        /// The column that it restricts, where its name begins with ``namePrefix``.
        @_spi(Driver) public var column: String?

        /// Creates a constraint.
        public init(name: String? = nil, expression: String) {
            self.name = name
            self.expression = expression
        }
    }
}
