/// A type that a property of a model can have: a ``Storable`` value, an optional of one, or an array of them.
///
/// Don't conform types to it; conform them to ``Storable``. The code that `@Table` generates calls its requirements.
public protocol PropertyValue: SendableMetatype {
    /// Returns the columns or the table that such a property needs, or nil if `storage` does not apply to it.
    static func _shape(_ storage: ValueStorage) -> PropertyShape?
    /// Returns the form of text that queries compare as what it stands for; nil for all other storages.
    static func _textForm(_ storage: ValueStorage) -> TextForm?
    /// Returns the storage with what the type adds to it: of an array in one column, the type of its elements.
    static func _resolved(_ storage: ValueStorage) -> ValueStorage
    static func _read(_ row: borrowing Row, _ index: Int, _ storage: ValueStorage) throws -> Self
    static func _isAbsent(_ row: borrowing Row, _ index: Int) -> Bool
    func _write(_ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage) throws
    static func _writeAbsent(_ encoder: inout RowEncoder, _ index: Int)
    /// Returns the value that a dictionary gives for such a property.
    static func _converting(_ given: Any?) throws -> Self
    /// Returns whether every storage has the same for two values; nil if only encoding them tells.
    static func _isSame(_ left: Self, _ right: Self) -> Bool?
    /// Keeps a value that the property at `index` held; nil for an optional that held none.
    static func _original(_ value: Self?, at index: Int) -> OriginalValue
    /// Keeps a value of which parts can be changed in place; nil if they can't, or for that of which nothing is kept:
    /// nil, and what is empty where it can't be nil.
    static func _inPlaceOriginal(_ value: Self, at index: Int, evenIfEmpty: Bool) -> OriginalValue?
    /// Keeps such a value in place, if it has eight bytes at most.
    static func _smallOriginal(_ value: Self?) -> SmallOriginal?
    /// Returns the value that was kept in place as these bits; not asked of optionals, but of what they wrap.
    static func _value(ofBits bits: UInt64) -> Self?
}

/// A type whose arrays a property can have: a ``Storable`` value, a ``TableObject`` or a ``Reference`` to one.
public protocol ArrayElement: PropertyValue {
    /// Returns the table that an array of such values needs, or nil if `storage` does not apply to it.
    static func _arrayShape(_ storage: ValueStorage) -> PropertyShape?
    /// Reads an array of this type. `Element` is generic, since a class that is not final could not use `Self`.
    static func _readArray<Element>(
        _ row: borrowing Row, _ index: Int, _ storage: ValueStorage, of element: Element.Type
    ) throws -> [Element]
    static func _writeArray(
        _ array: [Self], _ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage
    ) throws
    /// The type of the elements where an array of them is in one column; nil if none can be.
    static var _columnElement: ColumnType? { get }
    static func _readColumnArray<Element>(_ cell: Cell, of element: Element.Type) throws -> [Element]
    static func _writeColumnArray(_ array: [Self], _ encoder: inout CellEncoder) throws
    /// Keeps an array that the property at `index` held; nil for an optional that held none.
    static func _originalArray(_ array: [Self]?, at index: Int) -> OriginalValue
}

extension ArrayElement {
    // Objects: an array of them is never in one column.
    public static var _columnElement: ColumnType? { nil }

    public static func _readColumnArray<Element>(_ cell: Cell, of element: Element.Type) throws -> [Element] {
        throw RowFault.notLoaded
    }

    public static func _writeColumnArray(_ array: [Self], _ encoder: inout CellEncoder) throws {
        throw CellMismatch.invalid("an array that one column can hold")
    }
}

/// An array of any elements, for a default.
protocol ColumnArray {
    func encodeColumn(into encoder: inout CellEncoder) throws
}

extension Array: ColumnArray where Element: ArrayElement {
    func encodeColumn(into encoder: inout CellEncoder) throws { try Element._writeColumnArray(self, &encoder) }
}

