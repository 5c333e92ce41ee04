// See TableMappingBuilder+Codable.swift: what is no ``PropertyValue`` but Codable is written as JSON.

extension RowEncoder {
    /// Encodes a value of a `Codable` type as JSON.
    @_disfavoredOverload
    public mutating func encode<Value: Codable & SendableMetatype>(
        _ value: @autoclosure () -> Value, at index: Int, storage: ValueStorage = .native
    ) throws {
        guard mask.contains(index) else { return }
        try encode(JSONValue(value()), at: index, storage: storage)
    }

    /// Encodes an optional of a `Codable` type as JSON.
    @_disfavoredOverload
    public mutating func encode<Value: Codable & SendableMetatype>(
        _ value: @autoclosure () -> Value?, at index: Int, storage: ValueStorage = .native
    ) throws {
        guard mask.contains(index) else { return }
        try encode(value().map { JSONValue($0) }, at: index, storage: storage)
    }

    /// Encodes an array of a `Codable` type, each element as JSON.
    @_disfavoredOverload
    public mutating func encode<Element: Codable & SendableMetatype>(
        _ value: @autoclosure () -> [Element], at index: Int, storage: ValueStorage = .native
    ) throws {
        guard mask.contains(index) else { return }
        try encode(value().map { JSONValue($0) }, at: index, storage: storage)
    }

    /// Encodes an optional array of a `Codable` type, each element as JSON.
    @_disfavoredOverload
    public mutating func encode<Element: Codable & SendableMetatype>(
        _ value: @autoclosure () -> [Element]?, at index: Int, storage: ValueStorage = .native
    ) throws {
        guard mask.contains(index) else { return }
        try encode(value()?.map { JSONValue($0) }, at: index, storage: storage)
    }

    /// Takes any type, so that one that can't be stored is one error: that of the property's description.
    @_disfavoredOverload
    public mutating func encode<Value>(
        _ value: @autoclosure () -> Value, at index: Int, storage: ValueStorage = .native
    ) throws {
        throw failure(CellMismatch.invalid("of a Storable or Codable type"), at: index)
    }
}
