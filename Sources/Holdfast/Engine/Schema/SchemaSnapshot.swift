/// The tables of a database as the engine describes them.
@_spi(Driver) public struct SchemaSnapshot: Hashable, Sendable {
    /// The tables that exist, by their exact names.
    public var tables: [String: TableSnapshot]

    /// Creates a snapshot of tables by their names.
    public init(tables: [String: TableSnapshot] = [:]) { self.tables = tables }
}

/// One table as the engine describes it.
@_spi(Driver) public struct TableSnapshot: Hashable, Sendable {
    /// The exact name of the table.
    public var name: String
    /// The columns in the order of the table.
    public var columns: [ColumnSnapshot]
    /// The columns of the primary key, in its order.
    public var primaryKey: [String]
    /// The indexes, without that of the primary key.
    public var indexes: [IndexSnapshot]
    /// The foreign keys of the table.
    public var foreignKeys: [ForeignKeySnapshot]
    /// Whether at least one row exists.
    public var hasRows: Bool
    /// The names of its triggers that are of this library: those that begin with `holdfast_`.
    public var deleteRules: [String]
    /// The columns that each trigger in ``deleteRules`` reads, by its name; dropping one drops the trigger first.
    public var deleteRuleColumns: [String: [String]] = [:]
    /// Those of ``deleteRules`` that log changes and may be, or may have been, switched off: they are made anew.
    public var idleTriggers: Set<String> = []
    /// The CHECK constraints that are of this library: those whose names begin with ``CheckSnapshot/namePrefix``.
    public var checks: [CheckSnapshot] = []
    /// Its indexes and triggers, where making the table anew drops these.
    public var dependents: [DependentSnapshot]
    /// Whether an index of it can be built concurrently, if the engine does that at all.
    public var allowsConcurrentIndexes = true
    /// Whether statements may change its rows and name another table: one of its partitions, or the table of which it
    /// is one.
    public var sharesRows = false

    /// Creates a snapshot of a table.
    public init(
        name: String, columns: [ColumnSnapshot], primaryKey: [String], indexes: [IndexSnapshot],
        foreignKeys: [ForeignKeySnapshot], hasRows: Bool, deleteRules: [String] = [],
        dependents: [DependentSnapshot] = []
    ) {
        self.name = name
        self.columns = columns
        self.primaryKey = primaryKey
        self.indexes = indexes
        self.foreignKeys = foreignKeys
        self.hasRows = hasRows
        self.deleteRules = deleteRules
        self.dependents = dependents
    }
}

/// An index or a trigger that goes with its table, and the statement that makes it.
///
/// ```swift
/// DependentSnapshot(
///     name: "note_title_idx", sql: #"CREATE INDEX "note_title_idx" ON "note" ("title")"#, isTrigger: false)
/// ```
@_spi(Driver) public struct DependentSnapshot: Hashable, Sendable {
    /// The name of the index or trigger.
    public var name: String
    /// The statement.
    public var sql: String
    /// Whether it is a trigger.
    public var isTrigger: Bool
    /// Whether the statement is that of the engine; after a rename that has not run yet, it may be another one.
    var isExact = true

    /// Creates a snapshot of an index or a trigger.
    public init(name: String, sql: String, isTrigger: Bool) {
        (self.name, self.sql, self.isTrigger) = (name, sql, isTrigger)
    }
}

/// One column as the engine describes it.
@_spi(Driver) public struct ColumnSnapshot: Hashable, Sendable {
    /// The exact name of the column.
    public var name: String
    /// The type in the engine's words, as `Dialect.typeName` would write it without collation: `INTEGER`, `bigint`.
    public var typeName: String
    /// Whether the column accepts NULL.
    public var isNullable: Bool
    /// Whether the column has a default.
    public var hasDefault: Bool
    /// The default as SQL; nil if the driver does not tell it, so that it is not compared.
    public var defaultSQL: String?
    /// The collation, if it is not that of the type or of the engine.
    public var collation: String?

    /// Creates a snapshot of a column.
    ///
    /// ```swift
    /// ColumnSnapshot(name: "title", typeName: "text", isNullable: false, hasDefault: false)
    /// ```
    public init(name: String, typeName: String, isNullable: Bool, hasDefault: Bool, defaultSQL: String? = nil) {
        self.name = name
        self.typeName = typeName
        self.isNullable = isNullable
        self.hasDefault = hasDefault
        self.defaultSQL = defaultSQL
    }
}

/// One index as the engine describes it.
@_spi(Driver) public struct IndexSnapshot: Hashable, Sendable {
    /// The exact name of the index.
    public var name: String
    /// The columns in order; an expression is given as an empty name.
    public var columns: [String]
    /// Whether the index is unique.
    public var isUnique: Bool
    /// Whether it covers only rows that match a condition.
    public var isPartial: Bool
    /// Whether the index is complete; false for one whose concurrent build was not finished.
    public var isValid: Bool
    /// The columns that its expressions and its condition read, where dropping one has to drop the index first.
    public var expressionColumns: [String] = []

    /// Whether it has to be dropped before a column is.
    func needs(_ column: String) -> Bool { columns.contains(column) || expressionColumns.contains(column) }

    /// Creates a snapshot of an index.
    public init(name: String, columns: [String], isUnique: Bool, isPartial: Bool, isValid: Bool = true) {
        self.isValid = isValid
        self.name = name
        self.columns = columns
        self.isUnique = isUnique
        self.isPartial = isPartial
    }
}

/// One foreign key as the engine describes it.
///
/// ```swift
/// ForeignKeySnapshot(columns: ["lead_id"], table: "person", targetColumns: ["id"], onDelete: .setNull)
/// ```
@_spi(Driver) public struct ForeignKeySnapshot: Hashable, Sendable {
    /// The name of the constraint; empty where the engine tells none.
    public var name: String
    /// The referencing columns.
    public var columns: [String]
    /// The referenced table.
    public var table: String
    /// The referenced columns, in the same order.
    public var targetColumns: [String]
    /// The action on referencing rows when the referenced row is deleted.
    public var onDelete: ForeignKeyDefinition.Action
    /// The schema of the referenced table, if it is another one.
    public var schema: String?

    /// Creates a snapshot of a foreign key.
    public init(
        name: String = "", columns: [String], table: String, targetColumns: [String],
        onDelete: ForeignKeyDefinition.Action = .noAction, schema: String? = nil
    ) {
        self.schema = schema
        self.name = name
        self.columns = columns
        self.table = table
        self.targetColumns = targetColumns
        self.onDelete = onDelete
    }
}
