import CSQLite
public import Holdfast

/// The settings of SQLite that hold for the whole process, other libraries' databases included.
public enum SQLiteProcess {
    /// Makes SQLite faster for programs whose threads use it at the same time; to be called before anything uses
    /// SQLite.
    ///
    /// ```swift
    /// @main struct Server {
    ///     static func main() async throws {
    ///         try SQLiteProcess.applyFastSettings()
    ///         let db = try await Database.open(.sqlite(path: "catalog.db"))
    /// ```
    ///
    /// - SQLite no longer counts the bytes of its allocations, which takes a lock of all threads for each. So
    ///   `sqlite3_memory_used()` is 0, and `sqlite3_soft_heap_limit64()` has no effect.
    /// - On systems with glibc, its mutexes look a few times before they put a thread to sleep.
    ///
    /// Four tasks that find objects concurrently take about 1.24 times as long as C then, and up to 1.9 without it. One
    /// task gains a tenth or so.
    ///
    /// SQLite's function for it is not thread-safe: no other thread may begin to use SQLite at the same time. To
    /// call it again does nothing.
    ///
    /// - Throws: `DatabaseError.Code.unsupported` if SQLite has been in use in this process, by Holdfast
    ///   or by another library; nothing is changed then, and databases can be used as they could before.
    public static func applyFastSettings() throws(DatabaseError) {
        guard status == SQLITE_OK else {
            var error = DatabaseError(
                .unsupported,
                "SQLite is in use in this process, so its settings can't be changed. Call applyFastSettings before any "
                    + "database is opened, by Holdfast or by another library.")
            error.engineCode = String(status)
            throw error
        }
    }

    /// The result of the only attempt.
    private static let status: Int32 = {
        let status = holdfast_sqlite_forgo_memory_statistics()
        return status == SQLITE_OK ? holdfast_sqlite_use_spinning_mutexes() : status
    }()
}
