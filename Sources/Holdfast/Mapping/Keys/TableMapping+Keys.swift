/// The keys of objects, and rows of some of their properties.
extension TableMapping {
    /// The parts of the primary key of an object, as one row; NULL where the engine is still to make it.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func keyRow(of model: Model) throws -> ParameterBuffer { try keyRows(of: CollectionOfOne(model)) }

    /// The parts of the primary keys of objects, a row each.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func keyRows(of models: some Collection<Model>) throws -> ParameterBuffer {
        var encoder = RowEncoder(description, mask: description.keyMask)
        encoder.cells.reserveCells(rows: models.count)
        for (row, model) in models.enumerated() {
            try encode(model, &encoder)
            try encoder.cells.buffer.requireEncodedKey(row, of: description)
        }
        return encoder.cells.buffer
    }

    /// The columns of some properties of an object, as one row.
    func row(of model: Model, _ mask: PropertyMask) throws -> ParameterBuffer {
        var encoder = RowEncoder(description, mask: mask)
        try encode(model, &encoder)
        return encoder.cells.buffer
    }

    /// The primary key of an object; nil if the engine is still to make it.
    func key(of model: Model) throws -> Key? {
        let row = try keyRow(of: model)
        guard !row.cells.contains(where: \.isNull) else { return nil }
        return row.withRow(0) { cells in cells.baseAddress.map { Key(cells: $0, count: cells.count) } }
    }
}
