/// The objects of one type in a save.
final class SaveTable<Model: TableObject>: AnySaveTable {
    let number: Int
    unowned let graph: SaveGraph
    let plan: MappingPlan<Model>
    let isClass: Bool
    var objects: [Model] = []
    /// The objects of a class by identity, to be compared without asking what a `Model` is.
    var identities: [ObjectIdentifier] = []
    var keys: ParameterBuffer
    var batches: [SaveBatch] = []
    /// The objects as others are linked to them, once the save has succeeded.
    var store: ObjectStore<Model>?
    var batchOfRow: [Int32] = []
    /// The position of each object among those given to the operation; -1 for those that were reached.
    var positions: [Int32] = []
    /// Where objects are that have no tracker, which knows; and all of them once others may have met them too.
    private var rows: [ObjectIdentifier: Int] = [:]
    /// The objects that an upsert found or made rows of, by their keys.
    var claimed = KeyIndex()
    /// An object in flight elsewhere for which this save has to wait.
    var awaited: AwaitedObject?
    private var walker: RowEncoder?
    /// What is known of all objects, where the same is to be decided of each.
    var alike: AlikeObjects?
    let relationMask: PropertyMask
    /// What is used for each object: kept here, where reading it takes no copy of the mapping.
    let changes: (@Sendable (Model, (inout ChangeTracker) -> Void) -> Void)?
    let saveNumber: UInt32
    let waitsForUpdates: Bool
    /// The layout that was last used to write back: mostly the same for all rows of a batch.
    var latestLayout: ((PropertyMask, PropertyMask), RowLayout)?

    init(number: Int, plan: MappingPlan<Model>, graph: SaveGraph) {
        self.plan = plan
        isClass = plan.description.isClass
        relationMask = plan.description.columns.relationMask
        self.number = number
        self.graph = graph
        changes = plan.mapping.changes
        saveNumber = graph.number
        waitsForUpdates = graph.waitsForUpdates
        keys = ParameterBuffer(width: plan.description.keyIndices.count)
    }

    var description: TableDescription { plan.description }
    /// Whether an object has to be visited when the graph is walked: it leads to others, or has a hook.
    var isVisited: Bool { !relationMask.isEmpty || plan.hooks != nil }
    var count: Int { objects.count }
    var hasHooks: Bool { plan.hooks != nil }
    var ignoredRows: Set<Int> {
        Set(batches.lazy.flatMap { batch in batch.ignored.map { batch.passengers[$0].row } })
    }
    var advancesKeys: Bool {
        plan.advanceGeneratedKey != nil
            && batches.contains { $0.group.action != .update && !$0.group.generatesKeys }
    }

    /// Where an object of a class is, if it was met before.
    func node(of object: Model) -> NodeID? {
        guard isClass else { return nil }
        if let changes {
            var place = SavePlace()
            changes(object) { place = $0.place }
            if isPlace(place, of: object) { return NodeID(table: number, row: Int(place.row)) }
            // Until it takes off, no other save can meet its objects.
            if graph.isTakingOff { return nil }
            if rows.count < identities.count {
                for (row, identity) in identities.enumerated() { rows[identity] = row }
            }
        }
        return rows[identity(of: object)].map { NodeID(table: number, row: $0) }
    }

    private func isPlace(_ place: SavePlace, of object: Model) -> Bool {
        place.save == saveNumber && Int(place.row) < identities.count
            && identities[Int(place.row)] == identity(of: object)
    }

    /// Where an object is that was given: it is appended if it was not met before.
    ///
    /// - Returns: Whether it is new, too.
    func nodeOrAppend(_ object: Model, position: Int) -> (node: NodeID, isNew: Bool) {
        guard let changes else {
            if let node = node(of: object) { return (node, false) }
            return (append(object, position: position), true)
        }
        let row = objects.count
        var place = SavePlace()
        var awaits: UInt32?
        changes(object) { tracker in
            place = tracker.place
            if isPlace(place, of: object) { return }
            place.save = 0
            tracker.place = SavePlace(save: saveNumber, row: Int32(truncatingIfNeeded: row))
            if tracker.isAwaited(evenUpdated: waitsForUpdates) { awaits = tracker.inserter }
        }
        if place.save == saveNumber { return (NodeID(table: number, row: Int(place.row)), false) }
        if let awaits { awaited = AwaitedObject(identity: identity(of: object), inserter: awaits) }
        identities.append(identity(of: object))
        objects.append(object)
        positions.append(Int32(truncatingIfNeeded: position))
        return (NodeID(table: number, row: row), true)
    }

