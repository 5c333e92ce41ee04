/// The objects of one type in a save: what is done with them, while ``SaveTable`` has their rows.
final class SavedObjects<Model: TableObject>: AnySavedObjects {
    let table: SaveTable
    unowned let graph: SaveGraph
    let plan: MappingPlan<Model>
    var objects: [Model] = []
    /// The objects as others are linked to them, once the save has succeeded.
    var store: ObjectStore<Model>?
    /// The indices of objects that have no tracker to hold them; and of all objects, once another save may have met
    /// them and put its own index into their trackers.
    var indices: [ObjectIdentifier: Int] = [:]
    /// Encodes nothing, and so can be used for one object after the other.
    var visitor: RowEncoder?
    /// The layout that was used last to write back: mostly the same for all rows of a batch.
    var latestLayout: ((PropertyMask, PropertyMask), RowLayout)?
    // What is used for each object: kept here, where reading it costs no copy of the mapping.
    let changes: (@Sendable (Model, (inout ChangeTracker) -> Void) -> Void)?
    let relationMask: PropertyMask
    /// Whether a property of an object that was met may hold its original.
    var hasUncertain = false

    init(tableIndex: Int, plan: MappingPlan<Model>, graph: SaveGraph) {
        self.plan = plan
        self.graph = graph
        changes = plan.mapping.changes
        relationMask = plan.description.columns.relationMask
        table = SaveTable(
            tableIndex: tableIndex, plan.statements, verb: graph.verb, givesSeveral: graph.givesSeveral,
            hasHooks: plan.hooks != nil, showsValues: graph.core.configuration.telemetry.showsValues)
    }

    /// As the protocol says, without a call through it.
    var description: TableDescription { table.description }
    var isClass: Bool { table.description.isClass }
    /// Whether an object has to be visited when the graph is walked: it leads to others, or has a hook.
    var isVisited: Bool { !relationMask.isEmpty || plan.hooks != nil }

    /// Adds the objects that are given: values, or objects of a class that tracks changes, each of those once.
    ///
    /// - Returns: For each of them where it is; nil if they have to be added one by one.
    func append(given models: [Model]) -> [NodeID]? {
        guard table.positions.isEmpty else { return nil }
        if !isClass {
            objects = models
            table.positions = models.indices.map { Int32(truncatingIfNeeded: $0) }
            return models.indices.map { NodeID(table: table.tableIndex, index: $0) }
        }
        guard changes != nil, plan.mapping.loops.areExact(models) else { return nil }
        // Kept here while all objects are added: each look at a property of an object is checked for others that change
        // it.
        var (nodes, identities, positions): ([NodeID], [ObjectIdentifier], [Int32]) = ([], [], [])
        nodes.reserveCapacity(models.count)
        positions.reserveCapacity(models.count)
        identities.reserveCapacity(models.count)
        let (tableIndex, save, waitsForUpdates) = (table.tableIndex, graph.saveID, graph.waitsForUpdates)
        var awaited: AwaitedObject?
        var hasUncertain = false
        plan.mapping.loops.track(models) { position, identity, tracker in
            let known = tracker.membership
            if known.save == save, Int(known.index) < identities.count, identities[Int(known.index)] == identity {
                nodes.append(NodeID(table: tableIndex, index: Int(known.index)))
                return
            }
            let index = identities.count
            if tracker.isUncertain { hasUncertain = true }
            tracker.membership = SaveMembership(save: save, index: Int32(truncatingIfNeeded: index))
            if tracker.isAwaited(evenUpdated: waitsForUpdates) {
                awaited = AwaitedObject(identity: identity, insertingSaveID: tracker.insertingSaveID)
            }
            identities.append(identity)
            positions.append(Int32(truncatingIfNeeded: position))
            nodes.append(NodeID(table: tableIndex, index: index))
        }
        self.hasUncertain = hasUncertain
        (table.identities, table.positions, table.awaited) = (identities, positions, awaited)
        objects = positions.count == models.count ? models : positions.map { models[Int($0)] }
        return nodes
    }

    func identity(of object: Model) -> ObjectIdentifier {
        // `as AnyObject` asks the runtime, each time; the mapping knows that this is a class.
        unsafeBitCast(object, to: ObjectIdentifier.self)
    }

    func delete(_ expired: [StoredRows], through session: Session) async throws {
        try await DeleteGraph(core: session.core).delete(expired, of: Model.self, through: session)
    }

    func withTracker(of index: Int, _ body: (inout ChangeTracker) -> Void) { changes?(objects[index], body) }
}

/// An object in flight in another save, which has to end first.
struct AwaitedObject {
    let identity: ObjectIdentifier
    /// The number of the save that inserts it, or did.
    let insertingSaveID: UInt32
}

extension ChangeTracker {
    /// Whether a save under way has to end before another one of the object.
    func isAwaited(evenUpdated: Bool) -> Bool { state == .inserting || evenUpdated && inFlightCount > 0 }
}
