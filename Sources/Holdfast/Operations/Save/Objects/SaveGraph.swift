/// Everything that one save reaches: its objects, each once, by table.
///
/// It lives on the caller's isolation, where the objects are. ``SaveWalker`` finds them, along the relations of those
/// that are given; ``SavedObjects`` encodes each that is new or changed; the values that are then sent are in
/// ``SaveTable``.
final class SaveGraph {
    let core: DatabaseCore
    let verb: SaveVerb
    /// Whether several objects were given to the operation.
    let givesSeveral: Bool
    /// The number by which its objects know that they are part of it.
    let saveID = SaveMembership.makeSaveID()
    /// Whether saves under way of its objects are waited for that have inserted them already.
    let waitsForUpdates: Bool
    /// Whether timestamps stay that have a value.
    let keepsTimes: Bool
    /// Whether it is still walked or encoded: without suspension, so that no other save can meet its objects.
    var isPreparing = true
    /// Whether it is known to wait for a connection.
    var isQueued = false
    // These only grow, which calls no code that could look at them meanwhile, so no access is checked for that
    // (decision 0024).
    @exclusivity(unchecked) private(set) var tables: [SaveTable] = []
    /// The objects of each table.
    @exclusivity(unchecked) private(set) var savedObjects: [any AnySavedObjects] = []
    @exclusivity(unchecked) private var latest: (type: ObjectIdentifier, objects: any AnySavedObjects)?
    /// The structs that objects hold.
    var structs = HeldStructs()
    private(set) lazy var walker = SaveWalker(self)
    /// Whether there is anything to be walked.
    @exclusivity(unchecked) private(set) var isWalked = false
    /// Whether objects have relations that the other side keeps.
    @exclusivity(unchecked) private(set) var hasInverses = false
    private(set) lazy var collector = RelationCollector(self)
    #if DEBUG
    private(set) lazy var changeFinder = ChangeFinder(self)
    #endif
    private(set) lazy var linkEncoder = LinkEncoder(self)
    private(set) lazy var pathFinder = SavePathFinder(self)
    /// The closures that undo the references that were set because another side of their relation was.
    private var undos: [() -> Void] = []

    /// The deletions of objects that were taken out of relations which keep no orphans.
    var removals: [DeleteGraph] = []

    init(
        core: DatabaseCore, verb: SaveVerb, givesSeveral: Bool, waitsForUpdates: Bool, keepsTimes: Bool = false
    ) {
        self.keepsTimes = keepsTimes
        self.core = core
        self.verb = verb
        self.givesSeveral = givesSeveral
        self.waitsForUpdates = waitsForUpdates
    }

    /// The objects of a type, with a table that is made at the first of them.
    func savedObjects<Model: TableObject>(of type: Model.Type) throws -> SavedObjects<Model> {
        let id = ObjectIdentifier(type)
        if let latest, latest.type == id {
            return unsafeDowncast(latest.objects, to: SavedObjects<Model>.self)  // the type was compared
        }
        let objects: SavedObjects<Model>
        // Few enough to be looked through.
        if let known = savedObjects.first(where: { $0.typeID == id }) {
            objects = unsafeDowncast(known, to: SavedObjects<Model>.self)  // as above
        } else {
            objects = try makeSavedObjects()
        }
        latest = (id, objects)
        return objects
    }

    private func makeSavedObjects<Model: TableObject>() throws -> SavedObjects<Model> {
        let new = SavedObjects<Model>(tableIndex: tables.count, plan: try core.plan(for: Model.self), graph: self)
        savedObjects.append(new)
        tables.append(new.table)
        if new.isVisited { isWalked = true }
        if !new.description.columns.inverseMask.isEmpty { hasInverses = true }
        return new
    }

    // MARK: The objects that are given

    /// Adds the objects that are given.
    ///
    /// - Parameter paths: The relations that are followed from them; nil for all.
    /// - Returns: For each where it is in the graph, if the operation asks for it: it tells of them, or they are
    ///   values.
    func add<Model: TableObject>(_ models: [Model], paths: RelationPaths.Node?) throws -> [NodeID] {
        let objects = try savedObjects(of: Model.self)
        guard let nodes = objects.append(given: models) else {
            return try models.enumerated().map { try add($1, position: $0, paths: paths) }
        }
        if objects.isVisited {
            for index in 0..<objects.table.count {
                walker.enqueue(NodeID(table: objects.table.tableIndex, index: index), paths)
            }
        }
        return nodes
    }

    // MARK: Preparing

    /// Sees to relations whose other side was changed, and sorts the objects into batches.
    ///
    /// - Parameter hooked: The objects whose `willSave` has run already.
    /// - Returns: Whether a hook ran of an object that was changed by another side, so that nothing was sorted.
    func prepareBatches(hooked: inout Set<ObjectIdentifier>) throws -> Bool {
        for objects in savedObjects { objects.settle() }
        if isWalked, !walker.deletions.isEmpty { try releaseDeleted() }
        if hasInverses { try reconcileInverses() }
        var ranHook = false
        for objects in savedObjects where try objects.runWillSaveOfChanged(hooked: &hooked) { ranHook = true }
        if ranHook { return true }
        for objects in savedObjects { try objects.sortIntoBatches() }
        return false
    }

    /// Encodes what is to be written.
    func encode() throws {
        for objects in savedObjects { try objects.encode() }
    }