    /// The same, for an object that was met by a relation.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` for an object of a subclass, which is kept in another table.
    func existingNode(of object: Model) throws -> NodeID? {
        guard isClass else { return nil }
        if type(of: unsafeBitCast(object, to: AnyObject.self)) != Model.self {
            throw DatabaseError(
                .conflict,
                "A relation to \(description.type) holds a \(type(of: object as Any)), which is kept in another table. Declare the property of that class.",
                table: description.table)
        }
        return node(of: object)
    }

    func append(_ object: Model, position: Int?) -> NodeID {
        let row = objects.count
        if let changes {
            var awaits: UInt32?
            changes(object) { tracker in
                tracker.place = SavePlace(save: saveNumber, row: Int32(truncatingIfNeeded: row))
                if tracker.isAwaited(evenUpdated: waitsForUpdates) { awaits = tracker.inserter }
            }
            if let awaits { awaited = AwaitedObject(identity: identity(of: object), inserter: awaits) }
        } else if isClass {
            rows[identity(of: object)] = row
        }
        if isClass { identities.append(identity(of: object)) }
        objects.append(object)
        positions.append(position.map { Int32(truncatingIfNeeded: $0) } ?? -1)
        return NodeID(table: number, row: row)
    }

    private func identity(of object: Model) -> ObjectIdentifier {
        // `as AnyObject` asks the runtime, each time; the mapping knows that this is a class.
        unsafeBitCast(object, to: ObjectIdentifier.self)
    }

    /// The position of an object among several that were given, for an error about it.
    func errorPosition(ofRow row: Int) -> Int? {
        positions[row] >= 0 && graph.givenCount > 1 ? Int(positions[row]) : nil
    }

    private func locating<Result>(_ row: Int, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as DatabaseError {
            error.objectIndex = error.objectIndex ?? errorPosition(ofRow: row)
            throw error
        }
    }

    func verbOfRow(_ row: Int) -> SaveVerb { positions[row] >= 0 ? graph.verb : .save }

    /// The properties that are updated of a row, if that was said.
    func chosenOfRow(_ row: Int) -> PropertyMask? {
        if case .updateOnly(let mask) = verbOfRow(row) { mask.union(description.versionMask) } else { nil }
    }

    // MARK: Walking

    func runWillSave(_ row: Int, hooked: inout Set<ObjectIdentifier>) throws -> Bool {
        guard let hooks = plan.hooks else { return false }
        if isClass, !hooked.insert(identity(of: objects[row])).inserted { return false }
        try locating(row) { try hooks.willSave(&objects[row]) }
        return isClass
    }

    func meetRelations(of row: Int) throws {
        guard !relationMask.isEmpty else { return }
        var mask = relationMask
        if let tracker = plan.tracker(of: objects[row]) { mask.subtract(tracker.unloaded) }
        guard !mask.isEmpty else { return }
        try meet(mask, of: row)
    }

    func meetRelation(_ property: Int, of row: Int) throws { try meet(PropertyMask([property]), of: row) }

    private func meet(_ mask: PropertyMask, of row: Int) throws {
        try locating(row) {
            // It holds nothing while it walks, so that it can be used again.
            var encoder: RowEncoder
            if mask == relationMask, let walker {
                encoder = walker
            } else {
                encoder = RowEncoder(description, mask: mask, sink: graph, isWalking: true)
                if mask == relationMask { walker = encoder }
            }
            try plan.mapping.encode(objects[row], &encoder)
        }
    }

    // MARK: Relations that the other side holds

