import Testing

@testable import Holdfast

@Suite struct RelationLinksTests {
    private var links = RelationLinks()
    /// The keys of the owners, and of the targets, in the order of their rows.
    private let owners = KeyIndex(of: [10, 11, 12])
    private let targets = KeyIndex(of: [50, 51, 52])

    /// Rows of a key, and the key of a reference.
    private let references = StoredRows([[10, 51], [11, nil], [12, 99], [13, 51]], width: 2)

    /// Takes the links of a join table.
    private mutating func append(_ pairs: [(owner: Int64, target: Int64)], among rows: Range<Int> = 0..<3) {
        let targets = targets
        links.append(OwnerRuns(of: pairs.map(\.owner)), among: rows, in: owners) { targets[integer: pairs[$0].target] }
    }

    private var appended: [[Int32]]? { links.links.map { $0.map { [$0.row, $0.target] } } }

    // MARK: Following

    @Test mutating func `a relation is followed from each row once`() {
        #expect(!links.isFollowed(from: 0))
        #expect(links.follow(from: [2, 0], rowCount: 3) == [2, 0])
        #expect(links.follow(from: [0, 1, 1], rowCount: 3) == [1])
        #expect((0..<4).map { links.isFollowed(from: $0) } == [true, true, true, false])
    }

    @Test mutating func `a relation is followed from all rows once none is left`() {
        #expect(links.isFollowedFromAll(rowCount: 0))
        _ = links.follow(from: [0], rowCount: 2)
        #expect(!links.isFollowedFromAll(rowCount: 2))
        _ = links.follow(from: [1], rowCount: 2)
        #expect(links.isFollowedFromAll(rowCount: 2))
        #expect(!links.isFollowedFromAll(rowCount: 3))
    }

    // MARK: References

    @Test mutating func `a reference leads to the row that is known, and asks for one that is not`() {
        var asked: [Key] = []
        let waits = links.lookUp([0, 1, 2], of: references, at: ReferenceCells(1..<2), in: targets) { asked.append($0) }
        #expect(waits)
        #expect(asked == [Key(Int64(99))])
        #expect(links.targets == [1, RelationLinks.none, RelationLinks.missing, RelationLinks.none])
        #expect(links.count == 1)
    }

    @Test mutating func `nothing waits where all rows are known`() {
        let waits = links.lookUp([0, 1], of: references, at: ReferenceCells(1..<2), in: targets) { _ in }
        #expect(!waits)
    }

    @Test mutating func `a reference that waited leads to the row that came`() {
        _ = links.lookUp([0, 2], of: references, at: ReferenceCells(1..<2), in: targets) { _ in }
        links.resolve(in: references, at: ReferenceCells(1..<2), in: KeyIndex(of: [50, 51, 52, 99]))
        #expect(links.targets == [1, -1, 3, -1])
        // It does not wait any more.
        links.resolve(in: references, at: ReferenceCells(1..<2), in: KeyIndex(of: [99]))
        #expect(links.targets == [1, -1, 3, -1])
    }

    @Test mutating func `a key of several parts is no reference if one of them is NULL`() {
        let rows = StoredRows([[1, nil], [1, 2]], width: 2)
        var asked: [Key] = []
        _ = links.lookUp([0, 1], of: rows, at: ReferenceCells(0..<2), in: KeyIndex()) { asked.append($0) }
        #expect(asked == [Key(Int64(1), Int64(2))])
    }

    @Test mutating func `the targets of rows are those that are there`() {
        _ = links.lookUp([0, 1, 2, 3], of: references, at: ReferenceCells(1..<2), in: targets) { _ in }
        #expect(links.targets(of: [3, 2, 1, 0], isAlongPath: false) == [1, 1])
        #expect(links.targets(of: [9], isAlongPath: false).isEmpty)
    }

    // MARK: Links that other tables keep

