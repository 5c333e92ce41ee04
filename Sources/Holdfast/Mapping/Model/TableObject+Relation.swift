// A property whose type is a table object is a relation: one object, or with an array many. What a row or an encoder
// does with it is not a matter of the object's own columns, so it is handed to whoever loads or saves the graph.

extension TableObject {
    public static func _shape(_ storage: ValueStorage) -> PropertyShape? {
        .reference(RelationTarget(Self.self), isNullable: false)
    }

    public static func _arrayShape(_ storage: ValueStorage) -> PropertyShape? {
        .objects(RelationTarget(Self.self), isOptional: false)
    }

    @inlinable
    public static func _read(_ row: borrowing Row, _ index: Int, _ storage: ValueStorage) throws -> Self {
        try row.relatedObject(at: index)
    }

    @inlinable
    public static func _readArray<Element>(
        _ row: borrowing Row, _ index: Int, _ storage: ValueStorage, of element: Element.Type
    ) throws -> [Element] {
        row.relatedObjects(at: index)
    }

    @inlinable
    public static func _isAbsent(_ row: borrowing Row, _ index: Int) -> Bool { !row.hasRelatedObject(at: index) }

    public func _write(_ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage) throws {
        try encoder.encode(related: self, at: index)
    }

    public static func _writeAbsent(_ encoder: inout RowEncoder, _ index: Int) { encoder.encodeNoObject(at: index) }

    public static func _writeArray(
        _ array: [Self], _ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage
    ) throws {
        for object in array { try encoder.append(related: object, at: index) }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public static func _original(_ value: Self?, at index: Int) -> OriginalValue {
        OriginalKeys(at: index) { try value.map { try ownMapping.keyRows(of: CollectionOfOne($0)) } }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public static func _originalArray(_ array: [Self]?, at index: Int) -> OriginalValue {
        OriginalKeys(at: index) { try array.map { try ownMapping.keyRows(of: $0) } }
    }
}
