import CSQLite

/// The functions by which an upsert tells whether it has inserted or updated its row.
///
/// `INSERT … ON CONFLICT (…) DO UPDATE SET … WHERE holdfast_finds_row() RETURNING …, holdfast_is_inserted()`
///
/// The library asks the condition of DO UPDATE for a row that is there, changes it, and computes what is returned of
/// it, before it goes on to another row. Neither function is deterministic, so each is called where it stands. What was
/// noted by a statement that fails, or of a row that a trigger then passes over, is forgotten before the next row.
extension DatabaseHandle {
    func registerUpsertFunctions() throws(ResultCode) {
        try registerNoting("holdfast_finds_row") { context, _, _ in
            guard let context, let handle = sqlite3_user_data(context) else { return }
            Unmanaged<DatabaseHandle>.fromOpaque(handle).takeUnretainedValue().hasFoundRow = true
            sqlite3_result_int(context, 1)
        }
        try registerNoting("holdfast_is_inserted") { context, _, _ in
            guard let context, let handle = sqlite3_user_data(context) else { return }
            let database = Unmanaged<DatabaseHandle>.fromOpaque(handle).takeUnretainedValue()
            sqlite3_result_int(context, database.hasFoundRow ? 0 : 1)
            database.hasFoundRow = false
        }
    }

    private func registerNoting(
        _ name: String,
        _ function: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) throws(ResultCode) {
        let status = sqlite3_create_function_v2(
            pointer, name, 0, SQLITE_UTF8 | SQLITE_INNOCUOUS, Unmanaged.passUnretained(self).toOpaque(), function, nil,
            nil, nil)
        if status != SQLITE_OK { throw failure(status) }
    }
}
