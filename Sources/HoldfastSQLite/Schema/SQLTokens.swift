/// The tokens of a statement that the library has kept in its schema, so one that it could read.
struct SQLTokens {
    /// A piece of the text.
    struct Token {
        enum Kind {
            /// A keyword, or a name without quotes.
            case word
            /// A name in quotes.
            case name
            /// A text or a blob in single quotes.
            case text
            case symbol
        }

        let kind: Kind
        /// Where it stands among the bytes of the text.
        let range: Range<Int>
    }

    private let bytes: [UInt8]
    let tokens: [Token]

    init(_ text: String) {
        bytes = Array(text.utf8)
        var tokens: [Token] = []
        var position = 0
        while position < bytes.count {
            let start = position
            let kind: Token.Kind?
            switch bytes[position] {
            case 0x09, 0x0a, 0x0c, 0x0d, 0x20:
                position += 1
                kind = nil
            case UInt8(ascii: "-") where Self.byte(bytes, position + 1) == UInt8(ascii: "-"):
                while position < bytes.count, bytes[position] != 0x0a { position += 1 }
                kind = nil
            case UInt8(ascii: "/") where Self.byte(bytes, position + 1) == UInt8(ascii: "*"):
                position += 2
                while position < bytes.count,
                    bytes[position] != UInt8(ascii: "*") || Self.byte(bytes, position + 1) != UInt8(ascii: "/")
                { position += 1 }
                position = min(position + 2, bytes.count)
                kind = nil
            case UInt8(ascii: "'"):
                Self.skipQuoted(bytes, &position, until: UInt8(ascii: "'"))
                kind = .text
            case UInt8(ascii: "\""), UInt8(ascii: "`"):
                Self.skipQuoted(bytes, &position, until: bytes[position])
                kind = .name
            case UInt8(ascii: "["):
                while position < bytes.count, bytes[position] != UInt8(ascii: "]") { position += 1 }
                position = min(position + 1, bytes.count)
                kind = .name
            case let byte where Self.isWord(byte):
                while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
                kind = .word
            default:
                position += 1
                kind = .symbol
            }
            if let kind { tokens.append(Token(kind: kind, range: start..<position)) }
        }
        self.tokens = tokens
    }

    private static func byte(_ bytes: [UInt8], _ index: Int) -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == 0x5f || byte == 0x24 || (0x30...0x39).contains(byte)
            || (0x61...0x7a).contains(byte | 0x20)
    }

    /// Skips a quoted piece in which a quote is doubled.
    private static func skipQuoted(_ bytes: [UInt8], _ position: inout Int, until quote: UInt8) {
        position += 1
        while position < bytes.count {
            if bytes[position] == quote {
                position += 1
                if byte(bytes, position) != quote { return }
            }
            position += 1
        }
    }

    // MARK: Reading

    /// Whether the token at `index` is a keyword.
    func isWord(_ word: String, at index: Int) -> Bool {
        guard tokens.indices.contains(index), tokens[index].kind == .word else { return false }
        return bytes[tokens[index].range].elementsEqual(word.utf8) { $0 & 0xdf == $1 & 0xdf }
    }

    func isSymbol(_ symbol: Character, at index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind == .symbol
            && bytes[tokens[index].range].first == symbol.asciiValue
    }

    /// The name that the token at `index` is, without its quotes; a text can be a name too.
    func name(at index: Int) -> String? {
        guard tokens.indices.contains(index) else { return nil }
        let token = tokens[index]
        let piece = bytes[token.range]
        switch token.kind {
        case .word: return String(decoding: piece, as: UTF8.self)
        case .symbol: return nil
        case .name, .text:
            guard let quote = piece.first, piece.count >= 2 else { return nil }
            let inner = String(decoding: piece.dropFirst().dropLast(), as: UTF8.self)
            if quote == UInt8(ascii: "[") { return inner }
            let mark = String(UnicodeScalar(quote))
            return inner.replacing(mark + mark, with: mark)
        }
    }

    /// The text of tokens, with what is between them.
    func text(_ range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last, tokens.indices.contains(last) else { return "" }
        return String(decoding: bytes[tokens[first].range.lowerBound..<tokens[last].range.upperBound], as: UTF8.self)
    }

    /// The whole text with something else in place of some tokens, whose positions ascend.
    func replacing(_ places: [Int], with replacement: String) -> String {
        var (result, start): ([UInt8], Int) = ([], 0)
        for place in places {
            result += bytes[start..<tokens[place].range.lowerBound]
            result += replacement.utf8
            start = tokens[place].range.upperBound
        }
        return String(decoding: result + bytes[start...], as: UTF8.self)
    }

    /// The tokens between the parenthesis at `index` and the one that closes it.
    func group(at index: Int) -> Range<Int>? {
        guard isSymbol("(", at: index) else { return nil }
        var depth = 0
        for position in index..<tokens.count {
            if isSymbol("(", at: position) { depth += 1 }
            if isSymbol(")", at: position) {
                depth -= 1
                if depth == 0 { return index + 1..<position }
            }
        }
        return nil
    }

    /// The parts of a range that commas separate, outside of parentheses.
    func parts(of range: Range<Int>) -> [Range<Int>] {
        var (parts, start, depth): ([Range<Int>], Int, Int) = ([], range.lowerBound, 0)
        for position in range {
            if isSymbol("(", at: position) { depth += 1 }
            if isSymbol(")", at: position) { depth -= 1 }
            if depth == 0, isSymbol(",", at: position) {
                parts.append(start..<position)
                start = position + 1
            }
        }
        if start < range.upperBound { parts.append(start..<range.upperBound) }
        return parts
    }

    /// The first token outside of parentheses that is a keyword.
    func firstWord(_ word: String, from start: Int = 0) -> Int? {
        var depth = 0
        for position in tokens.indices.dropFirst(start) {
            if isSymbol("(", at: position) { depth += 1 }
            if isSymbol(")", at: position) { depth -= 1 }
            if depth == 0, isWord(word, at: position) { return position }
        }
        return nil
    }
}