    func reconcileInverses() throws {
        for relation in description.columns.relations where relation.isInverse && !relation.target.isLazy {
            for row in objects.indices {
                guard let tracker = plan.tracker(of: objects[row]) else { continue }
                let isSet = tracker.state != .persisted || tracker.dirty.contains(relation.property)
                guard isSet, !tracker.unloaded.contains(relation.property),
                    chosenOfRow(row)?.contains(relation.property) ?? true
                else { continue }
                try locating(row) { try reconcile(relation, row) }
            }
        }
    }

    private func reconcile(_ relation: Relation, _ row: Int) throws {
        let node = NodeID(table: number, row: row)
        let held = try graph.objects(of: node, relation: relation.property)
        guard case .inverseReference(let property, _) = relation.storage else {
            guard let property = relation.inverseProperty else { return }
            // What an array holds that was not loaded is known to the database alone, which is asked later.
            for other in held where graph.tables[Int(other.table)].isLoaded(property, of: Int(other.row)) {
                guard try graph.objects(of: other, relation: property).contains(node) else {
                    throw otherSideKeeps(relation)
                }
            }
            return
        }
        if Set(held).count != held.count {
            throw DatabaseError(
                .conflict,
                "\"\(relation.name)\" of \(description.type) holds an object twice, but the object holds the key, once. Remove one.",
                table: description.table, properties: [relation.name])
        }
        let before = plan.tracker(of: objects[row])?.inverses?[relation.property] ?? []
        for other in held {
            let table = graph.tables[Int(other.table)]
            if table.description.properties[property].shape.target?.isLazy == true {
                guard try table.referenceKey(property, of: Int(other.row)) == plan.mapping.key(of: objects[row]) else {
                    throw DatabaseError(
                        .unsupported,
                        "\"\(relation.name)\" of \(description.type) was changed, but the objects in it refer back lazily. Set their \"\(table.description.properties[property].name)\".",
                        table: description.table, properties: [relation.name])
                }
                continue
            }
            let now = try graph.objects(of: other, relation: property).first
            guard now != node else { continue }
            // It was there before, and was set to lead elsewhere since: this array has yet to hear of it.
            if table.isChanged(property, of: Int(other.row)), try before.contains(table.elementKey(of: Int(other.row)))
            {
                continue
            }
            if now != nil, table.isChanged(property, of: Int(other.row)) {
                throw DatabaseError(
                    .conflict,
                    "\"\(relation.name)\" of \(description.type) holds a \(table.description.type) whose \"\(table.description.properties[property].name)\" was set to another one. Make both sides agree.",
                    table: description.table, properties: [relation.name])
            }
            try table.setReference(property, of: Int(other.row), to: node, column(leadingTo: row))
        }
    }

    func otherSideKeeps(_ relation: Relation) -> DatabaseError {
        DatabaseError(
            .unsupported,
            "\"\(relation.name)\" of \(description.type) was changed, but the array on the other side holds the relation. Change that one.",
            table: description.table, properties: [relation.name])
    }

    func isPersisted(_ row: Int) -> Bool { state(of: objects[row]) == .persisted }

    /// What an object knows of its row; nil if it is not tracked.
    func state(of object: Model) -> ChangeTracker.State? {
        var state: ChangeTracker.State?
        changes?(object) { state = $0.state }
        return state
    }

    func letGo(_ property: Int, of row: Int, keeping column: RelatedColumn) throws {
        guard description.columns.relation(property)?.isNeeded != true else {
            throw DatabaseError(
                .conflict,
                "\"\(description.properties[property].name)\" of \(description.type) holds an object that was deleted, and can't be nil. Give it another.",
                table: description.table, properties: [description.properties[property].name])
        }
        guard let changes = plan.mapping.changes, let before = plan.tracker(of: objects[row]) else { return }
        let object = objects[row]
        let mask = PropertyMask([property])
        let restore = plan.mapping.accessors[property].capture(object)
        try assign([property: column], to: &objects[row])
        changes(objects[row]) { $0.dirty = before.dirty }
        graph.addUndo {
            var marks = PropertyMask()
            changes(object) { marks = $0.dirty }
            // What was set since by others stays.
            guard marks.intersection(mask) == before.dirty.intersection(mask) else { return }
            var object = object
            restore(&object)
            changes(object) { $0.dirty = marks }
        }
    }

