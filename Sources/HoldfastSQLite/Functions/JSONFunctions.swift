import CSQLite

/// SQLite's own functions of JSON.
enum JSONFunctions {
    /// Whether they can be in indexes of files whose schema is not trusted.
    ///
    /// In some versions, of which 3.40 is one, they lack the mark of functions that do no harm
    /// (<https://www.sqlite.org/c3ref/c_deterministic.html>), so that SQLite refuses them there. The library is asked,
    /// once in a process.
    static let areInnocuous: Bool = {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open(":memory:", &database) == SQLITE_OK else { return false }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT 1 FROM pragma_function_list WHERE name = 'json_type' AND flags & \(SQLITE_INNOCUOUS) LIMIT 1"
        return sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK
            && sqlite3_step(statement) == SQLITE_ROW
    }()
}
