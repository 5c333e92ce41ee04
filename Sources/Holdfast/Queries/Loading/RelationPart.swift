/// What is loaded of a relation with its owners, if not all: which objects, in which order, and how many of each owner.
struct RelationPart: Sendable {
    var conditions: [QueryNode] = []
    var orders: [Ordering] = []
    var limit: Int?
    var offset = 0
    /// The scopes of the closures that have made it.
    var scopes = QueryScopes()

    /// What it asks of each object.
    var nodes: [QueryNode] { conditions + orders.map(\.node) }
}

extension RelationPaths {
    /// A path of one relation, of which a part is loaded, and from there on those that are given.
    init(_ relation: String, _ part: RelationPart, _ following: RelationPaths) {
        self.init(Node([relation: Node(following.root.children, part: part)]))
    }

    /// The paths of both, with the parts of the other where both have one.
    func merged(with other: RelationPaths) -> RelationPaths {
        other.isEmpty ? self : RelationPaths(root.merged(with: other.root))
    }

    /// Those of relations of which a part is loaded.
    var ofParts: RelationPaths { RelationPaths(Node(root.children.filter { $0.value.part != nil })) }

    /// The parts that are loaded: with each its relation, and the type of its owners.
    func parts(
        from description: TableDescription
    ) -> [(part: RelationPart, relation: Relation, owner: TableDescription)] {
        if isEmpty { return [] }
        var parts: [(part: RelationPart, relation: Relation, owner: TableDescription)] = []
        var pending = [(root, description)]
        while let (node, description) = pending.popLast() {
            for (name, child) in node.children {
                guard let index = description.index(ofProperty: name),
                    let relation = description.columns.relation(index)
                else { continue }
                if let part = child.part { parts.append((part, relation, description)) }
                pending.append((child, relation.target.description))
            }
        }
        return parts
    }
}

extension RelationPaths.Node {
    fileprivate func merged(with other: RelationPaths.Node) -> RelationPaths.Node {
        RelationPaths.Node(
            children.merging(other.children) { $0.merged(with: $1) }, part: other.part ?? part)
    }
}
