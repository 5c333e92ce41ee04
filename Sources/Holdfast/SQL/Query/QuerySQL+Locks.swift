/// Locks of rows.
extension QuerySQL {
    /// The clause by which a statement that changes rows locks them first; empty where a transaction that writes
    /// excludes all others.
    var changeLock: String { get throws { try clause(specification.lock ?? .waiting) } }

    private func clause(_ lock: RowLock) throws -> String {
        guard let clause = dialect.rowLock(of: "t0", lock) else {
            throw DatabaseError(
                .unsupported, "A query passes over rows that others have locked, which the database can't do.",
                table: description.table)
        }
        return clause
    }

    /// Adds the lock that the query asks for to a statement that reads its rows one by one.
    func locking(_ rendering: Rendering) throws -> Rendering {
        guard let lock = specification.lock else { return rendering }
        guard specification.distinct.isEmpty else { throw lockRefused("one of several objects that are the same") }
        return (rendering.sql + (try clause(lock)), rendering.parameters)
    }

    /// Refuses to lock rows of which a statement tells something together.
    func requireNoLock() throws {
        if specification.lock != nil { throw lockRefused("what several rows come to") }
    }

    private func lockRefused(_ what: String) -> DatabaseError {
        DatabaseError(
            .unsupported,
            "A query locks rows, and asks for \(what), which is no row that could be locked. Lock the rows by a query of their own.",
            table: description.table)
    }
}
