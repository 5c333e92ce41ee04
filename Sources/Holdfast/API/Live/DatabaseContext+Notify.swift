extension DatabaseContext {
    /// Notifies whoever listens on a channel, in this process and others: PostgreSQL's NOTIFY.
    ///
    /// In a transaction, it is delivered after the commit, and equal ones once; a rollback takes it back. Nothing is
    /// kept for those who do not listen: use the change log (<doc:ChangeLog>) where nothing may be lost.
    ///
    /// ```swift
    /// try await db.notify("jobs", "42")    // SELECT pg_notify($1, $2)
    /// ```
    ///
    /// The name of a channel has 1 to 63 bytes, and a payload less than 8,000.
    ///
    /// - Throws: ``DatabaseError/Code/unsupported`` on an engine without notifications, as SQLite is;
    ///   ``DatabaseError/Code/invalidValue`` for a name or a payload that can't be sent.
    public func notify(
        _ channel: String, _ payload: String = "", fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let access = access(fileID, line)
        try NotificationListener.check(channel)
        guard payload.utf8.count < 8_000, !payload.utf8.contains(0) else {
            throw DatabaseError(
                .invalidValue, "The payload of a notification has less than 8,000 bytes, and no NUL. Nothing was sent.")
        }
        guard let sql = access.core.dialect.notification else { throw NotificationListener.unsupported }
        var parameters = ParameterBuffer(width: 2)
        for var text in [channel, payload] {
            text.withUTF8 { parameters.append(.text, UnsafeRawBufferPointer($0)) }
        }
        let (statement, values) = (Statement(sql, isBrief: true, isCached: false), parameters)
        try await access.perform(.write, purpose: "notify") { session, _ in
            try await session.run(statement, values) { while try $0.next() != nil {} }
        }
    }
}
