extension QueryWriter {
    /// From how many parts on a chain of conditions is looked through for comparisons that are one list.
    private static let longChain = 64

    /// The parts of a chain of conditions, those of chains in it included.
    ///
    /// In a long one, comparisons of a property with many values become one list: engines take them one by one in a
    /// time that grows with the square of their number, and one list by an index.
    func parts(of nodes: [QueryNode], isAnd: Bool) throws -> [QueryNode] {
        var result: [QueryNode] = []
        // By hand, not by recursion: a chain may have been made of lists in lists.
        var rest = [nodes[...]]
        while var list = rest.popLast() {
            guard let node = list.popFirst() else { continue }
            rest.append(list)
            switch node {
            case .and(let inner) where isAnd && !inner.isEmpty: rest.append(inner[...])
            case .or(let inner) where !isAnd && !inner.isEmpty: rest.append(inner[...])
            default: result.append(node)
            }
        }
        return result.count > Self.longChain ? try listed(result, isAnd: isAnd) : result
    }

    /// Makes lists of `a = 1 OR a = 2 OR …`, and of `a <> 1 AND a <> 2 AND …`.
    private func listed(_ nodes: [QueryNode], isAnd: Bool) throws -> [QueryNode] {
        struct Property: Hashable {
            let scope: QueryScope
            let names: [String]
        }
        var values: [Property: [QueryNode]] = [:]
        var result: [(node: QueryNode, property: Property?)] = []
        for node in nodes {
            guard case .comparison(isAnd ? .notEqual : .equal, .path(let path), let value) = node, value.isGiven,
                // Of an array any element counts: that each value differs from some element is no list.
                try !isAnd || anyElement(path) == nil
            else {
                result.append((node, nil))
                continue
            }
            let property = Property(scope: path.scope, names: path.names)
            if values[property] == nil { result.append((.path(path), property)) }
            values[property, default: []].append(value)
        }
        return result.map { node, property in
            guard let property, let values = values[property] else { return node }
            return isAnd ? .not(.isIn(node, values)) : .isIn(node, values)
        }
    }
}

extension QueryNode {
    /// Whether it is a value or a key that was given, which can be part of a list.
    fileprivate var isGiven: Bool {
        switch self {
        case .value, .key: true
        default: false
        }
    }
}
