/// Reads condition text by its grammar, without looking at a mapping: what names lead to is found out later.
///
/// ```
/// condition  = and { "OR" and }
/// and        = not { "AND" not }
/// not        = "NOT" not | predicate
/// predicate  = bits [ comparison bits | ["NOT"] "LIKE" bits | ["NOT"] "IN" list | ["NOT"] "BETWEEN" bits "AND" bits
///                   | ["NOT"] "CONTAINS" bits | "IS" ["NOT"] ("NULL" | "EMPTY") ]
/// bits       = sum { ("&" | "|" | "<<" | ">>" | "||") sum }
/// sum        = product { ("+" | "-") product }
/// product    = factor { ("*" | "/" | "%") factor }
/// factor     = "-" factor | number | text | value | path | function "(" bits { "," bits } ")" | "(" condition ")"
///            | "CAST" "(" bits "AS" ("TEXT" | "INTEGER") ")"
///            | "CASE" { "WHEN" condition "THEN" bits } [ "ELSE" bits ] "END"
/// path       = name { "." name | "[" number "]" }
/// ```
struct ConditionParser {
    /// A condition, or a value: what is in parentheses can be either.
    private enum Part {
        case condition(QueryNode)
        case operand(QueryNode)
    }

    /// How deep parentheses and prefixes may be nested, so that no text can exhaust the stack.
    private static let greatestDepth = 100

    private let tokens: [ConditionToken]
    /// The functions of the program's own that the text can name, and the types of what they compute.
    private let functions: [String: ColumnType]
    private var next = 0
    private var depth = 0
    private var operatorCount = 0

    /// The condition that `text` is.
    static func parse(_ text: ConditionText) throws -> QueryNode {
        var parser = ConditionParser(try ConditionLexer.tokens(of: text), functions: text.functions)
        if case .end = parser.token.kind { throw parser.failure("it is empty") }
        let node = try parser.condition()
        guard case .end = parser.token.kind else { throw parser.failure("its end was expected") }
        return node
    }

    private init(_ tokens: [ConditionToken], functions: [String: ColumnType]) {
        (self.tokens, self.functions) = (tokens, functions)
    }

    // MARK: Tokens

    // The last token is the end, and is never passed.
    private var token: ConditionToken { tokens[next] }

    private mutating func advance() { if next < tokens.count - 1 { next += 1 } }

    private func failure(_ problem: String) -> DatabaseError { ConditionSyntax.error(problem, at: token.position) }

    /// The word of the grammar that comes next, in upper case.
    private var word: String? {
        guard case .word(let word) = token.kind else { return nil }
        return word.uppercased()
    }

    private mutating func accept(word: String) -> Bool {
        guard self.word == word else { return false }
        advance()
        return true
    }

    private func isSymbol(_ symbol: String) -> Bool {
        guard case .symbol(symbol) = token.kind else { return false }
        return true
    }

    private mutating func accept(symbol: String) -> Bool {
        guard isSymbol(symbol) else { return false }
        advance()
        return true
    }

    private mutating func expect(symbol: String) throws {
        guard accept(symbol: symbol) else { throw failure("\"\(symbol)\" was expected") }
    }

