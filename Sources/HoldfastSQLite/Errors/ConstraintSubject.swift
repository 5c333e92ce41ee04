/// The subject of a constraint that failed, as far as the library's message shows it.
///
/// ```
/// UNIQUE constraint failed: account.tenant_id, account.email
/// UNIQUE constraint failed: index 'account_lower_email'
/// CHECK constraint failed: positive_price
/// cannot store TEXT value in INTEGER column account.age
/// ```
struct ConstraintSubject: Equatable {
    var table: String?
    var columns: [String] = []
    var constraint: String?

    /// Reads `message`.
    ///
    /// - Parameter knows: Whether a table has a column: names may have dots and commas in them.
    init(_ message: String, knows: (_ table: String, _ column: String) -> Bool) {
        let words = " constraint failed: "
        if let range = message.firstRange(of: words) {
            let subject = String(message[range.upperBound...])
            if message.hasPrefix("CHECK") {
                // A constraint without a name is reported by its expression.
                if subject.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) { constraint = subject }
            } else if subject.hasPrefix("index '"), subject.hasSuffix("'") {
                constraint = String(subject.dropFirst(7).dropLast())
            } else {
                readColumns(subject, knows)
            }
        } else if message.hasPrefix("cannot store "), let range = message.firstRange(of: " column ") {
            readColumns(String(message[range.upperBound...]), knows)
        }
    }

    /// Reads `table.column, table.column`.
    ///
    /// The table ends at the first dot that makes all columns known; if none does, at the first.
    private mutating func readColumns(_ text: String, _ knows: (String, String) -> Bool) {
        var guess: (table: String, columns: [String])?
        for dot in text.indices where text[dot] == "." {
            let table = String(text[..<dot])
            let columns = text[text.index(after: dot)...].split(separator: ", \(table).").map(String.init)
            if columns.allSatisfy({ knows(table, $0) }) {
                guess = (table, columns)
                break
            }
            guess = guess ?? (table, columns)
        }
        (table, columns) = (guess?.table, guess?.columns ?? [])
    }

    /// ` of "email"`, or nothing.
    var ofColumns: String {
        columns.isEmpty ? "" : " of " + columns.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// ` of "account"`, or nothing.
    var ofTable: String { table.map { " of \"\($0)\"" } ?? "" }
}
