import ArgumentParser
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// Condition text is read or refused, and never becomes part of the statement.
struct ConditionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "conditions", abstract: "Try condition text.")

    @OptionGroup var options: FuzzOptions

    func run() async throws {
        try await Trial(name: "conditions", options: options).run { _, isLong, random in
            isLong ? ConditionTexts.longText(using: &random) : ConditionTexts.text(using: &random)
        } _: { number, text in
            let parsed = Condition(parsing: text)
            // Some of them inside of a larger one.
            let condition = number.isMultiple(of: 2) ? parsed : "\(parsed) OR name = \(text)"
            let query = Query(Project.self).where(condition)
            do {
                try Self.check(query, .sqlite, placeholder: "?", text)
                try Self.check(query, .postgres, placeholder: "$", text)
                return true
            } catch let error as DatabaseError where [.syntax, .invalidValue, .unsupported].contains(error.code) {
                return false
            }
        }
    }

    /// Looks at the statement of an engine: whether each value has its placeholder, and nothing else is in it.
    private static func check(
        _ query: Query<Project>, _ driver: DriverType, placeholder: Character, _ text: String
    ) throws {
        let (sql, parameters) = (try query.sql(for: driver), try query.parameters(for: driver))
        guard sql.count(where: { $0 == placeholder }) == parameters.count, isPlain(sql) else {
            throw Failure("The text \(text.debugDescription) became \(sql)")
        }
    }

    /// Whether there is nothing in the statement beside names and words of the library.
    private static func isPlain(_ sql: String) -> Bool {
        let plain = sql.replacing("ESCAPE '\\'", with: "")
        return !plain.contains { $0 == ";" || $0 == "'" || $0 == "\u{0}" || !$0.isASCII }
            && !plain.contains("--") && !plain.contains("/*") && !plain.contains("DROP")
    }
}
