import Logging

/// Someone builds indexes outside of transactions: nothing else is done meanwhile, and nobody waits in a statement,
/// since the builder waits for the statements of others.
struct IndexBuildInProgress: Error {}

extension Migrator {
    /// Runs `body` again, up to a limit, for as long as others hold locks that it needs: soon where a lock of the
    /// database keeps it from its turn, and with growing pauses where others hold tables.
    ///
    /// - Parameter body: Sets its argument once it has its turn. It is a transaction, so that nothing is left of it if
    ///   it fails.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func takingTurns<Output>(
        _ body: nonisolated(nonsending) (inout Bool) async throws -> Output
    ) async throws -> Output {
        var (hasLogged, patience) = (false, LockPatience(limit: core.configuration.migrations.retryLimit))
        while true {
            var hasTurn = false
            do {
                return try await body(&hasTurn)
            } catch is IndexBuildInProgress {
                if !hasLogged { logWait() }
                hasLogged = true
                try await pause(.milliseconds(Int.random(in: 50...150)))
            } catch let error as DatabaseError where error.code == .lockTimeout && !hasTurn {
                if !hasLogged { logWait() }
                hasLogged = true
                guard let pause = patience.nextPause(hasWaited: true) else {
                    throw givenUp(error, patience, isUndone: true)
                }
                try await self.pause(pause)
            } catch let error as DatabaseError where isAboutLocks(error) {
                try await pause(after: error, &patience, isUndone: true)
            }
        }
    }

    /// Runs `body`, a transaction that takes the lock of schema changes, when nobody builds indexes.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func waitingForBuilders<Output>(
        _ body: nonisolated(nonsending) () async throws -> Output
    ) async throws -> Output {
        while true {
            do {
                return try await body()
            } catch is IndexBuildInProgress {
                try await pause(.milliseconds(Int.random(in: 50...150)))
            }
        }
    }

    /// Whether others held locks that were needed, so that it may go well another time.
    ///
    /// An error without a code of the engine is one of the application's own closures.
    func isAboutLocks(_ error: DatabaseError) -> Bool {
        (error.code == .lockTimeout || error.code == .deadlock) && error.engineCode != nil
            && core.dialect.lockTimeout(.zero) != nil
    }

    /// Waits before another attempt.
    ///
    /// - Parameter isUndone: Whether nothing is left of the attempt that failed.
    /// - Throws: ``DatabaseError/Code/lockTimeout`` if there is to be none.
    func pause(after error: DatabaseError, _ patience: inout LockPatience, isUndone: Bool = false) async throws {
        guard let pause = patience.nextPause() else { throw givenUp(error, patience, isUndone: isUndone) }
        core.configuration.telemetry.logger.info(
            "A migration waits for a lock on a table, and lets others go first.",
            metadata: ["table": "\(error.table ?? "")", "attempt": "\(patience.attempts)"])
        try await self.pause(pause)
    }

    /// The error of a migration that has waited for as long as it may.
    private func givenUp(_ error: DatabaseError, _ patience: LockPatience, isUndone: Bool) -> DatabaseError {
        var error = error
        let isShared = core.capabilities.hasConcurrentWriters
        let name = error.table.map { "\"\($0)\"" } ?? (isShared ? "a table" : "the database")
        error.code = .lockTimeout
        error.message =
            "The migration was given up after \(patience.attempts + 1) attempts: others hold \(name) locked. "
            + (isUndone ? "\(SchemaProblems.ending) " : "") + "To wait longer, raise migrations.retryLimit. "
            + error.message.replacing("\(SchemaProblems.ending) ", with: "")
        return error
    }

    /// Sleeping throws only where the task is cancelled.
    func pause(_ duration: Duration) async throws {
        guard (try? await Task.sleep(for: duration)) != nil else { throw Self.cancelled }
    }

    /// Takes the lock under which schemas are changed, where the engine has one, however long others hold it.
    ///
    /// - Throws: ``IndexBuildInProgress`` while others build indexes.
    func lock(_ session: Session) async throws {
        guard let lock = core.dialect.schemaLock else { return }
        if try await !answer(lock.attempt, session) {
            logWait()
            for sql in lock.wait {
                try await session.run(Statement(sql, isCached: false), timeout: Self.longestWait) {
                    while try $0.next() != nil {}
                }
            }
        }
        guard let exclusion = core.dialect.concurrentIndexes?.exclusion else { return }
        if try await !answer(exclusion, session) { throw IndexBuildInProgress() }
    }

    /// Limits how long each of the following statements of a transaction waits for a lock, and others behind it.
    func limitWaits(_ session: Session) async throws {
        guard let timeout = core.configuration.migrations.lockTimeout, let sql = core.dialect.lockTimeout(timeout)
        else {
            return
        }
        try await session.execute(Statement(sql, isCached: false))
    }

    /// The Boolean that a statement returns.
    func answer(_ sql: String, _ session: Session) async throws -> Bool {
        try await session.run(Statement(sql, isCached: false)) { rows in
            try rows.next().map { try Bool._decode($0[0]) } ?? false
        }
    }

    func logWait() {
        core.configuration.telemetry.logger.info("A migration waits for others to end their work on the same database.")
    }

    /// How long others may be at work: in place of the statement timeout, which is about something else.
    static let longestWait = Duration.seconds(86_400)
    private static let cancelled = DatabaseError(
        .cancelled, "The task was cancelled while its migration waited for others. Nothing was changed.")
}

extension SchemaStep {
    /// Names the table in an error that is about a lock of this step, and the index that rows are in the way of.
    func naming(_ error: any Error) -> any Error {
        if case .createIndex(let index, let table) = action, var error = error as? DatabaseError,
            error.code == .uniqueViolation
        {
            error.message =
                "The unique index \"\(index.name)\" of \"\(table)\" can't be made: rows have equal values of "
                + index.terms.map { "\"\($0.text)\"" }.joined(separator: ", ")
                + ". Make them differ first. \(SchemaProblems.ending)"
            return error
        }
        guard var error = error as? DatabaseError, error.code == .lockTimeout || error.code == .deadlock else {
            return error
        }
        error.table = error.table ?? locks.lazy.compactMap(\.table).first ?? consequences.lazy.compactMap(\.table).first
        return error
    }
}
