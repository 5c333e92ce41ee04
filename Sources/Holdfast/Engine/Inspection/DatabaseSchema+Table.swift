extension DatabaseSchema {
    /// A table.
    ///
    /// ```swift
    /// for table in try await db.schema().tables where table.kind == .ordinary {
    ///     print(table.name, table.columns.count, table.primaryKey?.columns ?? [])
    /// }
    /// ```
    public struct Table: Hashable, Sendable {
        /// The kind of a table.
        public enum Kind: String, Hashable, Sendable {
            /// An ordinary table, also one that is a partition of another.
            case ordinary
            /// A table whose rows are in its partitions (PostgreSQL).
            case partitioned
            /// A table whose rows are on another server (PostgreSQL).
            case foreign
            /// A table that a module or an extension of SQLite computes.
            case virtual
            /// A table in which a virtual table keeps its contents (SQLite).
            case shadow
        }

        /// The exact name of the table.
        public var name: String
        /// The kind of the table.
        public var kind: Kind
        /// The partitioned table of which it is a partition; nil for none.
        public var partitionOf: String?
        /// Whether a column holds only values of its type.
        ///
        /// It is true for every table of PostgreSQL, and for those of SQLite that are `STRICT`.
        public var isStrict = true
        /// Whether rows are stored in the order of the primary key: `WITHOUT ROWID` of SQLite.
        public var isStoredByKey = false
        /// The columns in the order of the table.
        public var columns: [Column] = []
        /// The primary key; nil for none.
        public var primaryKey: UniqueConstraint?
        /// The UNIQUE constraints.
        public var uniqueConstraints: [UniqueConstraint] = []
        /// The indexes, without those that a primary key or a UNIQUE constraint has made.
        public var indexes: [Index] = []
        /// The foreign keys.
        public var foreignKeys: [ForeignKey] = []
        /// The CHECK constraints, of the table and of its columns.
        public var checks: [Check] = []
        /// The names of the triggers.
        ///
        /// Those that begin with `holdfast_` are the delete rules of models.
        public var triggers: [String] = []
        /// The number of rows as the engine last estimated it; nil if it never did.
        ///
        /// Rows are not counted: the number is as old as the last ``Database/analyze(_:fileID:line:)``, or as the last
        /// one that PostgreSQL made by itself.
        public var rowEstimate: Int?
        /// The size of the table with its indexes; nil if it was not asked for, or if the engine can't tell.
        ///
        /// ```swift
        /// try await db.schema(includingSizes: true).table("note")?.bytes    // 16384
        /// ```
        public var bytes: Int?

        /// Whether at least one row exists.
        ///
        /// This and what follows is empty unless ``SchemaRequest/tables(_:)`` was asked for.
        @_spi(Driver) public var hasRows = false
        /// The columns that each of ``ownTriggers`` reads, by its name; dropping one drops the trigger first.
        @_spi(Driver) public var triggerColumns: [String: [String]] = [:]
        /// Those of ``ownTriggers`` that log changes and may be, or may have been, switched off: they are made anew.
        @_spi(Driver) public var idleTriggers: Set<String> = []
        /// The indexes and triggers in the order in which they were made, where making the table anew drops them.
        @_spi(Driver) public var dependents: [Dependent] = []

        /// Creates a table, with the columns of its primary key.
        public init(name: String, kind: Kind = .ordinary, columns: [Column] = [], primaryKey: [String] = []) {
            self.name = name
            self.kind = kind
            self.columns = columns
            self.primaryKey = primaryKey.isEmpty ? nil : UniqueConstraint(columns: primaryKey)
        }

        /// Returns the column with that exact name, or nil.
        public func column(_ name: String) -> Column? {
            columns.first { $0.name.utf8.elementsEqual(name.utf8) }
        }

        /// The names of its triggers that are of this library: those that begin with `holdfast_`.
        @_spi(Driver) public var ownTriggers: [String] {
            triggers.filter { $0.hasPrefix(DeleteRuleDefinition.namePrefix) }
        }
    }
}