    private mutating func nested<Result>(_ body: (inout ConditionParser) throws -> Result) throws -> Result {
        guard depth < Self.greatestDepth else { throw failure("it is nested too deeply") }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    // MARK: Conditions

    private mutating func condition() throws -> QueryNode {
        let position = token.position
        return try condition(of: disjunction(), at: position)
    }

    /// A value where a condition has to be: one that is true or false.
    private func condition(of part: Part, at position: Int) throws -> QueryNode {
        switch part {
        case .condition(let node): return node
        case .operand(.path(let path)):
            return .comparison(.equal, .path(path), .value(.literal(.boolean(true))))
        case .operand(.value(.literal(.boolean(let value)))): return .constant(value)
        case .operand(.choice(let choice)): return .choice(choice)
        case .operand(.sql(let call, .boolean)): return .sql(call, .boolean)
        case .operand: throw ConditionSyntax.error("a comparison was expected", at: position)
        }
    }

    private func operand(of part: Part, at position: Int) throws -> QueryNode {
        guard case .operand(let node) = part else {
            throw ConditionSyntax.error("a value was expected, not a condition", at: position)
        }
        return node
    }

    private mutating func disjunction() throws -> Part {
        let position = token.position
        let first = try conjunction()
        guard word == "OR" else { return first }
        var nodes = [try condition(of: first, at: position)]
        while accept(word: "OR") {
            let position = token.position
            nodes.append(try condition(of: conjunction(), at: position))
        }
        return .condition(.or(nodes))
    }

    private mutating func conjunction() throws -> Part {
        let position = token.position
        let first = try negation()
        guard word == "AND" else { return first }
        var nodes = [try condition(of: first, at: position)]
        while accept(word: "AND") {
            let position = token.position
            nodes.append(try condition(of: negation(), at: position))
        }
        return .condition(.and(nodes))
    }

    private mutating func negation() throws -> Part {
        guard accept(word: "NOT") else { return try predicate() }
        return try nested { parser in
            let position = parser.token.position
            return .condition(.not(try parser.condition(of: parser.negation(), at: position)))
        }
    }

    private mutating func predicate() throws -> Part {
        let position = token.position
        let first = try bits()
        if case .symbol(let symbol) = token.kind, let comparison = Self.comparisons[symbol] {
            advance()
            return .condition(.comparison(comparison, try operand(of: first, at: position), try bitsOperand()))
        }
        if accept(word: "IS") {
            let isNegated = accept(word: "NOT")
            let left = try operand(of: first, at: position)
            if accept(word: "NULL") { return .condition(.comparison(isNegated ? .notEqual : .equal, left, .null)) }
            guard accept(word: "EMPTY") else { throw failure("NULL or EMPTY was expected") }
            guard case .path(let path) = left else {
                throw ConditionSyntax.error("an array was expected", at: position)
            }
            let hasElement = QueryNode.hasElement(path, scope: .element(), nil)
            return .condition(isNegated ? hasElement : .not(hasElement))
        }
        let isNegated = word == "NOT"
        if isNegated { advance() }
        guard let word, ["LIKE", "IN", "BETWEEN", "CONTAINS"].contains(word) else {
            if isNegated { throw failure("LIKE, IN, BETWEEN or CONTAINS was expected") }
            return first
        }
        advance()
        let left = try operand(of: first, at: position)
        let node: QueryNode
        switch word {
        case "LIKE": node = .like(left, pattern: try bitsOperand(), isCaseSensitive: false)
        case "IN": node = try membership(of: left)
        case "CONTAINS": node = .match(.contains, left, try bitsOperand(), isCaseSensitive: true)
        default:
            let low = try bitsOperand()
            guard accept(word: "AND") else { throw failure("AND was expected, of BETWEEN … AND …") }
            node = .between(left, low, try bitsOperand())
        }
        return .condition(isNegated ? .not(node) : node)
    }

    private static let comparisons: [String: ComparisonOperator] = [
        "=": .equal, "==": .equal, "<>": .notEqual, "!=": .notEqual,
        "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
    ]

    /// Parses the part after IN: a list of values, or the path of an array.
    private mutating func membership(of left: QueryNode) throws -> QueryNode {
        if case .operands(let nodes) = token.kind {
            advance()
            return .isIn(left, nodes)
        }
        guard accept(symbol: "(") else {
            let position = token.position
            guard case .path(let path) = try bitsOperand() else {
                throw ConditionSyntax.error("a list in parentheses was expected, or an array", at: position)
            }
            return .match(.contains, .path(path), left, isCaseSensitive: true)
        }
        var nodes: [QueryNode] = []
        if accept(symbol: ")") { return .isIn(left, nodes) }
        repeat {
            if case .operands(let values) = token.kind {
                advance()
                nodes += values
            } else {
                nodes.append(try bitsOperand())
            }
        } while accept(symbol: ",")
        try expect(symbol: ")")
        return .isIn(left, nodes)
    }

    // MARK: Values

    private mutating func bitsOperand() throws -> QueryNode {
        let position = token.position
        return try operand(of: bits(), at: position)
    }

    /// The operators that have one rank, by their signs.
    private typealias Operators = [String: @Sendable (QueryNode, QueryNode) -> QueryNode]

    private static let bitOperators: Operators = [
        "&": { .function(.bitAnd, [$0, $1]) }, "|": { .function(.bitOr, [$0, $1]) },
        "<<": { .function(.shiftedLeft, [$0, $1]) }, ">>": { .function(.shiftedRight, [$0, $1]) },
        "||": { .concatenation($0, $1) },
    ]

    private static let sumOperators: Operators = [
        "+": { .arithmetic(.add, $0, $1) }, "-": { .arithmetic(.subtract, $0, $1) },
    ]

    private static let productOperators: Operators = [
        "*": { .arithmetic(.multiply, $0, $1) }, "/": { .arithmetic(.divide, $0, $1) },
        "%": { .arithmetic(.remainder, $0, $1) },
    ]

    private mutating func bits() throws -> Part { try chain(Self.bitOperators) { try $0.sum() } }

    private mutating func sum() throws -> Part { try chain(Self.sumOperators) { try $0.product() } }

    private mutating func product() throws -> Part { try chain(Self.productOperators) { try $0.factor() } }

    private mutating func chain(
        _ operators: Operators, _ element: (inout ConditionParser) throws -> Part
    ) throws -> Part {
        let position = token.position
        var part = try element(&self)
        while case .symbol(let symbol) = token.kind, let operation = operators[symbol] {
            let left = try operand(of: part, at: position)
            // Of all chains together: each makes the tree one deeper.
            operatorCount += 1
            guard operatorCount <= Self.greatestDepth else { throw failure("it has too many terms") }
            advance()
            let rightPosition = token.position
            let right = try operand(of: element(&self), at: rightPosition)
            part = .operand(operation(left, right))
        }
        return part
    }

    private mutating func factor() throws -> Part {
        let position = token.position
        switch token.kind {
        case .operand(let node):
            advance()
            return .operand(node)
        case .condition(let node):
            advance()
            return .condition(node)
        case .operands: throw failure("a list can only follow IN")
        case .function(let names, let type):
            guard names.allSatisfy(ProgramFunction.isName) else {
                throw DatabaseError.invalidFunctionName(names.joined(separator: "."))
            }
            advance()
            guard isSymbol("(") else { throw failure("the values of a function were expected, in parentheses") }
            return .operand(.sql(.calling(names, of: try arguments()), type))
        case .number(let digits):
            advance()
            return .operand(.value(.literal(Self.number(digits))))
        case .string(let text):
            advance()
            return .operand(.value(.literal(.text(text))))
        case .symbol("("):
            return try nested { parser in
                parser.advance()
                let part = try parser.disjunction()
                try parser.expect(symbol: ")")
                return part
            }
        case .symbol("-"):
            return try nested { parser in
                parser.advance()
                if case .number(let digits) = parser.token.kind {
                    parser.advance()
                    return .operand(.value(.literal(Self.number("-" + digits))))
                }
                return .operand(.function(.negated, [try parser.operand(of: parser.factor(), at: position)]))
            }
        case .word(let word): return try .operand(named(word))
        case .quotedName(let name):
            advance()
            return .operand(.path(try path(from: name, at: position)))
        case .symbol, .end: throw failure("a value or a property was expected")
        }
    }

    private static func number(_ digits: String) -> QueryLiteral {
        digits.contains { $0 == "." || $0 == "e" || $0 == "E" } ? .number(digits) : .integer(digits)
    }

    /// Parses an operand that begins with a word: a constant, a function, or a path.
    private mutating func named(_ word: String) throws -> QueryNode {
        let position = token.position
        let upper = word.uppercased()
        advance()
        switch upper {
        case "TRUE", "FALSE": return .value(.literal(.boolean(upper == "TRUE")))
        case "NULL": return .null
        case "AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "IS", "EMPTY", "CONTAINS":
            throw ConditionSyntax.error(
                "\(upper) is not expected here; a property of that name goes in double quotes", at: position)
        default: break
        }
        if upper == "CASE", self.word == "WHEN" { return try nested { try $0.choice() } }
        guard isSymbol("(") else { return .path(try path(from: word, at: position)) }
        if let type = functions[word] { return .sql(.calling([word], of: try arguments()), type) }
        if upper == "CAST" { return try nested { try $0.cast() } }
        guard let function = ConditionFunction(rawValue: word.lowercased()) else {
            let names = ConditionFunction.allCases.map(\.rawValue) + functions.keys.sorted()
            throw ConditionSyntax.error(
                "there is no such function; there are \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")",
                at: position)
        }
        return try function.node(arguments(), at: position)
    }

