/// What was decided for an object, and so for others like it.
struct Decision {
    /// The number of the batch that it is in; nil if nothing of it is written.
    let batch: Int?
    private let isGiven: Bool
    private let lacksKey: Bool
    private let isPersisted: Bool
    /// What was set in it; of a new one everything is written, set or not.
    private let dirty: PropertyMask

    /// - Returns: nil if there is more to the object than others have.
    init?(_ batch: Int?, isGiven: Bool, lacksKey: Bool, _ tracker: ChangeTracker) {
        guard tracker.unloaded.isEmpty else { return nil }
        self.batch = batch
        self.isGiven = isGiven
        self.lacksKey = lacksKey
        isPersisted = tracker.state == .persisted
        dirty = tracker.dirty
    }

    func applies(isGiven: Bool, lacksKey: Bool, _ tracker: borrowing ChangeTracker) -> Bool {
        self.isGiven == isGiven && self.lacksKey == lacksKey && tracker.unloaded.isEmpty
            && isPersisted == (tracker.state == .persisted) && (!isPersisted || dirty == tracker.dirty)
    }
}

extension SaveTable {
    func decide() throws {
        if let alike { return try decide(alike) }
        // Kept here while all objects are decided: each look at a property of an object is checked for others that change it.
        var (batches, rowsOfBatches): ([SaveBatch], [[Int32]]) = ([], [])
        var batchOfRow = [Int32](repeating: -1, count: objects.count)
        let (positions, description) = (positions, description)
        var encoder = RowEncoder(description, mask: description.keyMask)
        encoder.columns.buffer.cells.reserveCapacity(objects.count * keys.width)
        // Of a few batches none; a dictionary takes longer than a save of one object has time for.
        var numbers: [SaveBatch.Group: Int] = [:]
        /// The number of the batch of a group.
        func number(of group: SaveBatch.Group) -> Int {
            if let number = numbers.isEmpty ? batches.firstIndex(where: { $0.group == group }) : numbers[group] {
                return number
            }
            let number = batches.count
            if number == 8 { for (index, batch) in batches.enumerated() { numbers[batch.group] = index } }
            if number >= 8 { numbers[group] = number }
            batches.append(SaveBatch(group: group, description: description, sink: graph))
            rowsOfBatches.append([])
            return number
        }
        var latest: Decision?
        let isTracked = changes != nil
        var failure: (any Error)?
        try locatingEach { current in
            let rows = objects.indices.map { Int32(truncatingIfNeeded: $0) }
            try plan.mapping.loops.encode(objects, rows, &encoder, { current = $0 }) { row, encoder, tracker in
                do {
                    let lacksKey = try encoder.columns.buffer.lacksKey(row, of: description)
                    let isGiven = positions[row] >= 0
                    let decided: Int?
                    if isTracked, let latest, latest.applies(isGiven: isGiven, lacksKey: lacksKey, tracker) {
                        decided = latest.batch
                    } else {
                        decided = try group(ofRow: row, lacksKey: lacksKey, isTracked ? tracker : nil).map(number)
                        latest = isTracked ? Decision(decided, isGiven: isGiven, lacksKey: lacksKey, tracker) : nil
                    }
                    if let decided {
                        batchOfRow[row] = Int32(truncatingIfNeeded: decided)
                        rowsOfBatches[decided].append(Int32(truncatingIfNeeded: row))
                    }
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
        }
        for (batch, rows) in zip(batches, rowsOfBatches) { batch.rows = rows }
        keys = encoder.columns.buffer
        self.batches = batches
        self.batchOfRow = batchOfRow
    }

    private func decide(_ alike: AlikeObjects) throws {
        let decided = try locatingEach { _ in try group(ofRow: 0, lacksKey: alike.lacksKey, alike.tracker) }
        keys = alike.keys
        self.alike = nil  // so that they are changed in place
        batchOfRow = [Int32](repeating: decided == nil ? -1 : 0, count: objects.count)
        guard let group = decided else { return }
        let batch = SaveBatch(group: group, description: description, sink: graph)
        batch.rows = positions  // each was given once
        batches = [batch]
    }

    /// Says of an error which of the objects it is about.
    private func locatingEach<Result>(_ body: (_ current: inout Int) throws -> Result) throws -> Result {
        var current = 0
        do {
            return try body(&current)
        } catch var error as DatabaseError {
            error.objectIndex = error.objectIndex ?? errorPosition(ofRow: current)
            throw error
        }
    }

    private func group(ofRow row: Int, lacksKey: Bool, _ tracker: ChangeTracker?) throws -> SaveBatch.Group? {
        try description.group(of: verbOfRow(row), lacksKey: lacksKey, tracker) { try lacksCreated(objects[row]) }
    }

    /// Whether the creation time is nil, so that an existing row has to keep its own.
    private func lacksCreated(_ model: Model) throws -> Bool {
        let mask = description.createdMask
        guard !mask.isEmpty else { return false }
        var encoder = RowEncoder(description, mask: mask)
        try plan.mapping.encode(model, &encoder)
        return encoder.columns.buffer.cells.contains(where: \.isNull)
    }

    // MARK: Encoding

    func encodeAll() throws {
        guard !batches.isEmpty else { return }
        let now = try description.timestamps()
        for batch in batches {
            try encode(batch, now)
            try requireWritten(batch)
        }
    }

    /// Throws if an object holds what is not written: whether its row exists is not known before.
    private func requireWritten(_ batch: SaveBatch) throws {
        var left = description.columns.joinTableMask.union(description.columns.inverseMask)
        switch batch.group.action {
        case .upsert(let upsert) where upsert.isExplicit:
            try description.requireUnique(upsert.key)
            left.subtract(upsert.updated.subtracting(description.columns.inverseMask))
            let lost = left.union(description.columns.referenceMask.subtracting(upsert.updated).subtracting(upsert.key))
            if changes == nil, let property = lost.indices.first { throw notWritten(property) }
        case .insertOrIgnore: left = description.columns.inverseMask
        case .insert, .update, .upsert: return
        }
        guard !left.isEmpty else { return }
        for (place, passenger) in batch.passengers.enumerated() {
            for property in left.indices {
                let isKnown = passenger.stateBefore == .persisted
                if isKnown ? passenger.marks.contains(property) : batch.holdsAny(property, place: place) {
                    throw located(notWritten(property), passenger.row)
                }
            }
        }
    }

    private func notWritten(_ property: Int) -> DatabaseError {
        let name = description.properties[property].name
        return DatabaseError(
            .unsupported,
            description.columns.inverseMask.contains(property)
                ? "\"\(name)\" of \(description.type) is kept by the other side, and not written together with a row that may exist. Save what it holds afterwards."
                : "\"\(name)\" of \(description.type) is not among what is updated, so of a row that exists it would not be what the \(description.type) holds. Update it too.",
            table: description.table, properties: [name])
    }

    /// An error with the position of the object that it is about.
    func located(_ error: any Error, _ row: Int) -> any Error {
        guard var error = error as? DatabaseError else { return error }
        error.objectIndex = error.objectIndex ?? errorPosition(ofRow: row)
        return error
    }

    /// Encodes a batch, and hands its rows on by the portion.
    func encode(_ batch: SaveBatch, to feed: SaveBatch.Portions.Continuation) throws {
        try encode(batch, try description.timestamps(), feed)
    }

    private func encode(
        _ batch: SaveBatch, _ now: [Int: ParameterBuffer], _ feed: SaveBatch.Portions.Continuation? = nil
    ) throws {
        let (graph, save, isTracked) = (graph, graph.number, changes != nil)
        let leads = !relationMask.isEmpty
        let bufferedRows = feed == nil ? batch.rows.count : SaveBatch.portionSize
        batch.encoder.columns.reserveCells(rows: bufferedRows)
        // Taken out of the batch for the time, so that it is changed in place.
        var encoder = batch.takeEncoder()
        var passengers: [SaveBatch.Passenger] = []
        passengers.reserveCapacity(batch.rows.count)
        defer {
            batch.encoder = encoder
            batch.passengers = passengers
        }
        var firstCell = 0
        let choosesProperties = if case .updateOnly = graph.verb { true } else { false }
        let setsOwn = !now.isEmpty || description.versionIndex != nil
        var failure: (any Error)?
        try locatingEach { current in
            try plan.mapping.loops.encode(
                objects, batch.rows, &encoder,
                { row in
                    current = row
                    if leads { graph.beginEncoding(NodeID(table: number, row: row), into: batch) }
                },
                { row, encoder, tracker in
                    var passenger = SaveBatch.Passenger(row: row)
                    if !encoder.adjusted.isEmpty {
                        passenger.writtenBack = encoder.adjusted
                        encoder.adjusted = PropertyMask()
                    }
                    if setsOwn {
                        description.stamp(
                            &encoder.columns.buffer, from: firstCell, group: batch.group, now,
                            back: &passenger.writtenBack)
                        do {
                            try description.countUp(
                                &encoder.columns.buffer, from: firstCell, group: batch.group,
                                back: &passenger.writtenBack)
                        } catch {
                            failure = error
                            return false
                        }
                        firstCell = encoder.columns.buffer.cells.count
                    }
                    if isTracked {
                        passenger.board(&tracker, save: save, only: choosesProperties ? chosenOfRow(row) : nil)
                    }
                    passengers.append(passenger)
                    if passengers.count == 256 { encoder.columns.reserveBytes(rows: bufferedRows, encoded: 256) }
                    if let feed, passengers.count % SaveBatch.portionSize == 0 {
                        feed.yield(batch.portion(encoder.columns.takeBuffer(), passengers))
                        firstCell = 0
                    }
                    return true
                })
            if let failure { throw failure }
            if let feed, passengers.count % SaveBatch.portionSize != 0 {
                feed.yield(batch.portion(encoder.columns.takeBuffer(), passengers))
            }
        }
    }

    // MARK: Marks

    func restoreMarks() {
        guard let changes = plan.mapping.changes else { return }
        for batch in batches {
            for passenger in batch.passengers[batch.landedCount...] {
                changes(objects[passenger.row]) { passenger.turnBack(&$0) }
            }
        }
    }

    func land() {
        guard plan.mapping.changes != nil, graph.core.saves.hasWaiters else { return }
        let objects = objects
        graph.core.saves.finished(
            batches.lazy.flatMap(\.passengers).map { ObjectIdentifier(objects[$0.row] as AnyObject) })
    }

    // MARK: Two instances of one row

    func checkDuplicates() throws {
        guard objects.count > 1, !batches.isEmpty else { return }
        let inserts = batches.map(\.group.action.hasNewArrays)
        var seen = KeyIndex()
        let keys = keys
        for row in objects.indices {
            // Inserting a key twice is the engine's to refuse; but beside a row that is updated it is a contradiction.
            if batchOfRow[row] >= 0, inserts[Int(batchOfRow[row])] { continue }
            guard let key = keys.key(ofRow: row) else { continue }
            let earlier = seen[key]
            seen[key] = Int32(truncatingIfNeeded: row)
            guard let earlier else { continue }
            let other = Int(earlier)
            guard batchOfRow[row] >= 0 || batchOfRow[other] >= 0 else { continue }
            if try locatingEach({ current in
                current = row
                return try isSame(row, other)
            }) {
                continue
            }
            var error = DatabaseError(
                .conflict,
                "Two objects in one save are the same row of \"\(description.table)\" with different contents. Save one of them.",
                table: description.table)
            error.objectIndex = errorPosition(ofRow: row)
            if graph.core.configuration.showsValues { error.shownKey = key.shown }
            throw error
        }
    }

    /// Whether two objects hold the same, and the same of it is written.
    private func isSame(_ left: Int, _ right: Int) throws -> Bool {
        guard batchOfRow[left] == batchOfRow[right] else { return false }
        let unloaded = [left, right].compactMap { plan.tracker(of: objects[$0])?.unloaded }
        guard unloaded.first == unloaded.last else { return false }
        var mask = description.fullMask
        if let unloaded = unloaded.first { mask.subtract(unloaded) }
        var encoder = RowEncoder(description, mask: mask, sink: graph)
        for row in [left, right] {
            graph.beginEncoding(NodeID(table: number, row: row), into: nil)
            try plan.mapping.encode(objects[row], &encoder)
        }
        guard encoder.columns.buffer.isSame(0, 1) else { return false }
        let areArraysSame = encoder.arrays.allSatisfy { array in
            let (left, right) = (array.elements(ofRow: 0), array.elements(ofRow: 1))
            return left.count == right.count
                && zip(left, right).allSatisfy { array.encoder.buffer.isSame($0, $1) }
        }
        return areArraysSame
            && encoder.links.allSatisfy { links in
                let (left, right) = (links.elements(ofRow: 0), links.elements(ofRow: 1))
                return left.count == right.count && zip(left, right).allSatisfy { links.keys.isSame($0, $1) }
            }
    }
}
