import Foundation

/// When the next object expires of the types that an observation reads.
struct NextExpiry: Sendable {
    private let statements: [(statement: Statement, storage: ValueStorage)]

    /// - Returns: nil if no objects of the types expire.
    init?(of descriptions: [TableDescription], _ dialect: any Dialect) {
        statements = descriptions.compactMap { description in
            let sql = TableSQL(description: description, dialect: dialect)
            guard let expiry = description.expiry, let text = sql.text(after: 0, ifAny: { $0.selectNextExpiry() })
            else { return nil }
            return (Statement(text, isBrief: true, table: description.table), expiry.storage)
        }
        if statements.isEmpty { return nil }
    }

    /// The time until then; nil if nothing expires any more.
    func wait(in core: DatabaseCore) async throws -> Duration? {
        let statements = statements
        let access = DatabaseAccess(kind: .database(core))
        return try await access.perform(.read, purpose: "observe") { session, _ in
            var next: Duration?
            for (statement, storage) in statements {
                let wait = try await session.run(statement) { rows -> Duration? in
                    guard let cells = try rows.next() else { return nil }
                    var cell = cells[0]
                    cell.storage = storage
                    let seconds = try Date._decode(cell).timeIntervalSince(Date._decode(cells[1]))
                    // What comes after years is asked for again by then. Once it has passed, for the engine's clock
                    // too.
                    return .seconds(min(max(seconds, 0), 86_400)) + .milliseconds(1)
                }
                next = [next, wait].compactMap(\.self).min()
            }
            return next
        }
    }
}
