/// Sorts the objects of one table into batches: those of which the same is written, by one statement.
///
/// What is written of an object is decided by ``TableDescription/group(of:lacksKey:_:lacksCreated:)``. This keeps the
/// latest decision, and asks again only for an object that differs from the one before.
struct BatchSorter {
    private let description: TableDescription
    /// The groups, each with its objects, in the order in which they were met.
    private(set) var groups: [(group: SaveBatch.Group, objectIndices: [Int32])] = []
    /// For each object the index of its group; -1 if nothing of it is written.
    private(set) var groupOfObject: [Int32]
    /// The indices of the groups, once they are many: looking through a few costs less.
    private var groupIndices: [SaveBatch.Group: Int] = [:]
    /// Whether objects that are the same in what they know of themselves are written the same; not if their creation
    /// times matter, which are looked at only then.
    private let decidesAlike: Bool
    /// The decision for the previous object, which most often holds for the next one too.
    private var latest: Decision?

    init(_ description: TableDescription, count: Int, decidesAlike: Bool = true) {
        self.description = description
        self.decidesAlike = decidesAlike
        groupOfObject = [Int32](repeating: -1, count: count)
    }

    /// Adds an object.
    ///
    /// - Parameters:
    ///   - verb: What is asked of it.
    ///   - isGiven: Whether it was given to the operation, rather than reached.
    ///   - lacksKey: Whether a part of its key is nil.
    ///   - tracker: Its tracker; one of no object if it has none.
    ///   - lacksCreated: Whether its creation time is nil; asked only of an object that is not tracked.
    mutating func add(
        _ index: Int, verb: @autoclosure () -> SaveVerb, isGiven: Bool, lacksKey: Bool, _ tracker: ChangeTracker,
        lacksCreated: () throws -> Bool
    ) throws {
        var groupIndex: Int?
        let isTracked = description.isTracked
        if let latest, latest.applies(isGiven: isGiven, lacksKey: lacksKey, tracker) {
            groupIndex = latest.group
        } else if description.isReadOnly {
            return try description.requireRead(isGiven: isGiven, lacksKey: lacksKey, isTracked ? tracker : nil)
        } else {
            groupIndex = try description.group(
                of: verb(), lacksKey: lacksKey, isTracked ? tracker : nil, lacksCreated: lacksCreated
            ).map { self.groupIndex(of: $0) }
            latest = decidesAlike ? Decision(groupIndex, isGiven: isGiven, lacksKey: lacksKey, tracker) : nil
        }
        guard let groupIndex else { return }
        groupOfObject[index] = Int32(truncatingIfNeeded: groupIndex)
        groups[groupIndex].objectIndices.append(Int32(truncatingIfNeeded: index))
    }

    private mutating func groupIndex(of group: SaveBatch.Group) -> Int {
        if let groupIndex = groupIndices.isEmpty ? groups.firstIndex(where: { $0.group == group }) : groupIndices[group]
        {
            return groupIndex
        }
        let groupIndex = groups.count
        if groupIndex == 8 { for (index, other) in groups.enumerated() { groupIndices[other.group] = index } }
        if groupIndex >= 8 { groupIndices[group] = groupIndex }
        groups.append((group, []))
        return groupIndex
    }

    /// A decision about an object, which holds for others like it.
    private struct Decision {
        /// The index of the group; nil if nothing is written.
        let group: Int?
        let isGiven: Bool
        let lacksKey: Bool
        let isPersisted: Bool
        /// The properties that were set; of a new object everything is written, set or not.
        let dirty: PropertyMask

        /// - Returns: nil if there is more to the object than others have.
        init?(_ group: Int?, isGiven: Bool, lacksKey: Bool, _ tracker: ChangeTracker) {
            guard tracker.unloaded.isEmpty else { return nil }
            self.group = group
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
