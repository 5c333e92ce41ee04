/// The hooks of the objects.
extension SavedObjects {
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
