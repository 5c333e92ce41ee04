/// Condition text that nobody would write, about a `Project` with meetings and a lead.
public enum ConditionTexts {
    /// All of the grammar, and what is not in it.
    private static let parts = [
        "name", "hours", "lead", "lead.lastName", "tags", "meetings", "meetings.minutes", "size", "start", "status",
        "nothing", "AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "IS", "NULL", "EMPTY", "CONTAINS", "TRUE", "FALSE",
        "count", "lower", "(", ")", ",", ".", "=", "<>", "<", "<=", "+", "-", "*", "/", "%", "'", "''", "\"", "'x'",
        "\"name\"", "1", "1.5", "1e9", "99999999999999999999", "--", "/*", ";", "$1", "?", "\\", "\u{0}", "\u{301}",
        "é", "𝔘", "\n", "'; DROP TABLE project; --",
    ]

    private static let sentences = [
        "name = 'x; --'", "hours > 1", "tags CONTAINS 'x'", "NOT ( hours IS NULL )", "lead.lastName LIKE 'a%'",
        "size * 2 + 1 < 9", "meetings.minutes BETWEEN 1 AND 9", "status IN ( 'planned' , 'done' )", "tags IS EMPTY",
        "count ( meetings ) = 2", "start > '2001-01-01T00:00:00Z'", "lower ( name ) = 'a'", "budget <> 1.50",
        "lead IS NOT NULL", "meetings = 3",
    ]

    /// Parts at random; or conditions that make sense, with a part of them lost, or another put in.
    public static func text(using random: inout SeededGenerator) -> String {
        if Bool.random(using: &random) {
            let parts = (0..<Int.random(in: 0..<12, using: &random)).map { _ in Self.parts.random(using: &random) }
            return parts.joined(separator: Bool.random(using: &random) ? " " : "")
        }
        var parts = (0..<Int.random(in: 1..<4, using: &random)).flatMap { _ in
            [sentences.random(using: &random), ["AND", "OR"].random(using: &random)]
        }
        parts.removeLast()
        if Bool.random(using: &random) { parts = parts.flatMap { $0.split(separator: " ").map(String.init) } }
        let place = Int.random(in: 0..<parts.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: parts.remove(at: place)
        case 1: parts.insert(Self.parts.random(using: &random), at: place)
        default: break
        }
        return parts.joined(separator: " ")
    }

    /// A text of up to some 200 KB, in which one or two pieces come again and again: deep, wide, or without sense.
    public static func longText(using random: inout SeededGenerator) -> String {
        let pieces = (0..<Int.random(in: 1...2, using: &random)).map { _ in
            let piece = Bool.random(using: &random) ? parts.random(using: &random) : text(using: &random)
            return String(repeating: piece + " ", count: Int.random(in: 1..<4_000, using: &random))
        }
        return pieces.joined(separator: text(using: &random) + ["", " AND ", " OR "].random(using: &random))
    }
}
