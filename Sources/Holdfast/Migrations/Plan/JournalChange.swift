/// A change of what the journal says of columns that exist.
enum JournalChange: Hashable, Sendable {
    case renameTable(String, to: String)
    case renameColumn(String, table: String, to: String)
    /// A column gets another logical type, and a storage if one is given.
    case setType(ColumnType, storage: Int?, column: String, table: String)
    /// A column is dropped; or all of a table, if none is named.
    case forget(column: String?, table: String)

    /// The statement that makes it.
    ///
    /// `UPDATE "holdfast_column" SET "table_name" = 'memo' WHERE "table_name" = 'note'`
    func sql(_ dialect: any Dialect) -> String {
        let journal = dialect.quoted(JournalEntry.tableMapping.description.table)
        func place(_ table: String, _ column: String?) -> String {
            "WHERE \"table_name\" = \(dialect.literal(table))"
                + (column.map { " AND \"column_name\" = \(dialect.literal($0))" } ?? "")
        }
        switch self {
        case .renameTable(let table, let name):
            return "UPDATE \(journal) SET \"table_name\" = \(dialect.literal(name)) \(place(table, nil))"
        case .renameColumn(let column, let table, let name):
            return "UPDATE \(journal) SET \"column_name\" = \(dialect.literal(name)) \(place(table, column))"
        case .setType(let type, let storage, let column, let table):
            return "UPDATE \(journal) SET \"logical_type\" = \(dialect.literal(type.rawValue))"
                + (storage.map { ", \"storage\" = \($0)" } ?? "") + " \(place(table, column))"
        case .forget(let column, let table): return "DELETE FROM \(journal) \(place(table, column))"
        }
    }
}
