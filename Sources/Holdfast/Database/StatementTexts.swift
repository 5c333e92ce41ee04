import Synchronization

/// The statements of raw SQL, so that the same text is prepared once.
///
/// Bounded: a program that builds texts without end must not fill the memory.
final class StatementTexts: Sendable {
    /// A text compared by its bytes: to `String`, two literals in different Unicode forms would be the same.
    private struct Text: Hashable {
        let sql: String

        static func == (left: Text, right: Text) -> Bool { left.sql.utf8.elementsEqual(right.sql.utf8) }

        func hash(into hasher: inout Hasher) {
            var sql = sql
            sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private static let capacity = 512
    private let statements = Mutex<[Text: Statement]>([:])

    func statement(_ sql: String) -> Statement {
        statements.withLock { statements in
            if let statement = statements[Text(sql: sql)] { return statement }
            if statements.count >= Self.capacity { statements.removeAll(keepingCapacity: true) }
            let statement = Statement(sql)
            statements[Text(sql: sql)] = statement
            return statement
        }
    }
}
