@_spi(Driver) import Holdfast

/// The effects of statements, according to *ALTER TABLE* and *CREATE INDEX*.
@_spi(Driver) extension SQLiteDialect {
    public func effects(of statement: SchemaStatement) -> SchemaEffects {
        var effects = SchemaEffects(locks: [TableLock(.databaseWrite, on: nil)])
        switch statement.change {
        case .copyRows, .changeType, .dropColumn: (effects.rewritesTable, effects.scansTable) = (true, true)
        case .createIndex, .createSearch, .updateRows, .setNotNull, .setCheck, .addTableCheck:
            effects.scansTable = true
        // A CHECK constraint is tested on all rows.
        case .addColumn(let column, _):
            effects.scansTable = !column.cases.isEmpty || check(column.type, column: column.name) != nil
        case .alterColumn, .wrapColumn, .unwrapArray, .runMigration, .makeAddition, .dropAddition:
            return .unknown(statement.change.table)
        case .createTable, .dropTable, .renameTable, .renameColumn, .dropNotNull, .setDefault, .dropIndex, .renameIndex,
            .addForeignKey, .dropForeignKey, .renameForeignKey, .createDeleteRule, .dropDeleteRule, .createLogTrigger,
            .dropLogTrigger, .dropSearch, .renameGeneratedKey, .replaceTable, .setCollation, .dropCheck,
            .dropTableCheck, .renameCheck:
            break
        }
        return effects
    }
}
