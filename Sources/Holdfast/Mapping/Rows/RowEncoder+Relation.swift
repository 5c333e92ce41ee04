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
