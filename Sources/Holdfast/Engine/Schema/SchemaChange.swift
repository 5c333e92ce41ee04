/// The change that one statement of a migration makes, as a ``Dialect`` is asked about its effects.
@_spi(Driver) public enum SchemaChange: Hashable, Sendable {
    /// A table is created, with its foreign keys.
    case createTable(TableDefinition)
    /// A table is dropped whose foreign keys lead to `targets`.
    case dropTable(String, targets: [String])
    /// A table is renamed.
    case renameTable(String, to: String)
    /// A column is added; `key` is the foreign key of just this column, if the engine can't add one afterwards.
    ///
    /// ```sql
    /// ALTER TABLE "note" ADD COLUMN "by_id" INTEGER -- SQLite, with its key
    ///     CONSTRAINT "note_by_id_fkey" REFERENCES "person" ("id") ON DELETE SET NULL
    /// ```
    case addColumn(ColumnDefinition, table: String, key: ForeignKeyDefinition?)
    /// A column is dropped whose foreign keys lead to `targets`.
    case dropColumn(String, table: String, targets: [String])
    /// A column is renamed.
    case renameColumn(String, table: String, to: String)
    /// A column gets another type; `from` is the type as the engine calls it, and `isComputed` tells whether an
    /// expression of the application makes the new value.
    case changeType(column: String, table: String, from: String, to: ColumnType, isComputed: Bool)
    /// A column becomes NOT NULL.
    case setNotNull(column: String, table: String)
    /// A column accepts NULL from now on.
    case dropNotNull(column: String, table: String)
    /// The default of a column is set or dropped.
    case setDefault(column: String, table: String)
    /// The texts of a column are compared by another collation.
    case setCollation(column: String, table: String)
    /// A column gets a CHECK constraint for the cases of an enum, in place of one that it may have had.
    ///
    /// `refusesMore` tells whether values are refused from now on that were admitted, `admitsMore` the opposite.
    case setCheck(column: String, table: String, refusesMore: Bool, admitsMore: Bool)
    /// A column loses the CHECK constraint for the cases of an enum.
    case dropCheck(column: String, table: String)
    /// A constraint is renamed.
    case renameCheck(table: String)
    /// Rows of a table are updated.
    case updateRows(table: String)
    /// An index is built.
    case createIndex(IndexDefinition, table: String, isConcurrent: Bool)
    /// An index is dropped.
    case dropIndex(String, table: String, isConcurrent: Bool)
    /// An index is renamed, or dropped where the engine can't rename it.
    case renameIndex(table: String)
    /// A foreign key is added to a table.
    case addForeignKey(ForeignKeyDefinition, table: String)
    /// A foreign key to `target` is dropped.
    case dropForeignKey(table: String, target: String)
    /// A foreign key is renamed.
    case renameForeignKey(table: String)
    /// One of the statements of ``Dialect/createDeleteRule(_:on:)``: that at `index`.
    case createDeleteRule(DeleteRuleDefinition, owner: String, index: Int)
    /// One of the statements of ``Dialect/dropDeleteRule(_:on:)``: that at `index`.
    case dropDeleteRule(String, table: String, index: Int)
    /// One of the statements of ``ChangeLogDialect/createTrigger(_:)``: that at `index`.
    case createLogTrigger(LogTrigger, index: Int)
    /// The generator of a key is renamed.
    case renameGeneratedKey(table: String)
    /// The rows of a table are copied into the one that replaces it: see ``Dialect/tableRebuild``.
    case copyRows(table: String)
    /// One of the other statements by which a table is made anew.
    case replaceTable(String)
    /// A statement or a closure of a ``Migration``, or of a ``SchemaAddition``, of which nothing is known.
    case custom

    /// The table that is changed, by its name before the change.
    public var table: String? {
        switch self {
        case .createTable(let definition): definition.name
        case .dropTable(let table, _), .renameTable(let table, _), .addColumn(_, let table, _),
            .dropColumn(_, let table, _), .renameColumn(_, let table, _), .changeType(_, let table, _, _, _),
            .setNotNull(_, let table), .dropNotNull(_, let table), .setDefault(_, let table), .updateRows(let table),
            .setCollation(_, let table), .setCheck(_, let table, _, _), .dropCheck(_, let table),
            .renameCheck(let table), .createIndex(_, let table, _), .dropIndex(_, let table, _),
            .renameIndex(let table),
            .addForeignKey(_, let table), .dropForeignKey(let table, _), .renameForeignKey(let table),
            .dropDeleteRule(_, let table, _), .renameGeneratedKey(let table), .copyRows(let table),
            .replaceTable(let table):
            table
        case .createLogTrigger(let trigger, _): trigger.source
        case .createDeleteRule(let rule, let owner, _): rule.triggerTable(owner: owner)
        case .custom: nil
        }
    }
}
