/// A save of one object that is one row: by one statement, without a graph.
///
/// Most saves are. What a graph takes beyond that (tables, batches, a walk) took as long as the statement itself on an engine
/// in this process.
struct SingleSave<Model: TableObject> {
    /// What there is to do.
    enum Preparation {
        /// More than this can.
        case graph
        /// Nothing: no property has changed.
        case nothing
        case row(SingleSave)
    }

    private let plan: MappingPlan<Model>
    private let model: Model
    private let group: SaveBatch.Group
    private let statement: Statement
    private let parameters: ParameterBuffer
    private let columns: ParameterBuffer
    /// The properties that get back what was encoded.
    private let back: PropertyMask

    private var description: TableDescription { plan.description }
    private var isUpdate: Bool { group.action == .update }

    /// Encodes an object, if it is without arrays, relations and hooks, and no other save of it is under way.
    static func prepare(_ model: Model, _ verb: SaveVerb, in core: DatabaseCore) throws -> Preparation {
        let plan = try core.plan(for: Model.self)
        guard plan.isSavedByRow, type(of: model) == Model.self, let tracker = plan.tracker(of: model),
            tracker.state != .inserting, tracker.flights == 0
        else { return .graph }
        let description = plan.description
        var keys = RowEncoder(description, mask: description.keyMask)
        try plan.mapping.encode(model, &keys)
        let group = try description.group(
            of: verb, lacksKey: keys.columns.buffer.lacksKey(0, of: description), tracker, lacksCreated: { false })
        guard let group else { return .nothing }
        // To keep the engine from making that key again takes a second statement.
        if plan.advanceGeneratedKey != nil, group.action != .update, !group.generatesKeys { return .graph }

        var encoder = RowEncoder(description, mask: group.mask)
        encoder.columns.buffer.cells.reserveCapacity(encoder.columns.buffer.width)
        try plan.mapping.encode(model, &encoder)
        var back = encoder.adjusted
        let now = try description.timestamps()
        if !now.isEmpty { description.stamp(&encoder.columns.buffer, from: 0, group: group, now, back: &back) }
        try description.countUp(&encoder.columns.buffer, from: 0, group: group, back: &back)
        let (columns, isUpdate) = (encoder.columns.buffer, group.action == .update)
        return .row(
            SingleSave(
                plan: plan, model: model, group: group,
                statement: try plan.statement(
                    isUpdate ? .update(group.mask) : .insert(group.mask, returningKey: group.generatesKeys)),
                parameters: isUpdate
                    ? columns.joined(with: description.finding(keys.columns.buffer, of: columns, mask: group.mask))
                    : columns,
                columns: columns, back: back.subtracting(description.keyMask)))
    }

    /// Runs it; what is set in the object while it is suspended stays to be saved.
    ///
    /// - Returns: Whether the object is saved; if not, nothing was done.
    func run(_ access: DatabaseAccess) async throws -> Bool {
        do {
            var answer = Answer()
            switch try access.writeAtOnce(statement, parameters, purpose: "save", consume: { try answer.read($0) }) {
            case .done:
                // No other save could meet the object meanwhile, so there was nothing to mark as in flight.
                guard isComplete(answer) else { return isUpdate ? false : try await inFlight(access) { answer } }
                plan.mapping.changes?(model) { $0.markPersisted() }
                try settle(answer, dirtySince: PropertyMask())
                if access.core.letsOthersIn { await Task.yield() }
                return true
            case .begun(let rest):
                return try await inFlight(access) {
                    try await rest { try answer.read($0) }
                    return answer
                }
            case .notBegun:
                // A graph knows how to wait for the only connection that writes.
                guard access.core.capabilities.hasRoundTrips else { return false }
                let (statement, parameters) = (statement, parameters)
                let number = SavePlace.makeNumber()
                let saves = access.core.saves
                saves.queue(number)
                defer { saves.leaveQueue(number) }
                return try await inFlight(access, number) {
                    try await access.perform(.write, purpose: "save") { session, _ in
                        saves.leaveQueue(number)
                        return try await session.run(statement, parameters) { rows in
                            var answer = Answer()
                            try answer.read(rows)
                            return answer
                        }
                    }
                }
            }
        } catch let error as DatabaseError {
            throw description.explained(error)
        }
    }

