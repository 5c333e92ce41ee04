/// Rows of one table that are written by one statement, encoded and ready to be sent.
final class SaveBatch {
    enum Action: Hashable, Sendable {
        /// A new row.
        case insert
        /// A row that exists; it is missed if it does not.
        case update
        /// A new row, or the one that exists with a unique key of it; apart, since each object's group is copied and compared.
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

        /// Whether arrays of the row have no elements yet.
        var hasNewArrays: Bool { self == .insert || self == .insertOrIgnore }
    }

    /// What rows have in common that go into one batch.
    struct Group: Hashable, Sendable {
        let action: Action
        /// The properties that are written.
        let mask: PropertyMask
        /// Whether the engine makes the keys.
        let generatesKeys: Bool
    }

    /// A reference to an object that is inserted by the same save.
    struct Edge {
        let owner: NodeID
        let target: NodeID
        let property: Int
        /// The first of its cells in the batch.
        let cell: Int
        /// Whether it is set after all rows were inserted.
        var isDeferred = false
    }

    /// One object of the batch.
    struct Passenger {
        /// Its row in the table of the save.
        let row: Int
        /// The marks that were taken from it.
        var marks = PropertyMask()
        var stateBefore = ChangeTracker.State.new
        /// Which of the saves of its object this is.
        var takeOff: UInt32 = 0
        /// Properties that get back what was encoded: timestamps, and what was rounded.
        var writtenBack = PropertyMask()

        init(row: Int) { self.row = row }

        /// Takes the marks of the object, which is in flight from here on.
        ///
        /// - Parameter chosen: The properties of which the marks are taken; nil for all.
        mutating func board(_ tracker: inout ChangeTracker, save: UInt32, only chosen: PropertyMask? = nil) {
            stateBefore = tracker.state
            if tracker.state != .persisted {
                tracker.state = .inserting
                tracker.inserter = save
            }
            tracker.flights += 1
            tracker.takeOffs &+= 1
            takeOff = tracker.takeOffs
            marks = chosen.map { tracker.dirty.intersection($0) } ?? tracker.dirty
            tracker.dirty.subtract(marks)
        }

        /// Gives the object its marks back: it was not saved.
        func turnBack(_ tracker: inout ChangeTracker) {
            if stateBefore != .persisted { tracker.state = stateBefore }
            tracker.flights -= 1
            tracker.dirty.formUnion(marks)
        }

        /// Tells the object that it is saved.
        func land(_ tracker: inout ChangeTracker) {
            // A save in a transaction does not wait for this one, and may have been first: what the database has is then
            // what this one took before, so it is to be saved again.
            if tracker.takeOffs != takeOff { tracker.dirty.formUnion(marks) }
            tracker.flights -= 1
            tracker.state = .persisted
        }
    }

    /// Rows that are handed on to be sent, in the order of their objects.
    typealias Portions = AsyncThrowingStream<ParameterBuffer, any Error>

    /// How many rows are handed on at a time where rows are sent while others are being encoded.
    static let portionSize = 4_096

    let group: Group
    var encoder: RowEncoder
    var passengers: [Passenger] = []
    /// The rows of its objects in the table of the save.
    var rows: [Int32] = []
    /// How many of the passengers, from the first on, need nothing more: the marks of the others are put back if the save
    /// fails.
    var landedCount = 0
    var edges: [Edge] = []
    /// What was read back, of the columns of ``returnedMask``; one row each, in the order of the passengers.
    var returned = ParameterBuffer(width: 0)
    /// What was handed on, where that was done by the portion: without rows, where nothing of them is written back.
    private var portions: [ParameterBuffer] = []
    /// The passengers whose rows were not inserted, because others were in the way.
    var ignored: Set<Int> = []

    init(group: Group, description: TableDescription, sink: RelationSink) {
        self.group = group
        encoder = RowEncoder(description, mask: group.mask, sink: sink)
    }

    var columns: ParameterBuffer { encoder.columns.buffer }

    /// Notes that rows are handed on, and keeps them if something of them is written back.
    ///
    /// - Parameter passengers: All so far, of which the last ones are those rows'.
    func portion(_ rows: ParameterBuffer, _ passengers: [Passenger]) -> ParameterBuffer {
        let isWrittenBack = passengers[(portions.count * Self.portionSize)...].contains { !$0.writtenBack.isEmpty }
        portions.append(isWrittenBack ? rows : ParameterBuffer(width: rows.width))
        return rows
    }

    /// What was encoded of a passenger: the row of a buffer.
    func encoded(_ place: Int) -> (columns: ParameterBuffer, row: Int) {
        portions.isEmpty ? (columns, place) : (portions[place / Self.portionSize], place % Self.portionSize)
    }

    /// Takes the encoder out, to be put back.
    func takeEncoder() -> RowEncoder {
        let taken = encoder
        encoder = RowEncoder(encoder.description, mask: PropertyMask())
        return taken
    }

    /// Whether anything besides the rows themselves is to be written.
    var touchesArrays: Bool {
        if group.action.hasNewArrays {
            // The arrays of a new row have no elements in the way, and what leads to it holds its key.
            return encoder.arrays.contains { !$0.encoder.buffer.cells.isEmpty }
                || encoder.links.contains { !$0.targets.isEmpty }
        }
        return (encoder.arrays.map(\.property) + encoder.links.map(\.property)).contains { writes($0) }
    }

    /// Whether an array is written, or a relation that the other side keeps.
    func writes(_ property: Int) -> Bool { group.action.explicitUpsert?.updated.contains(property) ?? true }

    /// Whether its objects lead to others of the save.
    var leadsToOthers: Bool {
        !edges.isEmpty || encoder.links.contains { links in links.targets.contains { $0 != nil } }
    }

    /// Whether relations that the other side keeps are written.
    var writesInverses: Bool { group.action != .insertOrIgnore && group.action.explicitUpsert == nil }

    /// Whether a passenger holds anything in an array, or in a relation that the other side keeps.
    func holdsAny(_ property: Int, place: Int) -> Bool {
        encoder.arrays.contains { $0.property == property && !$0.elements(ofRow: place).isEmpty }
            || encoder.links.contains { $0.property == property && !$0.elements(ofRow: place).isEmpty }
    }

    /// The properties that are read back.
    var returnedMask: PropertyMask {
        if case .upsert(let upsert) = group.action { upsert.returned } else { PropertyMask() }
    }

    /// Takes what was read back of some passengers, a row each.
    func take(_ rows: ParameterBuffer, of places: [Int]) {
        if returned.width != rows.width {
            returned = ParameterBuffer(width: rows.width)
            returned.cells = [Cell](repeating: .null, count: passengers.count * rows.width)
        }
        for (row, place) in places.enumerated() {
            for column in 0..<rows.width {
                returned.replace(place * rows.width + column, with: rows.cells[row * rows.width + column], of: rows)
            }
        }
    }

    /// The arrays of values as rows can read them.
    var arrayValues: ArrayValues {
        var columns = [ArrayColumn?](repeating: nil, count: encoder.description.properties.count)
        for array in encoder.arrays {
            let end = array.encoder.buffer.cells.count
            columns[array.property] = ArrayColumn(elements: array.encoder.buffer, starts: array.starts + [end])
        }
        return ArrayValues(columns: columns)
    }
}
