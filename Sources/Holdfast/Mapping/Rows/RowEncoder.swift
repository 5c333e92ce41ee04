/// Where a model's properties are encoded to: the cells of its row, and the elements of its arrays.
///
/// ```swift
/// encode: { point, encoder in
///     try encoder.encode(point.id, at: 0)
///     try encoder.encode(point.x, at: 1)
/// }
/// ```
public struct RowEncoder {
    @usableFromInline var cells: CellEncoder
    /// The properties to encode; the others are passed over.
    @usableFromInline let mask: PropertyMask
    /// The properties whose values were changed to what their columns can hold.
    @usableFromInline var adjusted = PropertyMask()
    var arrays: [ArrayElements] = []
    var links: [ArrayLinks] = []
    let description: TableDescription
    /// The receiver of the objects of relations; it outlives the encoder, which it may hold.
    unowned let sink: RelationSink?
    /// Whether only the objects of relations are looked at, and nothing is encoded.
    let isWalking: Bool

    init(_ description: TableDescription, mask: PropertyMask, sink: RelationSink? = nil, isWalking: Bool = false) {
        self.description = description
        self.mask = mask
        self.sink = sink
        self.isWalking = isWalking
        var width = 0
        if !isWalking {
            let columns = description.columns
            mask.forEach { width += columns.ranges[$0].count }
            for index in columns.isWrittenByRow ? [] : mask.indices {
                if description.properties[index].shape.isArray {
                    arrays.append(ArrayElements(property: index))
                } else if let relation = columns.relation(index), relation.isArray || relation.isInverse {
                    links.append(ArrayLinks(property: index, width: relation.target.description.keyIndices.count))
                }
            }
        }
        cells = CellEncoder(width: width)
    }

    /// Encodes `value` as the property at `index`, if that property is to be written.
    ///
    /// - Parameters:
    ///   - value: What the property holds; read only if it is to be written.
    ///   - index: The position among the mapped properties, from 0; to be called in ascending order.
    ///   - storage: How its column lays the value out.
    /// - Throws: ``DatabaseError/Code/invalidValue``, with table and property, if it can't be stored.
    @inlinable
    public mutating func encode<Value: PropertyValue>(
        _ value: @autoclosure () -> Value, at index: Int, storage: ValueStorage = .native
    ) throws {
        guard mask.contains(index) else { return }
        do {
            cells.hasAdjusted = false
            try value()._write(&self, index, storage)
            if cells.hasAdjusted { adjusted.insert(index) }
        } catch {
            throw failure(error, at: index)
        }
    }

    @usableFromInline
    func failure(_ error: any Error, at index: Int) -> DatabaseError {
        if let error = error as? DatabaseError { return error }
        let name = description.properties[index].name
        let sentence = (error as? CellMismatch)?.sentence ?? "was refused by the conversion from the property's type"
        return DatabaseError(
            .invalidValue, "The value of \"\(name)\" for table \"\(description.table)\" \(sentence).",
            table: description.table, properties: [name])
    }

    private func position(ofArray index: Int) -> Int? { arrays.firstIndex { $0.property == index } }

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
}

/// The elements of one array property of the rows encoded so far.
struct ArrayElements: Sendable {
    let property: Int
    var encoder = CellEncoder(width: 1)
    /// Where the elements of each row begin.
    var starts: [Int] = []

    init(property: Int) { self.property = property }

    mutating func beginRow() { starts.append(encoder.buffer.cells.count) }

    /// The positions, in the encoder, of the elements of `row`.
    func elements(ofRow row: Int) -> Range<Int> {
        starts[row]..<(row + 1 < starts.count ? starts[row + 1] : encoder.buffer.cells.count)
    }
}

extension ParameterBuffer {
    /// Throws if the key that was encoded last, at `row`, is no key.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` if the mapping does not encode all of it, or more.
    func requireEncodedKey(_ row: Int, of description: TableDescription) throws {
        guard cells.count == (row + 1) * width else {
            throw DatabaseError(
                .conflict, "The mapping of \(description.type) does not encode its key.", table: description.table)
        }
    }

    /// Whether the key at `row` is still to be made by the engine: a part of it is NULL.
    func lacksKey(_ row: Int) -> Bool {
        for cell in cells[row * width..<(row + 1) * width] where cell.isNull { return true }
        return false
    }
}

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

/// Meets the objects that an object leads to, while that is walked or encoded.
class RelationSink {
    /// Meets the object of a relation to one.
    func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {}

    /// Meets an element of an array of objects.
    func meet<Model: TableObject>(element object: Model, at index: Int, in encoder: inout RowEncoder) throws {}
}

/// The links of one array of objects of the rows encoded so far.
struct ArrayLinks {
    let property: Int
    /// For each element its object, or nil if only its key is known.
    var targets: [NodeID?] = []
    /// For each element its key; NULLs where the engine is still to make it.
    var keys: ParameterBuffer
    /// Where the links of each row begin.
    var starts: [Int] = []

    init(property: Int, width: Int) {
        self.property = property
        keys = ParameterBuffer(width: width)
    }

    mutating func beginRow() { starts.append(targets.count) }

    /// The positions of the links of `row`.
    func elements(ofRow row: Int) -> Range<Int> {
        starts[row]..<(row + 1 < starts.count ? starts[row + 1] : targets.count)
    }
}
