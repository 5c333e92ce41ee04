/// A type that a property of a model can have: a ``Storable`` value, an optional of one, or an array of them.
///
/// You do not conform types to it; conform them to ``Storable``. Its requirements are what `@Table` generates calls to.
public protocol PropertyValue: SendableMetatype {
    /// What such a property takes in the database, or nil if it can't be stored as `storage` asks.
    static func _shape(_ storage: ValueStorage) -> PropertyShape?
    static func _read(_ row: borrowing Row, _ index: Int, _ storage: ValueStorage) throws -> Self
    static func _isAbsent(_ row: borrowing Row, _ index: Int) -> Bool
    func _write(_ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage) throws
    static func _writeAbsent(_ encoder: inout RowEncoder, _ index: Int)
}

/// What a property takes in the database.
public enum PropertyShape: Hashable, Sendable {
    /// A column of the model's own table.
    case column(ColumnType, isNullable: Bool)
    /// A join table, and a column that tells nil from empty where the array is optional.
    case array(element: ColumnType, elementIsNullable: Bool, isOptional: Bool)

    var isArray: Bool {
        switch self {
        case .column: false
        case .array: true
        }
    }

    /// The same, where nil is allowed.
    var optional: PropertyShape {
        switch self {
        case .column(let type, _): .column(type, isNullable: true)
        case .array(let element, let elementIsNullable, _):
            .array(element: element, elementIsNullable: elementIsNullable, isOptional: true)
        }
    }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
    public static func _shape(_ storage: ValueStorage) -> PropertyShape? { Wrapped._shape(storage)?.optional }

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
}

extension Array: PropertyValue where Element: Storable {
    public static func _shape(_ storage: ValueStorage) -> PropertyShape? {
        guard let element = Element._columnType(storage) else { return nil }
        return .array(element: element, elementIsNullable: Element._isNullable, isOptional: false)
    }

    public static func _read(_ row: borrowing Row, _ index: Int, _ storage: ValueStorage) throws -> Self {
        try row.elements(of: index, storage) { try Element._decode($0) }
    }

    public static func _isAbsent(_ row: borrowing Row, _ index: Int) -> Bool { !row.isPresent(index) }

    public func _write(_ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage) throws {
        encoder.beginArray(index, isPresent: true)
        for element in self {
            try encoder.appendElement(of: index) { try element._encode(into: &$0, storage) }
        }
    }

    public static func _writeAbsent(_ encoder: inout RowEncoder, _ index: Int) {
        encoder.beginArray(index, isPresent: false)
    }
}
