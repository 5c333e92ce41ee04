/// Sending what is more than one row: in a transaction, unless one statement does it all.
extension SaveOperation {
    func write(_ graph: SaveGraph, _ schedule: SaveGraph.Schedule) async throws {
        enterQueue(graph)
        if graph.hasHooks || graph.readsRows, case .database(let core) = access.kind {
            // Hooks get the transaction, and so do the objects: as inside an explicit one. And what was read back of
            // rows of others is set in objects before the COMMIT, since it may not fit.
            try await Database(core: core).run(.readCommitted, for: LeasePurpose("save", at: access.site)) {
                transaction in
                try await send(graph, schedule, through: transaction._access, need: .write)
            }
            return
        }
        try await send(graph, schedule, through: access, need: graph.need)
    }

    private func send(
        _ graph: SaveGraph, _ schedule: SaveGraph.Schedule, through access: DatabaseAccess,
        need: DatabaseAccess.Need
    ) async throws {
        let isRegistered = try await access.perform(need, purpose: "save") { session, scope in
            leaveQueue(graph)
            try await graph.send(schedule, through: session)
            guard let scope else { return false }
            // Before the objects' own: what is registered last is undone first.
            if graph.hasSetReferences { scope.register(undoing: [graph.undoReferences]) }
            try graph.writeBack(undoingIn: scope)
            if graph.hasHooks {
                try await scope.lendToHooks { transaction in
                    for objects in graph.savedObjects { try await objects.runDidSave(in: transaction) }
                }
                for objects in graph.savedObjects { objects.registerAfterCommit(with: scope) }
            }
            return true
        }
        if !isRegistered { try graph.writeBack(undoingIn: nil) }
    }
}
