// See TableMappingBuilder+Codable.swift: what is no ``PropertyValue`` but Codable is read from JSON.

extension Row {
    @_disfavoredOverload
    public func decode<Value: Codable & SendableMetatype>(
        _ type: Value.Type = Value.self, at index: Int, storage: ValueStorage = .native
    ) throws -> Value {
        try decode(JSONValue<Value>.self, at: index, storage: storage).value
    }

    @_disfavoredOverload
    public func decode<Value: Codable & SendableMetatype>(
        _ type: Value?.Type = Value?.self, at index: Int, storage: ValueStorage = .native
    ) throws -> Value? {
        try decode(JSONValue<Value>?.self, at: index, storage: storage)?.value
    }

    @_disfavoredOverload
    public func decode<Element: Codable & SendableMetatype>(
        _ type: [Element].Type = [Element].self, at index: Int, storage: ValueStorage = .native
    ) throws -> [Element] {
        try decode([JSONValue<Element>].self, at: index, storage: storage).map(\.value)
    }

    @_disfavoredOverload
    public func decode<Element: Codable & SendableMetatype>(
        _ type: [Element]?.Type = [Element]?.self, at index: Int, storage: ValueStorage = .native
    ) throws -> [Element]? {
        try decode([JSONValue<Element>]?.self, at: index, storage: storage)?.map(\.value)
    }

    @available(*, unavailable, message: "A property that is kept must be of a Storable or Codable type.")
    @_disfavoredOverload
    public func decode<Value>(
        _ type: Value.Type = Value.self, at index: Int, storage: ValueStorage = .native
    ) throws -> Value {
        throw RowFault.notLoaded
    }
}