    func isLoaded(_ property: Int, of row: Int) -> Bool {
        plan.tracker(of: objects[row]).map { !$0.unloaded.contains(property) } ?? true
    }

    func elementKey(of row: Int) throws -> ElementKey {
        try plan.mapping.keyRow(of: objects[row]).withRow(0) { ElementKey($0) }
    }

    func referenceKey(_ property: Int, of row: Int) throws -> Key? {
        var encoder = RowEncoder(description, mask: PropertyMask([property]), sink: graph)
        try plan.mapping.encode(objects[row], &encoder)
        let cells = encoder.columns.buffer
        guard !cells.cells.contains(where: \.isNull), !cells.cells.isEmpty else { return nil }
        return cells.withRow(0) { cells in cells.baseAddress.map { Key(cells: $0, count: cells.count) } }
    }

    func isChanged(_ property: Int, of row: Int) -> Bool {
        guard let tracker = plan.tracker(of: objects[row]) else { return true }
        return tracker.state != .persisted || tracker.dirty.contains(property)
    }

    func column(leadingTo row: Int) -> RelatedColumn {
        let store = ObjectStore<Model>()
        store.objects = [objects[row]]
        return TypedRelatedColumn(RelatedPositions(targets: [0]), store: store)
    }

    func column(_ positions: RelatedPositions) -> RelatedColumn {
        let store = store ?? ObjectStore<Model>()
        if self.store == nil {
            store.objects = objects
            self.store = store
        }
        return TypedRelatedColumn(positions, store: store)
    }

    func setReference(_ property: Int, of row: Int, to target: NodeID?, _ column: RelatedColumn?) throws {
        let object = objects[row]
        let mask = PropertyMask([property])
        let restore = plan.mapping.accessors[property].capture(object)
        let before = plan.tracker(of: object)
        try assign([property: column], to: &objects[row])
        plan.mapping.changes?(objects[row]) { $0.unloaded.subtract(mask) }
        guard let before, let changes = plan.mapping.changes else { return }
        let node = NodeID(table: number, row: row)
        // Unowned: it is kept in the graph.
        graph.addUndo { [unowned graph] in
            // What was set since by others stays, and so does what can't be looked at.
            guard let now = try? graph.objects(of: node, relation: property), now.first == target else { return }
            var object = object
            restore(&object)
            changes(object) { tracker in
                tracker.dirty = tracker.dirty.subtracting(mask).union(before.dirty.intersection(mask))
                tracker.unloaded = tracker.unloaded.subtracting(mask).union(before.unloaded.intersection(mask))
            }
        }
    }

    /// Sets relations of an object, and nothing else.
    func assign(_ columns: [Int: RelatedColumn?], to object: inout Model) throws {
        let related = RelatedObjects(columns: description.properties.indices.map { columns[$0] ?? nil })
        let slots = description.properties.indices.map { columns[$0] == nil ? RowLayout.absent : RowLayout.withoutCell }
        let layout = RowLayout(
            table: description.table, propertyNames: description.properties.map(\.name), slots: slots)
        let mapping = plan.mapping
        try withoutSpecialization(&object) { object in
            try withUnsafePointer(to: Cell.null) { empty in
                try mapping.assign(&object, Row(cells: empty, layout: layout, related: related))
            }
        }
    }
}

extension ChangeTracker {
    /// Whether a save under way has to end before another one of the object.
    func isAwaited(evenUpdated: Bool) -> Bool { state == .inserting || evenUpdated && flights > 0 }
}

/// Calls `body` from code that is never specialized: in Swift 6.3 the optimizer crashes where it specializes what is lent
/// a noncopyable value ("Cannot initialize a nonCopyable type with a guaranteed value").
@_semantics("optimize.sil.specialize.generic.never")
@inline(never)
func withoutSpecialization<Value>(_ value: inout Value, _ body: (inout Value) throws -> Void) rethrows {
    try body(&value)
}
