/// The rows of a join table that are inserted and deleted, so that it holds the arrays of some owners.
struct ArrayChanges {
    /// The elements that a join table holds for each owner, with their positions, in order.
    typealias Stored = [ElementKey: [(position: Int64, element: ElementKey)]]

    /// Rows of owner, position and element; without a position if the database makes it.
    private(set) var inserted: ParameterBuffer
    /// Rows of owner and position.
    private(set) var deleted: ParameterBuffer
    private let givesPositions: Bool

    /// The changes for owners of which the join table may hold something.
    ///
    /// - Parameters:
    ///   - stored: What it holds.
    ///   - owners: The keys of all owners.
    ///   - elements: The elements of all owners.
    ///   - portion: The owners that are meant.
    ///   - givesPositions: Whether new rows are given their positions.
    @inline(never)  // decision 0069
    init(
        from stored: Stored, _ owners: ParameterBuffer, _ elements: ArrayElementRows, in portion: Range<Int>,
        givesPositions: Bool = true
    ) {
        self.init(owners, elements, givesPositions)
        for owner in portion where !elements.skipped.contains(owner) {
            let range = elements.ranges[owner]
            let key = owners.withRow(owner) { ElementKey($0) }
            let (old, new) = (stored[key] ?? [], range.map { elements.key($0) })
            let diff = givesPositions ? ArrayDiff(from: old, to: new) : ArrayDiff(appendingTo: old, for: new)
            for position in diff.deleted {
                deleted.appendRow(owner, of: owners)
                deleted.append(.integer(position))
            }
            for (position, element) in diff.inserted {
                insert(owner, position, range.lowerBound + element, owners, elements)
            }
        }
    }

    /// The changes for new owners, of which the join table holds nothing.
    @inline(never)  // decision 0069
    init(
        ofNew owners: ParameterBuffer, _ elements: ArrayElementRows, in portion: Range<Int>, givesPositions: Bool = true
    ) {
        self.init(owners, elements, givesPositions)
        inserted.cells.reserveCapacity(elements.count(in: portion) * inserted.width)
        for owner in portion where !elements.skipped.contains(owner) {
            for (number, element) in elements.ranges[owner].enumerated() {
                insert(owner, Int64(number) * JoinTable.stride, element, owners, elements)
            }
        }
    }

    private init(_ owners: ParameterBuffer, _ elements: ArrayElementRows, _ givesPositions: Bool) {
        self.givesPositions = givesPositions
        inserted = ParameterBuffer(width: owners.width + (givesPositions ? 1 : 0) + elements.width)
        deleted = ParameterBuffer(width: owners.width + 1)
    }

    private mutating func insert(
        _ owner: Int, _ position: Int64, _ element: Int, _ owners: ParameterBuffer, _ elements: ArrayElementRows
    ) {
        inserted.appendRow(owner, of: owners)
        if givesPositions { inserted.append(.integer(position)) }
        elements.append(element, to: &inserted)
    }

    /// Whether rows that were deleted are still there.
    ///
    /// - Parameter stored: What the join table holds after the deletion.
    func isIncomplete(in stored: Stored) -> Bool {
        let width = deleted.width - 1
        return deleted.rowIndices.contains { row in
            let position = deleted.cells[row * deleted.width + width].integer
            let owner = deleted.withRow(row) { ElementKey($0, prefix: width) }
            return stored[owner]?.contains { $0.position == position } == true
        }
    }
}

/// The elements of an array for each of its owners.
struct ArrayElementRows {
    /// The elements: values, or keys as they were encoded.
    let rows: ParameterBuffer
    /// For each element the object that it leads to, whose key the engine may have made since; empty for values.
    var targets: [NodeID?] = []
    var tables: [SaveTable] = []
    /// For each owner the positions of its elements, one after the other.
    let ranges: [Range<Int>]
    /// The owners for which nothing is written.
    var skipped: Set<Int> = []
    /// The parts of an element that have columns of their own, if others are in columns of the owner.
    var ownParts: [Int]?

    /// How many cells a row of the join table has for an element.
    var width: Int { ownParts?.count ?? rows.width }

    /// How many elements are sent together: enough for an engine to be at its best.
    static let portionCount = 1 << 16

    /// Owners that follow each other, with the elements that are sent together.
    var portions: [Range<Int>] {
        var portions: [Range<Int>] = []
        var start = 0
        var count = 0
        for (owner, range) in ranges.enumerated() {
            if count > 0, count + range.count > Self.portionCount {
                portions.append(start..<owner)
                (start, count) = (owner, 0)
            }
            count += range.count
        }
        if start < ranges.count { portions.append(start..<ranges.count) }
        return portions
    }

    /// How many elements some owners have together.
    func count(in portion: Range<Int>) -> Int { ranges[portion].reduce(0) { $0 + $1.count } }

    /// Appends what a column holds of an element.
    func append(_ element: Int, to buffer: inout ParameterBuffer) {
        if let ownParts {
            let (rows, row) = row(of: element)
            for part in ownParts { buffer.append(rows.cells[row * rows.width + part], of: rows) }
        } else if let target = target(of: element) {
            buffer.appendRow(Int(target.index), of: tables[Int(target.table)].keys)
        } else {
            buffer.appendRow(element, of: rows)
        }
    }

    /// The row that holds an element, and its buffer.
    private func row(of element: Int) -> (rows: ParameterBuffer, row: Int) {
        guard let target = target(of: element) else { return (rows, element) }
        return (tables[Int(target.table)].keys, Int(target.index))
    }

    /// A part of an element as others are compared with it.
    func key(_ element: Int, part: Int) -> ElementKey {
        let (rows, row) = row(of: element)
        return rows.withRow(row) { ElementKey(UnsafeBufferPointer(rebasing: $0[part..<part + 1])) }
    }

    /// An element as others are compared with it.
    func key(_ element: Int) -> ElementKey {
        if let target = target(of: element) {
            return tables[Int(target.table)].keys.withRow(Int(target.index)) { ElementKey($0) }
        }
        return rows.withRow(element) { ElementKey($0) }
    }

    private func target(of element: Int) -> NodeID? { targets.isEmpty ? nil : targets[element] }
}
