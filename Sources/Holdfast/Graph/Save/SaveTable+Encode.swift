extension SaveTable {
    func decide() throws {
        batchOfRow = [Int32](repeating: -1, count: objects.count)
        var encoder = RowEncoder(description, mask: description.keyMask)
        encoder.columns.buffer.cells.reserveCapacity(objects.count * keys.width)
        // Of a few batches none; a dictionary takes longer than a save of one object has time for.
        var numbers: [SaveBatch.Group: Int] = [:]
        var latest: (group: SaveBatch.Group, number: Int)?
        // New objects that lack nothing differ in two ways only.
        var latestNew: (isGiven: Bool, lacksKey: Bool, number: Int)?
        func join(_ row: Int, _ buffer: ParameterBuffer, _ tracker: ChangeTracker?) throws {
            let lacksKey = try buffer.lacksKey(row, of: description)
            let isGiven = positions[row] >= 0
            let isNew = tracker.map { $0.state != .persisted && $0.unloaded.isEmpty } ?? false
            if isNew, let latestNew, latestNew.isGiven == isGiven, latestNew.lacksKey == lacksKey {
                batchOfRow[row] = Int32(truncatingIfNeeded: latestNew.number)
                batches[latestNew.number].rows.append(Int32(truncatingIfNeeded: row))
                return
            }
            guard let group = try group(ofRow: row, lacksKey: lacksKey, tracker) else { return }
            let number: Int
            if let latest, latest.group == group {
                number = latest.number
            } else if let known = numbers.isEmpty ? batches.firstIndex(where: { $0.group == group }) : numbers[group] {
                number = known
            } else {
                number = batches.count
                if number == 8 { for (index, batch) in batches.enumerated() { numbers[batch.group] = index } }
                if number >= 8 { numbers[group] = number }
                batches.append(SaveBatch(group: group, description: description, sink: graph))
            }
            latest = (group, number)
            if isNew { latestNew = (isGiven, lacksKey, number) }
            batchOfRow[row] = Int32(truncatingIfNeeded: number)
            batches[number].rows.append(Int32(truncatingIfNeeded: row))
        }
        let isTracked = changes != nil
        var failure: (any Error)?
        try locatingEach { current in
            let rows = objects.indices.map { Int32(truncatingIfNeeded: $0) }
            try plan.mapping.loops.encode(objects, rows, &encoder, { current = $0 }) { row, encoder, tracker in
                do {
                    try join(row, encoder.columns.buffer, isTracked ? tracker : nil)
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
        }
        keys = encoder.columns.buffer
    }

    /// Says of an error which of the objects it is about.
    private func locatingEach(_ body: (_ current: inout Int) throws -> Void) throws {
        var current = 0
        do {
            try body(&current)
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

    private func encode(_ batch: SaveBatch, _ now: [Int: ParameterBuffer]) throws {
        let (graph, save, isTracked) = (graph, graph.number, changes != nil)
        let leads = !relationMask.isEmpty
        batch.reserve()
        // Taken out of the batch for the time, so that it is changed in place.
        var encoder = batch.takeEncoder()
        var passengers: [SaveBatch.Passenger] = []
        passengers.reserveCapacity(batch.rows.count)
        defer {
            batch.encoder = encoder
            batch.passengers = passengers
        }
        var firstCell = 0
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
                    if isTracked { passenger.board(&tracker, save: save, only: chosenOfRow(row)) }
                    passengers.append(passenger)
                    if passengers.count == 256 { encoder.columns.reserveBytes(rows: batch.rows.count, encoded: 256) }
                    return true
                })
            if let failure { throw failure }
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
            if try isSame(row, other) { continue }
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
