extension QueryWriter {
    func joined(_ nodes: [QueryNode], by word: String, none: String) throws -> String {
        if nodes.count == 1 { return try parenthesized(nodes[0]) }
        return nodes.isEmpty ? none : balanced(try nodes.map { try parenthesized($0) }, word)
    }

    /// Joins so many that an engine's parser would go too deep by halves.
    private func balanced(_ parts: [String], _ word: String) -> String {
        guard parts.count > 64 else { return parts.joined(separator: word) }
        let half = parts.count / 2
        return "(\(balanced(Array(parts[..<half]), word)))\(word)(\(balanced(Array(parts[half...]), word)))"
    }

    /// A condition with parentheses, where it is one of several parts.
    private func parenthesized(_ node: QueryNode) throws -> String {
        let sql = try condition(node)
        return switch node {
        case .and, .or, .text, .between: "(\(sql))"
        default: sql
        }
    }

    func between(_ node: QueryNode, _ low: QueryNode, _ high: QueryNode) throws -> String {
        // For an array, a single element has to lie between the two bounds.
        if case .path(let path) = node, let element = try anyElement(path) {
            let inner = QueryNode.path(element.rest)
            return try condition(.hasElement(element.path, scope: element.scope, .between(inner, low, high)))
        }
        return try condition(
            .and([.comparison(.greaterOrEqual, node, low), .comparison(.lessOrEqual, node, high)]))
    }

    /// Writes that a condition is not true: never unknown.
    func negation(_ node: QueryNode) throws -> String { try nested { try negated(node) } }

    private func negated(_ node: QueryNode) throws -> String {
        switch node {
        case .not(let node): return try parenthesized(node)
        case .constant(let value): return try condition(.constant(!value))
        case .comparison(.equal, let left, let right) where try !isAboutElements(left, right):
            return try comparison(.notEqual, left, right)
        case .comparison(.notEqual, let left, let right) where try !isAboutElements(left, right):
            return try comparison(.equal, left, right)
        case .hasElement(let path, let scope, let node): return try hasElement(path, scope, node, isNegated: true)
        case .isHeld(let holder): return try isHeld(holder, isNegated: true)
        case .exists(let query): return "NOT \(try exists(query))"
        case .text(let text): return try negation(ConditionParser.parse(text))
        default: return "(\(try condition(node))) IS NOT TRUE"
        }
    }

    /// Whether one side of a comparison stands for any element of an array, so that the opposite comparison is not the
    /// negation.
    private func isAboutElements(_ nodes: QueryNode...) throws -> Bool {
        try nodes.contains { node in
            guard case .path(let path) = node else { return false }
            return try anyElement(path) != nil
        }
    }
}
