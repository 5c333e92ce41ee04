import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Testing

/// Condition text that nobody would write: it is read or refused, and never becomes part of the statement.
@Suite struct FuzzTests {
    /// What texts are put together of: all of the grammar, and what is not in it.
    private static let parts = [
        "name", "hours", "lead", "lead.lastName", "tags", "meetings", "meetings.minutes", "size", "start", "status",
        "nothing",
        "AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "IS", "NULL", "EMPTY", "CONTAINS", "TRUE", "FALSE", "count",
        "lower",
        "(", ")", ",", ".", "=", "<>", "<", "<=", "+", "-", "*", "/", "%", "'", "''", "\"", "'x'", "\"name\"", "1",
        "1.5", "1e9",
        "99999999999999999999", "--", "/*", ";", "$1", "?", "\\", "\u{0}", "\u{301}", "é", "𝔘", "\n",
        "'; DROP TABLE project; --",
    ]

    @Test(arguments: 0..<8)
    func `no text traps, and none changes the shape of a statement`(seed: UInt64) throws {
        var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        var read = 0
        for _ in 0..<4_000 {
            let count = Int.random(in: 0..<12, using: &random)
            var text = ""
            for _ in 0..<count {
                text += Self.parts.randomElement(using: &random) ?? ""
                if Bool.random(using: &random) { text += " " }
            }
            for condition in [Condition(parsing: text), "\(Condition(parsing: text)) OR name = \(text)"] {
                let query = Query(Project.self).where(condition)
                do {
                    let (sqlite, postgres) = (try query.sql(for: .sqlite), try query.sql(for: .postgres))
                    try checkShape(
                        sqlite, placeholders: sqlite.count { $0 == "?" }, of: query.parameters(for: .sqlite).count)
                    try checkShape(
                        postgres, placeholders: postgres.count { $0 == "$" }, of: query.parameters(for: .postgres).count
                    )
                    read += 1
                } catch let error as DatabaseError {
                    #expect([.syntax, .invalidValue, .unsupported].contains(error.code), "\(error)")
                }
            }
        }
        #expect(read > 10, "Some texts make sense.")
    }

    /// Every parameter has its placeholder, and beside names and words of our own there is nothing in the statement.
    private func checkShape(_ sql: String, placeholders: Int, of parameters: Int) throws {
        #expect(placeholders == parameters, "\(sql)")
        let plain = sql.replacing("ESCAPE '\\'", with: "")
        #expect(!plain.contains { $0 == ";" || $0 == "'" || $0 == "\u{0}" }, "\(sql)")
        #expect(!plain.contains("--") && !plain.contains("/*") && !plain.uppercased().contains("DROP"), "\(sql)")
        #expect(!plain.contains { !$0.isASCII }, "\(sql)")
    }

    /// Numbers that are the same each time (xorshift64*).
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return state &* 0x2545_F491_4F6C_DD1D
        }
    }
}
