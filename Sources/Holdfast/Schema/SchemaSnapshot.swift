/// The tables of a database as the engine describes them.
public struct SchemaSnapshot: Hashable, Sendable {
    /// The tables that exist, by their exact names.
    public var tables: [String: TableSnapshot]

    public init(tables: [String: TableSnapshot] = [:]) { self.tables = tables }
}

/// One table as the engine describes it.
public struct TableSnapshot: Hashable, Sendable {
    public var name: String
    public var columns: [ColumnSnapshot]
    /// The columns of the primary key, in its order.
    public var primaryKey: [String]
    public var indexes: [IndexSnapshot]
    public var foreignKeys: [ForeignKeySnapshot]
    /// Whether at least one row exists.
    public var hasRows: Bool
    /// The names of its triggers that are of this library: those that begin with `holdfast_`.
    public var deleteRules: [String]

    public init(
        name: String, columns: [ColumnSnapshot], primaryKey: [String], indexes: [IndexSnapshot],
        foreignKeys: [ForeignKeySnapshot], hasRows: Bool, deleteRules: [String] = []
    ) {
        self.name = name
        self.columns = columns
        self.primaryKey = primaryKey
        self.indexes = indexes
        self.foreignKeys = foreignKeys
        self.hasRows = hasRows
        self.deleteRules = deleteRules
    }
}

/// One column as the engine describes it.
public struct ColumnSnapshot: Hashable, Sendable {
    public var name: String
    /// The type in the engine's words, as `Dialect.typeName` would write it without collation: `INTEGER`, `bigint`.
    public var typeName: String
    public var isNullable: Bool
    public var hasDefault: Bool

    public init(name: String, typeName: String, isNullable: Bool, hasDefault: Bool) {
        self.name = name
        self.typeName = typeName
        self.isNullable = isNullable
        self.hasDefault = hasDefault
    }
}

/// One index as the engine describes it.
public struct IndexSnapshot: Hashable, Sendable {
    public var name: String
    /// The columns in order; an expression is given as an empty name.
    public var columns: [String]
    public var isUnique: Bool
    /// Whether it covers only rows that match a condition.
    public var isPartial: Bool

    public init(name: String, columns: [String], isUnique: Bool, isPartial: Bool) {
        self.name = name
        self.columns = columns
        self.isUnique = isUnique
        self.isPartial = isPartial
    }
}

/// One foreign key as the engine describes it.
public struct ForeignKeySnapshot: Hashable, Sendable {
    /// The name of the constraint; empty where the engine tells none.
    public var name: String
    public var columns: [String]
    public var table: String
    public var targetColumns: [String]
    /// What happens to the rows that refer, when the row they refer to is deleted.
    public var onDelete: ForeignKeyDefinition.Action

    public init(
        name: String = "", columns: [String], table: String, targetColumns: [String],
        onDelete: ForeignKeyDefinition.Action = .noAction
    ) {
        self.name = name
        self.columns = columns
        self.table = table
        self.targetColumns = targetColumns
        self.onDelete = onDelete
    }
}
