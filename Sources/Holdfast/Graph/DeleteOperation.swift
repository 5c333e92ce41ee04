/// Deletes objects of one type by their keys; what belongs to them goes by the foreign keys of the database.
struct DeleteOperation<Model: TableObject> {
    let access: DatabaseAccess

    /// Deletes the rows of `models`.
    ///
    /// - Returns: The number of rows that existed.
    func run(_ models: [Model]) async throws -> Int {
        let plan = try access.core.plan(for: Model.self)
        var keys = ParameterBuffer(width: plan.description.keyIndices.count)
        var seen = Set<Key>()
        var targets: [Model] = []
        for (index, model) in models.enumerated() {
            do {
                let key = try plan.key(of: model)
                guard seen.insert(key).inserted else { continue }
                keys.appendRow(0, of: try plan.description.parameters(of: key))
                targets.append(model)
            } catch var error as DatabaseError {
                if models.count > 1 { error.objectIndex = index }
                throw error
            }
        }
        guard !targets.isEmpty else { return 0 }
        if plan.hooks != nil, case .database(let core) = access.kind {
            return try await Database(core: core).transaction(isolation: .readCommitted) { transaction in
                try await DeleteOperation(access: transaction._access).delete(targets, keys, plan, need: .write)
            }
        }
        return try await delete(targets, keys, plan, need: targets.count == 1 && plan.hooks == nil ? .write : .atomic)
    }

    private func delete(
        _ models: [Model], _ keys: ParameterBuffer, _ plan: MappingPlan<Model>, need: DatabaseAccess.Need
    ) async throws -> Int {
        do {
            return try await access.perform(need, purpose: "delete") { session, scope in
                if let hooks = plan.hooks {
                    try await scope?.lendToHooks { transaction in
                        for model in models { try await hooks.willDelete(model, transaction) }
                    }
                }
                let count = try await session.execute(plan.delete, keys)
                markDeleted(models, plan, scope)
                if let hooks = plan.hooks {
                    try await scope?.lendToHooks { transaction in
                        for model in models { try await hooks.didDelete(model, transaction) }
                    }
                    scope?.register(undo: {}, complete: { for model in models { hooks.afterCommit(model) } })
                }
                return count
            }
        } catch let error as DatabaseError {
            throw plan.description.explained(error)
        }
    }

    /// Marks the objects as new, so that saving one inserts it again; undone if the transaction rolls back.
    private func markDeleted(_ models: [Model], _ plan: MappingPlan<Model>, _ scope: TransactionScope?) {
        guard let changes = plan.mapping.changes else { return }
        for model in models {
            var before = ChangeTracker.State.new
            changes(model) { tracker in
                before = tracker.state
                tracker.state = .new
            }
            scope?.register(undo: { changes(model) { $0.state = before } }, complete: {})
        }
    }
}
