import Foundation

/// What a save does: for each object whether it is inserted, updated or passed over, and the batches to send.
///
/// Made on the caller's isolation, where the objects are; what it holds can be sent. Making it moves the marks of
/// changed properties in flight, so it has to be followed by ``SaveOperation``'s success or failure.
struct SavePlan<Model: TableObject> {
    let plan: MappingPlan<Model>
    let verb: SaveVerb

    private var description: TableDescription { plan.description }
    private var groups: [WriteBatch<Model>.Group: Int] = [:]
    private var encoders: [RowEncoder] = []
    private var objects: [[Int]] = []
    private var keys: [ParameterBuffer] = []
    private var writtenBack: [[PropertyMask]] = []
    private let now: [Int: ParameterBuffer]

    init(_ plan: MappingPlan<Model>, verb: SaveVerb) throws {
        self.plan = plan
        self.verb = verb
        now = try Self.timestamps(plan.description)
    }

    /// The time of the save, encoded as each timestamp's column holds it.
    private static func timestamps(_ description: TableDescription) throws -> [Int: ParameterBuffer] {
        guard !description.timestampIndices.isEmpty else { return [:] }
        let now = Date(microseconds: try Date().roundedToMicroseconds())
        var result: [Int: ParameterBuffer] = [:]
        for index in description.timestampIndices {
            var encoder = CellEncoder(width: 1)
            try now._encode(into: &encoder, description.properties[index].storage)
            result[index] = encoder.buffer
        }
        return result
    }

    /// Adds an object.
    ///
    /// - Parameters:
    ///   - model: The object.
    ///   - position: Its position among those given.
    ///   - tracker: What it remembers of itself; nil of structs and of classes that are not tracked.
    /// - Returns: Whether there is anything to write.
    /// - Throws: ``DatabaseError/Code/invalidValue`` and the like, before anything was sent.
    mutating func add(_ model: Model, at position: Int, tracker: ChangeTracker?) throws -> Bool {
        var keyEncoder = RowEncoder(description, mask: description.keyMask)
        try plan.mapping.encode(model, &keyEncoder)
        let key = keyEncoder.columns.buffer
        guard key.cells.count == description.keyIndices.count else {
            throw DatabaseError(
                .conflict, "The mapping of \(description.type) does not encode its key.", table: description.table)
        }
        let lacksKey = key.cells.contains(where: \.isNull)
        guard let group = try group(of: model, tracker: tracker, lacksKey: lacksKey) else { return false }
        let number = number(of: group)
        let firstCell = encoders[number].columns.buffer.cells.count
        encoders[number].adjusted = PropertyMask()
        try plan.mapping.encode(model, &encoders[number])
        var back = encoders[number].adjusted
        stamp(&encoders[number].columns.buffer, from: firstCell, group: group, back: &back)
        objects[number].append(position)
        keys[number].appendRow(0, of: key)
        writtenBack[number].append(back)
        return true
    }

    private func group(of model: Model, tracker: ChangeTracker?, lacksKey: Bool) throws -> WriteBatch<Model>.Group? {
        let insertMask = lacksKey ? description.fullMask.subtracting(description.keyMask) : description.fullMask
        let everythingButKey = description.fullMask.subtracting(description.keyMask)
        switch verb {
        case .insert: return .init(action: .insert, mask: insertMask)
        case .update:
            if lacksKey { throw unsaved() }
            if let tracker, tracker.state == .persisted { return try changed(tracker) }
            return .init(action: .update, mask: everythingButKey.subtracting(createdMask))
        case .save:
            guard let tracker else {
                if lacksKey { return .init(action: .insert, mask: insertMask) }
                return .init(action: .upsert(keepsCreated: try lacksCreated(model)), mask: description.fullMask)
            }
            return tracker.state == .persisted ? try changed(tracker) : .init(action: .insert, mask: insertMask)
        }
    }

    private func changed(_ tracker: ChangeTracker) throws -> WriteBatch<Model>.Group? {
        var mask = tracker.dirty
        guard !mask.isEmpty else { return nil }
        guard mask.intersection(description.keyMask).isEmpty else {
            throw DatabaseError(
                .conflict,
                "The primary key of a saved \(description.type) was changed. Insert a copy under the new key and delete this one.",
                table: description.table, properties: description.keyIndices.map { description.properties[$0].name })
        }
        for index in description.timestampIndices where description.properties[index].timestamp == .modified {
            mask.insert(index)
        }
        return .init(action: .update, mask: mask)
    }

    private func unsaved() -> DatabaseError {
        DatabaseError(
            .notFound, "The \(description.type) has no key yet, so there is no row to update. Save or insert it.",
            table: description.table)
    }

    /// The creation times that are set by an insert only.
    private var createdMask: PropertyMask {
        PropertyMask(description.timestampIndices.filter { description.properties[$0].timestamp == .created })
    }

    /// Whether the creation time is nil, so that an existing row has to keep its own.
    private func lacksCreated(_ model: Model) throws -> Bool {
        let mask = createdMask
        guard !mask.isEmpty else { return false }
        var encoder = RowEncoder(description, mask: mask)
        try plan.mapping.encode(model, &encoder)
        return encoder.columns.buffer.cells.contains(where: \.isNull)
    }

    private mutating func number(of group: WriteBatch<Model>.Group) -> Int {
        if let number = groups[group] { return number }
        groups[group] = encoders.count
        encoders.append(RowEncoder(description, mask: group.mask))
        objects.append([])
        keys.append(ParameterBuffer(width: description.keyIndices.count))
        writtenBack.append([])
        return encoders.count - 1
    }

    /// Puts the time of the save where the row that begins at `firstCell` has timestamps to be set.
    private func stamp(
        _ buffer: inout ParameterBuffer, from firstCell: Int, group: WriteBatch<Model>.Group, back: inout PropertyMask
    ) {
        guard !now.isEmpty else { return }
        let slots = description.slots(group.mask)
        for (index, stamp) in now {
            guard slots[index] >= 0, let cell = stamp.cells.first else { continue }
            let position = firstCell + Int(slots[index])
            if description.properties[index].timestamp == .created {
                let isOptional = description.properties[index].isNullable || description.properties[index].isRequired
                let isSet = isOptional ? !buffer.cells[position].isNull : group.action != .insert
                if group.action == .update || isSet { continue }
            }
            buffer.replace(position, with: cell, of: stamp)
            back.insert(index)
        }
    }

    /// The batches of everything that was added.
    consuming func finished() -> [WriteBatch<Model>] {
        groups.sorted { $0.value < $1.value }.map { group, number in
            WriteBatch(
                group: group, objects: objects[number], columns: encoders[number].columns.buffer, keys: keys[number],
                arrays: encoders[number].arrays, writtenBack: writtenBack[number])
        }
    }
}

/// Which of the operations that write is meant.
enum SaveVerb: Sendable {
    /// Insert what is new, update what exists.
    case save
    /// Insert; a row that exists is an error.
    case insert
    /// Update; a row that does not exist is an error.
    case update
}
