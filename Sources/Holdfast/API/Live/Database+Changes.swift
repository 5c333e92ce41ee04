import Foundation

extension Database {
    /// Returns the changes of logged tables after a token, and goes on with those that are committed, by this process
    /// or any other.
    ///
    /// ```swift
    /// @Table(log: true) final class Person { … }
    ///
    /// for try await batch in db.changes(of: Person.self, after: token) {
    ///     for change in batch.changes { print(change.kind, try change.key(of: Person.self) as Any) }
    ///     try await db.acknowledge(batch.token, by: "search index")
    /// }
    /// ```
    ///
    /// - A change is returned once, after its transaction was committed, whoever made it: objects, queries, SQL,
    ///   foreign keys, other programs. The order is that of the changes for each row; a change that depends on another,
    ///   by reading what that wrote, comes after it. Changes of two transactions may be mixed.
    /// - On PostgreSQL, waiting ends as soon as a transaction is committed (`NOTIFY`), and behind a transaction pooler,
    ///   which does not pass that on, when the log is looked at again, as on SQLite for other processes: after
    ///   ``DatabaseConfiguration/ChangeLog/pollInterval``.
    /// - Nothing is queued up: a batch is read when you ask for it. A lost connection does not end the sequence.
    /// - It ends when its task is cancelled, and throws ``DatabaseError/Code/closed`` when the database is closed.
    ///
    /// ```sql
    /// SELECT … FROM holdfast_log WHERE … ORDER BY id LIMIT 1000
    /// ```
    ///
    /// - Parameters:
    ///   - types: The types whose tables are read; arrays count as changes of their owners.
    ///   - token: The place to go on from; nil for the place where the log is at the first iteration.
    ///   - limit: The greatest number of changes in a batch.
    /// - Throws: While iterating, ``DatabaseError/Code/changesTrimmed`` if changes after the token may not be in the
    ///   log any more, or if the log is not the one that the token is of, since the database was restored;
    ///   ``DatabaseError/Code/decoding`` if an entry can't be read, with ``DatabaseError/changeToken`` to go on behind
    ///   it; ``DatabaseError/Code/notMigrated`` if nothing is logged; ``DatabaseError/Code/invalidValue`` for a token
    ///   of another engine; ``DatabaseError/Code/unsupported`` on a standby of PostgreSQL.
    public func changes(
        of types: any TableObject.Type..., after token: ChangeToken? = nil, limit: Int = 1000
    ) -> ChangeSequence {
        let tables = Set(types.map { $0.ownDescription.tableName.name }).sorted()
        return ChangeSequence(core: core, tables: tables, token: token, limit: max(limit, 1))
    }

    /// Returns the place where the change log is now: all that was committed before is before it.
    ///
    /// ```swift
    /// let token = try await db.changeToken()
    /// let people = try await db.query(Person.self).fetch()    // all that is before the token is in here
    /// for try await batch in db.changes(of: Person.self, after: token) { … }
    /// ```
    ///
    /// If the log was written by another server, since a dump of that was restored here, it is begun anew.
    ///
    /// - Throws: ``DatabaseError/Code/notMigrated`` if nothing is logged; ``DatabaseError/Code/unsupported`` on a
    ///   standby of PostgreSQL.
    public func changeToken() async throws -> ChangeToken { try await LogReader(core: core).now() }

    /// Notes in the database that a consumer of the log has all changes up to a token, so that they may be trimmed.
    ///
    /// ```sql
    /// INSERT INTO "holdfast_log_consumer" … ON CONFLICT … DO UPDATE …
    /// ```
    ///
    /// - Parameters:
    ///   - token: The token of a ``ChangeBatch``.
    ///   - consumer: A name for whoever reads, the same after a restart.
    public func acknowledge(_ token: ChangeToken, by consumer: String) async throws {
        let record = ChangeLogConsumer(name: consumer, token: token.description, acknowledgedAt: Date())
        _ = try await upsert(record)
    }

