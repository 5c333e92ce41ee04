/// A save of one object that is one row: by one statement, without a graph.
///
/// Most saves are. Beyond that statement, a graph costs as much again on an engine in this process: decision 0018.
struct SingleSave<Model: TableObject> {
    /// The work that a save requires.
    enum Preparation {
        /// More than one statement.
        case graph
        /// Nothing: no property has changed.
        case nothing
        case row(SingleSave)
    }

    private let core: DatabaseCore
    private let plan: MappingPlan<Model>
    private let model: Model
    private let keys: ParameterBuffer
    private let group: SaveBatch.Group
    private let statement: Statement
    private let parameters: ParameterBuffer
    private let encodedRow: ParameterBuffer
    /// The properties that get back what was encoded.
    private let writtenBack: PropertyMask

    private var description: TableDescription { plan.description }
    private var isUpdate: Bool { group.action == .update }

    /// Encodes an object, if it is without arrays, relations and hooks, and no other save of it is under way.
    static func prepare(_ model: Model, _ verb: SaveVerb, in core: DatabaseCore) throws -> Preparation {
        let plan = try core.plan(for: Model.self)
        guard plan.isSavedByRow, type(of: model) == Model.self else { return .graph }
        plan.mapping.settle(model)
        guard let tracker = plan.tracker(of: model), tracker.state != .inserting, tracker.inFlightCount == 0 else {
            return .graph
        }
        let (description, statements) = (plan.description, plan.statements)
        var keys = RowEncoder(description, mask: description.keyMask)
        try plan.mapping.encode(model, &keys)
        try keys.cells.buffer.requireEncodedKey(0, of: description)
        let group = try description.group(
            of: verb, lacksKey: keys.cells.buffer.lacksKey(0), tracker, lacksCreated: { false })
        guard let group else { return .nothing }
        let isUpdate = group.action == .update
        if description.expiry != nil, description.meetsExpired(group.mask) { return .graph }
        // To keep the engine from making that key again costs a second statement.
        if statements.advanceGeneratedKey != nil, !isUpdate, !group.generatesKeys { return .graph }

        var encoder = RowEncoder(description, mask: group.mask)
        encoder.cells.reserveCells(rows: 1)
        try plan.mapping.encode(model, &encoder)
        var writtenBack = encoder.adjusted
        try RowStamp(description, group, description.timestamps())?
            .apply(to: &encoder.cells.buffer, from: 0, writtenBack: &writtenBack)
        let encodedRow = encoder.cells.buffer
        let conditions = description.conditionParameters(keys.cells.buffer, of: encodedRow, mask: group.mask)
        return .row(
            SingleSave(
                core: core, plan: plan, model: model, keys: keys.cells.buffer, group: group,
                statement: try statements.rendered(
                    isUpdate ? .update(group.mask) : .insert(group.mask, returningKey: group.generatesKeys)),
                parameters: isUpdate ? encodedRow.joined(with: conditions) : encodedRow, encodedRow: encodedRow,
                writtenBack: writtenBack.subtracting(description.keyMask)))
    }

    /// Runs it; what is set in the object while it is suspended stays to be saved.
    ///
    /// - Returns: Whether the object is saved; if not, nothing was done.
    func run(_ access: DatabaseAccess) async throws -> Bool {
        var entry: SaveBatch.Entry?
        // By which others know the save that they wait for.
        let saveID = SaveMembership.makeSaveID()
        func markInFlight() {
            guard entry == nil else { return }
            var new = SaveBatch.Entry(index: 0)
            plan.mapping.changes?(model) { tracker in
                new.markInFlight(&tracker, save: saveID)
                plan.mapping.keepOriginals(of: model, group.mask, &tracker)
            }
            entry = new
        }
        defer {
            if entry != nil, access.core.saveWaiters.hasWaiters {
                access.core.saveWaiters.finished(CollectionOfOne(unsafeBitCast(model, to: ObjectIdentifier.self)))
            }
        }
        var answer = Answer()
        var deadlocks = 0
        while true {
            do {
                let hasRun = try await access.runBriefly(
                    .write, statement, parameters, purpose: "save", willSuspend: markInFlight,
                    telling: { changes(answer) }
                ) { try answer.read($0) }
                if !hasRun {
                    // A graph knows how to wait for the only connection that writes.
                    guard access.core.capabilities.hasRoundTrips else {
                        restoreMarks(entry)
                        return false
                    }
                    markInFlight()
                    answer = try await runWaiting(access, saveID)
                }
                if !isWritten(answer) {
                    // A row that was updated nowhere may be gone: a graph finds out.
                    guard !isUpdate else {
                        restoreMarks(entry)
                        return false
                    }
                    markInFlight()
                    if !answer.generated.cells.isEmpty { throw description.madeNoKey }
                    try await requireInserted(access)
                }
                break
            } catch let error as DatabaseError where error.code == .deadlock && deadlocks < Database.retryLimit {
                // Nothing was done. What is sent again was encoded before, and what was set since stays to be saved.
                deadlocks += 1
                access.noteRunningAgain(after: error)
                answer = Answer()
            } catch {
                restoreMarks(entry)
                throw (error as? DatabaseError).map(description.explained) ?? error
            }
        }
        try complete(answer, entry)
        return true
    }

