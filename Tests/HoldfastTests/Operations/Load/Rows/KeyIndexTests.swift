import Testing

@testable import Holdfast

@Suite struct KeyIndexTests {
    @Test(
        arguments: [
            [1, 2, 3, 4],
            [100, 5, 101, -3],
            [7, 1_000_000, 8, -1_000_000],
            [.min, 0, .max, -1, 1],
            [.max, .min],
        ] as [[Int64]]) func `integers are found wherever they lie`(keys: [Int64])
    {
        let index = KeyIndex(of: keys)
        for (row, key) in keys.enumerated() {
            #expect(index[integer: key] == Int32(row))
            #expect(index[Key(key)] == Int32(row))
        }
        for key in keys where !keys.contains(key &+ 2) { #expect(index[integer: key &+ 2] == nil) }
    }

    @Test func `keys between those that are there are not found`() {
        let index = KeyIndex(of: [10, 14])
        #expect((9...15).map { index[integer: $0] } == [nil, 0, nil, nil, nil, 1, nil])
    }

    @Test func `a key that lay far off is still found when the others reach it`() {
        var index = KeyIndex(of: [0, 70])
        for key in 1..<70 { index[integer: Int64(key)] = Int32(key + 1) }
        #expect(index[integer: 70] == 1)
        for key in 71..<400 { index[integer: Int64(key)] = Int32(key + 1) }
        #expect(index[integer: 70] == 1)
        #expect((1..<70).allSatisfy { index[integer: Int64($0)] == Int32($0 + 1) })
    }

    @Test func `texts, parts and integers are different keys`() {
        var index = KeyIndex()
        let keys = [Key("1"), Key(Int64(1)), Key("1", Int64(1)), Key("1", Int64(2)), Key("")]
        for (row, key) in keys.enumerated() { index[key] = Int32(row) }
        #expect(keys.map { index[$0] } == [0, 1, 2, 3, 4])
        #expect(index[Key("2")] == nil)
    }

    @Test(arguments: [Key(Int64(5)), Key("five")]) func `a key is inserted once`(key: Key) {
        var index = KeyIndex()
        let (first, second) = (index.insert(key, 1), index.insert(key, 2))
        #expect(first && !second)
        #expect(index[key] == 1)
    }

    @Test func `the index of a key can be replaced`() {
        var index = KeyIndex(of: [5, 6])
        index[Key(Int64(6))] = 9
        #expect(index[integer: 6] == 9)
        #expect(index[integer: 5] == 0)
    }

    @Test func `keys come in any order where room was reserved`() {
        var index = KeyIndex()
        index.reserve(10...29, count: 20)
        for key in (10...29).reversed() { index[integer: Int64(key)] = Int32(key) }
        #expect((10...29).allSatisfy { index[integer: Int64($0)] == Int32($0) })
        #expect(index[integer: 9] == nil && index[integer: 30] == nil)
    }

    @Test func `no room is reserved for keys that lie far apart`() {
        var index = KeyIndex()
        index.reserve(Int64.min...Int64.max, count: 2)
        index.reserve(0...1_000_000_000_000, count: 2)
        index[integer: 3] = 1
        #expect(index[integer: 3] == 1)
        #expect(index[integer: 0] == nil)
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func `it finds what a dictionary finds`(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var (index, expected) = (KeyIndex(), [Int64: Int32]())
        let spans: [Int64] = [20, 200, 4_000, .max]
        let span = spans[Int(seed % 4)]
        if seed % 3 == 0 { index.reserve(0...span / 2, count: 50) }
        for row in 0..<300 as Range<Int32> {
            let key = Int64.random(in: -span / 4...span / 2, using: &random)
            let isNew = index.insert(Key(key), row)
            #expect(isNew == (expected[key] == nil))
            if isNew { expected[key] = row }
        }
        for _ in 0..<300 {
            let key = Int64.random(in: -span / 4...span / 2, using: &random)
            #expect(index[integer: key] == expected[key])
        }
        #expect(expected.allSatisfy { index[integer: $0] == $1 })
    }
}
