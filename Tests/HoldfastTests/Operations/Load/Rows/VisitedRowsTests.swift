import Testing

@testable import Holdfast

@Suite struct VisitedRowsTests {
    private var visited = VisitedRows()
    private let lead = RelationPaths(["lead"])

    @Test mutating func `each row is reached once`() {
        #expect(visited.markVisited([2, 0, 2], along: nil, rowCount: 3) == [2, 0])
        #expect(visited.markVisited([0, 1, 2], along: nil, rowCount: 3) == [1])
        #expect(visited.markVisited([3, 1], along: nil, rowCount: 4) == [3])
    }

    @Test mutating func `a row is reached again along a path that names relations, once`() {
        #expect(visited.markVisited([0], along: nil, rowCount: 2) == [0])
        #expect(visited.markVisited([0, 1], along: lead.root, rowCount: 2) == [0, 1])
        #expect(visited.markVisited([0, 1], along: lead.root, rowCount: 2).isEmpty)
        #expect(visited.markVisited([1], along: RelationPaths(["tags"]).root, rowCount: 2) == [1])
        #expect(visited.markVisited([1], along: nil, rowCount: 2).isEmpty)
    }

    @Test mutating func `a path that ends asks for nothing more`() {
        #expect(visited.markVisited([0], along: nil, rowCount: 1) == [0])
        #expect(visited.markVisited([0], along: lead.root.children["lead"], rowCount: 1).isEmpty)
    }
}

@Suite struct ArrayExtendTests {
    @Test func `an array is extended by a value to so many elements`() {
        var array: [Int?] = []
        array.extend(to: 2, by: nil)
        #expect(array == [nil, nil])
        array[0] = 1
        array.extend(to: 4, by: 7)
        #expect(array == [1, nil, 7, 7])
    }

    @Test func `an array that has so many elements already is left as it is`() {
        var array = [1, 2, 3]
        array.extend(to: 3, by: 0)
        array.extend(to: 1, by: 0)
        #expect(array == [1, 2, 3])
    }
}
