import FuzzInputs
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Testing

/// Condition text that nobody would write: it is read or refused, and never becomes part of the statement.
@Suite struct FuzzTests {
    @Test(arguments: 0..<4)
    func `no text traps, and none changes the shape of a statement`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var read = 0
        for round in 0..<2_000 {
            // Other tests wait for their time on the same threads.
            if round.isMultiple(of: 50) { await Task.yield() }
            let text = ConditionTexts.text(using: &random)
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

    /// Every parameter has its placeholder, and beside names and words of our own there is nothing in the statement.
    private func checkShape(_ sql: String, placeholders: Int, of parameters: Int) throws {
        #expect(placeholders == parameters, "\(sql)")
        let plain = sql.replacing("ESCAPE '\\'", with: "")
        #expect(!plain.contains { $0 == ";" || $0 == "'" || $0 == "\u{0}" }, "\(sql)")
        #expect(!plain.contains("--") && !plain.contains("/*") && !plain.uppercased().contains("DROP"), "\(sql)")
        #expect(!plain.contains { !$0.isASCII }, "\(sql)")
    }
}
