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

    public static func _arrayShape(_ storage: ValueStorage) -> PropertyShape? {
        // The elements of a table of arrays are in columns of types that are known.
        if _textForm(storage) == .ofColumnType { return nil }
        return _columnType(storage).map { .array(element: $0, elementIsNullable: _isNullable, isOptional: false) }
    }

    @inlinable
    public static func _readArray<Element>(
        _ row: borrowing Row, _ index: Int, _ storage: ValueStorage, of element: Element.Type
    ) throws -> [Element] {
        let array = try row.withElements(of: index) { cells, base in
            var array: [Self] = []
            array.reserveCapacity(cells.count)
            for var cell in cells {
                if cell.hasBytes { cell.payload &+= base }
                cell.storage = storage
                array.append(try _decode(cell))
            }
            return array
        }
        guard Element.self == Self.self else { throw RowFault.notLoaded }
        return unsafeBitCast(array, to: [Element].self)  // the types were compared
    }

    public static func _writeArray(
        _ array: [Self], _ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage
    ) throws {
        for element in array {
            try encoder.appendElement(of: index) { try element._encode(into: &$0, storage) }
        }
    }
}

extension Storable {
    public static var _columnElement: ColumnType? {
        _columnType(.native).flatMap { $0.elementForm == nil ? nil : $0 }
    }

    public static func _readColumnArray<Element>(_ cell: Cell, of element: Element.Type) throws -> [Element] {
        guard cell.kind == .json || cell.kind == .text else { throw cell.mismatch("an array") }
        guard let elements = ArrayText.cells(of: cell.bytes, as: _columnElement) else {
            throw CellMismatch.invalid("an array of values")
        }
        let array = try elements.rowIndices.map { row in
            try elements.withRow(row) { cells in try _decode(cells[0]) }
        }
        guard Element.self == Self.self else { throw RowFault.notLoaded }
        return unsafeBitCast(array, to: [Element].self)  // the types were compared
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public static func _writeColumnArray(_ array: [Self], _ encoder: inout CellEncoder) throws {
        var text = ArrayText()
        var element = CellEncoder(width: 1)
        for value in array {
            element.buffer = ParameterBuffer(width: 1)
            try value._encode(into: &element, .native)
            try element.buffer.withRow(0) { cells in try text.append(cells[0]) }
        }
        text.end()
        if element.hasAdjusted { encoder.hasAdjusted = true }
        text.utf8.withUnsafeBytes { encoder.append(.json, $0) }
    }
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
