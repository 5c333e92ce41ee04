// See TableMappingBuilder+Codable.swift: what is no ``PropertyValue`` but Codable is written as JSON.

extension RowEncoder {
    @_disfavoredOverload
    public mutating func encode<Value: Codable & SendableMetatype>(
        _ value: Value, at index: Int, storage: ValueStorage = .native
    ) throws {
        guard mask.contains(index) else { return }
        try encode(JSONValue(value), at: index, storage: storage)
    }

    @_disfavoredOverload
    public mutating func encode<Value: Codable & SendableMetatype>(
        _ value: Value?, at index: Int, storage: ValueStorage = .native
    ) throws {
        guard mask.contains(index) else { return }
        try encode(value.map { JSONValue($0) }, at: index, storage: storage)
    }

    @_disfavoredOverload
    public mutating func encode<Element: Codable & SendableMetatype>(
        _ value: [Element], at index: Int, storage: ValueStorage = .native
    ) throws {
        guard mask.contains(index) else { return }
        try encode(value.map { JSONValue($0) }, at: index, storage: storage)
    }

    @_disfavoredOverload
    public mutating func encode<Element: Codable & SendableMetatype>(
        _ value: [Element]?, at index: Int, storage: ValueStorage = .native
    ) throws {
        guard mask.contains(index) else { return }
        try encode(value?.map { JSONValue($0) }, at: index, storage: storage)
    }

    @available(*, unavailable, message: "A property that is kept must be of a Storable or Codable type.")
    @_disfavoredOverload
    public mutating func encode<Value>(_ value: Value, at index: Int, storage: ValueStorage = .native) throws {}
}
