/// The words and symbols of a caller's statement, in lower case, from which a dialect finds out what it does.
///
/// ```swift
/// RawStatementText("SET app.tenant = 'a b' -- comment").parts    // ["set", "app", ".", "tenant", "=", "'a b'"]
/// ```
///
/// Comments are left out. Each string and each quoted name is one part, so that words inside them don't count.
@_spi(Driver) public struct RawStatementText: Sendable {
    /// The words and symbols, in their order; a string or a quoted name with its quotes.
    public let parts: [String]

    /// Takes the words and symbols of a part of a statement.
    package init(parts: [String]) { self.parts = parts }

    /// Divides the text of a statement.
    public init(_ sql: String) {
        var parts: [String] = []
        var rest = Substring(sql.lowercased()).unicodeScalars
        func isWord(_ scalar: Unicode.Scalar) -> Bool {
            scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
        /// Takes what comes before `end` and that itself; all, if it does not come.
        func take(through end: String) -> Substring.UnicodeScalarView {
            let found = rest.firstRange(of: end.unicodeScalars)?.upperBound ?? rest.endIndex
            defer { rest = rest[found...] }
            return rest[..<found]
        }
        /// Takes a string in which the sign after a backslash ends nothing.
        func takeEscaped() -> Substring.UnicodeScalarView {
            var (end, isEscaped) = (rest.index(after: rest.startIndex), false)
            while end < rest.endIndex, isEscaped || rest[end] != "'" {
                isEscaped = !isEscaped && rest[end] == "\\"
                rest.formIndex(after: &end)
            }
            if end < rest.endIndex { rest.formIndex(after: &end) }
            defer { rest = rest[end...] }
            return rest[..<end]
        }
        var isEscaping = false
        while let first = rest.first {
            if first.properties.isWhitespace {
                rest.removeFirst()
            } else if rest.starts(with: "--".unicodeScalars) {
                _ = take(through: "\n")
            } else if rest.starts(with: "/*".unicodeScalars) {
                _ = take(through: "*/")
            } else if first == "'", isEscaping {
                parts.append(String(takeEscaped()))
            } else if first == "'" || first == "\"" || first == "`" {
                rest.removeFirst()
                parts.append(String(first) + String(take(through: String(first))))
            } else if first == "$", let tag = Self.dollarTag(rest) {
                rest.removeFirst(tag.unicodeScalars.count)
                parts.append("'" + String(take(through: tag)))
            } else if isWord(first) {
                let word = rest.prefix(while: isWord)
                rest = rest[word.endIndex...]
                parts.append(String(word))
                // E'…' is a string in which a backslash escapes; a space in between would end the word.
                isEscaping = word.elementsEqual("e".unicodeScalars)
                continue
            } else {
                rest.removeFirst()
                parts.append(String(first))
            }
            isEscaping = false
        }
        self.parts = parts
    }

    /// Whether the text begins with these parts.
    public func begins(with words: String...) -> Bool { parts.starts(with: words) }

    /// Whether the text contains one of these parts.
    public func contains(anyOf words: Set<String>) -> Bool { parts.contains(where: words.contains) }

    /// Whether the text contains these parts one after the other.
    public func contains(_ words: String...) -> Bool { parts.contains(words) }

    /// The quote `$tag$` at the beginning of a text, if there is one.
    private static func dollarTag(_ text: Substring.UnicodeScalarView) -> String? {
        guard let end = text.dropFirst().firstIndex(where: { $0 == "$" }) else { return nil }
        let name = text[text.index(after: text.startIndex)..<end]
        guard name.first?.properties.numericType == nil,
            name.allSatisfy({ $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil })
        else { return nil }
        return String(text[...end])
    }
}
