/// What a property held when its object was loaded or last saved, by which a save finds out whether it has changed.
///
/// An object's originals are a list: mostly there are none, or one. What leads to objects is kept as their keys, so
/// that an object keeps alive nothing that it no longer holds.
///
/// An instance of this class itself stands for a value that is not known, and so differs from any other.
public class OriginalValue {
    /// The position of the property.
    @usableFromInline final let index: Int32
    /// The next one of the list.
    @usableFromInline final var next: OriginalValue?

    @inlinable
    init(at index: Int) { self.index = Int32(truncatingIfNeeded: index) }

    /// Whether a row would hold the same with this value as with that of `current`.
    func isSame(as current: OriginalValue, in description: TableDescription) -> Bool { false }

    /// The value with keys in place of objects.
    var withoutObjects: OriginalValue { self }

    /// Returns a small original as one of this original's type; nil if values of that type are never small.
    func ofThisType(_ small: SmallOriginal) -> OriginalValue? { nil }
}

/// A value of which parts may be changed in place, kept before they are.
///
/// With the first change it becomes ``withoutObjects``.
@usableFromInline
final class InPlaceOriginalValue<Value: PropertyValue>: OriginalValue {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value, at index: Int) {
        self.value = value
        super.init(at: index)
    }

    override func isSame(as current: OriginalValue, in description: TableDescription) -> Bool {
        withoutObjects.isSame(as: current, in: description)
    }

    override var withoutObjects: OriginalValue { Value._original(value, at: Int(index)) }
}

/// A value that was kept as it was.
@usableFromInline
final class TypedOriginalValue<Value: PropertyValue>: OriginalValue {
    /// The value; nil where the property is an optional that held none.
    @usableFromInline let value: Value?

    @inlinable
    init(_ value: Value?, at index: Int) {
        self.value = value
        super.init(at: index)
    }

    override func isSame(as current: OriginalValue, in description: TableDescription) -> Bool {
        guard let current = current as? TypedOriginalValue<Value> else { return false }
        if let isSame = Optional._isSame(value, current.value) { return isSame }
        let (position, mask) = (Int(index), PropertyMask(CollectionOfOne(Int(index))))
        let storage = description.properties[position].storage
        var (before, now) = (RowEncoder(description, mask: mask), RowEncoder(description, mask: mask))
        do {
            try value._write(&before, position, storage)
            try current.value._write(&now, position, storage)
        } catch {
            return false  // the save says what is wrong with it
        }
        return before.isSame(as: now)
    }

    override func ofThisType(_ small: SmallOriginal) -> OriginalValue? {
        if small.isAbsent { return TypedOriginalValue(nil, at: Int(index)) }
        return Value._value(ofBits: small.bits).map { TypedOriginalValue($0, at: Int(index)) }
    }
}

/// A small value without its type, which is known to the original that it is compared with.
final class SmallOriginalValue: OriginalValue {
    private let small: SmallOriginal

    init(_ small: SmallOriginal, at index: Int) {
        self.small = small
        super.init(at: index)
    }

    override func isSame(as current: OriginalValue, in description: TableDescription) -> Bool {
        current.ofThisType(small)?.isSame(as: current, in: description) ?? false
    }
}

/// What a relation held: the keys of its objects.
final class OriginalKeys: OriginalValue {
    /// A row for each object; nil where an optional held none.
    private let rows: ParameterBuffer?
    /// Whether each object had a key.
    private let areComplete: Bool

    /// - Parameter rows: The keys, or nil for nothing; if that throws, they are not known.
    init(at index: Int, _ rows: () throws -> ParameterBuffer?) {
        do {
            self.rows = try rows()
            areComplete = !(self.rows?.cells.contains(where: \.isNull) ?? false)
        } catch {
            // A key that can't be stored is none; the save says what is wrong with it.
            (self.rows, areComplete) = (nil, false)
        }
        super.init(at: index)
    }

    override func isSame(as current: OriginalValue, in description: TableDescription) -> Bool {
        guard let current = current as? OriginalKeys, areComplete, current.areComplete else { return false }
        guard let rows, let other = current.rows else { return rows == nil && current.rows == nil }
        return rows.isEqual(to: other)
    }

    /// Where a relation to one object led.
    var reference: KnownReference {
        guard let rows else { return areComplete ? .nowhere : .newObject }
        return rows.key(ofRow: 0).map { .key($0) } ?? .newObject
    }
}

/// The key that a reference has in its row, whose object was not loaded.
final class StoredKey: OriginalValue {
    /// The key as its columns hold it; nil if they are NULL.
    let key: Key?

    init(_ key: Key?, at index: Int) {
        self.key = key
        super.init(at: index)
    }

    override func isSame(as current: OriginalValue, in description: TableDescription) -> Bool {
        // Columns that the reference shares may have been changed through other properties.
        guard !description.columns.sharedMask.contains(Int(index)) else { return false }
        return switch (current as? OriginalKeys)?.reference {
        case .nowhere: key == nil
        case .key(let current): key == current
        case .newObject, .unknown, nil: false
        }
    }
}

extension PropertyValue {
    public static func _isSame(_ left: Self, _ right: Self) -> Bool? { nil }

    @inlinable
    public static func _original(_ value: Self?, at index: Int) -> OriginalValue {
        TypedOriginalValue(value, at: index)
    }

    @inlinable
    public static func _inPlaceOriginal(_ value: Self, at index: Int, evenIfEmpty: Bool) -> OriginalValue? { nil }

    @inlinable
    public static func _smallOriginal(_ value: Self?) -> SmallOriginal? { nil }

    public static func _value(ofBits bits: UInt64) -> Self? { nil }
}

extension ArrayElement {
    public static func _originalArray(_ array: [Self]?, at index: Int) -> OriginalValue {
        TypedOriginalValue(array, at: index)
    }
}

// MARK: - Values that are changed in place

/// A value of which parts are changed in place: what it was is kept before, since the mark of a change comes after it,
/// and a mark that asked for it would have each change copy the whole value.
protocol ChangedInPlace: PropertyValue {
    /// Whether values of this type are changed in place, as far as that is known of it.
    static var isChangedInPlace: Bool { get }
    /// The value for which no original is kept, such as an empty array; nil if one is kept for every value.
    static var emptyOriginal: Self? { get }
}

extension Array: ChangedInPlace where Element: ArrayElement {
    static var isChangedInPlace: Bool { true }
    static var emptyOriginal: Self? { [] }
}

extension Optional: ChangedInPlace where Wrapped: ChangedInPlace {
    static var isChangedInPlace: Bool { Wrapped.isChangedInPlace }
    static var emptyOriginal: Self? { .some(nil) }
}

extension JSONValue: ChangedInPlace {
    static var isChangedInPlace: Bool { Value.self is any Collection.Type }
    static var emptyOriginal: Self? { nil }

    public static func _inPlaceOriginal(_ value: Self, at index: Int, evenIfEmpty: Bool) -> OriginalValue? {
        isChangedInPlace ? InPlaceOriginalValue(value, at: index) : nil
    }
}
