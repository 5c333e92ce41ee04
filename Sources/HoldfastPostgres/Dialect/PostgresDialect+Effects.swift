@_spi(Driver) import Holdfast

/// The locks of statements, as *Explicit Locking* and the pages of the statements have them.
@_spi(Driver) extension PostgresDialect {
    public func effects(of statement: SchemaStatement) -> SchemaEffects {
        switch statement.change {
        case .createTable(let table):
            // They get the triggers that check references.
            locking(.shareRowExclusive, table.foreignKeys.map(\.target.description).filter { $0 != table.name })
        case .dropTable(let table), .dropColumn(_, let table), .dropForeignKey(_, let table):
            // They lose them.
            locking(.accessExclusive, [table] + statement.targets)
        case .addForeignKey(let key, let table):
            locking(.shareRowExclusive, [table, key.target.description], scans: true)
        case .addColumn(_, let table), .renameTable(let table, _), .renameColumn(_, let table, _),
            .renameForeignKey(let table), .setDefault(_, let table), .dropNotNull(_, let table),
            .dropCheck(_, let table), .dropTableCheck(_, let table), .renameCheck(let table):
            locking(.accessExclusive, [table])
        // A collation is that of indexes, too, which are built anew.
        case .setNotNull(_, let table), .setCheck(_, let table, _, _), .addTableCheck(_, let table),
            .setCollation(_, let table):
            locking(.accessExclusive, [table], scans: true)
        case .changeType(_, let table, let type, let newType, let isComputed):
            locking(.accessExclusive, [table], rewrites: isComputed || rewrites(from: type, to: newType))
        case .updateRows(let table): locking(.rowExclusive, [table], scans: true)
        case .createIndex(_, let table):
            statement.isConcurrent
                ? locking(.shareUpdateExclusive, [table], scans: true, isTransactional: false)
                : locking(.share, [table], scans: true)
        case .dropIndex(_, let table):
            statement.isConcurrent
                ? locking(.shareUpdateExclusive, [table], isTransactional: false) : locking(.accessExclusive, [table])
        case .createDeleteRule, .createLogTrigger:
            // The function comes first, then the trigger.
            statement.index == 0
                ? SchemaEffects() : locking(.shareRowExclusive, [statement.change.table].compactMap(\.self))
        case .createSearch(_, let table):
            // The function comes first.
            statement.index == 0 ? SchemaEffects() : locking(.share, [table], scans: true)
        case .dropSearch(_, let table): locking(.accessExclusive, [table])
        case .dropDeleteRule(_, let table), .dropLogTrigger(_, let table):
            statement.index == 0 ? locking(.accessExclusive, [table]) : SchemaEffects()
        case .renameIndex, .renameGeneratedKey: SchemaEffects()
        case .copyRows, .replaceTable, .alterColumn, .wrapColumn, .unwrapArray, .runMigration, .makeAddition,
            .dropAddition:
            .unknown(statement.change.table)
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
            case .boolean, .int16, .int32, .int64, .float, .double, .blob, .uuid, .json:
                type == storedTypeName(newType)
            }
        return !isSame
    }
}