/// The form of a property in the database: a column, columns, or a table.
public enum PropertyShape: Hashable, Sendable {
    /// A column of the model's own table.
    case column(ColumnType, isNullable: Bool)
    /// A join table, and a column that distinguishes nil from empty where the array is optional.
    case array(element: ColumnType, elementIsNullable: Bool, isOptional: Bool)
    /// The key of an object of another table or of the same table.
    case reference(RelationTarget, isNullable: Bool)
    /// A join table of keys of objects, and a column that distinguishes nil from empty where the array is optional.
    case objects(RelationTarget, isOptional: Bool)

    /// Whether it is an array of values.
    var isArray: Bool {
        switch self {
        case .array: true
        case .column, .reference, .objects: false
        }
    }

    /// Whether it is an array, of values or of objects, which has a table of its own.
    var hasTable: Bool {
        switch self {
        case .array, .objects: true
        case .column, .reference: false
        }
    }

    /// Whether nil is allowed.
    var isOptional: Bool {
        switch self {
        case .column(_, let isNullable), .reference(_, let isNullable): isNullable
        case .array(_, _, let isOptional), .objects(_, let isOptional): isOptional
        }
    }

    /// The type of the related objects, if it is a relation.
    var target: RelationTarget? {
        switch self {
        case .reference(let target, _), .objects(let target, _): target
        case .column, .array: nil
        }
    }

    /// The shape of an optional property.
    var optional: PropertyShape {
        switch self {
        case .column(let type, _): .column(type, isNullable: true)
        case .array(let element, let elementIsNullable, _):
            .array(element: element, elementIsNullable: elementIsNullable, isOptional: true)
        case .reference(let target, _): .reference(target, isNullable: true)
        case .objects(let target, _): .objects(target, isOptional: true)
        }
    }
}

extension PropertyValue {
    public static func _textForm(_ storage: ValueStorage) -> TextForm? { nil }

    public static func _resolved(_ storage: ValueStorage) -> ValueStorage { storage }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
    public static func _shape(_ storage: ValueStorage) -> PropertyShape? { Wrapped._shape(storage)?.optional }

    public static func _textForm(_ storage: ValueStorage) -> TextForm? { Wrapped._textForm(storage) }

    public static func _resolved(_ storage: ValueStorage) -> ValueStorage { Wrapped._resolved(storage) }

    @inlinable
    public static func _read(_ row: borrowing Row, _ index: Int, _ storage: ValueStorage) throws -> Self {
        Wrapped._isAbsent(row, index) ? nil : try Wrapped._read(row, index, storage)
    }

    @inlinable
    public static func _isAbsent(_ row: borrowing Row, _ index: Int) -> Bool { Wrapped._isAbsent(row, index) }

    @inlinable
    public func _write(_ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage) throws {
        if let self { try self._write(&encoder, index, storage) } else { Wrapped._writeAbsent(&encoder, index) }
    }

    @inlinable
    public static func _writeAbsent(_ encoder: inout RowEncoder, _ index: Int) {
        Wrapped._writeAbsent(&encoder, index)
    }

    @inlinable
    public static func _isSame(_ left: Self, _ right: Self) -> Bool? {
        switch (left, right) {
        case (let left?, let right?): Wrapped._isSame(left, right)
        case (nil, nil): true
        default: false
        }
    }

    @inlinable
    public static func _original(_ value: Self?, at index: Int) -> OriginalValue {
        Wrapped._original(value ?? nil, at: index)
    }

    @inlinable
    public static func _inPlaceOriginal(_ value: Self, at index: Int, evenIfEmpty: Bool) -> OriginalValue? {
        value.flatMap { Wrapped._inPlaceOriginal($0, at: index, evenIfEmpty: true) }
    }

    @inlinable
    public static func _smallOriginal(_ value: Self?) -> SmallOriginal? { Wrapped._smallOriginal(value ?? nil) }
}
