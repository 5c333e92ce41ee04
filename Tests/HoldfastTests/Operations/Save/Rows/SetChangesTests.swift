import Testing

@testable import Holdfast

@Suite struct SetChangesTests {
    private let owners = ParameterBuffer(width: 1, [[7], [8]])

    private func elements(_ values: [TestValue] = ["a", "b", "c"], skipping skipped: Set<Int> = []) -> ArrayElementRows
    {
        ArrayElementRows(
            rows: ParameterBuffer(width: 1, values.map { [$0] }), ranges: [0..<2, 2..<3], skipped: skipped)
    }

    private func key(_ value: TestValue) -> ElementKey {
        ParameterBuffer(width: 1, [[value]]).withRow(0) { ElementKey($0) }
    }

    @Test func `new owners get all of their elements`() throws {
        let changes = try #require(SetChanges(from: [:], owners, elements(), in: 0..<2))
        #expect(changes.inserted.words == ["7 a", "7 b", "8 c"])
        #expect(changes.deleted.isEmpty)
    }

    @Test func `rows that stay are neither inserted nor deleted, whatever their order`() throws {
        let stored: SetChanges.Stored = [
            key(7): [key("b"): 0, key("x"): 1], key(8): [key("c"): 2], key(9): [key("y"): 3],
        ]
        let changes = try #require(SetChanges(from: stored, owners, elements(), in: 0..<2))
        #expect(changes.inserted.words == ["7 a"])
        #expect(changes.deleted == [1])
    }

    @Test func `owners that are skipped are left alone`() throws {
        let stored: SetChanges.Stored = [key(7): [key("x"): 0]]
        let changes = try #require(SetChanges(from: stored, owners, elements(skipping: [0]), in: 0..<2))
        #expect(changes.inserted.words == ["8 c"])
        #expect(changes.deleted.isEmpty)
    }

    @Test func `an element that is there twice is refused`() {
        #expect(SetChanges(from: [:], owners, elements(["a", "a", "b"]), in: 0..<2) == nil)
        #expect(SetChanges(from: [:], owners, elements(["a", "b", "a"]), in: 0..<2) != nil, "Those are of two owners.")
    }

    @Test func `parts that are in columns of the owner are left out`() throws {
        let table = JoinTable(
            name: "j", ownerColumns: ["tenant", "invoice"],
            elementColumns: [
                .init(name: "tenant", type: .int64, isNullable: false),
                .init(name: "customer", type: .int64, isNullable: false),
            ], target: nil, position: nil)
        #expect(table.insertedColumns == ["tenant", "invoice", "customer"])
        #expect(table.sharedParts == [0, nil])
        var elements = ArrayElementRows(rows: ParameterBuffer(width: 2, [[1, 5], [1, 6]]), ranges: [0..<2])
        elements.ownParts = [1]
        let changes = try #require(
            SetChanges(from: [:], ParameterBuffer(width: 2, [[1, 3]]), elements, in: 0..<1))
        #expect(changes.inserted.words == ["1 3 5", "1 3 6"])
    }
}