    /// Marks the object as in flight until `write` has returned.
    ///
    /// - Returns: Whether the object is saved; if not, nothing was done.
    private func inFlight(
        _ access: DatabaseAccess, _ number: UInt32 = SavePlace.makeNumber(),
        _ write: nonisolated(nonsending) () async throws -> Answer
    ) async throws -> Bool {
        let core = access.core
        var passenger = SaveBatch.Passenger(row: 0)
        plan.mapping.changes?(model) { passenger.board(&$0, save: number) }
        defer {
            if core.saves.hasWaiters {
                core.saves.finished(CollectionOfOne(unsafeBitCast(model, to: ObjectIdentifier.self)))
            }
        }
        let answer: Answer
        do {
            answer = try await write()
            if !isUpdate, !isComplete(answer) { try await requireInserted(access) }
        } catch {
            plan.mapping.changes?(model) { passenger.turnBack(&$0) }
            throw error
        }
        guard isComplete(answer) || !isUpdate else {
            plan.mapping.changes?(model) { passenger.turnBack(&$0) }
            return false
        }
        var dirtySince = PropertyMask()
        plan.mapping.changes?(model) { tracker in
            passenger.land(&tracker)
            dirtySince = tracker.dirty
        }
        try settle(answer, dirtySince: dirtySince)
        return true
    }

    /// Whether the row was written, as far as the engine tells.
    ///
    /// What was updated nowhere was not: a graph then finds out whether the row is gone.
    private func isComplete(_ answer: Answer) -> Bool {
        group.generatesKeys ? answer.generated.cells.count == 1 : answer.affectedRows == 1
    }

    /// Throws unless the row is there, although the engine does not say so.
    private func requireInserted(_ access: DatabaseAccess) async throws {
        guard !group.generatesKeys else { throw description.passedOver }
        let (plan, columns, mask) = (plan, columns, group.mask)
        try await access.perform(.read, purpose: "save") { session, _ in
            try await plan.requireWritten(columns, mask, through: session)
        }
    }

    /// Sets in the saved object what the engine or the save made, but for what was set by others meanwhile.
    private func settle(_ answer: Answer, dirtySince: PropertyMask) throws {
        var written = PropertyMask()
        if group.generatesKeys {
            if dirtySince.intersection(description.keyMask).isEmpty {
                written = description.keyMask
                try assign(answer.generated, plan.keyLayout)
            }
        }
        let back = back.subtracting(dirtySince)
        if !back.isEmpty {
            var slots = description.slots(group.mask)
            for index in slots.indices where !back.contains(index) { slots[index] = RowLayout.absent }
            let names = description.properties.map(\.name)
            try assign(columns, RowLayout(table: description.table, propertyNames: names, slots: slots))
            written.formUnion(back)
        }
        guard !written.isEmpty else { return }
        // The setters marked what was just written; a user's observer may have changed more, and that stays.
        plan.mapping.changes?(model) { tracker in
            tracker.dirty.subtract(written)
            tracker.dirty.formUnion(dirtySince)
        }
    }

    private func assign(_ row: ParameterBuffer, _ layout: RowLayout) throws {
        var model = model
        let mapping = plan.mapping
        try withoutSpecialization(&model) { model in
            try row.withRow(0) { cells in
                guard let base = cells.baseAddress else { return }
                try mapping.assign(&model, Row(cells: base, layout: layout))
            }
        }
    }
}

/// What the engine says of the row.
private struct Answer: Sendable {
    var generated = ParameterBuffer(width: 1)
    var affectedRows = 0

    mutating func read(_ rows: any RowSource) throws {
        while let cells = try rows.next() { generated.append(copying: cells[0]) }
        affectedRows = rows.affectedRows
    }
}
