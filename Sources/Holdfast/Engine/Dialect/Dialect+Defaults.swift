// What a dialect need not say.

@_spi(Driver) extension Dialect {
    public func updateOnConflict(key: [String], assignments: [String], condition: String?) -> String {
        " ON CONFLICT (\(list(key))) DO UPDATE SET \(assignments.joined(separator: ", "))"
            + (condition.map { " WHERE " + $0 } ?? "")
    }

    public func insertedValue(_ column: String) -> String { "excluded." + quoted(column) }

    public var upsertMark: UpsertMark? { nil }

    public var ignoreConflicts: String { " ON CONFLICT DO NOTHING" }

    public func orderTerm(_ sql: String, isDescending: Bool, nullsFirst: Bool?) -> String {
        sql + (isDescending ? " DESC" : "") + (nullsFirst.map { $0 ? " NULLS FIRST" : " NULLS LAST" } ?? "")
    }

    public var reservedTablePrefixes: [String] { [] }

    public var reservedColumns: Set<String> { [] }

    public func deleteAll(table: TableName) -> String { "DELETE FROM \(quoted(table))" }
}

@_spi(Driver) extension Dialect {
    public func generatedKeyDefinition(_ type: ColumnType) -> String? {
        type == .int64 ? generatedKeyDefinition : nil
    }

    public func renameIndex(_ name: String, to newName: String) -> String { "DROP INDEX IF EXISTS \(quoted(name))" }

    public var canRenameIndexes: Bool { false }

    public func renamed(
        _ dependent: DatabaseSchema.Dependent, of table: String, by change: SchemaChange
    ) -> DatabaseSchema.Dependent? { nil }

    public func renameConstraint(_ name: String, to newName: String, on table: String) -> String? { nil }

    public func renameGeneratedKey(
        of table: String, _ column: String, to newTable: String, _ newColumn: String
    ) -> String? { nil }

    public var tableRebuild: TableRebuild? { nil }

    public func keepGeneratedKeys(of table: String, in newTable: String, _ hasGeneratedKey: Bool) -> [String] { [] }

    public func converted(_ sql: String, from type: ColumnType, to newType: ColumnType) -> String {
        "CAST(\(sql) AS \(storedTypeName(newType)))"
    }

    public func referringTable(to table: String) -> String? { nil }

    public func addition(_ kind: SchemaAdditionKind, named name: String) -> AdditionSQL? { nil }

    public func vacuum(_ tables: [TableName]) -> [String]? { nil }

    public func analyze(_ tables: [TableName]) -> [String]? { nil }

    public var nullsFirstInIndex: String { "" }

    public var schemaLock: SchemaLock? { nil }

    public func lockTimeout(_ duration: Duration) -> String? { nil }

    public var notification: String? { nil }

    public func listen(_ channel: String, ends: Bool) -> String { (ends ? "UNLISTEN " : "LISTEN ") + quoted(channel) }

    public var changeLog: (any ChangeLogDialect)? { nil }

    public var search: (any SearchDialect)? { nil }

    public var concurrentIndexes: ConcurrentIndexes? { nil }

    public func effects(of statement: SchemaStatement) -> SchemaEffects { .unknown(statement.change.table) }

    public var rowLock: String { "" }

    public var freeRowLock: String { rowLock }

    public func rowLock(of table: String, _ lock: RowLock) -> String? {
        if rowLock.isEmpty { return "" }
        return lock == .waiting ? "\(rowLock) OF \(table)" : nil
    }

    public var currentTime: CurrentTime? { nil }

    public var timePosition: Int? {
        get { nil }
        set {}
    }

    public var scopes: ScopeView? {
        get { nil }
        set {}
    }

    public var sqlSyntax: SQLSyntax { .any }

    public func advanceGeneratedKey(table: TableName, column: String) -> String? { nil }

    public var looseTablesQuery: String? { nil }

    public func distrusting(_ tables: Set<String>) -> any Dialect { self }
}

@_spi(Driver) extension Dialect {
    public func arrayTypeName(_ element: ColumnType) -> String? { nil }

    /// The type of a column, as it is declared.
    func typeName(of column: ColumnDefinition) -> String {
        column.storage.elementType.flatMap(arrayTypeName) ?? typeName(column.type)
    }

    /// The type of a column, as the engine reports it.
    func storedTypeName(of column: ColumnDefinition) -> String {
        column.storage.elementType.flatMap(arrayTypeName) ?? storedTypeName(column.type)
    }
}