    @Test mutating func `links keep the order in which they come, and a target without a row is missing`() {
        append([(10, 52), (10, 50), (12, 99), (10, 51)])
        #expect(appended == [[0, 2], [0, 0], [2, RelationLinks.missing], [0, 1]])
    }

    @Test mutating func `links of owners that are not here, or not asked for, are nobody's`() {
        append([(9, 50), (10, 50), (12, 50)], among: 0..<2)
        #expect(appended == [[0, 0]])
    }

    @Test mutating func `targets of a level are those that came in it; along a path, those of the rows`() {
        append([(10, 50), (11, 51)])
        #expect(links.targets(of: [0], isAlongPath: false) == [0, 1])
        links.beginLevel()
        append([(12, 52), (12, 99)])
        #expect(links.targets(of: [2], isAlongPath: false) == [2])
        #expect(links.targets(of: [1, 2], isAlongPath: true) == [1, 2])
        #expect(links.count == 4)
    }

    @Test mutating func `rows that refer to an owner go to its array`() {
        links.appendHolders([7, 8, 9], of: [1, nil, 1])
        #expect(appended == [[1, 7], [1, 9]])
    }

    @Test mutating func `of a relation to one only one row may refer to an owner`() {
        let isOne = links.setHolders([7, 8], of: [1, nil], rowCount: 3)
        #expect(isOne)
        #expect(links.targets == [-1, 7, -1])
        let isStillOne = links.setHolders([9], of: [1], rowCount: 3)
        #expect(!isStillOne)
        #expect(links.targets?[1] == 7)
    }

    @Test mutating func `links are arranged by row, in the order of each array`() {
        append([(12, 52), (10, 51), (12, 50), (10, 99)])
        let positions = links.arranged(rowCount: 3)
        #expect(positions?.starts == [0, 2, 2, 4])
        #expect(positions?.targets == [1, RelationLinks.missing, 2, 0])
        #expect(positions?.range(ofRow: 2) == 2..<4)
    }

    @Test mutating func `references are arranged for all rows, and nothing is where nothing was followed`() {
        #expect(links.arranged(rowCount: 2)?.targets == nil)
        _ = links.setHolders([5], of: [0], rowCount: 1)
        let positions = links.arranged(rowCount: 3)
        #expect(positions?.starts == nil)
        #expect(positions?.targets == [5, -1, -1])
    }

    // MARK: Missing and omitted targets

    @Test mutating func `missing targets of references are found, besides those of rows that are left out`() {
        let rows = StoredRows([[98], [51], [99]], width: 1)
        _ = links.lookUp([0, 1, 2], of: rows, at: ReferenceCells(0..<1), in: targets) { _ in }
        #expect(links.rowsWithMissing(besides: []) == [0, 2])
        #expect(links.rowsWithMissing(besides: [2]) == [0])
        links.removeMissing(of: [0])
        #expect(links.targets == [-1, 1, RelationLinks.missing])
    }

    @Test mutating func `missing targets of links are found, and all removed`() {
        append([(10, 50), (11, 98), (12, 99)])
        #expect(links.rowsWithMissing(besides: [1]) == [2])
        links.removeMissing(of: [2])
        #expect(appended == [[0, 0]])
    }

    @Test mutating func `what is left out is taken from whatever leads to it`() {
        append([(10, 50), (10, 51), (12, 51)])
        #expect(links.rowIndices(leadingTo: [1, 2]) == [0, 2])
        links.removeTargets([1, 2])
        #expect(appended == [[0, 0]])

        var references = RelationLinks()
        _ = references.setHolders([1, 0], of: [0, 2], rowCount: 3)
        #expect(references.rowIndices(leadingTo: [1]) == [0])
        references.removeTargets([1])
        #expect(references.targets == [-1, -1, 0])
    }

    @Test mutating func `rows that lead to what is left out are remembered`() {
        links.noteIncomplete([1])
        links.noteIncomplete([2])
        #expect(links.incomplete == [1, 2])
    }
}
