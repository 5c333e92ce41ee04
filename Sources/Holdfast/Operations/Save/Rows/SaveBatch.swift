/// Rows of one table that are written by one statement, encoded and ready to be sent.
final class SaveBatch {
    enum Action: Hashable, Sendable {
        /// A new row.
        case insert
        /// A row that exists; it is missed if it does not.
        case update
        /// A new row, or the one that exists with a unique key of it; apart, since each object's group is copied and
        /// compared.
        indirect case upsert(Upsert)
        /// A new row, unless it is in the way of one that exists.
        case insertOrIgnore

        /// Whether the row is one that was created now, as far as the caller says.
        var insertsNew: Bool {
            switch self {
            case .insert, .insertOrIgnore: true
            case .upsert(let upsert): upsert.isExplicit
            case .update: false
            }
        }

        /// The upsert that was asked for.
        var explicitUpsert: Upsert? {
            if case .upsert(let upsert) = self, upsert.isExplicit { upsert } else { nil }
        }

        /// Whether it may leave a row that exists as it is, or a part of that, since the caller asked for it.
        var mayLeaveOut: Bool {
            switch self {
            case .insertOrIgnore: true
            case .upsert(let upsert): upsert.isExplicit
            case .insert, .update: false
            }
        }

        /// Whether arrays of the row have no elements yet.
        var hasNewArrays: Bool {
            switch self {
            case .insert, .insertOrIgnore: true
            case .update, .upsert: false
            }
        }
    }

    /// The traits that all rows of a batch share.
    struct Group: Hashable, Sendable {
        let action: Action
        /// The properties that are written.
        let mask: PropertyMask
        /// Whether the engine makes the keys.
        let generatesKeys: Bool
    }

    /// One object of the batch.
    struct Entry {
        /// The index of the object in its table.
        let index: Int
        /// The marks of changed properties that were taken from it.
        var marks = PropertyMask()
        /// The originals of those properties.
        var originals = OriginalValues()
        var stateBefore = ChangeTracker.State.new
        /// The number of this save among those of its object.
        var saveCount: UInt32 = 0
        /// Properties that get back what was encoded: timestamps, and what was rounded.
        var writtenBack = PropertyMask()

        init(index: Int) { self.index = index }

        /// Takes the marks of the object, which is in flight from here on.
        ///
        /// - Parameters:
        ///   - save: The ID of the save.
        ///   - chosen: The properties of which the marks are taken; nil for all.
        mutating func markInFlight(_ tracker: inout ChangeTracker, save: UInt32, only chosen: PropertyMask? = nil) {
            stateBefore = tracker.state
            if tracker.state != .persisted {
                tracker.state = .inserting
                tracker.insertingSaveID = save
            }
            tracker.inFlightCount += 1
            tracker.saveCount &+= 1
            saveCount = tracker.saveCount
            marks = chosen.map { tracker.dirty.intersection($0) } ?? tracker.dirty
            tracker.dirty.subtract(marks)
            if !tracker.originals.isEmpty {
                let (mask, isNew) = (marks, stateBefore != .persisted)
                originals = tracker.originals.take { isNew || mask.contains($0) }
            }
            if tracker.dirty.isEmpty { tracker.isUncertain = false }
        }

        /// Gives the object its marks back: it was not saved.
        func restoreMarks(_ tracker: inout ChangeTracker) {
            if stateBefore != .persisted { tracker.state = stateBefore }
            tracker.inFlightCount -= 1
            remark(&tracker, isLatest: tracker.saveCount == saveCount)
        }

        /// Marks again what was marked before.
        ///
        /// - Parameter isLatest: Whether no other save has taken something since: what the row has is then what it had.
        func remark(_ tracker: inout ChangeTracker, isLatest: Bool) {
            tracker.dirty.formUnion(marks)
            if isLatest {
                tracker.restoreOriginals(of: marks, originals)
            } else {
                tracker.forgetOriginals(of: marks)
            }
        }

        /// Marks the object as saved.
        func markSaved(_ tracker: inout ChangeTracker) {
            // A save in a transaction does not wait for this one, and may have been first: the database then has what
            // this one took before, so it is to be saved again.
            if tracker.saveCount != saveCount { remark(&tracker, isLatest: false) }
            // The originals of properties that were set meanwhile are out of date: the row now holds another value than
            // the object had when it was encoded.
            if !writtenBack.isEmpty { tracker.forgetOriginals(of: writtenBack.intersection(tracker.dirty)) }
            tracker.inFlightCount -= 1
            tracker.state = .persisted
        }
    }

    /// A reference to an object that is inserted by the same save.
    struct Edge {
        let owner: NodeID
        let target: NodeID
        let property: Int
        /// The first of its cells in the batch; of a reference that shares columns the first cell of the row.
        let cell: Int
        /// Whether it is set after all rows were inserted.
        var isDeferred = false
    }

    let group: Group
    /// The properties of the table.
    let propertyCount: Int
    // Nothing that changes these calls code which could look at them meanwhile (decision 0024).
    /// The indices of its objects in their table.
    @exclusivity(unchecked) var objectIndices: [Int32]
    /// One for each object, in their order, once they are encoded.
    @exclusivity(unchecked) var entries: [Entry] = []
    /// A row for each entry, of the properties of the group.
    @exclusivity(unchecked) var encodedRows = ParameterBuffer(width: 0)
    /// The elements of arrays of values.
    var arrays: [ArrayElements] = []
    /// The links of arrays of objects, and of relations that the other side keeps.
    var links: [ArrayLinks] = []
    /// How many of the entries, from the first on, need nothing more: the marks of the others are put back if the save
    /// fails.
    var completedCount = 0
    var edges: [Edge] = []
    /// For each reference that shares columns the cells of its key within a row; empty if no reference does.
    var sharedCells: [[Int]] = []
    /// For each relation that the other side keeps, the keys of what was taken out of it since it was loaded or saved,
    /// for each entry; nil where that is not known.
    var takenOut: [Int: [Set<ElementKey>?]] = [:]
    /// The values of the columns of ``returnedMask`` that were read back: a row for each entry.
    @exclusivity(unchecked) var returned = ParameterBuffer(width: 0)
    /// The portions that were handed on, if rows are handed on by the portion; each is empty where nothing of it is
    /// written back.
    var portions: [ParameterBuffer] = []
    /// The entries whose rows were not inserted, because others were in the way.
    @exclusivity(unchecked) var ignored: Set<Int> = []

    init(group: Group, objectIndices: [Int32] = [], description: TableDescription) {
        self.group = group
        self.objectIndices = objectIndices
        propertyCount = description.properties.count
    }

    /// Whether anything besides the rows themselves is to be written.
    var touchesArrays: Bool {
        if group.action.hasNewArrays {
            // The arrays of a new row have no elements in the way, and what leads to it holds its key.
            return arrays.contains { !$0.encoder.buffer.cells.isEmpty } || links.contains { !$0.targets.isEmpty }
        }
        return (arrays.map(\.property) + links.map(\.property)).contains { writes($0) }
    }

    /// Whether an array is written, or a relation that the other side keeps.
    func writes(_ property: Int) -> Bool { group.action.explicitUpsert?.updated.contains(property) ?? true }
}
