import Testing

@testable import Holdfast

@Suite struct LoadedRowsTests {
    private func load(_ rows: [[Int64?]], as shape: LoadedRows.Shape) throws -> LoadedRows {
        try LoadedRows(copying: StoredRowSource(StoredRows(rows, width: rows.first?.count ?? 0)), as: shape)
    }

    @Test func `whole rows are copied, or cells at some positions`() throws {
        let rows: [[Int64?]] = [[1, 2, 3], [4, 5, 6]]
        #expect(try load(rows, as: .rows(width: 3)).rows.integers == [[1, 2, 3], [4, 5, 6]])
        let some = try load(rows, as: .rows(width: 2, positions: [2, -1])).rows
        #expect(some.integers == [[3, 0], [6, 0]])
        #expect(some.row(0)[1].isNull)
    }

    @Test func `of distinct rows each key is kept once, with its index`() throws {
        let columns = Counted.ownMapping.description.columns
        let found = try load([[5, 1, 0], [3, 2, 0], [5, 9, 0]], as: .distinct(columns))
        #expect(found.rows.integers == [[5, 1, 0], [3, 2, 0]])
        #expect(found.keys?[integer: 3] == 1)
    }

    @Test func `rows with an owner are told whose they are`() throws {
        let found = try load([[10, 1], [10, 2], [11, 3]], as: .owned(near: 1, width: 1))
        #expect(found.rows.integers == [[1], [2], [3]])
        #expect(found.owners.runs.map(\.rows) == [0..<2, 2..<3])
    }

    @Test func `of links each target's row is kept once, and one that is not there is missing`() throws {
        // The keys of owner and target, then the row of the target.
        let found = try load(
            [[10, 50, 50, 7], [10, 51, 51, 8], [11, 50, 50, 7], [11, 99, nil, nil], [12, 99, nil, nil]],
            as: .links(near: 1, far: 1, width: 2))
        #expect(found.rows.integers == [[50, 7], [51, 8]])
        #expect(found.targetRows == [0, 1, 0, -1, -1])
        #expect(found.owners.runs.map(\.rows) == [0..<2, 2..<4, 4..<5])
    }
}
