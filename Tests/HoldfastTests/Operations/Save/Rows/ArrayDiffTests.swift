import Testing

@testable import Holdfast

@Suite struct ArrayDiffTests {
    private typealias Stored = [(position: Int64, element: String)]

    /// Elements as they are stored at first: a stride apart.
    private func stored(_ elements: String) -> Stored {
        elements.enumerated().map { (Int64($0) * JoinTable.stride, String($1)) }
    }

    private func elements(_ text: String) -> [String] { text.map { String($0) } }

    @Test(arguments: [
        // From, to, what is deleted, what is inserted.
        ("", "ab", "", "ab"), ("ab", "ab", "", ""), ("ab", "abc", "", "c"), ("abc", "ac", "b", ""),
        ("ab", "ba", "a", "a"),
        ("abc", "xabc", "abc", "xabc"), ("aab", "ab", "a", ""), ("ab", "aab", "b", "ab"), ("ab", "", "ab", ""),
    ]) func `where the database makes positions, nothing is inserted before what stays`(
        from: String, to: String, deleted: String, inserted: String
    ) {
        let (old, new) = (stored(from), elements(to))
        let diff = ArrayDiff(appendingTo: old, for: new)
        let names = Dictionary(uniqueKeysWithValues: old.map { ($0.position, $0.element) })
        #expect(diff.deleted.compactMap { names[$0] }.joined() == deleted)
        #expect(diff.inserted.map { new[$0.element] }.joined() == inserted)
    }

    /// The elements in the order of their positions, once a difference is written.
    private func written(_ diff: ArrayDiff<String>, to old: Stored, of new: [String]) -> [String] {
        var rows = Dictionary(uniqueKeysWithValues: old.map { ($0.position, $0.element) })
        for position in diff.deleted { #expect(rows.removeValue(forKey: position) != nil) }
        for (position, element) in diff.inserted {
            #expect(rows.updateValue(new[element], forKey: position) == nil, "\(position) is taken")
        }
        return rows.sorted { $0.key < $1.key }.map(\.value)
    }

    @Test(arguments: [
        // From, to, how many are deleted, how many inserted.
        ("", "", 0, 0), ("abc", "abc", 0, 0),
        ("", "abc", 0, 3), ("abc", "", 3, 0),
        ("bcd", "abcd", 0, 1), ("abd", "abcd", 0, 1), ("abc", "abcd", 0, 1),
        ("abcd", "bcd", 1, 0), ("abcd", "abd", 1, 0), ("abcd", "abc", 1, 0),
        ("abcd", "xbcd", 1, 1), ("abcd", "abxd", 1, 1),
        // One element that moves is written again, and no other.
        ("abcdef", "bcdefa", 1, 1), ("abcdef", "fabcde", 1, 1), ("abcdef", "abecdf", 1, 1),
        // Equal elements.
        ("aaa", "aaaa", 0, 1), ("aaaa", "aaa", 1, 0), ("abab", "baba", 2, 2),
        ("abc", "cba", 2, 2), ("abc", "xyz", 3, 3),
    ]) func `as little is written as is found quickly`(from: String, to: String, deleted: Int, inserted: Int) {
        let (old, new) = (stored(from), elements(to))
        let diff = ArrayDiff(from: old, to: new)
        #expect(written(diff, to: old, of: new) == new)
        #expect(diff.deleted.count == deleted)
        #expect(diff.inserted.count == inserted)
    }

    @Test func `new elements get positions a stride apart, at the ends too`() {
        let first = ArrayDiff(from: [], to: elements("abc"))
        #expect(first.inserted.map(\.position) == [0, JoinTable.stride, 2 * JoinTable.stride])
        let grown = ArrayDiff(from: stored("bc"), to: elements("abcd"))
        #expect(grown.inserted.map(\.position) == [-JoinTable.stride, 2 * JoinTable.stride])
    }

    @Test func `between two elements new ones share the room`() {
        let diff = ArrayDiff(from: [(0, "a"), (100, "b")], to: elements("axyzb"))
        #expect(diff.inserted.map(\.position) == [25, 50, 75])
        #expect(diff.deleted.isEmpty)
    }

    @Test func `where there is no room the next elements are written again, as few as it takes`() {
        let old: Stored = [(0, "a"), (1, "b"), (2, "c"), (1_000, "d"), (2_000, "e")]
        let diff = ArrayDiff(from: old, to: elements("axbcde"))
        #expect(written(diff, to: old, of: elements("axbcde")) == elements("axbcde"))
        #expect(diff.deleted == [1, 2])
        #expect(diff.inserted.count == 3)
    }

    @Test func `at the end of what an integer holds all are written anew`() {
        let old: Stored = [(.max - 1, "a"), (.max, "b")]
        let diff = ArrayDiff(from: old, to: elements("abc"))
        #expect(diff.deleted == [.max - 1, .max])
        #expect(diff.inserted.map(\.position) == [0, JoinTable.stride, 2 * JoinTable.stride])
    }

    @Test func `at its beginning the first elements are written again`() {
        let old: Stored = [(.min, "a"), (.min + 1, "b"), (0, "c")]
        let diff = ArrayDiff(from: old, to: elements("xabc"))
        #expect(written(diff, to: old, of: elements("xabc")) == elements("xabc"))
    }

    @Test func `the distance of positions may be more than an integer holds`() {
        let old: Stored = [(.min, "a"), (.max, "b")]
        let diff = ArrayDiff(from: old, to: elements("axyb"))
        #expect(written(diff, to: old, of: elements("axyb")) == elements("axyb"))
        #expect(diff.deleted.isEmpty)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `what is written is the new array, whatever was there`(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        func letters() -> [String] {
            (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                "abcdefgh".randomElement(using: &random).map { String($0) }
            }
        }
        // Positions of others may lie close together.
        var position = Int64.random(in: -5...5, using: &random)
        let old: Stored = letters().map { element in
            position += Int64.random(in: 1...4, using: &random)
            return (position, element)
        }
        let new = letters()
        #expect(written(ArrayDiff(from: old, to: new), to: old, of: new) == new)
    }
}
