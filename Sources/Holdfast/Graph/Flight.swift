/// The objects of a save under way: what was taken from their marks, and how to put it back.
///
/// Their changed properties are in flight. What is set meanwhile is a mark of its own, and survives either end.
final class Flight<Model: TableObject> {
    let plan: MappingPlan<Model>
    let models: [Model]
    var batches: [WriteBatch<Model>] = []
    /// One object that is written.
    struct Passenger {
        let position: Int
        /// The marks that were taken from it.
        let marks: PropertyMask
        let wasNew: Bool
        /// Whether the save has not succeeded yet, so that the marks are to be put back if it fails.
        var isUnderWay = true
    }

    private(set) var passengers: [Passenger] = []

    init(plan: MappingPlan<Model>, models: [Model]) {
        self.plan = plan
        self.models = models
    }

    var positions: [Int] { passengers.map(\.position) }

    /// Takes the marks of an object.
    func take(_ position: Int) {
        var (marks, wasNew) = (PropertyMask(), false)
        plan.mapping.changes?(models[position]) { tracker in
            wasNew = tracker.state == .new
            if wasNew { tracker.state = .inserting }
            tracker.flights += 1
            marks = tracker.dirty
            tracker.dirty = PropertyMask()
        }
        passengers.append(Passenger(position: position, marks: marks, wasNew: wasNew))
    }

    /// Puts the marks back after a failure: what was in flight is dirty again.
    func restoreMarks() {
        for passenger in passengers where passenger.isUnderWay {
            plan.mapping.changes?(models[passenger.position]) { tracker in
                if passenger.wasNew { tracker.state = .new }
                tracker.flights -= 1
                tracker.dirty.formUnion(passenger.marks)
            }
        }
    }

    /// Lets saves go on that waited for one of the objects.
    func land(_ waiters: SaveWaiters) {
        guard plan.mapping.changes != nil else { return }
        waiters.finished(passengers.map { [models] in ObjectIdentifier(models[$0.position] as AnyObject) })
    }

    /// Completes a successful save: marks are dropped, and keys, timestamps and rounded values are set.
    ///
    /// - Parameter scope: The transaction that may still roll back, and then undoes it; nil after COMMIT.
    func writeBack(
        _ outcomes: [BatchWriter<Model>.Outcome], into models: inout [Model], undoingIn scope: TransactionScope?
    ) throws {
        let places = Dictionary(
            passengers.enumerated().map { ($1.position, $0) }, uniquingKeysWith: { first, _ in first })
        for (batch, outcome) in zip(batches, outcomes) {
            let arrays = batch.arrayValues
            for (row, position) in batch.objects.enumerated() {
                guard let place = places[position] else { continue }
                passengers[place].isUnderWay = false
                let passenger = passengers[place]
                let undo = try writeBack(
                    batch, outcome, arrays, row: row, into: &models[position], passenger, isUndoable: scope != nil)
                scope?.register(undo: undo, complete: {})
            }
        }
    }

    private func writeBack(
        _ batch: WriteBatch<Model>, _ outcome: BatchWriter<Model>.Outcome, _ arrays: ArrayValues, row: Int,
        into model: inout Model, _ passenger: Passenger, isUndoable: Bool
    ) throws -> () -> Void {
        let mapping = plan.mapping
        let description = plan.description
        var dirtySince = PropertyMask()
        mapping.changes?(model) { tracker in
            dirtySince = tracker.dirty
            tracker.flights -= 1
            tracker.state = .persisted
        }
        var back = batch.writtenBack[row].subtracting(dirtySince)
        if batch.generatesKeys { back.formUnion(description.keyMask.subtracting(dirtySince)) }
        let restore = isUndoable ? mapping.capture(model, back) : nil

        try assign(batch.columns, row, back.subtracting(description.keyMask), batch.group.mask, arrays, to: &model)
        if batch.generatesKeys {
            try assign(
                outcome.generatedKeys, row, back.intersection(description.keyMask), description.keyMask, nil, to: &model
            )
        }
        if let created = description.timestampIndices.first(where: { description.properties[$0].timestamp == .created }
        ),
            !outcome.keptCreated.cells.isEmpty
        {
            let mask = PropertyMask([created])
            try assign(outcome.keptCreated, row, mask.subtracting(dirtySince), mask, nil, to: &model)
        }
        mapping.changes?(model) { tracker in
            // The setters marked what was just written; a user's observer may have changed more, and that stays.
            tracker.dirty = tracker.dirty.subtracting(back).union(dirtySince)
        }
        guard isUndoable, mapping.changes != nil else { return {} }
        let holdsOurs = mapping.capture(model, back)
        let object = model
        return {
            mapping.changes?(object) { tracker in
                if passenger.wasNew { tracker.state = .new }
                tracker.dirty.formUnion(passenger.marks)
            }
            restore?.undo(in: object, ifStill: holdsOurs)
        }
    }

    /// Sets the properties of `back` to what is in a row that holds the columns of `mask`.
    // Never specialized: in Swift 6.3 the optimizer crashes where it specializes what is lent a noncopyable value
    // ("Cannot initialize a nonCopyable type with a guaranteed value").
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    private func assign(
        _ buffer: ParameterBuffer, _ row: Int, _ back: PropertyMask, _ mask: PropertyMask, _ arrays: ArrayValues?,
        to model: inout Model
    ) throws {
        guard !back.isEmpty else { return }
        let description = plan.description
        var slots = description.slots(mask)
        for index in slots.indices where !back.contains(index) { slots[index] = RowLayout.absent }
        let layout = RowLayout(
            table: description.table, propertyNames: description.properties.map(\.name), slots: slots)
        try buffer.withRow(row) { cells in
            if let base = cells.baseAddress {
                return try assign(Row(cells: base, layout: layout, arrays: arrays, position: row), to: &model)
            }
            // A row of arrays alone has no cells, but a row needs an address.
            try withUnsafePointer(to: Cell.null) { empty in
                try assign(Row(cells: empty, layout: layout, arrays: arrays, position: row), to: &model)
            }
        }
    }

    private func assign(_ row: borrowing Row, to model: inout Model) throws {
        try plan.mapping.assign(&model, row)
    }
}