    /// Parses the values of a function, in parentheses.
    private mutating func arguments() throws -> [QueryNode] {
        try nested { parser in
            parser.advance()
            var arguments: [QueryNode] = []
            if !parser.isSymbol(")") {
                repeat { arguments.append(try parser.bitsOperand()) } while parser.accept(symbol: ",")
            }
            try parser.expect(symbol: ")")
            return arguments
        }
    }

    /// Parses what follows CASE: its words mean something only here, so that properties can have their names.
    private mutating func choice() throws -> QueryNode {
        var cases: [(condition: QueryNode, value: QueryNode)] = []
        while accept(word: "WHEN") {
            let condition = try condition()
            guard accept(word: "THEN") else { throw failure("THEN was expected, of CASE WHEN … THEN … END") }
            cases.append((condition, try bitsOperand()))
        }
        let otherwise = accept(word: "ELSE") ? try bitsOperand() : nil
        guard accept(word: "END") else { throw failure("WHEN, ELSE or END was expected, of CASE WHEN … THEN … END") }
        return .choice(QueryChoice(cases: cases, otherwise: otherwise))
    }

    /// Parses what follows CAST: an integer becomes text, a text the integer that it writes, and a number one of
    /// another type.
    private mutating func cast() throws -> QueryNode {
        advance()
        let value = try bitsOperand()
        guard accept(word: "AS") else { throw failure("AS was expected, of CAST(… AS …)") }
        let function: ScalarFunction
        switch word {
        case "TEXT": function = .text
        case "INTEGER": function = .integer
        case "DOUBLE": function = .double
        case "DECIMAL": function = .decimal
        default:
            throw failure(
                "TEXT, INTEGER, DOUBLE or DECIMAL was expected: integers become texts, texts integers, and numbers Doubles or decimals"
            )
        }
        advance()
        try expect(symbol: ")")
        return .function(function, [value])
    }

    private mutating func path(from first: String, at position: Int) throws -> QueryPath {
        var path = QueryPath(scope: .innermost, [first], position: position)
        while true {
            if accept(symbol: ".") {
                switch token.kind {
                case .word(let name), .quotedName(let name): path.append(.member(name))
                default: throw failure("the name of a property was expected")
                }
                advance()
            } else if accept(symbol: "[") {
                guard case .number(let digits) = token.kind, let element = Int(digits) else {
                    throw failure("the position of an element was expected, from 0")
                }
                advance()
                try expect(symbol: "]")
                path.append(.element(element))
            } else {
                return path
            }
        }
    }
}
