import CSQLite
@_spi(Driver) import Holdfast

extension SQLiteSession {
    /// Begins to run a statement whose rows are read by and by, on this thread.
    ///
    /// - Parameter isAbandoned: Set when nobody reads it any more.
    /// - Returns: What the cursor is known by.
    func openCursor(_ statement: Statement, _ parameters: ParameterBuffer, isAbandoned: Flag) throws -> Int {
        var lock = LockWait.upTo(settings.lockTimeout)
        // Not one that is kept: that may run at the same time.
        let prepared = try prepare(Statement(statement.sql, isCached: false), &lock)
        guard prepared.isReadOnly, sqlite3_column_count(prepared.pointer) > 0 else {
            throw failure(.syntax, "A cursor is for a statement that reads.", statement)
        }
        try checkCount(parameters, of: prepared, statement)
        let cursor = try OpenCursor(
            prepared, statement, parameters, rows: makeRowSource(), lock: lock, isAbandoned: isAbandoned)
        lastCursor += 1
        cursors[lastCursor] = cursor
        return lastCursor
    }

    /// - Throws: ``DatabaseError/Code/transactionAborted`` if it has ended with its transaction, or because another
    ///   statement was interrupted, which the library does to all of a connection.
    func cursor(_ number: Int, _ statement: Statement) throws -> OpenCursor {
        if let cursor = cursors[number], !cursor.hasEnded { return cursor }
        throw failure(
            .transactionAborted, "The cursor ended with its transaction, or with a statement that was stopped.",
            statement)
    }

    func closeCursor(_ number: Int) { cursors.removeValue(forKey: number)?.end() }

    /// Prepares the cursors for a statement that is about to run.
    func settleCursors(before statement: PreparedStatement, mayWait: Bool) throws {
        if statement.kind == .commit { return endCursors() }  // a commit with a statement under way keeps its snapshot
        for (number, cursor) in cursors where cursor.isAbandoned { closeCursor(number) }
        guard !statement.isReadOnly, !cursors.isEmpty else { return }
        guard mayWait else { throw MustWait() }  // this may take long
        for cursor in cursors.values { try cursor.prefetch() }
    }

    /// Ends the cursors if the statement that has run is the end of them.
    func settleCursors() {
        // Until no statement is under way, the library interrupts each new one too.
        if !cursors.isEmpty, interrupter.isInterrupted || !isInTransaction { endCursors() }
    }

    private func endCursors() {
        for cursor in cursors.values { cursor.end() }
        cursors = [:]
    }
}
