/// Saves, inserts or updates objects of one type: the whole life of it, from hooks to what is written back.
///
/// 1. Hooks run, and every object is encoded, before anything is sent (``SavePlan``).
/// 2. The batches go to one connection: in a transaction, unless one statement does it all (``BatchWriter``).
/// 3. On success keys, timestamps and rounded values are written back; on failure changed properties are dirty again.
struct SaveOperation<Model: TableObject> {
    let access: DatabaseAccess
    let verb: SaveVerb

    /// Saves `models`, changing them in place where the engine or the save made a value.
    func run(_ models: inout [Model]) async throws {
        let plan = try access.core.plan(for: Model.self)
        if let hooks = plan.hooks {
            for index in models.indices {
                try locating(index, of: models.count) { try hooks.willSave(&models[index]) }
            }
        }
        await waitForOthers(models, plan)
        let flight = try takeOff(models, plan)
        defer { flight.land(access.core.saves) }
        guard !flight.batches.isEmpty else { return }
        do {
            try await write(flight, &models, plan)
        } catch {
            flight.restoreMarks()
            throw error
        }
    }

    /// Waits for saves under way of the same objects: so that a new one is not inserted twice, and so that what they took is
    /// in the database when this save returns.
    ///
    /// Inside a transaction only the first: the other save may be waiting for the very connection that the transaction has.
    private func waitForOthers(_ models: [Model], _ plan: MappingPlan<Model>) async {
        guard let changes = plan.mapping.changes, verb == .save else { return }
        var waitsForUpdates = false
        if case .database = access.kind { waitsForUpdates = true }
        for model in models {
            while true {
                var mustWait = false
                changes(model) { mustWait = $0.state == .inserting || waitsForUpdates && $0.flights > 0 }
                guard mustWait else { break }
                await access.core.saves.wait(for: ObjectIdentifier(model as AnyObject))
            }
        }
    }

    /// Encodes every object once, and marks it as in flight.
    private func takeOff(_ models: [Model], _ plan: MappingPlan<Model>) throws -> Flight<Model> {
        let flight = Flight<Model>(plan: plan, models: models)
        do {
            var savePlan = try SavePlan(plan, verb: verb)
            var seen = Set<ObjectIdentifier>()
            for (index, model) in models.enumerated() {
                if plan.mapping.changes != nil, models.count > 1,
                    !seen.insert(ObjectIdentifier(model as AnyObject)).inserted
                {
                    continue
                }
                try locating(index, of: models.count) {
                    if try savePlan.add(model, at: index, tracker: plan.tracker(of: model)) { flight.take(index) }
                }
            }
            flight.batches = savePlan.finished()
            try DuplicateCheck.run(flight.batches, description: plan.description)
            return flight
        } catch {
            flight.restoreMarks()
            flight.land(access.core.saves)
            throw error
        }
    }

    private func write(
        _ flight: Flight<Model>, _ models: inout [Model], _ plan: MappingPlan<Model>
    ) async throws {
        let isSingle = flight.batches.count == 1 && flight.batches[0].isSingleStatement && plan.hooks == nil
        let advances =
            plan.advanceGeneratedKey != nil
            && flight.batches.contains { $0.group.action != .update && !$0.generatesKeys }
        if plan.hooks != nil, case .database(let core) = access.kind {
            // Hooks get the transaction, and so do the objects: as inside an explicit one.
            try await Database(core: core).transaction(isolation: .readCommitted) { transaction in
                try await SaveOperation(access: transaction._access, verb: verb)
                    .writeNow(flight, &models, plan, need: .write)
            }
            return
        }
        try await writeNow(flight, &models, plan, need: isSingle && !advances ? .write : .atomic)
    }

    private func writeNow(
        _ flight: Flight<Model>, _ models: inout [Model], _ plan: MappingPlan<Model>, need: DatabaseAccess.Need
    ) async throws {
        var models_ = models
        defer { models = models_ }
        var registered: TransactionScope?
        let outcomes = try await access.perform(need, purpose: "save") { session, scope in
            var outcomes: [BatchWriter<Model>.Outcome] = []
            let writer = BatchWriter(plan: plan, session: session)
            for batch in flight.batches { outcomes.append(try await writer.write(batch)) }
            registered = scope
            if let scope {
                try flight.writeBack(outcomes, into: &models_, undoingIn: scope)
                if let hooks = plan.hooks {
                    let saved = flight.positions.map { models_[$0] }
                    try await scope.lendToHooks { transaction in
                        for model in saved { try await hooks.didSave(model, transaction) }
                    }
                    scope.register(undo: {}, complete: { for model in saved { hooks.afterCommit(model) } })
                }
            }
            return outcomes
        }
        if registered == nil { try flight.writeBack(outcomes, into: &models_, undoingIn: nil) }
    }

    private func locating(_ index: Int, of count: Int, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch var error as DatabaseError {
            if count > 1 { error.objectIndex = error.objectIndex ?? index }
            throw error
        }
    }
}

extension MappingPlan {
    func tracker(of model: Model) -> ChangeTracker? {
        guard let changes = mapping.changes else { return nil }
        var tracker = ChangeTracker()
        changes(model) { tracker = $0 }
        return tracker
    }
}
