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

/// The deletions and insertions that turn a stored array into another one: as few as can be found quickly.
///
/// Elements that stay keep their positions; new ones get positions between them. Nothing is moved in place: where there
/// is no room left, the neighbours are deleted and inserted again, as few of them as it takes.
struct ArrayDiff<Element: Hashable> {
    /// The positions of the elements to delete.
    private(set) var deleted: [Int64] = []
    /// The elements to insert: where, and which of the new ones.
    private(set) var inserted: [(position: Int64, element: Int)] = []

    init(from old: [(position: Int64, element: Element)], to new: [Element]) {
        let kept = Self.kept(old, new)
        var keptOld = [Bool](repeating: false, count: old.count)
        var pending: [Int] = []
        var low: Int64?
        var next = 0
        for (oldIndex, newIndex) in kept {
            pending += next..<newIndex
            next = newIndex + 1
            let high = old[oldIndex].position
            if let positions = Self.positions(pending.count, after: low, before: high) {
                inserted += zip(positions, pending).map { ($0, $1) }
                pending = []
                keptOld[oldIndex] = true
                low = high
            } else {
                pending.append(newIndex)  // no room: this one is written again, further on
            }
        }
        pending += next..<new.count
        guard let positions = Self.positions(pending.count, after: low, before: nil) else {
            // Positions at the very end of what an integer holds, which others wrote: begin anew.
            deleted = old.map(\.position)
            inserted = new.indices.map { (Int64($0) * JoinTable.stride, $0) }
            return
        }
        inserted += zip(positions, pending).map { ($0, $1) }
        deleted = old.indices.filter { !keptOld[$0] }.map { old[$0].position }
    }

    /// The deletions and insertions where the database makes the positions, each larger than those before: elements
    /// stay as long as they are those of the new array, and what comes after them is inserted.
    init(appendingTo old: [(position: Int64, element: Element)], for new: [Element]) {
        var next = 0
        for (position, element) in old {
            if next < new.count, element == new[next] { next += 1 } else { deleted.append(position) }
        }
        inserted = (next..<new.count).map { (0, $0) }
    }

    /// `count` positions in ascending order between two others; nil if there is no room.
    private static func positions(_ count: Int, after low: Int64?, before high: Int64?) -> [Int64]? {
        guard count > 0 else { return [] }
        guard let wanted = Int64(exactly: count) else { return nil }
        switch (low, high) {
        case (nil, nil): return (0..<wanted).map { $0 * JoinTable.stride }
        case (let low?, nil):
            guard !low.addingReportingOverflow(wanted * JoinTable.stride).overflow else { return nil }
            return (1...wanted).map { low + $0 * JoinTable.stride }
        case (nil, let high?):
            guard !high.subtractingReportingOverflow(wanted * JoinTable.stride).overflow else { return nil }
            return (1...wanted).reversed().map { high - $0 * JoinTable.stride }
        case (let low?, let high?):
            let (room, overflow) = high.subtractingReportingOverflow(low)
            let step = overflow ? JoinTable.stride : room / (wanted + 1)
            return step > 0 ? (1...wanted).map { low + $0 * step } : nil
        }
    }

    /// The elements that both have in the same order: pairs of an old and a new index, ascending.
    ///
    /// Beginning and end are compared first. In between, each old element is paired with the next new one that is
    /// equal, and of the pairs the longest ascending run is kept (patience sorting; Fredman 1975).
    private static func kept(
        _ old: [(position: Int64, element: Element)], _ new: [Element]
    ) -> [(old: Int, new: Int)] {
        var start = 0
        while start < old.count, start < new.count, old[start].element == new[start] { start += 1 }
        var (oldEnd, newEnd) = (old.count, new.count)
        while oldEnd > start, newEnd > start, old[oldEnd - 1].element == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        var result: [(old: Int, new: Int)] = (0..<start).map { ($0, $0) }
        result += middle(old, start..<oldEnd, new, start..<newEnd)
        result += zip(oldEnd..<old.count, newEnd..<new.count).map { ($0, $1) }
        return result
    }

    private static func middle(
        _ old: [(position: Int64, element: Element)], _ oldRange: Range<Int>, _ new: [Element], _ newRange: Range<Int>
    ) -> [(old: Int, new: Int)] {
        guard !oldRange.isEmpty, !newRange.isEmpty else { return [] }
        var indices: [Element: [Int]] = [:]
        for index in newRange.reversed() { indices[new[index], default: []].append(index) }
        let pairs = oldRange.compactMap { index in
            indices[old[index].element]?.popLast().map { (old: index, new: $0) }
        }
        // For each length of a run the pair that ends it with the smallest new index, and for each pair the one before
        // it.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: pairs.count)
        for (number, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pair.new { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[number] = ends[low - 1] }
            if low == ends.count { ends.append(number) } else { ends[low] = number }
        }
        var run: [(old: Int, new: Int)] = []
        var number = ends.last ?? -1
        while number >= 0 {
            run.append(pairs[number])
            number = before[number]
        }
        return run.reversed()
    }
}