    /// Sets what the save made in the objects; and in those that hold structs, the structs as they were saved.
    ///
    /// - Parameter scope: The transaction that may still roll back, and then undoes it; nil after COMMIT.
    func writeBack(undoingIn scope: TransactionScope?) throws {
        for objects in savedObjects { try objects.writeBack(undoingIn: scope) }
        if hasInverses {
            for removal in removals { removal.markDeleted(undoingIn: scope) }
            try showInverses(undoingIn: scope)
        }
        if isWalked, !structs.owners.isEmpty { try setStructs(undoingIn: scope) }
    }

    /// Whether references were set because another side of their relation was.
    var hasSetReferences: Bool { !undos.isEmpty }

    func addReferenceUndo(_ undo: @escaping () -> Void) { undos.append(undo) }

    /// Puts everything back as it was before the save.
    ///
    /// - Returns: Whether a property was set meanwhile that is not part of the save.
    @discardableResult
    func restoreObjects() -> Bool {
        var hasChanged = false
        for objects in savedObjects where objects.restoreMarks() { hasChanged = true }
        undoReferences()
        return hasChanged
    }

    func undoReferences() {
        for undo in undos.reversed() { undo() }
        undos = []
    }

    /// Whether the save may delete objects whose types have hooks.
    var removesByHooks: Bool {
        guard hasInverses else { return false }
        var relations: [Relation] = []
        for table in tables where !table.description.columns.inverseMask.isEmpty {
            guard table.batches.contains(where: { !$0.group.action.hasNewArrays }) else { continue }
            relations += table.description.columns.relations.filter { $0.orphans == .delete }
        }
        guard !relations.isEmpty else { return false }
        let removal = DeleteGraph(core: core)
        // What can't be asked now fails when it is deleted.
        for relation in relations { try? removal.prepare(for: relation.target) }
        // So does what hooks can't be asked of: no hook is run for it.
        return (try? removal.hasHooks) ?? false
    }

    /// Lets saves go on that waited for one of the objects.
    func resumeWaiters() {
        guard core.saveWaiters.hasWaiters else { return }
        for table in tables where table.description.isClass && table.description.isTracked {
            core.saveWaiters.finished(
                table.batches.lazy.flatMap(\.entries).map { [identities = table.identities] in identities[$0.index] })
        }
    }
}

/// A save of one row, by one statement that commits by itself: most saves are.
extension SaveGraph {
    /// The batch that is all there is to send, of one row, by one statement; nil if there is more.
    var soleBatch: (table: SaveTable, batch: SaveBatch)? {
        var sole: (table: SaveTable, batch: SaveBatch)?
        for table in tables {
            for batch in table.batches {
                if sole != nil { return nil }
                sole = (table, batch)
            }
        }
        guard let sole, sole.batch.entries.count == 1, !sole.batch.touchesArrays else { return nil }
        // A new object that refers to itself may need its key first: a second statement.
        guard sole.batch.edges.isEmpty else { return nil }
        return sole.table.hasHooks || sole.table.advancesKeys || sole.table.meetsExpired ? nil : sole
    }

    /// Sends the row on a connection that is free, mostly without a suspension (decision 0018).
    ///
    /// - Returns: Whether the row is written. If not, nothing was done, and the save is sent as any other: to wait for
    ///   a connection, or since the row was to be inserted or updated and was neither.
    func writesBriefly(through access: DatabaseAccess) async throws -> Bool {
        guard access.isOutsideTransaction, let (table, batch) = soleBatch,
            let (statement, parameters) = try table.statement(for: batch)
        else { return false }
        let index = batch.entries[0].index
        var (generated, affectedCount) = (ParameterBuffer(width: 1), 0)
        do {
            let hasRun = try await access.runBriefly(
                .write, statement, parameters, purpose: "save",
                telling: {
                    table.setGeneratedKeys(generated, of: [index])
                    return affectedCount == 0 && generated.cells.isEmpty ? [] : [table.changes(for: core.observations)]
                }
            ) { rows in
                while let cells = try rows.next() { generated.append(copying: cells[0]) }
                affectedCount = rows.affectedRows
            }
            guard hasRun else { return false }
            if batch.group.generatesKeys {
                guard generated.cells.count == 1 else { throw table.description.passedOver }
                try table.description.requireMade(generated.cells[0])
                table.setGeneratedKeys(generated, of: [index])
                return true
            }
            if affectedCount == 1 { return true }
            if case .upsert = batch.group.action { return false }
            // Not sent again: an engine does not count what a trigger writes in place of a view's rows.
            try await access.perform(.read, purpose: "save") { [affectedCount] session, _ in
                try await table.requireWritten(batch, count: affectedCount, through: session)
            }
            return true
        } catch {
            throw table.explained(error, about: [0], of: batch)
        }
    }
}

extension SaveTable {
    /// The statement that writes the rows of a batch where nothing is read back but a key; nil if there is more to it.
    fileprivate func statement(for batch: SaveBatch) throws -> (Statement, ParameterBuffer)? {
        let (group, rows) = (batch.group, batch.encodedRows)
        switch group.action {
        case .insert:
            return (try statements.rendered(.insert(group.mask, returningKey: group.generatesKeys)), rows)
        case .update where rows.width > 0:
            let conditions = description.conditionParameters(owners(of: batch), of: rows, mask: group.mask)
            return (try statements.rendered(.update(group.mask)), rows.joined(with: conditions))
        case .upsert(let upsert) where upsert.returned.isEmpty:
            return (try statements.rendered(.upsert(group.mask, upsert)), rows)
        case .update, .upsert, .insertOrIgnore: return nil
        }
    }
}
