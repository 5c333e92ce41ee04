// See TableMappingBuilder+Codable.swift: what is no ``PropertyValue`` but Codable is read from JSON.

extension Row {
    /// Decodes a value of a `Codable` type from JSON.
    @_disfavoredOverload
    public func decode<Value: Codable & SendableMetatype>(
        _ type: Value.Type = Value.self, at index: Int, storage: ValueStorage = .native
    ) throws -> Value {
        try decode(JSONValue<Value>.self, at: index, storage: storage).value
    }

    /// Decodes an optional of a `Codable` type from JSON.
    @_disfavoredOverload
    public func decode<Value: Codable & SendableMetatype>(
        _ type: Value?.Type = Value?.self, at index: Int, storage: ValueStorage = .native
    ) throws -> Value? {
        try decode(JSONValue<Value>?.self, at: index, storage: storage)?.value
    }

    /// Decodes an array of a `Codable` type, each element from JSON.
    @_disfavoredOverload
    public func decode<Element: Codable & SendableMetatype>(
        _ type: [Element].Type = [Element].self, at index: Int, storage: ValueStorage = .native
    ) throws -> [Element] {
        try decode([JSONValue<Element>].self, at: index, storage: storage).map(\.value)
    }

    /// Decodes an optional array of a `Codable` type, each element from JSON.
    @_disfavoredOverload
    public func decode<Element: Codable & SendableMetatype>(
        _ type: [Element]?.Type = [Element]?.self, at index: Int, storage: ValueStorage = .native
    ) throws -> [Element]? {
        try decode([JSONValue<Element>]?.self, at: index, storage: storage)?.map(\.value)
    }

    /// Takes any type, so that one that can't be stored is one error: that of the property's description.
    @_disfavoredOverload
    public func decode<Value>(
        _ type: Value.Type = Value.self, at index: Int, storage: ValueStorage = .native
    ) throws -> Value {
        throw failure(CellMismatch.invalid("of a Storable or Codable type"), at: index)
    }
}