    /// Returns the token that a consumer has acknowledged last; nil if it has none.
    ///
    /// ```swift
    /// let token = try await db.acknowledgedToken(of: "search index")
    /// for try await batch in db.changes(of: Person.self, after: token) { … }
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if what is noted for it is no token.
    public func acknowledgedToken(of consumer: String) async throws -> ChangeToken? {
        guard let record = try await find(ChangeLogConsumer.self, key: Key(consumer)) else { return nil }
        guard let token = ChangeToken(record.token) else {
            throw DatabaseError(
                .decoding, "What is noted for this consumer is no token of a change log.",
                table: ChangeLogConsumer.tableMapping.description.table, properties: ["token"])
        }
        return token
    }

    /// Forgets a consumer, for which nothing is kept any more.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func forgetConsumer(_ consumer: String) async throws -> Bool {
        try await query(ChangeLogConsumer.self).where { $0.name == consumer }.delete() > 0
    }

    /// Begins a new change log, without entries: readers with any token from before get
    /// ``DatabaseError/Code/changesTrimmed``, and load anew what they keep.
    ///
    /// Call it after you have put back an older state of the database, before its programs go on. Whoever reads the log
    /// notices that by itself in most cases: the article *The change log* has the exceptions.
    ///
    /// ```swift
    /// try await db.renewChangeLog()
    /// // UPDATE holdfast_log_state SET identity = …; DELETE FROM holdfast_log
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/notMigrated`` if nothing is logged.
    public func renewChangeLog() async throws { try await LogReader(core: core).renew(evenIfOwn: true) }

    /// Removes entries of the change log that are old, too many, or acknowledged by all consumers.
    ///
    /// An entry goes if one of the conditions holds. Whoever reads from a token before it gets
    /// ``DatabaseError/Code/changesTrimmed``. On PostgreSQL, entries stay while a transaction is open that began before
    /// they were made. Several processes may call it; each call is one transaction.
    ///
    /// ```swift
    /// try await db.trimChanges(olderThan: .seconds(7 * 86_400), acknowledged: true)
    /// // DELETE FROM holdfast_log WHERE …
    /// ```
    ///
    /// - Parameters:
    ///   - age: The age from which on an entry goes, by the clock of this process; nil if it may be of any age.
    ///   - count: How many entries are kept, the latest ones; nil for all.
    ///   - acknowledged: Whether entries go that each consumer has acknowledged; without consumers, none do.
    public func trimChanges(
        olderThan age: Duration? = nil, keeping count: Int? = nil, acknowledged: Bool = false
    ) async throws {
        let changeLog = try LogReader(core: core).changeLog()
        try await transaction { transaction in
            // A log that another server has written is not trimmed by that server's numbers, but begun anew.
            if try await LogRenewal(changeLog: changeLog).renew(in: transaction, evenIfOwn: false) { return }
            var positions: [String] = []
            if acknowledged {
                let identity = try await transaction.find(ChangeLogState.self, key: 1)?.identity
                // A token of another log is refused, so nothing is kept for it.
                positions = try await transaction.query(ChangeLogConsumer.self).fetch()
                    .compactMap { ChangeToken($0.token) }.filter { $0.identity == identity }.map(\.position)
                    .filter(changeLog.isPosition)
            }
            let cutoff = age.map { Date().addingTimeInterval(-($0.bounded / .seconds(1))) }
            let statements = changeLog.trim(
                before: cutoff.map { Int64($0.timeIntervalSince1970 * 1_000_000) }, positions: positions,
                keeping: count.map { max($0, 0) })
            for sql in statements {
                try await transaction.scope.session.run(Statement(sql, isCached: false)) {
                    while try $0.next() != nil {}
                }
            }
        }
    }
}

extension ChangeBatch {
    /// After this time without changes, a batch without any brings a token that is not too old.
    static let longestSilence = Duration.seconds(60)
}
