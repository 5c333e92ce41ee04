/// The elements of the arrays of values of one type, as far as a load has asked for them.
struct LoadedElements {
    private var collectors: [Int: ElementCollector] = [:]
    /// The number of rows, from the first on, whose elements were asked for.
    private(set) var rowCount = 0

    /// Takes the rows whose elements were not asked for yet.
    mutating func takeRows(of count: Int) -> [Int] {
        defer { rowCount = count }
        return Array(rowCount..<count)
    }

    /// Takes elements of the array at a property.
    ///
    /// - Parameters:
    ///   - owners: Whose the elements are.
    ///   - index: The indices of rows by their keys.
    mutating func collect(_ property: Int, _ elements: StoredRows, of owners: OwnerRuns, in index: KeyIndex) {
        let collector = collectors[property] ?? ElementCollector(elementWidth: elements.width)
        collectors[property] = collector
        collector.begin(elements)
        owners.forEach { key, range in
            // An owner that is not among the rows is none of ours; those of one that came since are asked for later.
            guard let owner = index[key], owner < rowCount else { return }
            collector.append(range, of: owner)
        }
    }

    /// The elements of the array at a property, arranged by row.
    ///
    /// - Parameter elementWidth: The number of cells of an element.
    func column(_ property: Int, elementWidth: Int, rowCount: Int) -> ArrayColumn {
        (collectors[property] ?? ElementCollector(elementWidth: elementWidth)).column(rowCount: rowCount)
    }
}
