/// Collects what one object leads to, as far as that is part of the save.
final class RelationCollector: SaveSink {
    private(set) var nodes: [NodeID] = []
    /// Whether an object was met that is not part of the save.
    private(set) var hasMissed = false

    /// Collects what an object leads to by one relation.
    func collect(_ relation: Int, of node: NodeID) throws -> [NodeID] {
        nodes.removeAll(keepingCapacity: true)
        hasMissed = false
        try graph.savedObjects[Int(node.table)].visit(PropertyMask([relation]), of: Int(node.index), self)
        return nodes
    }

    override func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        try note(object, at: index)
    }

    override func meet<Model: TableObject>(element object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        try note(object, at: index)
    }

    private func note<Model: TableObject>(_ object: Model, at property: Int) throws {
        if let node = try node(of: object, in: graph.savedObjects(of: Model.self), property: property) {
            nodes.append(node)
        } else {
            hasMissed = true
        }
    }
}
