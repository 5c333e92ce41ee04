/// Meets the objects that one object of a save leads to.
class SaveSink: RelationSink {
    unowned let graph: SaveGraph
    /// The object whose relations are met.
    private(set) var owner = NodeID(table: 0, index: 0)
    /// For each property of the owner, how many of the structs that it holds were met.
    private var metCounts: [Int: Int] = [:]

    init(_ graph: SaveGraph) { self.graph = graph }

    /// Says whose relations are met next.
    final func begin(_ owner: NodeID) {
        self.owner = owner
        if !metCounts.isEmpty { metCounts = [:] }
    }

    /// Finds an object that was met before; a struct by the order in which its owner holds them.
    final func node<Model: TableObject>(
        of object: Model, in objects: SavedObjects<Model>, property: Int
    ) throws -> NodeID? {
        if objects.description.isClass {
            try objects.requireOwnClass(object)
            return objects.node(of: object)
        }
        let position = metCounts[property, default: 0]
        metCounts[property] = position + 1
        return graph.structs.node(heldBy: owner, property: property, position)
    }
}

/// Collects what one object leads to by a relation.
final class RelationCollector: SaveSink {
    private var nodes: [NodeID] = []
    /// All that was met, nil for what is not part of the save; only where the objects are kept.
    private var holdings: [NodeID?] = []
    private var keepsObjects = false
    /// Whether an object was met that is not part of the save.
    private(set) var hasMissed = false

    /// Collects what an object leads to, as far as that is part of the save.
    func collect(_ relation: Int, of node: NodeID) throws -> [NodeID] {
        try visit(relation, of: node)
        return nodes
    }

    /// Collects everything that an object holds, into ``SavedObjects/holdings``.
    ///
    /// - Returns: For each object where it is in the save; nil if it is not.
    func collectHoldings(_ relation: Int, of node: NodeID) throws -> [NodeID?] {
        for objects in graph.savedObjects { objects.dropHoldings() }
        holdings.removeAll(keepingCapacity: true)
        keepsObjects = true
        defer { keepsObjects = false }
        try visit(relation, of: node)
        return holdings
    }

    private func visit(_ relation: Int, of node: NodeID) throws {
        nodes.removeAll(keepingCapacity: true)
        hasMissed = false
        try graph.savedObjects[Int(node.table)].visit(PropertyMask([relation]), of: Int(node.index), self)
    }

    override func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        try note(object, at: index)
    }

    override func meet<Model: TableObject>(element object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        try note(object, at: index)
    }

    private func note<Model: TableObject>(_ object: Model, at property: Int) throws {
        let objects = try graph.savedObjects(of: Model.self)
        let node = try node(of: object, in: objects, property: property)
        if let node { nodes.append(node) } else { hasMissed = true }
        guard keepsObjects else { return }
        holdings.append(node)
        objects.holdings.append(object)
    }
}
