/// The originals of an object: what some of its properties held when it was loaded or last saved.
///
/// Mostly there are none, or that of one number, which needs no object of its own: to make and free one took a tenth
/// of the time that an update of many objects takes on SQLite (decision 0061).
@usableFromInline
struct OriginalValues {
    /// The first of all others.
    @usableFromInline var list: OriginalValue?
    @usableFromInline var small = SmallOriginal(bits: 0)
    /// The position of the property that the small one is of; -1 for none.
    @usableFromInline var smallIndex: Int32 = -1

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { list == nil && smallIndex < 0 }

    /// The original of a property; nil if there is none.
    subscript(index: Int) -> OriginalValue? {
        Int(smallIndex) == index ? SmallOriginalValue(small, at: index) : listed(index)
    }

    /// Whether there is an original of a property.
    func contains(_ index: Int) -> Bool { Int(smallIndex) == index || listed(index) != nil }

    private func listed(_ index: Int) -> OriginalValue? {
        var original = list
        while let candidate = original, candidate.index != index { original = candidate.next }
        return original
    }

    /// Adds an original of a property that has none.
    @inlinable
    mutating func add(_ original: OriginalValue) {
        original.next = list
        list = original
    }

    /// Adds a small original of a property that has none.
    @inlinable
    mutating func add(_ original: SmallOriginal, at index: Int) {
        guard smallIndex < 0 else { return addToList(original, at: index) }
        (small, smallIndex) = (original, Int32(truncatingIfNeeded: index))
    }

    @usableFromInline
    mutating func addToList(_ original: SmallOriginal, at index: Int) { add(SmallOriginalValue(original, at: index)) }

    /// Takes the originals of properties out.
    ///
    /// - Returns: They.
    @discardableResult
    mutating func take(where isTaken: (Int) -> Bool) -> OriginalValues {
        var (rest, taken) = (OriginalValues(), OriginalValues())
        if list == nil {
            // This is the frequent case: one number has changed.
            if smallIndex >= 0, isTaken(Int(smallIndex)) { swap(&self, &taken) }
            return taken
        }
        if smallIndex >= 0 {
            if isTaken(Int(smallIndex)) {
                taken.add(small, at: Int(smallIndex))
            } else {
                rest.add(small, at: Int(smallIndex))
            }
        }
        var next = list
        while let original = next {
            next = original.next
            if isTaken(Int(original.index)) { taken.add(original) } else { rest.add(original) }
        }
        self = rest
        return taken
    }
}

/// The originals of an object that is being made from its row, of the properties that can change in place.
@usableFromInline
final class KeptOriginals {
    private var originals = OriginalValues()

    @usableFromInline
    init() {}

    @usableFromInline
    func add(_ original: OriginalValue) { originals.add(original) }

    /// Moves what was kept into an object, and is empty for the next one.
    @usableFromInline
    func move(to tracker: inout ChangeTracker) {
        guard !originals.isEmpty else { return }
        swap(&tracker.originals, &originals)
        originals = OriginalValues()
    }
}

/// An original of at most eight bytes.
public struct SmallOriginal: Sendable {
    @usableFromInline let bits: UInt64
    /// Whether the property was an optional that held nil.
    @usableFromInline let isAbsent: Bool

    @inlinable
    init(bits: UInt64) { (self.bits, isAbsent) = (bits, false) }

    private init(isAbsent: Bool) { (bits, self.isAbsent) = (0, isAbsent) }

    /// The original of an optional that held nil.
    @usableFromInline static let absent = SmallOriginal(isAbsent: true)

    /// The original of a value; ``absent`` for an optional that held nil.
    @inlinable
    static func of<Value>(_ value: Value?, _ bits: (Value) -> UInt64) -> SmallOriginal {
        value.map { SmallOriginal(bits: bits($0)) } ?? absent
    }
}
