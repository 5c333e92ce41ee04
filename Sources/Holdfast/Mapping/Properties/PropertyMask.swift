/// A set of properties of one model, by index: one bit for each, in as many words as needed.
///
/// ```swift
/// var mask = PropertyMask()
/// mask.insert(3)
/// mask.contains(3)    // true
/// ```
public struct PropertyMask: Hashable, Sendable {
    @usableFromInline var first: UInt64 = 0
    /// Positions from 64 on; never ends in a zero word, so that equal sets are equal values.
    @usableFromInline var more: [UInt64] = []

    /// An empty set.
    @inlinable
    public init() {}

    /// Creates the set of the indexes from 0 up to `count`, without it.
    init(count: Int) {
        for index in 0..<count { insert(index) }
    }

    init(_ indices: some Sequence<Int>) {
        for index in indices { insert(index) }
    }

    /// Whether the set is empty.
    @inlinable
    public var isEmpty: Bool { first == 0 && more.isEmpty }

    /// Whether `index` is in the set.
    @inlinable
    public func contains(_ index: Int) -> Bool {
        if index < 64 { return first & (1 &<< UInt64(truncatingIfNeeded: index)) != 0 }
        return containsFar(index)
    }

    /// Puts `index` into the set.
    @inlinable
    public mutating func insert(_ index: Int) {
        if index < 64 { first |= 1 &<< UInt64(truncatingIfNeeded: index) } else { insertFar(index) }
    }

    @usableFromInline
    func containsFar(_ index: Int) -> Bool {
        let word = index / 64 - 1
        return word < more.count && more[word] & (1 << UInt64(index % 64)) != 0
    }

    @usableFromInline
    mutating func insertFar(_ index: Int) {
        let word = index / 64 - 1
        while more.count <= word { more.append(0) }
        more[word] |= 1 << UInt64(index % 64)
    }

    mutating func formUnion(_ other: PropertyMask) {
        first |= other.first
        while more.count < other.more.count { more.append(0) }
        for index in other.more.indices { more[index] |= other.more[index] }
    }

    mutating func subtract(_ other: PropertyMask) {
        first &= ~other.first
        for index in other.more.indices where index < more.count { more[index] &= ~other.more[index] }
        while more.last == 0 { more.removeLast() }
    }

    mutating func formIntersection(_ other: PropertyMask) {
        first &= other.first
        if more.count > other.more.count { more.removeLast(more.count - other.more.count) }
        for index in more.indices { more[index] &= other.more[index] }
        while more.last == 0 { more.removeLast() }
    }

    func intersection(_ other: PropertyMask) -> PropertyMask {
        var copy = self
        copy.formIntersection(other)
        return copy
    }

    func union(_ other: PropertyMask) -> PropertyMask {
        var copy = self
        copy.formUnion(other)
        return copy
    }

    func subtracting(_ other: PropertyMask) -> PropertyMask {
        var copy = self
        copy.subtract(other)
        return copy
    }

    /// Calls `body` with the indexes in ascending order, like a loop over ``indices`` without an array.
    func forEach(_ body: (Int) -> Void) {
        var rest = first
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
        for (word, bits) in more.enumerated() {
            var rest = bits
            while rest != 0 {
                body((word + 1) * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }

    /// The positions, ascending.
    var indices: [Int] {
        var result: [Int] = []
        for (word, bits) in ([first] + more).enumerated() {
            var rest = bits
            while rest != 0 {
                result.append(word * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return result
    }
}
