import Testing

@testable import Holdfast

@Suite struct WantedKeysTests {
    private var wanted = WantedKeys()
    private var nextKey: Int64 = 0

    /// Asks for some new keys by a reference of the table to itself, and takes them.
    private mutating func level(of count: Int = 1, isUnbounded: Bool = true) -> WantedKeys.Chain? {
        for _ in 0..<count {
            wanted.insert(Key(nextKey))
            nextKey += 1
        }
        wanted.noteSelfReference(3)
        return wanted.take(isUnbounded: isUnbounded).chain
    }

    @Test mutating func `a key is asked for once in a load`() {
        for key in [4, 2, 4] as [Int64] { wanted.insert(Key(key)) }
        #expect(wanted.take(isUnbounded: true).keys == [Key(Int64(4)), Key(Int64(2))])
        wanted.insert(Key(Int64(2)))
        wanted.insert(Key(Int64(7)))
        #expect(wanted.take(isUnbounded: true).keys == [Key(Int64(7))])
        #expect(wanted.take(isUnbounded: true).keys.isEmpty)
    }

    @Test mutating func `expected keys are asked for all the same`() {
        wanted.expect(1...9, count: 9)
        for key in [9, 1] as [Int64] { wanted.insert(Key(key)) }
        #expect(wanted.take(isUnbounded: true).keys == [Key(Int64(9)), Key(Int64(1))])
    }

    @Test mutating func `the fifth level of a list prefetches, and each after it twice as much`() {
        let chains = (0..<7).map { _ in level() }
        #expect(chains[..<4].allSatisfy { $0 == nil })
        #expect(chains[4...].map { $0?.property } == [3, 3, 3])
        #expect(chains[4...].map { $0?.steps } == [32, 64, 128])
    }

    @Test mutating func `a level prefetches 4096 steps at most`() {
        let chains = (0..<20).map { _ in level() }
        #expect(chains.last??.steps == 4_096)
    }

    @Test mutating func `a level of more than four keys is no part of a list, and begins anew`() {
        for _ in 0..<5 { _ = level(of: 4) }
        #expect(level(of: 4) != nil)
        #expect(level(of: 5) == nil)
        for _ in 0..<4 { #expect(level() == nil) }
        #expect(level() != nil)
    }

    @Test mutating func `keys that others refer to are no list`() {
        for _ in 0..<6 { _ = level() }
        wanted.noteOther()
        #expect(level() == nil)
        #expect(level() == nil)
    }

    @Test mutating func `keys by two references of the table to itself are no list`() {
        for _ in 0..<6 { _ = level() }
        wanted.noteSelfReference(4)
        #expect(level() == nil)
    }

    @Test mutating func `a load of so many levels prefetches nothing`() {
        for _ in 0..<8 { #expect(level(isUnbounded: false) == nil) }
    }

    @Test mutating func `a level without keys does not end a list`() {
        for _ in 0..<5 { _ = level() }
        wanted.noteOther()
        #expect(wanted.take(isUnbounded: true).chain == nil)
        #expect(level()?.steps == 64)
    }
}
