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
