/// A part of condition text that can't be divided.
struct ConditionToken: Sendable {
    enum Kind: Sendable {
        case word(String)
        /// A name in double quotes, which is never a word of the grammar.
        case quotedName(String)
        case number(String)
        case string(String)
        case symbol(String)
        case operand(QueryNode)
        case operands([QueryNode])
        case condition(QueryNode)
        /// A function of the program's own, by the parts of its name, and the type of what it computes.
        case function([String], ColumnType)
        case end
    }

    let kind: Kind
    /// In characters from the beginning, a value counted as one.
    let position: Int
}

/// Divides condition text into tokens.
struct ConditionLexer {
    private var tokens: [ConditionToken] = []
    private var position = 0

    /// The tokens of `text`, the last of which is its end.
    static func tokens(of text: ConditionText) throws -> [ConditionToken] {
        var lexer = ConditionLexer()
        for piece in text.pieces {
            switch piece {
            case .text(let text): try lexer.read(text)
            case .operand(let node): lexer.append(.operand(node))
            case .operands(let nodes): lexer.append(.operands(nodes))
            case .condition(let node): lexer.append(.condition(node))
            case .function(let names, let type): lexer.append(.function(names, type))
            }
        }
        lexer.tokens.append(ConditionToken(kind: .end, position: lexer.position))
        return lexer.tokens
    }

    private mutating func append(_ kind: ConditionToken.Kind) {
        tokens.append(ConditionToken(kind: kind, position: position))
        position += 1
    }

    private mutating func read(_ text: String) throws {
        // Scalars, not characters: a mark that combines with a quote must not hide it.
        let scalars = Array(text.unicodeScalars)
        let start = position
        var index = 0
        func part(_ range: Range<Int>) -> String {
            var part = String.UnicodeScalarView()
            part.append(contentsOf: scalars[range])
            return String(part)
        }
        while index < scalars.count {
            let scalar = scalars[index]
            let first = index
            let kind: ConditionToken.Kind
            if scalar.properties.isWhitespace {
                index += 1
                continue
            } else if scalar == "'" || scalar == "\"" {
                guard let content = Self.quoted(scalars, &index) else {
                    throw ConditionSyntax.error("a quote is not closed", at: start + first)
                }
                kind = scalar == "'" ? .string(content) : .quotedName(content)
            } else if Self.isDigit(scalar) {
                index = Self.endOfNumber(scalars, from: index)
                kind = .number(part(first..<index))
            } else if scalar == "_" || scalar.properties.isXIDStart {
                while index < scalars.count, scalars[index] == "_" || scalars[index].properties.isXIDContinue {
                    index += 1
                }
                kind = .word(part(first..<index))
            } else {
                let two = index + 1 < scalars.count ? part(index..<index + 2) : ""
                let symbol = Self.symbols.contains(two) ? two : part(index..<index + 1)
                guard Self.symbols.contains(symbol) else {
                    throw ConditionSyntax.error("a character has no meaning here", at: start + first)
                }
                index += symbol.unicodeScalars.count
                kind = .symbol(symbol)
            }
            tokens.append(ConditionToken(kind: kind, position: start + first))
        }
        position = start + scalars.count
    }

    private static let symbols: Set<String> = [
        "=", "==", "!=", "<>", "<", "<=", ">", ">=", "(", ")", "[", "]", ",", ".", "+", "-", "*", "/", "%",
        "&", "|", "||", "<<", ">>",
    ]

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// Reads up to the closing quote; a doubled one stands for itself.
    private static func quoted(_ scalars: [Unicode.Scalar], _ index: inout Int) -> String? {
        let quote = scalars[index]
        var content = String.UnicodeScalarView()
        index += 1
        while index < scalars.count {
            if scalars[index] == quote {
                index += 1
                guard index < scalars.count, scalars[index] == quote else { return String(content) }
            }
            content.append(scalars[index])
            index += 1
        }
        return nil
    }

    /// The end of digits, with a fraction and an exponent if there are.
    private static func endOfNumber(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
        var index = start
        func isDigit(at position: Int) -> Bool { position < scalars.count && Self.isDigit(scalars[position]) }
        while isDigit(at: index) { index += 1 }
        if index < scalars.count, scalars[index] == ".", isDigit(at: index + 1) {
            index += 1
            while isDigit(at: index) { index += 1 }
        }
        if index < scalars.count, scalars[index] == "e" || scalars[index] == "E" {
            var exponent = index + 1
            if exponent < scalars.count, scalars[exponent] == "+" || scalars[exponent] == "-" { exponent += 1 }
            if isDigit(at: exponent) {
                index = exponent
                while isDigit(at: index) { index += 1 }
            }
        }
        return index
    }
}

/// The messages about condition text that can't be parsed.
enum ConditionSyntax {
    /// - Parameters:
    ///   - problem: The problem, without any value.
    ///   - position: Where, in characters from the beginning, from 0.
    static func error(_ problem: String, at position: Int) -> DatabaseError {
        DatabaseError(.syntax, "A condition can't be read: \(problem), at character \(position + 1).")
    }
}
