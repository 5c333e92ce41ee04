/// The words and symbols of a caller's statement, in lower case, from which a dialect finds out what it does.
///
/// ```swift
/// RawStatementText("SET app.tenant = 'a b' -- comment").parts    // ["set", "app", ".", "tenant", "=", "'a b'"]
/// ```
///
/// Comments are left out. Each string and each quoted name is one part, so that words inside them don't count; two,
/// where a quote in it is doubled. Whatever quotes a string, its part begins with `'`.
@_spi(Driver) public struct RawStatementText: Sendable {
    /// The words and symbols, in their order; a string or a quoted name with its quotes.
    public let parts: [String]

    /// Takes the words and symbols of a part of a statement.
    package init(parts: [String]) { self.parts = parts }

    /// Divides the text of a statement.
    ///
    /// - Parameters:
    ///   - sql: The text.
    ///   - syntax: What the engine makes of it.
    public init(_ sql: String, _ syntax: SQLSyntax = .any) {
        let tokens = SQLTokens(sql.lowercased(), syntax)
        var parts: [String] = []
        for token in tokens where token.isContent {
            var text = tokens.text(of: token).utf8
            if token.kind == .dollarString {
                let body = text.dropFirst().drop { $0 != UInt8(ascii: "$") }.dropFirst()
                parts.append("'" + Substring(body))
                continue
            }
            if token.kind == .string || token.kind == .quotedName, let quote = text.first {
                while let end = text.dropFirst().firstIndex(of: quote),
                    case let next = text.index(after: end), next < text.endIndex
                {
                    parts.append(String(Substring(text[..<next])))
                    text = text[next...]
                }
            }
            parts.append(String(Substring(text)))
        }
        self.parts = parts
    }

    /// Whether the text begins with these parts.
    public func begins(with words: String...) -> Bool { parts.starts(with: words) }

    /// Whether the text contains one of these parts.
    public func contains(anyOf words: Set<String>) -> Bool { parts.contains(where: words.contains) }

    /// Whether the text contains these parts one after the other.
    public func contains(_ words: String...) -> Bool { parts.contains(words) }
}
