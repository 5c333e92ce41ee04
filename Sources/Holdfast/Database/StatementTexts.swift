import Synchronization

/// The statements of raw SQL, so that the same text is prepared once.
///
/// Bounded: a program that builds texts without end must not fill the memory.
final class StatementTexts: Sendable {
    private static let capacity = 512
    private let statements = Mutex<[String: Statement]>([:])

    func statement(_ sql: String) -> Statement {
        statements.withLock { statements in
            if let statement = statements[sql] { return statement }
            if statements.count >= Self.capacity { statements.removeAll(keepingCapacity: true) }
            let statement = Statement(sql)
            statements[sql] = statement
            return statement
        }
    }
}
