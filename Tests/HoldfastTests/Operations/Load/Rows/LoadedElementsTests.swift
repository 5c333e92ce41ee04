import Testing

@testable import Holdfast

@Suite struct LoadedElementsTests {
    private var elements = LoadedElements()
    private let index = KeyIndex(of: [10, 11, 12])

    /// Takes elements of the array at property 4.
    private mutating func collect(_ pairs: [(owner: Int64, element: Int64)]) {
        let rows = StoredRows(pairs.map { [$0.element] }, width: 1)
        elements.collect(4, rows, of: OwnerRuns(of: pairs.map(\.owner)), in: index)
    }

    /// The elements of each of three rows.
    private func arrays() throws -> [[Int64]] {
        let column = elements.column(4, elementWidth: 1, rowCount: 3)
        return try (0..<3).map { row in try column.withElements(ofRow: row) { cells, _ in cells.map(\.integer) } }
    }

    @Test mutating func `each row is taken once`() {
        #expect(elements.takeRows(of: 2) == [0, 1])
        #expect(elements.takeRows(of: 2).isEmpty)
        #expect(elements.takeRows(of: 3) == [2])
        #expect(elements.rowCount == 3)
    }

    @Test mutating func `elements in the order of the rows are read where they are`() throws {
        _ = elements.takeRows(of: 3)
        collect([(10, 1), (10, 2), (12, 3)])
        #expect(try arrays() == [[1, 2], [], [3]])
    }

    @Test mutating func `elements in another order of owners are arranged by row`() throws {
        _ = elements.takeRows(of: 3)
        collect([(12, 3), (12, 2), (10, 1)])
        #expect(try arrays() == [[1], [], [3, 2]])
    }

    @Test mutating func `elements of owners that are not here are nobody's, wherever they come`() throws {
        _ = elements.takeRows(of: 3)
        collect([(9, 7), (10, 1), (10, 2), (8, 7), (11, 3), (13, 7)])
        #expect(try arrays() == [[1, 2], [3], []])
    }

    @Test mutating func `elements of rows that were not taken yet are asked for later`() throws {
        _ = elements.takeRows(of: 2)
        collect([(10, 1), (12, 3)])
        #expect(try arrays() == [[1], [], []])
        _ = elements.takeRows(of: 3)
        collect([(12, 3)])
        #expect(try arrays() == [[1], [], [3]])
    }

    @Test func `an array without elements is there`() throws {
        #expect(try arrays() == [[], [], []])
    }
}
