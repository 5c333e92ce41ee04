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
