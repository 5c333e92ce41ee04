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

extension SaveGraph {
    /// Sets the structs that objects hold, as they were saved.
    func setStructs(undoingIn scope: TransactionScope?) throws {
        var undos: [() -> Void] = []
        // What was met last is deepest: a struct is complete before it goes into its owner.
        for owner in structs.owners.reversed() {
            let holder = savedObjects[Int(owner.table)]
            var relatedColumns: [Int: RelatedColumn] = [:]
            for (property, nodes) in structs.nodes(heldBy: owner) {
                guard let first = nodes.first else { continue }
                let targets = nodes.map(\.index)
                let isArray = holder.description.columns.relation(property)?.isArray ?? false
                relatedColumns[property] = savedObjects[Int(first.table)].column(
                    RelatedRowIndices(starts: isArray ? [0, Int32(targets.count)] : nil, targets: targets))
            }
            if let undo = try holder.relink(Int(owner.index), relatedColumns, isUndoable: scope != nil) {
                undos.append(undo)
            }
        }
        scope?.register(undoing: undos)
    }
}
