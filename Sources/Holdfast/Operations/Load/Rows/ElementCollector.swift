/// Elements in the order of their join table, to be arranged by row.
final class ElementCollector {
    /// Elements of one row that follow each other.
    private struct Run {
        let row: Int32
        let source: Int
        let elements: Range<Int>
    }

    private let elementWidth: Int
    private var runs: [Run] = []
    private var sources: [StoredRows] = []

    init(elementWidth: Int) { self.elementWidth = elementWidth }

    /// Takes elements, of which ``append(_:of:)`` then says whose they are.
    func begin(_ source: StoredRows) { sources.append(source) }

    /// Makes some of the elements taken last those of a row.
    func append(_ elements: Range<Int>, of row: Int32) {
        runs.append(Run(row: row, source: sources.count - 1, elements: elements))
    }

    /// The elements, those of one row after those of the row before.
    func column(rowCount: Int) -> ArrayColumn {
        var starts = [Int](repeating: 0, count: rowCount + 1)
        for run in runs { starts[Int(run.row) + 1] += run.elements.count }
        for row in 0..<rowCount { starts[row + 1] += starts[row] }
        if sources.count == 1, isArranged { return ArrayColumn(stored: sources[0], starts: starts) }
        let arranged = StoredRows(width: elementWidth, capacity: starts[rowCount])
        for source in sources { arranged.keep(source) }
        for (_, run) in runs.enumerated().sorted(by: { ($0.element.row, $0.offset) < ($1.element.row, $1.offset) }) {
            for element in run.elements { arranged.append(element, of: sources[run.source]) }
        }
        return ArrayColumn(stored: arranged, starts: starts)
    }

    /// Whether the elements of the one source are already in the order of the rows, with none between them that is
    /// nobody's.
    private var isArranged: Bool {
        var (row, end) = (Int32(0), 0)
        for run in runs {
            guard run.row >= row, run.elements.lowerBound == end else { return false }
            (row, end) = (run.row, run.elements.upperBound)
        }
        return true
    }
}
