/// The rows of a table that a load has reached.
///
/// Relations are followed from each row once, and once more along each path that names some of them.
struct VisitedRows {
    private struct Visit: Hashable {
        let row: Int
        let paths: ObjectIdentifier
    }

    private var isVisited: [Bool] = []
    private var visits: Set<Visit> = []

    /// Marks rows as reached.
    ///
    /// - Parameters:
    ///   - paths: The paths that lead on from there; nil for none.
    ///   - rowCount: The number of rows that the table has.
    /// - Returns: Those that had not been reached, or not along these paths, each once.
    mutating func markVisited(_ rowIndices: [Int], along paths: RelationPaths.Node?, rowCount: Int) -> [Int] {
        isVisited.extend(to: rowCount, by: false)
        let paths = paths.flatMap { $0.children.isEmpty ? nil : ObjectIdentifier($0) }
        var result: [Int] = []
        for row in rowIndices {
            let isFirst = !isVisited[row]
            isVisited[row] = true
            let isFirstAlong = paths.map { visits.insert(Visit(row: row, paths: $0)).inserted } ?? false
            if isFirst || isFirstAlong { result.append(row) }
        }
        return result
    }
}

extension Array {
    /// Appends a value until there are so many elements.
    mutating func extend(to count: Int, by value: Element) {
        guard count > self.count else { return }
        // An array is copied in one piece. Of another sequence each element is fetched through witnesses, where this is
        // not specialized, as for the objects of a model: that took a sixth of a load.
        let added = [Element](repeating: value, count: count - self.count)
        if isEmpty { self = added } else { append(contentsOf: added) }
    }
}
