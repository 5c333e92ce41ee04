import Foundation

/// Begins the change log anew: without entries, and under an identity that no token has.
struct LogRenewal {
    let changeLog: any ChangeLogDialect

    /// The query for the state of a log that this server has written: no row if there is none, or if it is another's.
    var ownState: Statement {
        Statement(
            "SELECT 1 FROM holdfast_log_state t WHERE NOT \(changeLog.isForeign) AND server IS NOT NULL",
            isCached: false)
    }

    /// Whether there is a log that this server has written.
    func hasOwnLog(_ session: Session) async throws -> Bool { try await session.run(ownState) { try $0.next() != nil } }

    /// Makes the state of the log, if there is none, and renews the log if it is another server's.
    func establish(in transaction: Transaction) async throws {
        let session = transaction.scope.session
        if try await hasOwnLog(session) { return }
        if try await transaction.find(ChangeLogState.self, key: 1) == nil {
            _ = try await transaction.insert([ChangeLogState(id: 1, identity: UUID().uuidString, trimmed: 0)])
        }
        let note = "UPDATE holdfast_log_state SET server = \(changeLog.server) WHERE server IS NULL"
        try await session.execute(Statement(note, isCached: false))
        try await renew(in: transaction, evenIfOwn: false)
    }

    /// Renews the log.
    ///
    /// Several processes may do so at a time: those that come later find it renewed.
    ///
    /// - Parameter isUnconditional: Whether it is renewed even if this server has written it.
    /// - Returns: Whether it was.
    @discardableResult
    func renew(in transaction: Transaction, evenIfOwn isUnconditional: Bool) async throws -> Bool {
        let session = transaction.scope.session
        let update = """
            UPDATE holdfast_log_state AS t
            SET identity = '\(UUID().uuidString)', server = \(changeLog.server), trimmed = 0, last_number = 0, last_at = 0
            WHERE \(isUnconditional ? "1 = 1" : changeLog.isForeign) RETURNING 1
            """
        let isRenewed = try await session.run(Statement(update, isCached: false)) { try $0.next() != nil }
        if isRenewed { try await session.execute(Statement("DELETE FROM holdfast_log", isCached: false)) }
        return isRenewed
    }
}
