import Testing

@testable import Holdfast

@Suite struct KeyedRowsTests {
    /// Rows of a key, a text and a version, of which integers do for all.
    private let rows = KeyedRows(Counted.ownMapping.description.columns)

    private func stored(_ keys: [Int64]) -> StoredRows { StoredRows(keys.map { [$0, $0 * 10, 0] }, width: 3) }

    @Test func `the first rows are adopted as they are`() {
        let first = stored([5, 3, 9])
        #expect(rows.add(first) == [0, 1, 2])
        #expect(rows.stored === first)
        #expect(rows.rowIndex(of: Key(Int64(9))) == 2)
        #expect(rows.rowIndex(of: Key(Int64(4))) == nil)
        #expect(rows.key(ofRow: 1) == Key(Int64(3)))
    }

    @Test func `a key among the first rows twice is one row`() {
        #expect(rows.add(stored([5, 3, 5])) == [0, 1, 0])
        #expect(rows.stored.integers == [[5, 50, 0], [3, 30, 0]])
    }

    @Test func `rows whose keys are here are not added again`() {
        rows.add(stored([5, 3]))
        #expect(rows.add(stored([3, 8, 5])) == [1, 2, 0])
        #expect(rows.count == 3)
        #expect(rows.stored.integers[2] == [8, 80, 0])
        #expect(rows.rowIndex(of: Key(Int64(8))) == 2)
    }

    @Test func `an index of keys that comes along is used`() {
        #expect(rows.add(stored([5, 3]), keys: KeyIndex(of: [5, 3])) == [0, 1])
        #expect(rows.rowIndex(of: Key(Int64(3))) == 1)
        #expect(rows.add(stored([3])) == [1])
    }

    @Test func `no rows are no rows`() {
        #expect(rows.add(stored([])).isEmpty)
        #expect(rows.add(stored([1])) == [0])
    }

    @Test func `keys are bound in the order of the rows asked for`() {
        rows.add(stored([5, 3, 9]))
        let keys = rows.keys(of: [2, 0])
        #expect(keys.width == 1)
        #expect(keys.cells.map(\.integer) == [9, 5])
    }

    @Test func `keys of several parts are bound part by part`() {
        let rows = KeyedRows(Line.ownMapping.description.columns)
        rows.add(StoredRows([[1, 10, 0, 0], [1, 11, 0, 0]], width: 4))
        #expect(rows.rowIndex(of: Key(Int64(1), Int64(11))) == 1)
        #expect(rows.keys(of: [1, 0]).cells.map(\.integer) == [1, 11, 1, 10])
    }

    @Test func `the range of integers passes over NULL where that is asked for`() {
        let rows = StoredRows([[4], [nil], [-2], [9]], width: 1)
        #expect(rows.integerRange(in: 0, of: 0..<3, skipsNull: true) == -2...4)
        #expect(rows.integerRange(in: 0, of: 0..<3, skipsNull: false) == nil)
        #expect(rows.integerRange(in: 0, of: [3], skipsNull: false) == 9...9)
        #expect(rows.integerRange(in: 0, of: [1], skipsNull: true) == nil)
        #expect(StoredRows(texts: ["a"]).integerRange(in: 0, of: [0], skipsNull: true) == nil)
    }
}
