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
