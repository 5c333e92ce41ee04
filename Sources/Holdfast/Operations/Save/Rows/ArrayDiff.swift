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