    /// Runs the statement on the next connection that is free.
    private func runWaiting(_ access: DatabaseAccess, _ saveID: UInt32) async throws -> Answer {
        let (statement, parameters, saves) = (statement, parameters, access.core.saveWaiters)
        saves.enqueue(saveID, in: access.core.id)
        defer { saves.leaveQueue(saveID) }
        return try await access.perform(.write, purpose: "save") { session, _ in
            saves.leaveQueue(saveID)
            let answer = try await session.run(statement, parameters) { rows in
                var answer = Answer()
                try answer.read(rows)
                return answer
            }
            session.note { changes(answer) }
            return answer
        }
    }

    /// What was done to the object, for those who observe.
    private func changes(_ answer: Answer) -> [TableChanges] {
        guard isWritten(answer) else { return [] }
        let key = group.generatesKeys ? answer.generated.key(ofRow: 0) : keys.key(ofRow: 0)
        var change = ObjectChange(
            kind: group.action.eventKind, key: key, instance: description.instance(model),
            properties: isUpdate ? description.names(of: group.mask) : [])
        let compared = core.observations.comparedProperties(of: description.table)
        change.values = encodedRow.values(description.slots(ofProperties: compared, in: group.mask), ofRow: 0)
        return [TableChanges(table: description.table, changes: [change])]
    }

    private func restoreMarks(_ entry: SaveBatch.Entry?) {
        if let entry { plan.mapping.changes?(model) { entry.restoreMarks(&$0) } }
    }

    /// Whether the row was written, as far as the engine tells.
    private func isWritten(_ answer: Answer) -> Bool {
        guard group.generatesKeys else { return answer.affectedRows == 1 }
        return answer.generated.cells.count == 1 && !answer.generated.cells[0].isNull
    }

    /// Throws unless the row is there, although the engine does not say so.
    private func requireInserted(_ access: DatabaseAccess) async throws {
        guard !group.generatesKeys else { throw description.passedOver }
        let (statements, encodedRow, mask) = (plan.statements, encodedRow, group.mask)
        try await access.perform(.read, purpose: "save") { session, _ in
            try await statements.requireStored(encodedRow, mask, through: session)
        }
    }

    /// Marks the object as saved, and sets what the engine or the save made, but for what was set by others meanwhile.
    ///
    /// - Parameter entry: What was taken of the object; nil if no other save could meet it, so that nothing had to be.
    private func complete(_ answer: Answer, _ entry: SaveBatch.Entry?) throws {
        var (dirtySince, written) = (PropertyMask(), writtenBack)
        if group.generatesKeys { written.formUnion(description.keyMask) }
        plan.mapping.changes?(model) { tracker in
            if let entry { entry.markSaved(&tracker) } else { tracker.markPersisted() }
            dirtySince = tracker.dirty
            // The originals of properties that were set meanwhile are out of date: the row now holds another value than
            // the object had when it was encoded.
            tracker.forgetOriginals(of: written.intersection(dirtySince))
            written.subtract(dirtySince)
            // The properties are marked before they are assigned, so that their old values are not kept as originals.
            tracker.dirty.formUnion(written)
        }
        if group.generatesKeys, !written.intersection(description.keyMask).isEmpty {
            try assign(answer.generated, plan.keyLayout)
        }
        let others = written.subtracting(description.keyMask)
        if !others.isEmpty { try assign(encodedRow, description.layout(of: others, in: group.mask)) }
        plan.mapping.changes?(model) { tracker in
            // A user's observer may have changed more, and that stays.
            tracker.dirty.subtract(written)
            tracker.dirty.formUnion(dirtySince)
            if tracker.dirty.isEmpty { tracker.isUncertain = false }
        }
        if entry == nil { plan.mapping.keepOriginals(of: model) }
        plan.mapping.keepOriginals(of: model, written)
    }

    private func assign(_ row: ParameterBuffer, _ layout: RowLayout) throws {
        var model = model
        try plan.assign(row, 0, layout, nil, to: &model)
    }
}

/// The engine's answer about the row.
private struct Answer: Sendable {
    var generated = ParameterBuffer(width: 1)
    var affectedRows = 0

    mutating func read(_ rows: any RowSource) throws {
        while let cells = try rows.next() { generated.append(copying: cells[0]) }
        affectedRows = rows.affectedRows
    }
}
