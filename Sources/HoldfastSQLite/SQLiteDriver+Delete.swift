import CSQLite
import Holdfast

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension SQLiteDriver {
    func deleteDatabase(confirmingName name: String) async throws {
        try await workers.run { [self] in try deleteFile(confirmingName: name) }
    }

    /// Deletes the file, and those that belong to it, while a lock keeps everybody else out.
    private func deleteFile(confirmingName name: String) throws {
        guard case .file = options.location else {
            throw DatabaseError(.unsupported, "A database in memory is deleted when it is closed.")
        }
        let found = path.split(separator: "/").last.map(String.init) ?? path
        guard found.utf8.elementsEqual(name.utf8) else {
            throw DatabaseError(
                .conflict, "The file of the database is named \"\(found)\", not \"\(name)\". Nothing was deleted.")
        }
        guard options.mode != .readOnly else {
            throw DatabaseError(.readOnly, "The database is to be read only. Nothing was deleted.")
        }
        // The library follows a link to the file, beside which the others are.
        guard let file = resolved(path) else {
            throw DatabaseError(.notFound, "There is no database file \"\(path)\".")
        }
        do throws(ResultCode) {
            let database = try DatabaseHandle(path: file, flags: SQLITE_OPEN_READWRITE)
            // A connection of anybody holds a shared lock for as long as the file is in write-ahead-log mode, and
            // leaving that takes an exclusive one. It also copies and deletes the log.
            guard try database.execute("PRAGMA journal_mode = DELETE") == "delete" else {
                throw ResultCode(SQLITE_BUSY, "journal_mode")
            }
            try database.execute("BEGIN EXCLUSIVE")
            let failed = ["-wal", "-shm", "-journal", ""].first { remove(file + $0) == false }
            if failed != nil { throw ResultCode(SQLITE_PERM, "unlink") }
            if file != path { unlink(path) }
        } catch {
            guard error.isBusy else { throw DatabaseError(opening: error, showsValues: settings.showsValues) }
            var inUse = DatabaseError(
                .conflict, "The database \"\(found)\" is in use. Close all connections to it. Nothing was deleted.")
            inUse.engineCode = String(error.code)
            throw inUse
        }
    }

    /// Deletes a file, unless there is none.
    private func remove(_ path: String) -> Bool { unlink(path) == 0 || errno == ENOENT }

    private func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
