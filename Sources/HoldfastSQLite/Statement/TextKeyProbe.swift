import CSQLite
@_spi(Driver) import Holdfast

/// Finds out whether another program has stored UUIDs as texts in the primary key of a table.
///
/// Holdfast stores a UUID as 16 bytes, which are never equal to a text, so that saving an object of such a table would
/// add a second row for it. The index of the key has all texts next to each other, before all bytes. See "Sort Order"
/// in SQLite's *Datatypes In SQLite*.
final class TextKeyProbe {
    private let column: String
    private let table: TableName
    private let statement: OpaquePointer

    /// - Returns: Nil if `statement` adds no row with such a key, or the table keeps texts out of it.
    init?(_ statement: Statement, in database: DatabaseHandle) {
        let table: TableName
        switch statement.rowChange {
        case .insert(let into, _, _), .upsert(let into, _, _, _): table = into
        case .update, .set, nil: return nil
        }
        let columns = zip(statement.rowChange?.columns ?? [], statement.columnTypes)
        let key = columns.first { name, type in type == .uuid && database.isPrimaryKey(name, of: table) }
        guard let column = key?.0, !database.isStrict(table) else { return nil }
        (self.table, self.column) = (table, column)
        let dialect = SQLiteDialect()
        let name = dialect.quoted(column)
        let sql = "SELECT 1 FROM \(dialect.quoted(table)) WHERE \(name) >= '' AND \(name) < x'' LIMIT 1"
        var pointer: OpaquePointer?
        guard
            sqlite3_prepare_v3(database.pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
                == SQLITE_OK,
            let pointer
        else { return nil }
        self.statement = pointer
    }

    deinit { sqlite3_finalize(statement) }

    /// Looks for such a row, and returns what the step said: `SQLITE_ROW` if there is one.
    func look() -> Int32 {
        defer { sqlite3_reset(statement) }
        return sqlite3_step(statement)
    }

    /// The error of a row that would be added next to one whose UUID is a text.
    var error: DatabaseError {
        DatabaseError(
            .invalidValue,
            "Another program has stored UUIDs as texts in the key of \"\(table)\", and Holdfast stores them as 16 bytes. "
                + "Declare the property with `@Column(storage: .text)`, or convert the column. Nothing was stored.",
            table: table.description, properties: [column])
    }
}
