import Foundation

/// Reads the change log, page by page.
struct LogReader {
    let core: DatabaseCore

    /// What was read of the log.
    struct Page {
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
    func now() async throws -> ChangeToken {
        let query = try Statement(changeLog().position, isCached: false)
        let row = try await access.perform(.read, purpose: "changes") { session, _ in
            try await session.run(query) { rows in try rows.next().map { ($0[0].textValue, $0[1].textValue) } }
        }
        guard let row else { throw Self.missing }
        return ChangeToken(identity: row.1, position: row.0)
    }

    /// Reads the changes of tables after a token, up to `limit`: none only if there are none by now.
    ///
    /// - Throws: ``DatabaseError/Code/changesTrimmed`` if some of them may not be there any more.
    func page(after token: ChangeToken, tables: [String], limit: Int) async throws -> Page {
        let page = try await onePage(after: token, tables: tables, limit: limit)
        // The rest of a stretch may be empty, and what came after its end is not.
        guard page.changes.isEmpty, token.partial != nil else { return page }
        return try await onePage(after: page.token, tables: tables, limit: limit)
    }

    private func onePage(after token: ChangeToken, tables: [String], limit: Int) async throws -> Page {
        let changeLog = try changeLog()
        let positions = [token.position] + (token.partial.map { [$0.end] } ?? [])
        guard positions.allSatisfy(changeLog.isPosition) else {
            throw DatabaseError(.invalidValue, "The token is of a change log of another engine.")
        }
        let query = changeLog.page(
            after: token.position, number: token.partial?.number ?? 0, end: token.partial?.end, tables: tables,
            limit: limit)
        let statement = Statement(query, isCached: false)
        return try await access.perform(.read, purpose: "changes") { session, _ in
            try await session.run(statement) { rows in
                var (page, count): (Page?, Int) = (nil, 0)
                while let cells = try rows.next() {
                    let (end, identity) = (cells[0].textValue, cells[1].textValue)
                    if identity != token.identity || cells[2].isTrue { throw Self.trimmed(token) }
                    if page == nil {
                        let next = ChangeToken(identity: identity, position: end)
                        page = Page(changes: [], token: next, isFull: false)
                    }
                    guard !cells[3].isNull else { continue }
                    page?.changes.append(try LoggedChange(cells + 3))
                    count += 1
                    if count == limit {
                        page?.isFull = true
                        page?.token = ChangeToken(
                            identity: identity, position: token.position,
                            partial: .init(number: cells[3].integer, end: end))
                    }
                }
                guard let page else { throw Self.missing }
                return page
            }
        }
    }

    private static var missing: DatabaseError {
        DatabaseError(
            .notMigrated,
            "There is no change log yet. Give a type `@Table(log: true)`, and call `migrate` with it.",
            table: LogTrigger.table)
    }

    private static func trimmed(_ token: ChangeToken) -> DatabaseError {
        DatabaseError(
            .changesTrimmed,
            "The change log has not all changes after this token any more: they were trimmed, or the database was restored. Load what you keep anew, and go on from `changeToken()`, taken before.",
            table: LogTrigger.table)
    }
}

extension Cell {
    fileprivate var textValue: String { isNull ? "" : String(decoding: bytes, as: UTF8.self) }
    fileprivate var isTrue: Bool { !isNull && payload != 0 }
}

extension LoggedChange {
    /// Reads the columns of an entry.
    fileprivate init(_ cells: UnsafePointer<Cell>) throws {
        let kind = Kind(rawValue: Int16(truncatingIfNeeded: cells[3].integer))
        let decoder = JSONDecoder()
        func decode<Value: Decodable>(_ type: Value.Type, _ cell: Cell) -> Value? {
            cell.isNull ? nil : try? decoder.decode(type, from: Data(cell.bytes).withoutControlCharacters)
        }
        guard let kind, let key = decode([String?].self, cells[4]), let columns = decode([String].self, cells[5]) else {
            throw DatabaseError(
                .decoding, "The entry \(cells[0].integer) of the change log was not written by its triggers.",
                table: LogTrigger.table)
        }
        self.init(
            number: cells[0].integer,
            at: Date(timeIntervalSince1970: Double(cells[1].integer) / 1_000_000),
            table: cells[2].textValue, kind: kind, keyTexts: key, columns: columns,
            oldTexts: decode([String: LoggedValue].self, cells[6])?.mapValues(\.text))
    }
}

extension Data {
    /// The text of JSON with the control characters in its strings escaped, which not every engine does.
    fileprivate var withoutControlCharacters: Data {
        guard contains(where: { $0 < 0x20 }) else { return self }
        return Data(
            flatMap { byte -> [UInt8] in
                byte < 0x20 ? Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8) : [byte]
            })
    }
}

/// A member of a JSON object as a text, whatever it is.
private struct LoggedValue: Decodable {
    var text: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            text = nil
        } else if let string = try? container.decode(String.self) {
            text = string
        } else if let boolean = try? container.decode(Bool.self) {
            text = boolean ? "true" : "false"
        } else if let integer = try? container.decode(Int64.self) {
            text = String(integer)
        } else {
            text = try container.decode(Decimal.self).description
        }
    }
}
