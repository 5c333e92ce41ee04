extension QueryWriter {
    /// The longest pattern, in bytes: what SQLite takes.
    private static let greatestPattern = 50_000

    /// Writes whether a text is like a pattern.
    func like(_ node: QueryNode, _ pattern: QueryNode, isCaseSensitive: Bool) throws -> String {
        if case .path(let path) = node, let element = try anyElement(path) {
            return try condition(
                .hasElement(
                    element.path, scope: element.scope,
                    .like(.path(element.rest), pattern: pattern, isCaseSensitive: isCaseSensitive)))
        }
        if let typed = try value(insideDocument: node, as: .text) {
            return try like(typed, pattern, isCaseSensitive: isCaseSensitive)
        }
        try requireText(node)
        guard let pattern = try text(of: pattern) else {
            throw DatabaseError(.unsupported, "A pattern has to be a value, not what a property holds.")
        }
        return try like(node, pattern: pattern, isCaseSensitive: isCaseSensitive)
    }

    private func like(_ node: QueryNode, pattern: String, isCaseSensitive: Bool) throws -> String {
        // What one engine has to write with more bytes counts for all.
        let written = pattern.utf8.count + 2 * pattern.utf8.count { $0 == 0x2A || $0 == 0x3F || $0 == 0x5B }
        guard written <= Self.greatestPattern else {
            throw DatabaseError(.invalidValue, "A pattern is longer than \(Self.greatestPattern) bytes.")
        }
        guard pattern.unicodeScalars.reversed().prefix(while: { $0 == "\\" }).count.isMultiple(of: 2) else {
            throw DatabaseError(.invalidValue, "A pattern ends in a single \\, which escapes nothing. Double it.")
        }
        let left = try operand(node, ValueType(type: .text), isTyped: true)
        return dialect.like(
            left, bind(text: dialect.pattern(pattern, isCaseSensitive: isCaseSensitive)),
            isCaseSensitive: isCaseSensitive)
    }

    /// Writes whether a text has another in it; or an array an element.
    func match(_ match: TextMatch, _ node: QueryNode, _ part: QueryNode, isCaseSensitive: Bool) throws -> String {
        if case .failure(let error) = part { throw error }
        if case .path(let path) = node {
            if case .array = try locate(path) {
                return try condition(.comparison(.equal, node, part))  // true of any element
            }
            if let element = try insideArray(path) {
                return try condition(
                    .hasElement(
                        element.path, scope: element.scope,
                        .match(match, .path(element.rest), part, isCaseSensitive: isCaseSensitive)))
            }
        }
        if let (document, path) = try documentPath(node) {
            if match == .contains { return try hasElement(document, path, part) }
            guard let typed = try value(insideDocument: node, as: .text) else { throw JSONPath.malformed }
            return try self.match(match, typed, part, isCaseSensitive: isCaseSensitive)
        }
        if match == .contains, try type(of: node).type == .json { return try hasElement(node, .root, part) }
        try requireText(node)
        guard let text = try text(of: part) else { return try matchExpression(match, node, part, isCaseSensitive) }
        guard isCaseSensitive else {
            let literal = Self.escaped(text)
            let pattern =
                switch match {
                case .contains: "%\(literal)%"
                case .prefix: "\(literal)%"
                case .suffix: "%\(literal)"
                }
            return try like(node, pattern: pattern, isCaseSensitive: false)
        }
        let textType = ValueType(type: .text)
        switch match {
        case .contains:
            let left = try operand(node, textType, isTyped: true)
            return dialect.contains(left, dialect.typed(bind(text: text), .text))
        case .prefix:
            guard node.canHaveIndex, let end = Self.successor(of: text) else {
                return try hasPart(node, atEnd: false, text)
            }
            // As a range, for which an index on the column does.
            let written = try operand(node, textType, isTyped: true)
            let left = try type(of: node).isInDocument ? written : dialect.ordered(written, .text)
            let low = "\(left) >= \(bind(text: text))"
            return "(\(low) AND \(left) < \(bind(text: end)))"
        case .suffix: return try hasPart(node, atEnd: true, text)
        }
    }

    /// Compares as many scalars as `text` has.
    private func hasPart(_ node: QueryNode, atEnd: Bool, _ text: String) throws -> String {
        let count = text.unicodeScalars.count
        let textType = ValueType(type: .text)
        let left = try operand(node, textType, isTyped: true)
        if count == 0 { return "\(left) IS NOT NULL" }
        guard atEnd else { return "substr(\(left), 1, \(count)) = \(bind(text: text))" }
        let again = try operand(node, textType, isTyped: true)
        return "substr(\(left), length(\(again)) - \(count - 1)) = \(bind(text: text))"
    }

    /// Matches against a pattern that is computed by the database.
    private func matchExpression(
        _ match: TextMatch, _ node: QueryNode, _ part: QueryNode, _ isCaseSensitive: Bool
    ) throws -> String {
        try requireText(part)
        let (node, part) =
            isCaseSensitive ? (node, part) : (.function(.lowercased, [node]), .function(.lowercased, [part]))
        let text = ValueType(type: .text)
        let left = try operand(node, text, isTyped: true)
        switch match {
        case .contains: return dialect.contains(left, try operand(part, text, isTyped: true))
        case .prefix:
            let length = try operand(part, text, isTyped: true)
            return "substr(\(left), 1, length(\(length))) = \(try operand(part, text, isTyped: true))"
        case .suffix:
            let whole = try operand(node, text, isTyped: true)
            let length = try operand(part, text, isTyped: true)
            return
                "substr(\(left), length(\(whole)) - length(\(length)) + 1) = \(try operand(part, text, isTyped: true))"
        }
    }

    /// The text that a node is, if it is one.
    private func text(of node: QueryNode) throws -> String? {
        guard case .value(let value) = node else {
            if case .failure(let error) = node { throw error }
            return nil
        }
        let buffer = try encoded(value, ValueType(type: .text))
        return buffer.withRow(0) { cells in cells.first.map { String(decoding: $0.bytes, as: UTF8.self) } }
    }

    /// A text as a pattern that only it is like.
    private static func escaped(_ text: String) -> String {
        var pattern = ""
        for character in text.unicodeScalars {
            if character == "%" || character == "_" || character == "\\" { pattern.unicodeScalars.append("\\") }
            pattern.unicodeScalars.append(character)
        }
        return pattern
    }

    /// The first text, by code points, that comes after all that begin with `text`; nil if there is none.
    static func successor(of text: String) -> String? {
        var scalars = Array(text.unicodeScalars)
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }
        return nil
    }
}

extension QueryNode {
    /// Whether an index can be on it: on a column, or on a value inside a document.
    fileprivate var canHaveIndex: Bool {
        switch self {
        case .path, .json: true
        default: false
        }
    }
}
