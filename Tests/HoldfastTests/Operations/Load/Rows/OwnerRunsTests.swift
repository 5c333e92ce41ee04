import Testing

@testable import Holdfast

@Suite struct OwnerRunsTests {
    @Test func `rows of one owner that follow each other are one run`() {
        let runs = OwnerRuns(of: [7, 7, 3, 3, 3, 9])
        #expect(runs.rowCount == 6)
        #expect(runs.runs.map(\.key) == [Key(Int64(7)), Key(Int64(3)), Key(Int64(9))])
        #expect(runs.runs.map(\.rows) == [0..<2, 2..<5, 5..<6])
    }

    @Test func `an owner that comes again has another run`() {
        let runs = OwnerRuns(of: [1, 2, 1]).runs
        #expect(runs.map(\.key) == [Key(Int64(1)), Key(Int64(2)), Key(Int64(1))])
        #expect(runs.map(\.rows) == [0..<1, 1..<2, 2..<3])
    }

    @Test func `without rows there are no runs`() {
        #expect(OwnerRuns(width: 2).runs.isEmpty)
        #expect(OwnerRuns(width: 2).rowCount == 0)
    }

    @Test func `keys of several parts are told apart by each part`() {
        let runs = OwnerRuns(StoredRows([[1, 1], [1, 1], [1, 2], [2, 2]], width: 2)).runs
        #expect(runs.map(\.key) == [Key(Int64(1), Int64(1)), Key(Int64(1), Int64(2)), Key(Int64(2), Int64(2))])
        #expect(runs.map(\.rows) == [0..<2, 2..<3, 3..<4])
    }

    @Test func `texts are told apart by their bytes`() {
        // The same letter to a reader, composed and decomposed.
        let runs = OwnerRuns(StoredRows(texts: ["a", "a", "ab", "\u{e9}", "e\u{301}"])).runs
        #expect(runs.map(\.key) == [Key("a"), Key("ab"), Key("\u{e9}"), Key("e\u{301}")])
        #expect(runs.map(\.rows) == [0..<2, 2..<3, 3..<4, 4..<5])
    }

    @Test func `an integer is not the truth value of the same payload`() {
        let keys = StoredRows(width: 1)
        for cell in [Cell.integer(1), .boolean(true)] { keys.appendRow()[0] = cell }
        #expect(OwnerRuns(keys).runs.map(\.rows) == [0..<1, 1..<2])
    }
}
