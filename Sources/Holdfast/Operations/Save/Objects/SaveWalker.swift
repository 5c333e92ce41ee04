/// Walks from the objects that are given along their relations, without recursion: what it meets joins the save.
///
/// It comes to what was given, to what that owns, and to what these refer to. An array that the other side keeps, which
/// may hold half of a database, is followed only from an object that is new or in which it was changed, or where it is
/// owned by what was given (decision 0075).
final class SaveWalker: SaveSink {
    /// A relation of an object, and the table that it leads to.
    struct Holding: Hashable {
        let owner: NodeID
        let property: Int
        let target: Int
    }

    /// A visit along certain paths, of which an object can get several.
    private struct Visit: Hashable {
        let node: NodeID
        let paths: ObjectIdentifier
    }

    private var queue: [(node: NodeID, paths: RelationPaths.Node?, isOwned: Bool)] = []
    private var visits: Set<Visit> = []
    /// The objects that were given or are owned by those, as far as they own others.
    private var owners: Set<NodeID> = []
    /// The relations that are followed from the object that is visited; nil for all.
    private var paths: RelationPaths.Node?
    /// Whether the object that is visited was given, or is owned by one that was.
    private var isOwned = false
    /// Relations that hold objects which were deleted.
    private(set) var deletions: Set<Holding> = []

    /// Has an object visited, along some paths or all.
    func enqueue(_ node: NodeID, _ paths: RelationPaths.Node?) { enqueue(node, paths, isOwned: true) }

    private func enqueue(_ node: NodeID, _ paths: RelationPaths.Node?, isOwned: Bool) {
        if isOwned, ownsOthers(node) { owners.insert(node) }
        queue.append((node, paths, isOwned))
    }

    private func ownsOthers(_ node: NodeID) -> Bool {
        !graph.tables[Int(node.table)].description.masks.owned.isEmpty
    }

    /// Visits the objects in the queue, and what the save comes to from there.
    ///
    /// - Parameter hooked: The objects whose `willSave` has run already.
    /// - Returns: Whether a hook ran, which may have changed what was walked before.
    func run(hooked: inout Set<ObjectIdentifier>) throws -> Bool {
        var ranHook = false
        // First come, first served: so that hooks run in the order in which objects were given.
        var next = 0
        while next < queue.count {
            let (node, paths, isOwned) = queue[next]
            next += 1
            (self.paths, self.isOwned) = (paths, isOwned)
            let objects = graph.savedObjects[Int(node.table)]
            if try objects.runWillSave(Int(node.index), hooked: &hooked) { ranHook = true }
            var passedOver = PropertyMask()
            if paths == nil {
                let masks = objects.description.masks
                passedOver = isOwned ? masks.inverseArrays.subtracting(masks.owned) : masks.inverseArrays
            }
            #if DEBUG
            if !passedOver.isEmpty, objects.table.positions[Int(node.index)] >= 0 {
                try graph.changeFinder.check(passedOver, of: node)
            }
            #endif
            try objects.visit(nil, unlessUnchanged: passedOver, of: Int(node.index), self)
        }
        queue = []
        return ranHook
    }

    override func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        try walk(to: object, at: index)
    }

    override func meet<Model: TableObject>(element object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        try walk(to: object, at: index)
    }

    private func walk<Model: TableObject>(to object: Model, at property: Int) throws {
        let objects = try graph.savedObjects(of: Model.self)
        // Along given paths only what they name is followed; what is not followed is not part of the save.
        let followed = paths.map { paths -> RelationPaths.Node? in
            paths.children[graph.tables[Int(owner.table)].description.properties[property].name]
        }
        if case .some(.none) = followed { return }
        let next = followed ?? nil
        let isOwned = isOwned && graph.tables[Int(owner.table)].description.masks.owned.contains(property)
        if let node = try node(of: object, in: objects, property: property) {
            if next == nil, isOwned, ownsOthers(node), !owners.contains(node) { enqueue(node, nil, isOwned: true) }
            guard let next, visits.insert(Visit(node: node, paths: ObjectIdentifier(next))).inserted else { return }
            enqueue(node, next, isOwned: isOwned)
            return
        }
        // An object that was deleted is inserted again only with an owner that is, too.
        let isKept =
            graph.tables[Int(owner.table)].description.masks.owned.contains(property)
            && !graph.savedObjects[Int(owner.table)].isPersisted(Int(owner.index))
        if objects.state(of: object) == .deleted, !isKept {
            deletions.insert(Holding(owner: owner, property: property, target: objects.table.tableIndex))
            return
        }
        let node = objects.append(object, position: nil)
        if !objects.description.isClass { graph.structs.add(node, heldBy: owner, property: property) }
        if let next { visits.insert(Visit(node: node, paths: ObjectIdentifier(next))) }
        if objects.isVisited { enqueue(node, next, isOwned: isOwned) }
    }
}
