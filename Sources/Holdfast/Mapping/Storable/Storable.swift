/// A type whose values can be stored in a column.
///
/// Conforming types are Bool, all fixed-width integers, Float, Double, Decimal, String, Data, Date, UUID and URL,
/// optionals of them, and enums or structs that are `RawRepresentable` by one of them and declare the conformance:
///
/// ```swift
/// enum Status: String, Storable { case planned, running, done }
/// ```
///
/// Your own type converts its values to and from a stored value:
///
/// ```swift
/// struct Celsius: Storable {
///     var degrees: Double
///     init(storedValue: Double) { degrees = storedValue }
///     var storedValue: Double { degrees }
/// }
/// ```
///
/// An error from ``init(storedValue:)`` becomes ``DatabaseError/Code/decoding``, one from ``storedValue``
/// ``DatabaseError/Code/invalidValue``, each with the names of the table and of the property.
public protocol Storable: ArrayElement {
    /// The type of the value in the column.
    associatedtype StoredValue: Storable = Self

    /// Creates a value from the value in the column.
    init(storedValue: StoredValue) throws

    /// The value that the column stores.
    var storedValue: StoredValue { get throws }

    static func _columnType(_ storage: ValueStorage) -> ColumnType?
    static var _isNullable: Bool { get }
    static func _decode(_ cell: Cell) throws -> Self
    func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws
}

extension Storable where StoredValue == Self {
    @inlinable
    public init(storedValue: Self) { self = storedValue }

    @inlinable
    public var storedValue: Self { self }
}

extension Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { StoredValue._columnType(storage) }

    @inlinable
    public static var _isNullable: Bool { false }

    @inlinable
    public static func _decode(_ cell: Cell) throws -> Self {
        try Self(storedValue: StoredValue._decode(cell))
    }

    @inlinable
    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        try storedValue._encode(into: &encoder, storage)
    }

    public static func _textForm(_ storage: ValueStorage) -> TextForm? {
        StoredValue.self == Self.self ? nil : StoredValue._textForm(storage)
    }

    public static func _shape(_ storage: ValueStorage) -> PropertyShape? {
        _columnType(storage).map { .column($0, isNullable: _isNullable) }
    }

    @inlinable
    public static func _read(_ row: borrowing Row, _ index: Int, _ storage: ValueStorage) throws -> Self {
        var cell = try row.cell(of: index)
        cell.storage = storage
        return try _decode(cell)
    }

    @inlinable
    public static func _isAbsent(_ row: borrowing Row, _ index: Int) -> Bool { row.isNull(index) }

    @inlinable
    public func _write(_ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage) throws {
        try _encode(into: &encoder.cells, storage)
    }

    @inlinable
    public static func _writeAbsent(_ encoder: inout RowEncoder, _ index: Int) { encoder.cells.append(.null) }
}

extension Storable where Self: RawRepresentable, RawValue: Storable {
    @inlinable
    public init(storedValue: RawValue) throws {
        guard let value = Self(rawValue: storedValue) else {
            throw CellMismatch.invalid("one of the values of its type")
        }
        self = value
    }

    @inlinable
    public var storedValue: RawValue { rawValue }

    @inlinable
    public static func _isSame(_ left: Self, _ right: Self) -> Bool? { RawValue._isSame(left.rawValue, right.rawValue) }

    @inlinable
    public static func _smallOriginal(_ value: Self?) -> SmallOriginal? {
        RawValue._smallOriginal(value.map(\.rawValue))
    }

    @inlinable
    public static func _value(ofBits bits: UInt64) -> Self? { RawValue._value(ofBits: bits).flatMap(Self.init) }
}

extension Optional: ArrayElement where Wrapped: Storable {}

extension Optional: Storable where Wrapped: Storable {
    public typealias StoredValue = Self

    public static func _columnType(_ storage: ValueStorage) -> ColumnType? { Wrapped._columnType(storage) }

    @inlinable
    public static var _isNullable: Bool { true }

    @inlinable
    public static func _decode(_ cell: Cell) throws -> Self { cell.isNull ? nil : try Wrapped._decode(cell) }

    @inlinable
    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        if let self { try self._encode(into: &encoder, storage) } else { encoder.append(.null) }
    }
}
