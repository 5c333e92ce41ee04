/// The tokens of a text of SQL, one after the other: the one reader of quotes, comments and parameters.
///
/// ```swift
/// let tokens = SQLTokens("SELECT 'it''s' -- ?")
/// tokens.map(\.kind)    // [.word, .space, .string, .space, .comment]
/// ```
///
/// Together they are the whole text, whatever is in it: what is not terminated ends with it. It is read once, from the
/// beginning, as far as tokens are asked for.
package struct SQLTokens: Sequence, IteratorProtocol {
    /// The text.
    package let sql: String
    private let syntax: SQLSyntax
    private var position: String.Index
    /// Whether a string that begins here is one in which a backslash escapes.
    private var followsEscapeMark = false

    package init(_ sql: String, _ syntax: SQLSyntax = .any) {
        var sql = sql
        sql.makeContiguousUTF8()
        (self.sql, self.syntax, position) = (sql, syntax, sql.startIndex)
    }

    package mutating func next() -> SQLToken? {
        guard let first = byte else { return nil }
        let (start, hasEscapes) = (position, followsEscapeMark)
        followsEscapeMark = false
        advance()
        let kind: SQLToken.Kind
        switch first {
        case UInt8(ascii: "'"):
            skipQuoted(by: first, hasEscapes: hasEscapes)
            kind = hasEscapes ? .escapedString : .string
        case UInt8(ascii: "\""):
            skipQuoted(by: first)
            kind = .quotedName
        case UInt8(ascii: "`") where syntax.contains(.backtickNames):
            skipQuoted(by: first)
            kind = .quotedName
        case UInt8(ascii: "[") where syntax.contains(.bracketNames):
            skip { $0 != UInt8(ascii: "]") }
            advance()
            kind = .quotedName
        case UInt8(ascii: "-") where byte == first:
            skip { $0 != UInt8(ascii: "\n") }
            kind = .comment
        case UInt8(ascii: "/") where byte == UInt8(ascii: "*"):
            skipComment()
            kind = .comment
        case UInt8(ascii: "$"): kind = skipAfterDollar(from: start)
        case UInt8(ascii: "?") where syntax.contains(.signedParameters):
            skip(while: SQLToken.isDigit)
            kind = .parameter
        case UInt8(ascii: ":"), UInt8(ascii: "@"):
            let isParameter = syntax.contains(.signedParameters) && byte.map(SQLToken.isPartOfWord) == true
            if isParameter { skip(while: SQLToken.isPartOfWord) }
            kind = isParameter ? .parameter : .symbol
        case 0x20, 0x09...0x0d:
            skip { $0 == 0x20 || (0x09...0x0d).contains($0) }
            kind = .space
        case _ where SQLToken.isDigit(first):
            skip(while: SQLToken.isPartOfWord)
            kind = .number
        case _ where SQLToken.isPartOfWord(first):
            skip(while: SQLToken.isPartOfWord)
            // A space in between would end the word, and the string would be another one.
            followsEscapeMark =
                syntax.contains(.escapedStrings) && first | 0x20 == UInt8(ascii: "e")
                && sql.utf8.index(after: start) == position
            kind = .word
        default: kind = .symbol
        }
        return SQLToken(kind: kind, range: start..<position)
    }

    /// The next token that is neither space nor a comment.
    package mutating func nextOfContent() -> SQLToken? {
        while let token = next() {
            if token.isContent { return token }
        }
        return nil
    }

    /// The word that comes next, in upper case; nil if something else does, which is passed over.
    package mutating func nextWord() -> String? {
        nextOfContent().flatMap { $0.kind == .word ? text(of: $0).uppercased() : nil }
    }

    /// Goes on behind the next occurrence of a text, whatever that is in.
    ///
    /// - Returns: Whether there is one.
    mutating func skip(through mark: String) -> Bool {
        position = sql.utf8[position...].firstRange(of: mark.utf8)?.upperBound ?? sql.utf8.endIndex
        followsEscapeMark = false
        return position < sql.utf8.endIndex
    }

    // MARK: Reading on

    private var byte: UInt8? { position < sql.utf8.endIndex ? sql.utf8[position] : nil }

    private mutating func advance() {
        if position < sql.utf8.endIndex { sql.utf8.formIndex(after: &position) }
    }

    private mutating func skip(while isPart: (UInt8) -> Bool) {
        while let byte, isPart(byte) { advance() }
    }

    /// Reads the rest of what is in quotes, where a quote in it is doubled.
    private mutating func skipQuoted(by quote: UInt8, hasEscapes: Bool = false) {
        while let byte {
            advance()
            if byte == quote {
                if self.byte != quote { return }
                advance()
            } else if hasEscapes, byte == UInt8(ascii: "\\") {
                advance()
            }
        }
    }

    /// Reads the rest of a comment, of which the slash is read.
    private mutating func skipComment() {
        var depth = 1
        advance()
        while let byte, depth > 0 {
            advance()
            if byte == UInt8(ascii: "*"), self.byte == UInt8(ascii: "/") {
                depth -= 1
                advance()
            } else if byte == UInt8(ascii: "/"), self.byte == UInt8(ascii: "*"), syntax.contains(.nestedComments) {
                depth += 1
                advance()
            }
        }
    }

    /// Reads the rest of a string in dollar quotes, or of a parameter.
    private mutating func skipAfterDollar(from start: String.Index) -> SQLToken.Kind {
        let isTag = syntax.contains(.dollarQuotes) && byte.map(SQLToken.isDigit) != true
        skip { $0 != UInt8(ascii: "$") && SQLToken.isPartOfWord($0) }
        guard isTag, byte == UInt8(ascii: "$") else {
            skip(while: SQLToken.isPartOfWord)
            return sql.utf8.index(after: start) == position ? .symbol : .parameter
        }
        advance()
        let tag = sql.utf8[start..<position]
        while let byte {
            if byte == UInt8(ascii: "$"), sql.utf8[position...].starts(with: tag) {
                position = sql.utf8.index(position, offsetBy: tag.count)
                return .dollarString
            }
            advance()
        }
        return .dollarString
    }
}

// MARK: - Texts of tokens

extension SQLTokens {
    /// The text of a token, as it is written.
    package func text(of token: SQLToken) -> Substring { sql[token.range] }

    /// What a token means: of a string or a name in quotes, what is between them.
    package func contents(of token: SQLToken) -> String {
        var rest = sql.utf8[token.range]
        switch token.kind {
        case .space, .comment, .word, .number, .parameter, .symbol: return String(sql[token.range])
        case .dollarString:
            let isPartOfTag = { (byte: UInt8) in byte != UInt8(ascii: "$") }
            let body = rest.dropFirst().drop(while: isPartOfTag).dropFirst()
            let tag = rest[..<body.startIndex]
            let isClosed = body.count >= tag.count && body.suffix(tag.count).elementsEqual(tag)
            return String(decoding: isClosed ? body.dropLast(tag.count) : body, as: UTF8.self)
        case .string, .escapedString, .quotedName:
            var contents: [UInt8] = []
            let opening = rest.removeFirst()
            let isBracket = opening == UInt8(ascii: "[")
            let quote = isBracket ? UInt8(ascii: "]") : opening
            while let byte = rest.popFirst() {
                if byte == quote, isBracket || rest.first != quote { break }
                if byte == quote || token.kind == .escapedString && byte == UInt8(ascii: "\\") {
                    if let second = rest.popFirst() { contents.append(second) }
                } else {
                    contents.append(byte)
                }
            }
            return String(decoding: contents, as: UTF8.self)
        }
    }
}
