/// Reads what somebody has typed into a search box: any text has a meaning.
struct SearchTextParser {
    private enum Token: Equatable {
        case words(String, isPrefix: Bool)
        case and, or, not, open, close
    }

    /// How deep parentheses are followed; deeper ones are passed over.
    private static let greatestDepth = 10

    private var tokens: [Token] = []
    private var position = 0

    /// The terms of a text; nil if it has no word.
    static func parse(_ text: String) -> SearchTerms? {
        var parser = SearchTextParser()
        parser.read(text)
        return parser.either(depth: 0)
    }

    // MARK: Tokens

    private mutating func read(_ text: String) {
        let characters = Array(text.unicodeScalars)
        var (index, depth, count) = (0, 0, 0)
        func string(_ range: Range<Int>) -> String {
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: characters[range])
            return String(scalars)
        }
        func isStar(_ index: Int) -> Bool { index < characters.count && characters[index] == "*" }
        func isEnd(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || scalar == "(" || scalar == ")" || scalar == "\""
        }
        while index < characters.count, count < SearchQuery.greatestCount {
            let scalar = characters[index]
            if scalar.properties.isWhitespace {
                index += 1
            } else if scalar == "(" || scalar == ")" {
                // Those that are too deep are left out in pairs.
                if scalar == "(" {
                    depth += 1
                    if depth <= Self.greatestDepth { tokens.append(.open) }
                } else if depth > 0 {
                    if depth <= Self.greatestDepth { tokens.append(.close) }
                    depth -= 1
                }
                index += 1
            } else if scalar == "\"" {
                let start = index + 1
                let end = characters[start...].firstIndex(of: "\"") ?? characters.count
                index = min(end + 1, characters.count)
                tokens.append(.words(string(start..<end), isPrefix: isStar(index)))
                if isStar(index) { index += 1 }
                count += 1
            } else {
                let isNegated =
                    scalar == "-" && index + 1 < characters.count
                    && !characters[index + 1].properties.isWhitespace
                if isNegated {
                    tokens.append(.not)
                    index += 1
                    if isEnd(characters[index]) { continue }
                }
                let end = characters[index...].firstIndex(where: isEnd) ?? characters.count
                let text = string(index..<end)
                index = end
                switch text {
                case "AND": tokens.append(.and)
                case "OR": tokens.append(.or)
                case "NOT": tokens.append(.not)
                default:
                    tokens.append(.words(text, isPrefix: text.hasSuffix("*")))
                    count += 1
                }
            }
        }
    }

    // MARK: Terms

    private var next: Token? { position < tokens.count ? tokens[position] : nil }

    /// Parts between which OR is written.
    private mutating func either(depth: Int) -> SearchTerms? {
        var parts: [SearchTerms] = []
        while true {
            if let part = both(depth: depth) { parts.append(part) }
            guard next == .or else { break }
            position += 1
        }
        return parts.isEmpty ? nil : .any(parts)
    }

    /// Parts between which nothing, or AND, is written.
    private mutating func both(depth: Int) -> SearchTerms? {
        var parts: [SearchTerms] = []
        while let token = next {
            switch token {
            case .or: return parts.isEmpty ? nil : .all(parts)
            case .close:
                if depth > 0 { return parts.isEmpty ? nil : .all(parts) }
                position += 1
            case .and: position += 1
            case .not, .words, .open: if let part = part(depth: depth) { parts.append(part) }
            }
        }
        return parts.isEmpty ? nil : .all(parts)
    }

    /// A word, a phrase, or what is in parentheses, and whether it is to be missing.
    private mutating func part(depth: Int) -> SearchTerms? {
        var isNegated = false
        while next == .not {
            isNegated.toggle()
            position += 1
        }
        let terms: SearchTerms?
        switch next {
        case .words(let text, let isPrefix):
            position += 1
            terms = SearchTerms.phrase(text, isPrefix: isPrefix)
        case .open:
            position += 1
            terms = either(depth: depth + 1)
            if next == .close { position += 1 }
        case .and, .or, .not, .close, nil: return nil
        }
        return terms.map { isNegated ? .not($0) : $0 }
    }
}
