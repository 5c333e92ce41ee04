/// Sorts the objects of one table into batches: those of which the same is written, by one statement.
///
/// What is written of an object is decided by ``TableDescription/group(of:lacksKey:_:lacksCreated:)``. This keeps the
/// latest decision, and asks again only for an object that differs from the one before.
struct BatchSorter {
    private let description: TableDescription
    /// The batches, each with its objects, in the order in which they were met.
    private(set) var batches: [SaveBatch] = []
    /// For each object the index of its batch; -1 if nothing of it is written.
    private(set) var batchOfObject: [Int32] = []
    /// The indices of the batches, once they are many: looking through a few costs less.
    private var batchIndices: [SaveBatch.Group: Int] = [:]
    /// Whether objects that are the same in what they know of themselves are written the same; not if their creation
    /// times matter, which are looked at only then.
    private let decidesAlike: Bool
    /// The decision for the previous object, which most often holds for the next one too.
    private var latest: Decision?

    init(_ description: TableDescription, count: Int, decidesAlike: Bool = true) {
        self.description = description
        self.decidesAlike = decidesAlike
        batchOfObject.reserveCapacity(count)
    }

    /// Adds the next object.
    ///
    /// - Parameters:
    ///   - verb: What is asked of it.
    ///   - isGiven: Whether it was given to the operation, rather than reached.
    ///   - lacksKey: Whether a part of its key is nil.
    ///   - tracker: Its tracker; one of no object if it has none.
    ///   - lacksCreated: Whether its creation time is nil; asked only of an object that is not tracked.
    mutating func add(
        verb: @autoclosure () -> SaveVerb, isGiven: Bool, lacksKey: Bool, _ tracker: ChangeTracker,
        lacksCreated: () throws -> Bool
    ) throws {
        var batchIndex: Int?
        let isTracked = description.isTracked
        if let latest, latest.applies(isGiven: isGiven, lacksKey: lacksKey, tracker) {
            batchIndex = latest.batch
        } else if description.isReadOnly {
            try description.requireRead(isGiven: isGiven, lacksKey: lacksKey, isTracked ? tracker : nil)
        } else {
            batchIndex = try description.group(
                of: verb(), lacksKey: lacksKey, isTracked ? tracker : nil, lacksCreated: lacksCreated
            ).map { self.batchIndex(of: $0) }
            latest = decidesAlike ? Decision(batchIndex, isGiven: isGiven, lacksKey: lacksKey, tracker) : nil
        }
        let index = Int32(truncatingIfNeeded: batchOfObject.count)
        batchOfObject.append(Int32(truncatingIfNeeded: batchIndex ?? -1))
        if let batchIndex { batches[batchIndex].objectIndices.append(index) }
    }

    private mutating func batchIndex(of group: SaveBatch.Group) -> Int {
        if let index = batchIndices.isEmpty ? batches.firstIndex(where: { $0.group == group }) : batchIndices[group] {
            return index
        }
        let batchIndex = batches.count
        if batchIndex == 8 { for (index, other) in batches.enumerated() { batchIndices[other.group] = index } }
        if batchIndex >= 8 { batchIndices[group] = batchIndex }
        batches.append(SaveBatch(group: group, description: description))
        return batchIndex
    }

    /// A decision about an object, which holds for others like it.
    private struct Decision {
        /// The index of the batch; nil if nothing is written.
        let batch: Int?
        let isGiven: Bool
        let lacksKey: Bool
        let isPersisted: Bool
        /// The properties that were set; of a new object everything is written, set or not.
        let dirty: PropertyMask

        /// - Returns: nil if there is more to the object than others have.
        init?(_ batch: Int?, isGiven: Bool, lacksKey: Bool, _ tracker: ChangeTracker) {
            guard tracker.unloaded.isEmpty else { return nil }
            self.batch = batch
            self.isGiven = isGiven
            self.lacksKey = lacksKey
            isPersisted = tracker.state == .persisted
            dirty = tracker.dirty
        }

        func applies(isGiven: Bool, lacksKey: Bool, _ tracker: ChangeTracker) -> Bool {
            self.isGiven == isGiven && self.lacksKey == lacksKey && tracker.unloaded.isEmpty
                && isPersisted == (tracker.state == .persisted) && (!isPersisted || dirty == tracker.dirty)
        }
    }
}

/// How an object is written: where a save becomes an insertion, an update or an upsert.
extension TableDescription {
    /// Decides which properties of an object are written, and by which statement; nil if nothing of it has changed.
    ///
    /// - Parameters:
    ///   - lacksKey: Whether a part of its key is nil.
    ///   - tracker: What it remembers of itself; nil if it is not tracked.
    ///   - lacksCreated: Whether its creation time is nil; asked only of what is not tracked.
    func group(
        of verb: SaveVerb, lacksKey: Bool, _ tracker: ChangeTracker?, lacksCreated: () throws -> Bool
    ) throws -> SaveBatch.Group? {
        let insertion = SaveBatch.Group(
            action: .insert, mask: lacksKey ? nonKeyMask : writtenMask, generatesKeys: lacksKey)
        if lacksKey, !hasGeneratedKey {
            throw self.lacksKey
        }
        switch verb {
        case .save:
            guard let tracker else { return lacksKey ? insertion : try replacement(lacksCreated) }
            if tracker.state == .persisted { return try changed(tracker) }
            // The row of a deleted object is gone, and with it what the object lacks.
            let lost = tracker.unloaded.subtracting(columns.relationMask)
            if !lost.isEmpty { throw notLoaded(lost) }
            return insertion
        case .replace:
            if let tracker, tracker.state == .persisted { return try changed(tracker) }
            try requireLoaded(tracker)
            return lacksKey ? insertion : try replacement(lacksCreated)
        case .insert:
            try requireLoaded(tracker)
            return insertion
        case .insertOrIgnore:
            try requireLoaded(tracker)
            if lacksKey, columns.mask == keyMask { return insertion }
            return .init(action: .insertOrIgnore, mask: insertion.mask, generatesKeys: lacksKey)
        case .update:
            if lacksKey { throw unsaved() }
            if let tracker, tracker.state == .persisted { return try changed(tracker) }
            try requireLoaded(tracker)
            return .init(action: .update, mask: nonKeyMask.subtracting(createdMask), generatesKeys: false)
        case .updateOnly(let mask): return try updating(mask, lacksKey: lacksKey, tracker)
        case .upsert(let key, let updated, let readsBack, let tells, let changes):
            return try upserting(
                key, updated: updated, readsBack: readsBack, tells: tells, changes: changes, lacksKey: lacksKey,
                insertion: insertion, tracker)
        }
    }
}
