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

    /// Runs it without suspension, if that takes no wait of any kind.
    ///
    /// No other save can meet the object meanwhile, so there is nothing to mark as in flight.
    ///
    /// - Returns: Whether the object is saved; if not, nothing was done.
    func runAtOnce(_ access: DatabaseAccess) throws -> Bool {
        var result = Result()
        do {
            let isDone = try access.writeAtOnce(statement, parameters, purpose: "save") { try result.read($0) }
            guard isDone, isComplete(result) else { return false }
        } catch let error as DatabaseError {
            throw description.explained(error)
        }
        plan.mapping.changes?(model) { $0.markPersisted() }
        try settle(result, dirtySince: PropertyMask())
        return true
    }

    /// Runs it; what is set in the object meanwhile stays to be saved.
    ///
    /// - Returns: Whether the object is saved; if not, nothing was done.
    func run(_ access: DatabaseAccess) async throws -> Bool {
        var passenger = SaveBatch.Passenger(row: 0)
        let number = SavePlace.makeNumber()
        plan.mapping.changes?(model) { passenger.board(&$0, save: number) }
        defer {
            let saves = access.core.saves
            if saves.hasWaiters { saves.finished(CollectionOfOne(unsafeBitCast(model, to: ObjectIdentifier.self))) }
        }
        let result: Result
        do {
            let (statement, parameters) = (statement, parameters)
            result = try await access.perform(.write, purpose: "save") { session, _ in
                try await session.run(statement, parameters) { rows in
                    var result = Result()
                    try result.read(rows)
                    return result
                }
            }
        } catch {
            plan.mapping.changes?(model) { passenger.turnBack(&$0) }
            throw (error as? DatabaseError).map { description.explained($0) } ?? error
        }
        guard isComplete(result) else {
            plan.mapping.changes?(model) { passenger.turnBack(&$0) }
            return false
        }
        var dirtySince = PropertyMask()
        plan.mapping.changes?(model) { tracker in
            passenger.land(&tracker)
            dirtySince = tracker.dirty
        }
        try settle(result, dirtySince: dirtySince)
        return true
    }

    /// What the engine says of the row.
    private struct Result: Sendable {
        var generated = ParameterBuffer(width: 1)
        var affectedRows = 0

        mutating func read(_ rows: any RowSource) throws {
            while let cells = try rows.next() { generated.append(copying: cells[0]) }
            affectedRows = rows.affectedRows
        }
    }

    /// Whether the row was written.
    ///
    /// What was updated nowhere was not: a graph then finds out whether the row is gone.
    private func isComplete(_ result: Result) -> Bool { isUpdate ? result.affectedRows == 1 : true }

    /// Sets in the saved object what the engine or the save made, but for what was set by others meanwhile.
    private func settle(_ result: Result, dirtySince: PropertyMask) throws {
        var written = PropertyMask()
        if group.generatesKeys {
            guard result.generated.cells.count == 1 else {
                throw DatabaseError(
                    .engine, "The engine did not return the key of a row inserted into \"\(description.table)\".",
                    table: description.table)
            }
            if dirtySince.intersection(description.keyMask).isEmpty {
                written = description.keyMask
                try assign(result.generated, plan.keyLayout)
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
