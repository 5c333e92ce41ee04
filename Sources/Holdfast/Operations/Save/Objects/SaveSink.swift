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

/// The structs that the objects of a save hold.
struct HeldStructs {
    /// By their owners and the positions of the properties, in their order.
    private var nodes: [NodeID: [Int: [NodeID]]] = [:]
    /// The objects that hold structs, as they were met: whoever holds comes before what it holds.
    private(set) var owners: [NodeID] = []

    mutating func add(_ node: NodeID, heldBy owner: NodeID, property: Int) {
        if nodes[owner] == nil { owners.append(owner) }
        nodes[owner, default: [:]][property, default: []].append(node)
    }

    /// A struct that a property of an object holds; nil if there were fewer.
    func node(heldBy owner: NodeID, property: Int, _ position: Int) -> NodeID? {
        guard let held = nodes[owner]?[property], position < held.count else { return nil }
        return held[position]
    }

    /// The structs that an object holds, by property.
    func nodes(heldBy owner: NodeID) -> [Int: [NodeID]] { nodes[owner] ?? [:] }
}
