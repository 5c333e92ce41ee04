import Testing

@testable import Holdfast

@Suite struct ArrayChangesTests {
    private let owners = ParameterBuffer(width: 1, [[7], [8]])

    private func elements(skipping skipped: Set<Int> = []) -> ArrayElementRows {
        ArrayElementRows(
            rows: ParameterBuffer(width: 1, [["a"], ["b"], ["c"]]), ranges: [0..<2, 2..<3], skipped: skipped)
    }

    private func key(_ value: TestValue) -> ElementKey {
        ParameterBuffer(width: 1, [[value]]).withRow(0) { ElementKey($0) }
    }

    @Test func `new owners get all of their elements, a stride apart`() {
        let changes = ArrayChanges(ofNew: owners, elements(), in: 0..<2)
        #expect(changes.inserted.words == ["7 0 a", "7 \(JoinTable.stride) b", "8 0 c"])
        #expect(changes.deleted.words.isEmpty)
    }

    @Test func `owners that are skipped, or of another portion, are left alone`() {
        #expect(ArrayChanges(ofNew: owners, elements(skipping: [0]), in: 0..<2).inserted.words == ["8 0 c"])
        #expect(ArrayChanges(ofNew: owners, elements(), in: 1..<2).inserted.words == ["8 0 c"])
    }

    @Test func `what is stored stays, what is missing comes, what is too much goes`() {
        let stored: ArrayChanges.Stored = [
            key(7): [(0, key("b"))], key(8): [(0, key("c")), (5, key("x"))], key(9): [(0, key("y"))],
        ]
        let changes = ArrayChanges(from: stored, owners, elements(), in: 0..<2)
        #expect(changes.inserted.words == ["7 \(-JoinTable.stride) a"])
        #expect(changes.deleted.words == ["8 5"])
    }

    @Test func `a deletion that left a row is incomplete`() {
        let stored: ArrayChanges.Stored = [key(8): [(0, key("c")), (5, key("x"))]]
        let changes = ArrayChanges(from: stored, owners, elements(), in: 1..<2)
        #expect(changes.isIncomplete(in: stored))
        let complete: ArrayChanges.Stored = [key(8): [(0, key("c"))]]
        #expect(!changes.isIncomplete(in: complete))
        let others: ArrayChanges.Stored = [key(7): [(5, key("x"))]]
        #expect(!changes.isIncomplete(in: others), "That row is of another owner.")
    }
}
