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
    private var indices: [ObjectIdentifier: Int] = [:]
    /// Encodes nothing, and so can be used for one object after the other.
    private var visitor: RowEncoder?
    /// The layout that was used last to write back: mostly the same for all rows of a batch.
    var latestLayout: ((PropertyMask, PropertyMask), RowLayout)?
    // What is used for each object: kept here, where reading it costs no copy of the mapping.
    let changes: (@Sendable (Model, (inout ChangeTracker) -> Void) -> Void)?
    let relationMask: PropertyMask
    /// Whether a property of an object that was met may hold its original.
    private(set) var hasUncertain = false

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
    private var isClass: Bool { table.description.isClass }
    /// Whether an object has to be visited when the graph is walked: it leads to others, or has a hook.
    var isVisited: Bool { !relationMask.isEmpty || plan.hooks != nil }

    // MARK: Which objects there are

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

    /// Adds an object that was not met before.
    ///
    /// - Parameter position: Its position among those that were given; nil if a relation led to it.
    func append(_ object: Model, position: Int?) -> NodeID {
        let index = objects.count
        if let changes {
            changes(object) { tracker in
                if tracker.isUncertain { hasUncertain = true }
                tracker.membership = SaveMembership(save: graph.saveID, index: Int32(truncatingIfNeeded: index))
                if tracker.isAwaited(evenUpdated: graph.waitsForUpdates) {
                    table.awaited = AwaitedObject(
                        identity: identity(of: object), insertingSaveID: tracker.insertingSaveID)
                }
            }
        } else if isClass {
            indices[identity(of: object)] = index
        }
        if isClass { table.identities.append(identity(of: object)) }
        objects.append(object)
        table.positions.append(position.map { Int32(truncatingIfNeeded: $0) } ?? -1)
        return NodeID(table: table.tableIndex, index: index)
    }

    /// Where an object of a class is, if it was met before.
    func node(of object: Model) -> NodeID? {
        guard isClass else { return nil }
        if let changes {
            var known = SaveMembership()
            changes(object) { known = $0.membership }
            if known.save == graph.saveID, Int(known.index) < table.identities.count,
                table.identities[Int(known.index)] == identity(of: object)
            {
                return NodeID(table: table.tableIndex, index: Int(known.index))
            }
            // Until the save is prepared, no other one can meet its objects.
            if graph.isPreparing { return nil }
            if indices.count < table.identities.count {
                for (index, identity) in table.identities.enumerated() { indices[identity] = index }
            }
        }
        return indices[identity(of: object)].map { NodeID(table: table.tableIndex, index: $0) }
    }

    /// Throws ``DatabaseError/Code/conflict`` for an object of a subclass, which is kept in another table.
    func requireOwnClass(_ object: Model) throws {
        guard isClass, type(of: unsafeBitCast(object, to: AnyObject.self)) != Model.self else { return }
        throw DatabaseError(
            .conflict,
            "A relation to \(description.type) holds a \(type(of: object as Any)), which is kept in another table. Declare the property of that class.",
            table: description.table)
    }

    private func identity(of object: Model) -> ObjectIdentifier {
        // `as AnyObject` asks the runtime, each time; the mapping knows that this is a class.
        unsafeBitCast(object, to: ObjectIdentifier.self)
    }

    /// Returns the state of an object's row, as far as the object knows; nil if it is not tracked.
    func state(of object: Model) -> ChangeTracker.State? {
        var state: ChangeTracker.State?
        changes?(object) { state = $0.state }
        return state
    }

    func delete(_ expired: [StoredRows], through session: Session) async throws {
        try await DeleteGraph(core: session.core).delete(expired, of: Model.self, through: session)
    }

    // MARK: Walking

    func runWillSave(_ index: Int, hooked: inout Set<ObjectIdentifier>) throws -> Bool {
        guard let hooks = plan.hooks else { return false }
        if isClass {
            guard table.positions[index] >= 0 || isWritten(index), hooked.insert(identity(of: objects[index])).inserted
            else { return false }
        }
        try table.locating(index) { try hooks.willSave(&objects[index]) }
        return isClass
    }

    /// Whether an object of a class is new or changed, as far as is known now; one that another save inserts is that
    /// save's.
    private func isWritten(_ index: Int) -> Bool {
        let object = objects[index]
        var isWritten = true
        changes?(object) { tracker in
            plan.mapping.settle(object, &tracker)
            isWritten = tracker.state == .new || tracker.state == .deleted || !tracker.dirty.isEmpty
        }
        return isWritten
    }

    func runWillSaveOfChanged(hooked: inout Set<ObjectIdentifier>) throws -> Bool {
        guard isClass, plan.hooks != nil else { return false }
        var ranHook = false
        for index in objects.indices where try runWillSave(index, hooked: &hooked) { ranHook = true }
        return ranHook
    }

    func visit(_ relations: PropertyMask?, of index: Int, _ sink: SaveSink) throws {
        guard !relationMask.isEmpty else { return }
        var mask = relations ?? relationMask
        if relations == nil {
            changes?(objects[index]) { tracker in
                tracker.takeReplaced(description)
                mask.subtract(tracker.unloaded)
            }
        }
        guard !mask.isEmpty else { return }
        sink.begin(NodeID(table: table.tableIndex, index: index))
        try table.locating(index) {
            var encoder: RowEncoder
            if let visitor, visitor.mask == mask, visitor.sink === sink {
                encoder = visitor
            } else {
                encoder = RowEncoder(description, mask: mask, sink: sink, isWalking: true)
                visitor = encoder
            }
            try plan.mapping.encode(objects[index], &encoder)
        }
    }

    // MARK: The objects

    func withTracker(of index: Int, _ body: (inout ChangeTracker) -> Void) { changes?(objects[index], body) }

    func assign(_ values: RelationValues, to index: Int) throws {
        let (mapping, position) = (plan.mapping, values.isByIndex ? index : 0)
        try withoutSpecialization(&objects[index]) { object in
            try withUnsafePointer(to: Cell.null) { empty in
                try mapping.assign(
                    &object,
                    Row(cells: empty, layout: values.layout, related: values.related, position: position))
            }
        }
        store?.objects[index] = objects[index]
    }

    func capture(_ property: Int, of index: Int) -> () -> Void {
        let object = objects[index]
        let restore = plan.mapping.accessors[property].capture(object)
        return {
            var object = object
            restore(&object)
        }
    }

    func keepOriginals(of properties: PropertyMask, _ index: Int) {
        plan.mapping.keepOriginals(of: objects[index], properties)
    }

    func column(leadingTo index: Int) -> RelatedColumn {
        let store = ObjectStore<Model>()
        store.objects = [objects[index]]
        return TypedRelatedColumn(RelatedRowIndices(targets: [0]), store: store)
    }

    func column(_ positions: RelatedRowIndices) -> RelatedColumn {
        let store = store ?? ObjectStore<Model>()
        if self.store == nil {
            store.objects = objects
            self.store = store
        }
        return TypedRelatedColumn(positions, store: store)
    }

    // MARK: Hooks

    func runDidSave(in transaction: Transaction) async throws {
        guard let hooks = plan.hooks else { return }
        for batch in table.batches {
            for (row, entry) in batch.entries.enumerated() where !batch.ignored.contains(row) {
                do {
                    try await hooks.didSave(objects[entry.index], transaction)
                } catch {
                    throw table.located(error, entry.index)
                }
            }
        }
    }

    func registerAfterCommit(with scope: TransactionScope) {
        guard let hooks = plan.hooks, !table.batches.isEmpty else { return }
        let ignored = table.ignored
        let saved = table.batches.flatMap(\.entries).filter { !ignored.contains($0.index) }.map { objects[$0.index] }
        scope.register(undo: {}, complete: { $0.call(hooks.afterCommit, of: saved) })
    }
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

/// Calls `body` from code that is never specialized: in Swift 6.3 the optimizer crashes where it specializes what is
/// lent a noncopyable value ("Cannot initialize a nonCopyable type with a guaranteed value").
@_semantics("optimize.sil.specialize.generic.never")  // decision 0069
@inline(never)
func withoutSpecialization<Value>(_ value: inout Value, _ body: (inout Value) throws -> Void) rethrows {
    try body(&value)
}
