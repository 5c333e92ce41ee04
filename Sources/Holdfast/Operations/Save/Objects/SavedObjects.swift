/// The objects of one type in a save: what is done with them, while ``SaveTable`` has their rows.
final class SavedObjects<Model: TableObject>: AnySavedObjects {
    let table: SaveTable
    unowned let graph: SaveGraph
    let plan: MappingPlan<Model>
    // Nothing that changes these calls code which could look at them meanwhile (decision 0024).
    @exclusivity(unchecked) var objects: [Model] = []
    /// The objects as others are linked to them, once the save has succeeded.
    var store: ObjectStore<Model>?
    /// What one relation holds, also of objects outside of the save (``RelationCollector``).
    var holdings: [Model] = []
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
    @exclusivity(unchecked) var hasUncertain = false

    init(tableIndex: Int, plan: MappingPlan<Model>, graph: SaveGraph) {
        self.plan = plan
        self.graph = graph
        changes = plan.mapping.changes
        relationMask = plan.description.columns.relationMask
        table = SaveTable(
            tableIndex: tableIndex, plan.statements, verb: graph.verb, givesSeveral: graph.givesSeveral,
            hasHooks: plan.hooks != nil, showsKeys: graph.core.configuration.telemetry.showsKeys)
    }

    /// As the protocol says, without a call through it.
    var description: TableDescription { table.description }
    var isClass: Bool { table.description.isClass }
    var typeID: ObjectIdentifier { ObjectIdentifier(Model.self) }
    /// Whether an object has to be visited when the graph is walked: it leads to others, or has a hook.
    var isVisited: Bool { !relationMask.isEmpty || plan.hooks != nil }

