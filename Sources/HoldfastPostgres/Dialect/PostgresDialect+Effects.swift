@_spi(Driver) import Holdfast

/// The locks of statements, as *Explicit Locking* and the pages of the statements have them.
@_spi(Driver) extension PostgresDialect {
    public func effects(of change: SchemaChange) -> SchemaEffects {
        switch change {
        case .createTable(let table):
            // They get the triggers that check references.
            locking(.shareRowExclusive, table.foreignKeys.map(\.target.description).filter { $0 != table.name })
        case .dropTable(let table, let targets), .dropColumn(_, let table, let targets):
            // They lose them.
            locking(.accessExclusive, [table] + targets)
        case .dropForeignKey(let table, let target): locking(.accessExclusive, [table, target])
        case .addForeignKey(let key, let table):
            locking(.shareRowExclusive, [table, key.target.description], scans: true)
        case .addColumn(_, let table, _), .renameTable(let table, _), .renameColumn(_, let table, _),
            .renameForeignKey(let table), .setDefault(_, let table), .dropNotNull(_, let table),
            .dropCheck(_, let table), .renameCheck(let table):
            locking(.accessExclusive, [table])
        // A collation is that of indexes, too, which are built anew.
        case .setNotNull(_, let table), .setCheck(_, let table, _, _), .setCollation(_, let table):
            locking(.accessExclusive, [table], scans: true)
        case .changeType(_, let table, let type, let newType, let isComputed):
            locking(.accessExclusive, [table], rewrites: isComputed || rewrites(from: type, to: newType))
        case .updateRows(let table): locking(.rowExclusive, [table], scans: true)
        case .createIndex(_, let table, isConcurrent: false): locking(.share, [table], scans: true)
        case .createIndex(_, let table, isConcurrent: true):
            locking(.shareUpdateExclusive, [table], scans: true, isTransactional: false)
        case .dropIndex(_, let table, isConcurrent: false): locking(.accessExclusive, [table])
        case .dropIndex(_, let table, isConcurrent: true):
            locking(.shareUpdateExclusive, [table], isTransactional: false)
        case .createDeleteRule(_, _, let index), .createLogTrigger(_, let index):
            // The function comes first, then the trigger.
            index == 0 ? SchemaEffects() : locking(.shareRowExclusive, [change.table].compactMap(\.self))
        case .dropDeleteRule(_, let table, let index):
            index == 0 ? locking(.accessExclusive, [table]) : SchemaEffects()
        case .renameIndex, .renameGeneratedKey: SchemaEffects()
        case .copyRows(let table), .replaceTable(let table): .unknown(table)
        case .custom: .unknown(nil)
        }
    }

    private func locking(
        _ mode: TableLock.Mode, _ tables: [String], scans: Bool = false, rewrites: Bool = false,
        isTransactional: Bool = true
    ) -> SchemaEffects {
        var seen = Set<String>()
        let locks = tables.filter { seen.insert($0).inserted }.map { TableLock(mode, on: $0) }
        return SchemaEffects(
            locks: locks, rewritesTable: rewrites, scansTable: scans || rewrites, isTransactional: isTransactional)
    }

    /// Whether the values of a type are stored otherwise than those of another, so that ALTER TYPE writes them anew.
    private func rewrites(from type: String, to newType: ColumnType) -> Bool {
        let isSame =
            switch newType {
            case .text: type == "text" || type.hasPrefix("character varying")
            case .decimal: type.hasPrefix("numeric")
            // Sessions are in UTC, where both are the same.
            case .timestamp: type == "timestamp without time zone" || type == storedTypeName(newType)
            default: type == storedTypeName(newType)
            }
        return !isSame
    }
}
