/// Encoding arrays of values.
extension RowEncoder {
    /// Begins the array property at `index` of the row being encoded.
    @usableFromInline
    mutating func beginArray(_ index: Int, isPresent: Bool) {
        guard !isWalking else { return }
        if description.properties[index].storage.isArray { return cells.append(.null) }
        if description.properties[index].columnName != nil { cells.append(.boolean(isPresent)) }
        if let position = position(ofArray: index) {
            arrays[position].beginRow()
        } else if let position = links.firstIndex(where: { $0.property == index }) {
            links[position].beginRow()
        }
    }

    mutating func appendElement(of index: Int, _ encode: (inout CellEncoder) throws -> Void) throws {
        guard let array = self.position(ofArray: index) else { return }
        arrays[array].encoder.hasAdjusted = false
        try encode(&arrays[array].encoder)
        if arrays[array].encoder.hasAdjusted { cells.hasAdjusted = true }
    }

    private func position(ofArray index: Int) -> Int? { arrays.firstIndex { $0.property == index } }
}

/// The way from a property whose type is a table object to its encoder, which an encoding of a model takes.
extension TableObject {
    public func _write(_ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage) throws {
        try encoder.encode(related: self, at: index)
    }

    public static func _writeAbsent(_ encoder: inout RowEncoder, _ index: Int) { encoder.encodeNoObject(at: index) }

    public static func _writeArray(
        _ array: [Self], _ encoder: inout RowEncoder, _ index: Int, _ storage: ValueStorage
    ) throws {
        for object in array { try encoder.append(related: object, at: index) }
    }
}

/// Encoding relations: what they lead to is met by a sink, which knows the objects of a save.
extension RowEncoder {
    /// Encodes what a relation to one object holds.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    mutating func encode<Model: TableObject>(related object: Model, at index: Int) throws {
        guard let sink else { throw Self.withoutGraph }
        beginLink(index)
        try sink.meet(object, at: index, in: &self)
    }

    /// Begins the row of a relation to one object that the other side keeps.
    private mutating func beginLink(_ index: Int) {
        guard !isWalking, let position = links.firstIndex(where: { $0.property == index }) else { return }
        links[position].beginRow()
    }

    /// Encodes that a relation to one object holds none.
    mutating func encodeNoObject(at index: Int) {
        guard !isWalking else { return }
        beginLink(index)
        for _ in description.columns.ranges[index] { cells.append(.null) }
    }

    /// Encodes an element of an array of objects.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    mutating func append<Model: TableObject>(related object: Model, at index: Int) throws {
        guard let sink else { throw Self.withoutGraph }
        try sink.meet(element: object, at: index, in: &self)
    }

    /// Encodes the key that a lazy reference holds, in place of an object.
    mutating func encode(key: Key, of target: TableDescription, at index: Int) throws {
        guard !isWalking else { return }
        guard !description.columns.ranges[index].isEmpty else {
            beginLink(index)
            return try append(key: key, of: target, at: index)
        }
        cells.buffer.appendRow(0, of: try target.parameters(of: target.canonical(key)))
    }

    /// Encodes the key that a lazy reference in an array holds.
    mutating func append(key: Key, of target: TableDescription, at index: Int) throws {
        guard !isWalking, let position = links.firstIndex(where: { $0.property == index }) else { return }
        links[position].targets.append(nil)
        links[position].keys.appendRow(0, of: try target.parameters(of: target.canonical(key)))
    }

    private static let withoutGraph = CellMismatch.invalid("encoded as part of a graph")
}