    /// Adds the objects that are given: values, or objects of a class that tracks changes, each of those once.
    ///
    /// - Returns: For each of them where it is, if the operation asks for it; nil if they have to be added one by one.
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
        let tells = graph.verb.tells
        if tells { nodes.reserveCapacity(models.count) }
        positions.reserveCapacity(models.count)
        identities.reserveCapacity(models.count)
        let (tableIndex, save, waitsForUpdates) = (table.tableIndex, graph.saveID, graph.waitsForUpdates)
        var awaited: AwaitedObject?
        var hasUncertain = false
        plan.mapping.loops.track(models) { position, identity, tracker in
            let known = tracker.membership
            if known.save == save, Int(known.index) < identities.count, identities[Int(known.index)] == identity {
                if tells { nodes.append(NodeID(table: tableIndex, index: Int(known.index))) }
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
            if tells { nodes.append(NodeID(table: tableIndex, index: index)) }
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

    func withTracker(of index: Int, _ body: (inout ChangeTracker) -> Void) { changes?(objects[index], body) }
}

extension ChangeTracker {
    /// Whether a save under way has to end before another one of the object.
    func isAwaited(evenUpdated: Bool) -> Bool { state == .inserting || evenUpdated && inFlightCount > 0 }
}

/// Deciding what is written, and encoding it.
extension SavedObjects {
    func settle() {
        // Mostly there is nothing to be found out, unless a hook has set something since the objects were met.
        guard changes != nil, hasUncertain || graph.tables.contains(where: \.hasHooks) else { return }
        let (objects, mapping) = (objects, plan.mapping)
        mapping.loops.track(objects) { index, _, tracker in
            if tracker.isUncertain { mapping.settle(objects[index], &tracker) }
        }
    }

    func sortIntoBatches() throws {
        var sorter = BatchSorter(
            description, count: objects.count,
            decidesAlike: description.createdMask.isEmpty || changes != nil && !graph.verb.extendsToReached)
        // Kept here while all objects are looked at: each look at a property of an object is checked for others that
        // change it.
        let (table, description, positions) = (table, description, table.positions)
        var encoder = RowEncoder(description, mask: description.keyMask)
        encoder.cells.buffer.cells.reserveCapacity(objects.count * table.keys.width)
        var failure: (any Error)?
        try table.locatingEach { current in
            try plan.mapping.loops.encode(objects, nil, &encoder, { current = $0 }) { index, encoder, tracker in
                do {
                    try encoder.cells.buffer.requireEncodedKey(index, of: description)
                    let lacksKey = encoder.cells.buffer.lacksKey(index)
                    try sorter.add(
                        verb: table.verb(of: index), isGiven: positions[index] >= 0, lacksKey: lacksKey, tracker
                    ) { try lacksCreated(objects[index]) }
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
        }
        table.setBatches(from: sorter, keys: encoder.cells.buffer)
    }

    /// Whether the creation time is nil, so that an existing row has to keep its own.
    private func lacksCreated(_ model: Model) throws -> Bool {
        let mask = description.createdMask
        guard !mask.isEmpty else { return false }
        var encoder = RowEncoder(description, mask: mask)
        try plan.mapping.encode(model, &encoder)
        return encoder.cells.buffer.cells.contains(where: \.isNull)
    }

    // MARK: Encoding

    func encode() throws {
        guard !table.batches.isEmpty else { return }
        let now = try description.timestamps()
        for batch in table.batches {
            try encode(batch, now)
            if batch.group.action.mayLeaveOut { try table.refuseUnwritten(batch) }
        }
    }

    /// Encodes a batch, and takes the marks of its objects.
    ///
    /// - Parameters:
    ///   - now: The time of the save, for each timestamp.
    ///   - feed: Takes the rows by the portion, where they are sent while the rest is encoded.
    func encode(
        _ batch: SaveBatch, _ now: [Int: ParameterBuffer], _ feed: ((ParameterBuffer) -> Void)? = nil
    ) throws {
        let (saveID, isTracked, table, mapping) = (graph.saveID, changes != nil, table, plan.mapping)
        let linkEncoder = relationMask.isEmpty ? nil : graph.linkEncoder
        let keepsOriginals = !mapping.inPlaceIndices.isEmpty
        let bufferedRows = feed == nil ? batch.objectIndices.count : SaveBatch.portionSize
        // Kept here, so that it is changed in place.
        var encoder = RowEncoder(description, mask: batch.group.mask, sink: linkEncoder)
        encoder.cells.reserveCells(rows: bufferedRows)
        var entries: [SaveBatch.Entry] = []
        entries.reserveCapacity(batch.objectIndices.count)
        defer {
            (batch.encodedRows, batch.arrays, batch.links) = (encoder.cells.buffer, encoder.arrays, encoder.links)
            batch.entries = entries
        }
        var firstCell = 0
        let choosesProperties = if case .updateOnly = graph.verb { true } else { false }
        let stamp = RowStamp(description, batch.group, now, keepsTimes: graph.keepsTimes)
        let shared = linkEncoder == nil ? nil : SharedColumns(batch, of: table)
        var failure: (any Error)?
        try table.locatingEach { current in
            try plan.mapping.loops.encode(
                objects, batch.objectIndices, &encoder,
                { index in
                    current = index
                    linkEncoder?.begin(NodeID(table: table.tableIndex, index: index), into: batch)
                },
                { index, encoder, tracker in
                    var entry = SaveBatch.Entry(index: index)
                    if !encoder.adjusted.isEmpty {
                        entry.writtenBack = encoder.adjusted
                        encoder.adjusted = PropertyMask()
                    }
                    if let stamp {
                        do {
                            try stamp.apply(to: &encoder.cells.buffer, from: firstCell, writtenBack: &entry.writtenBack)
                        } catch {
                            failure = error
                            return false
                        }
                        firstCell = encoder.cells.buffer.cells.count
                    }
                    if let shared, let linkEncoder {
                        do {
                            try shared.apply(
                                to: &encoder.cells.buffer, row: entries.count, index: index, linkEncoder, tracker,
                                writtenBack: &entry.writtenBack)
                        } catch {
                            failure = error
                            return false
                        }
                    }
                    if isTracked {
                        let chosen = choosesProperties ? table.chosenProperties(of: index) : nil
                        entry.markInFlight(&tracker, save: saveID, only: chosen)
                        if keepsOriginals { mapping.keepOriginals(of: objects[index], batch.group.mask, &tracker) }
                    }
                    entries.append(entry)
                    if entries.count == 256 { encoder.cells.reserveBytes(rows: bufferedRows, encoded: 256) }
                    if let feed, entries.count % SaveBatch.portionSize == 0 {
                        feed(batch.portion(encoder.cells.takeBuffer(), entries))
                        firstCell = 0
                    }
                    return true
                })
            if let failure { throw failure }
            if let feed, entries.count % SaveBatch.portionSize != 0 {
                feed(batch.portion(encoder.cells.takeBuffer(), entries))
            }
        }
        if batch.group.action == .update, !encoder.links.isEmpty { noteTakenOut(batch, encoder.links, entries) }
    }
}

/// The changes that a successful save makes to the objects.
extension SavedObjects {
    /// Completes a successful save: marks are dropped, and keys, timestamps and rounded values are set.
    ///
    /// - Parameter scope: The transaction that may still roll back, and then undoes it; nil after COMMIT.
    func writeBack(undoingIn scope: TransactionScope?) throws {
        var undos: [() -> Void] = []
        for batch in table.batches {
            if scope == nil, description.isClass, batch.returned.cells.isEmpty, batch.ignored.isEmpty {
                try complete(batch)
            } else {
                try writeBack(batch, isUndoable: scope != nil, &undos)
            }
        }
        scope?.register(undoing: undos)
    }

    /// Completes the objects of a batch whose transaction is over: the frequent case, with nothing done for each that
    /// can be done once.
    private func complete(_ batch: SaveBatch) throws {
        let keyMask = batch.group.generatesKeys ? description.keyMask : PropertyMask()
        var rewritten: [Int] = []
        var completedCount = 0
        defer { batch.completedCount = completedCount }
        // The keys are assigned from where their rows are, so that no row is copied for each object.
        try table.keys.withCells { cells in
            guard let base = cells.baseAddress else { return }
            let run = RowRun(base: base, width: table.keys.width, layout: plan.keyLayout)
            var dirtySince = PropertyMask()
            let entries = batch.entries
            try plan.mapping.loops.assignKeys(
                objects, batch.objectIndices, run,
                { row, tracker in
                    completedCount = row + 1
                    entries[row].markSaved(&tracker)
                    dirtySince = tracker.dirty
                    if !entries[row].writtenBack.isEmpty { rewritten.append(row) }
                    guard !keyMask.isEmpty, dirtySince.isEmpty || dirtySince.intersection(keyMask).isEmpty else {
                        return false
                    }
                    // The key is marked before it is assigned, so that its old value is not kept as an original.
                    tracker.dirty.formUnion(keyMask)
                    return true
                },
                { _, tracker in
                    // A user's observer may have changed more, and that stays.
                    tracker.dirty.subtract(keyMask)
                    tracker.dirty.formUnion(dirtySince)
                    if tracker.dirty.isEmpty { tracker.isUncertain = false }
                })
        }
        if !rewritten.isEmpty { try assignEncoded(batch, rewritten) }
    }
}
