import Foundation

/// Reads the change log, page by page.
struct LogReader {
    let core: DatabaseCore

    /// What was read of the log.
    struct Portion {
        var changes: [LoggedChange]
        /// The place behind them.
        var token: ChangeToken
        /// Whether there may be more up to now.
        var isFull: Bool
    }

    private var access: DatabaseAccess { DatabaseAccess(kind: .database(core)) }

    func changeLog() throws -> any ChangeLogDialect {
        guard let changeLog = core.dialect.changeLog else {
            throw DatabaseError(.unsupported, "The driver has no change log, so there is nothing to read from it.")
        }
        return changeLog
    }

    /// The place where the log is now: behind all that is committed.
    ///
    /// A log that another server has written is begun anew.
    func now() async throws -> ChangeToken {
        let head = try await head()
        if let obstacle = head.obstacle, obstacle != .foreign { throw Self.error(obstacle) }
        if head.obstacle == nil { return head.token }
        do {
            try await renew(evenIfOwn: false)
        } catch var error as DatabaseError where error.code == .permissionDenied || error.code == .readOnly {
            error.message =
                "The change log was written by another server, of which this database is a copy, and has to be begun anew: "
                + "call `migrate` as a role that may. " + error.message
            throw error
        }
        let renewed = try await self.head()
        if let obstacle = renewed.obstacle { throw Self.error(obstacle) }
        return renewed.token
    }

    private func head() async throws -> Head {
        let query = try Statement(changeLog().position, isCached: false)
        let head = try await access.perform(.read, purpose: "changes") { session, _ in
            try await session.run(query) { rows in try rows.next().map(Head.init) }
        }
        guard let head else { throw Self.missing }
        return head
    }

    /// Begins the log anew.
    ///
    /// - Parameter isUnconditional: Whether to do so even if this server has written it.
    func renew(evenIfOwn isUnconditional: Bool) async throws {
        let renewal = LogRenewal(changeLog: try changeLog())
        try await Database(core: core).run(.readCommitted, for: "changes") { transaction in
            let isRenewed = try await renewal.renew(in: transaction, evenIfOwn: isUnconditional)
            if isUnconditional, !isRenewed { throw Self.missing }
        }
    }

    /// Reads the changes of tables after a token, up to `limit`: none only if there are none by now.
    ///
    /// - Throws: ``DatabaseError/Code/changesTrimmed`` if some of them may not be there any more;
    ///   ``DatabaseError/Code/decoding`` if the first entry can't be read, with a token behind it.
    func page(after token: ChangeToken, tables: [String], limit: Int) async throws -> Portion {
        let page = try await onePage(after: token, tables: tables, limit: limit)
        // The rest of a stretch may be empty, and what came after its end is not.
        guard page.changes.isEmpty, token.partial != nil else { return page }
        return try await onePage(after: page.token, tables: tables, limit: limit)
    }

    private func onePage(after token: ChangeToken, tables: [String], limit: Int) async throws -> Portion {
        let changeLog = try changeLog()
        let positions = [token.position] + (token.partial.map { [$0.end] } ?? [])
        guard positions.allSatisfy(changeLog.isPosition) else {
            throw DatabaseError(.invalidValue, "The token is of a change log of another engine.")
        }
        let query = changeLog.page(token.stretch, tables: tables, limit: limit)
        let statement = Statement(query, isCached: false)
        return try await access.perform(.read, purpose: "changes") { session, _ in
            try await session.run(statement) { rows in
                guard var cells = try rows.next() else { throw Self.missing }
                let head = Head(cells)
                if let obstacle = head.obstacle { throw Self.error(obstacle) }
                guard head.token.identity == token.identity else { throw Self.otherLog }
                var page = Portion(changes: [], token: head.token, isFull: false)
                while !cells[Head.width].isNull {
                    let number = cells[Head.width].integer
                    var behind = head.token
                    behind.position = token.position
                    behind.partial = ChangeToken.Partial(number: number, end: head.token.position)
                    do {
                        page.changes.append(try LoggedChange(cells + Head.width))
                    } catch var error as DatabaseError {
                        // What comes before it is read first.
                        if !page.changes.isEmpty { return page }
                        error.changeToken = behind
                        throw error
                    }
                    (page.token, page.isFull) = (behind, true)
                    if page.changes.count == limit { return page }
                    guard let next = try rows.next() else { break }
                    cells = next
                }
                return Portion(changes: page.changes, token: head.token, isFull: false)
            }
        }
    }

    /// What each row of the log's queries has first: see `ChangeLogDialect.head`.
    private struct Head {
        /// The place behind all that is committed, or at the end of the stretch that is read.
        let token: ChangeToken
        let obstacle: ChangeLogObstacle?

        static let width = 5

        init(_ cells: UnsafePointer<Cell>) {
            token = ChangeToken(
                identity: cells[1].textValue, position: cells[0].textValue,
                mark: ChangeLogMark(number: cells[2].integer, at: cells[3].integer))
            obstacle = cells[4].isNull ? nil : ChangeLogObstacle(rawValue: cells[4].integer)
        }
    }

    // MARK: Errors

    private static var missing: DatabaseError {
        DatabaseError(
            .notMigrated,
            "There is no change log yet. Give a type `@Table(log: true)`, and call `migrate` with it.",
            table: LogTrigger.table)
    }

    private static var otherLog: DatabaseError {
        trimmed("The token is of another change log: it was begun anew, or the database is another one.")
    }

    private static func error(_ obstacle: ChangeLogObstacle) -> DatabaseError {
        switch obstacle {
        case .trimmed: trimmed("The change log has not all changes after this token any more: they were trimmed.")
        case .older:
            trimmed(
                "The change log is of an older state than this token: the database was restored from a backup, or lost its latest changes."
            )
        case .foreign:
            trimmed("The change log was written by another server, of which this database is a copy.")
        case .standby:
            DatabaseError(
                .unsupported,
                "The server is a standby, which does not know the transactions that are open on its primary, so the change log can't be read there. Read it on the primary.",
                table: LogTrigger.table)
        }
    }

    private static func trimmed(_ reason: String) -> DatabaseError {
        DatabaseError(
            .changesTrimmed,
            "\(reason) Load what you keep anew, and go on from `changeToken()`, taken before.", table: LogTrigger.table)
    }
}

extension Cell {
    fileprivate var textValue: String { isNull ? "" : String(decoding: bytes, as: UTF8.self) }
}

extension LoggedChange {
    /// Reads the columns of an entry.
    fileprivate init(_ cells: UnsafePointer<Cell>) throws {
        guard let kind = Kind(rawValue: Int16(truncatingIfNeeded: cells[3].integer)),
            let key = LoggedJSON.list(cells[4].bytes), let columns = LoggedJSON.list(cells[5].bytes),
            let oldValues = cells[6].isNull ? LoggedJSON.Members() : LoggedJSON.members(cells[6].bytes)
        else {
            throw DatabaseError(
                .decoding, "The entry \(cells[0].integer) of the change log was not written by its triggers.",
                table: LogTrigger.table)
        }
        self.init(
            number: cells[0].integer,
            at: Date(timeIntervalSince1970: Double(cells[1].integer) / 1_000_000),
            table: cells[2].textValue, kind: kind, keyTexts: key, columns: columns.compactMap(\.self),
            oldTexts: cells[6].isNull ? nil : oldValues.texts, repairedColumns: oldValues.repaired)
    }
}
