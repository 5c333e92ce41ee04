import Foundation
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

    @Test(arguments: 0..<4)
    func `no text traps, and none changes the shape of a statement`(seed: UInt64) async throws {
        var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        var read = 0
        let rounds = ProcessInfo.processInfo.environment["HOLDFAST_FUZZ_ROUNDS"].flatMap(Int.init) ?? 2_000
        for round in 0..<rounds {
            // Other tests wait for their time on the same threads.
            if round.isMultiple(of: 50) { await Task.yield() }
            let text = Self.text(using: &random)
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
        #expect(read > 200, "Some texts make sense: \(read).")
    }

    /// Parts at random; or what makes sense, with a part of it lost, or another put in.
    private static func text(using random: inout Generator) -> String {
        var parts: [String] = []
        if Bool.random(using: &random) {
            for _ in 0..<Int.random(in: 1..<4, using: &random) {
                parts += [
                    sentences.randomElement(using: &random) ?? "", ["AND", "OR"].randomElement(using: &random) ?? "",
                ]
            }
            parts.removeLast()
            if Bool.random(using: &random) { parts = parts.flatMap { $0.split(separator: " ").map(String.init) } }
            let place = Int.random(in: 0..<parts.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: parts.remove(at: place)
            case 1: parts.insert(Self.parts.randomElement(using: &random) ?? "", at: place)
            default: break
            }
            return parts.joined(separator: " ")
        }
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            parts.append(Self.parts.randomElement(using: &random) ?? "")
        }
        return parts.joined(separator: Bool.random(using: &random) ? " " : "")
    }

    private static let sentences = [
        "name = 'x; --'", "hours > 1", "tags CONTAINS 'x'", "NOT ( hours IS NULL )", "lead.lastName LIKE 'a%'",
        "size * 2 + 1 < 9",
        "meetings.minutes BETWEEN 1 AND 9", "status IN ( 'planned' , 'done' )", "tags IS EMPTY",
        "count ( meetings ) = 2",
        "start > '2001-01-01T00:00:00Z'", "lower ( name ) = 'a'", "budget <> 1.50", "lead IS NOT NULL", "meetings = 3",
    ]

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
