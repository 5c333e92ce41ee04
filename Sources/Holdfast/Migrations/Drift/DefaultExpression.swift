/// A constant default as it was written, to be compared with the engine's rendering of it.
///
/// PostgreSQL adds casts and parentheses: `'-1'::integer`, `('x'::text)`.
struct DefaultExpression {
    private let constant: Substring
    private let type: ColumnType

    init(_ text: String, type: ColumnType) {
        (constant, self.type) = (Self.constant(of: text), type)
    }

    /// Whether the other text means the same constant; true for types whose constants have many spellings.
    func isSame(as text: String) -> Bool {
        let other = Self.constant(of: text)
        switch type {
        case .boolean: return constant.lowercased() == other.lowercased()
        case .int16, .int32, .int64, .text: return constant == other
        case .float, .double, .decimal: return constant == other || number(constant) == number(other)
        case .timestamp, .blob, .uuid, .json: return true
        }
    }

    private func number(_ text: Substring) -> Double? { Double(text) }

    /// Whether a text is a constant, as an engine writes one: `1`, `'x'::text`, `TRUE`, `X'00'`.
    static func isConstant(_ text: String) -> Bool {
        let pattern = /[(]?(?:[EX]?'(?:[^']|'')*'|-?[0-9.]+(?:E[-+]?[0-9]+)?|TRUE|FALSE)[)]?(?:::[A-Z "]+)?/
        return text.wholeMatch(of: pattern.ignoresCase()) != nil
    }

    /// The text between quotes, or the text in front of a cast.
    private static func constant(of text: String) -> Substring {
        var text = Substring(text)
        while text.hasPrefix("("), text.hasSuffix(")") { text = text.dropFirst().dropLast() }
        if text.hasPrefix("E'") {
            return Substring(constant(of: String(text.dropFirst())).replacing("\\\\", with: "\\"))
        }
        if text.hasPrefix("'") {
            let body = text.dropFirst()
            guard let end = body.lastIndex(of: "'") else { return text }
            return body[..<end]
        }
        guard let cast = text.firstIndex(of: ":") else { return text }
        text = text[..<cast]
        while text.hasPrefix("("), text.hasSuffix(")") { text = text.dropFirst().dropLast() }
        return text
    }
}
