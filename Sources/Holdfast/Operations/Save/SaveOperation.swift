/// Saves, inserts or updates objects and what they lead to: the whole life of it, from hooks to what is written back.
///
/// 1. Hooks run, the graph is walked, and every object is encoded (``SaveGraph``). Many new objects of a type without
///    relations are sent while the rest is encoded; else nothing is sent before all are.
/// 2. The rows go to one connection: in a transaction, unless one statement does it all. A single row is mostly sent
///    without a suspension.
/// 3. On success keys, timestamps and rounded values are written back; on failure changed properties are dirty again.
struct SaveOperation {
    let access: DatabaseAccess
    let verb: SaveVerb
    var scope = SaveScope.graph

    /// Saves `models`, changing them in place where the engine or the save made a value.
    ///
    /// - Returns: The positions of those that were ignored; of an upsert that tells, of those whose rows were there.
    @discardableResult
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func run<Model: TableObject>(_ models: inout [Model]) async throws -> Set<Int> {
        var mayRunAgain = false
        do {
            return try await access.runningAgainIfRefused(while: { mayRunAgain }) {
                try await saveGraph(of: &models, mayRunAgain: &mayRunAgain)
            }
        } catch let error as DatabaseError {
            throw await access.advised(error.called(at: access.site), of: [Model.ownDescription])
        }
    }

    /// - Parameter mayRunAgain: Set to whether a save that was refused can be done again: no hook is run twice, and
    ///   what is set in an object meanwhile is no part of the save.
    private func saveGraph<Model: TableObject>(
        of models: inout [Model], mayRunAgain: inout Bool
    ) async throws -> Set<Int> {
        mayRunAgain = false
        let (graph, nodes) = try await prepare(models)
        mayRunAgain = !graph.tables.contains(where: \.hasHooks) && !graph.removesByHooks
        defer { graph.resumeWaiters() }
        if case .transaction(let scope) = access.kind, let attempt = scope.session.attempt, attempt.isRetryable,
            graph.savedObjects.contains(where: { $0.writesOlder(than: attempt) })
        {
            // What was prepared of the objects is taken back.
            do { try attempt.noteOlder() } catch {
                graph.restoreObjects()
                throw error
            }
        }
        defer { leaveQueue(graph) }
        do {
            if models.count >= 2 * SaveBatch.portionSize, let objects = soleObjects(of: graph, Model.self) {
                try graph.checkDuplicates()
                try await sendWhileEncoding(graph, objects)
            } else {
                try graph.encode()
                graph.isPreparing = false
                if graph.tables.contains(where: { $0.count > 1 }) { try graph.checkDuplicates() }
                if try await graph.writesBriefly(through: access) {
                    try graph.writeBack(undoingIn: nil)
                } else if graph.tables.contains(where: { !$0.batches.isEmpty }) {
                    try await write(graph, try graph.schedule())
                }
            }
        } catch {
            // Along what the objects hold now.
            let error = graph.naming(error)
            if graph.restoreObjects() { mayRunAgain = false }
            throw error
        }
        if let first = graph.savedObjects.first, !first.description.isClass, let objects = first as? SavedObjects<Model>
        {
            for (position, node) in nodes.enumerated() { models[position] = objects.objects[Int(node.index)] }
        }
        guard verb.tells else { return [] }
        let found = if case .insertOrIgnore = verb { graph.tables.map(\.ignored) } else { graph.tables.map(\.updated) }
        return Set(nodes.indices.filter { found[Int(nodes[$0].table)].contains(Int(nodes[$0].index)) })
    }

    /// Walks the graph, and decides what is done with each object; what is written is to be encoded without suspension.
    ///
    /// Other saves under way of the same objects are waited for: so that a new one is not inserted twice, and outside a
    /// transaction so that what they took is in the database when this save returns.
    private func prepare<Model: TableObject>(
        _ models: [Model]
    ) async throws -> (graph: SaveGraph, nodes: [NodeID]) {
        var paths: RelationPaths.Node?
        if case .paths(let given) = scope.extent {
            try given.validate(from: try access.core.plan(for: Model.self).description)
            paths = given.root
        }
        var hooked: Set<ObjectIdentifier> = []
        var deadline: Duration?
        while true {
            let graph = SaveGraph(
                core: access.core, verb: verb, givesSeveral: models.count > 1,
                waitsForUpdates: access.isOutsideTransaction, keepsTimes: scope.keepsTimes)
            let nodes = try graph.naming { try graph.add(models, paths: paths) }
            // A hook can change what was walked before it ran: walk again, until none is left to run.
            if graph.isWalked, try graph.naming({ try graph.walker.run(hooked: &hooked) }) { continue }
            if let table = graph.tables.first(where: { $0.awaited != nil }), let other = table.awaited {
                try await wait(for: other, of: table, until: &deadline)
                continue
            }
            do {
                if try graph.prepareBatches(hooked: &hooked) {
                    graph.undoReferences()
                    continue
                }
            } catch {
                let error = graph.naming(error)
                graph.restoreObjects()
                graph.resumeWaiters()
                throw error
            }
            return (graph, nodes)
        }
    }

    func leaveQueue(_ graph: SaveGraph) {
        guard graph.isQueued else { return }
        graph.isQueued = false
        graph.core.saveWaiters.leaveQueue(graph.saveID)
    }
}

/// The operations that write objects.
enum SaveVerb: Sendable {
    /// Insert what is new, update what exists.
    case save
    /// Insert; a row that exists is an error.
    case insert
    /// Update; a row that does not exist is an error.
    case update
    /// Update some properties, changed or not, and nothing else.
    indirect case updateOnly(PropertyMask)
    /// Insert, or update some properties of the row that has the same unique key; nil for all that can be.
    indirect case upsert(
        key: PropertyMask, updated: PropertyMask?, readsBack: Bool, tells: Bool = false, changes: UpsertChanges? = nil)
    /// Insert, unless the row would be in the way of one that exists.
    case insertOrIgnore
    /// Save; what is new here replaces the row with its primary key, if there is one.
    case replace

    /// Whether the operation tells which of the objects were ignored, or whose rows were there.
    var tells: Bool {
        switch self {
        case .insertOrIgnore, .upsert(_, _, _, tells: true, _): true
        default: false
        }
    }

    /// Whether objects that were not given, but reached, are treated the same.
    var extendsToReached: Bool {
        if case .replace = self { true } else { false }
    }
}
