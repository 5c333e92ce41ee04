import Synchronization

/// The statements of texts that are written at run time, by queries or by the program, so that one text is prepared
/// once.
///
/// Bounded: a program that builds texts without end must not fill the memory.
final class StatementTexts: Sendable {
    /// A text compared by its bytes: to `String`, two literals in different Unicode forms would be the same.
    private struct Text: Hashable {
        let sql: String
        let takesTime: Bool

        static func == (left: Text, right: Text) -> Bool {
            left.takesTime == right.takesTime && left.sql.utf8.elementsEqual(right.sql.utf8)
        }

        func hash(into hasher: inout Hasher) {
            var sql = sql
            sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private static let capacity = 512
    private let statements = Mutex<[Text: Statement]>([:])

    /// The statement of a text that the library made, about a table.
    ///
    /// - Parameter includesCallersSQL: Whether a part of the text is the caller's.
    func statement(_ sql: String, table: String? = nil, includesCallersSQL: Bool = false) -> Statement {
        statement(Text(sql: sql, takesTime: false)) {
            Statement(TimedSQL(sql: sql), table: table, includesCallersSQL: includesCallersSQL)
        }
    }

    /// The statement of a text that the library made and that may take the time, about a table.
    func statement(_ text: TimedSQL, table: String? = nil) -> Statement {
        // Not kept: the next may have other values.
        if !text.scopeValues.isEmpty { return Statement(text, table: table) }
        return statement(Text(sql: text.sql, takesTime: text.takesTime)) { Statement(text, table: table) }
    }

    /// The statement of a text.
    ///
    /// - Parameter make: Makes it, where the text is new.
    func statement(_ sql: String, make: (_ sql: String) -> Statement) -> Statement {
        statement(Text(sql: sql, takesTime: false)) { make(sql) }
    }

    private func statement(_ text: Text, make: () -> Statement) -> Statement {
        if let statement = statements.withLock({ $0[text] }) { return statement }
        let statement = make()
        return statements.withLock { statements in
            if let other = statements[text] { return other }
            if statements.count >= Self.capacity { statements.removeAll(keepingCapacity: true) }
            statements[text] = statement
            return statement
        }
    }
}
