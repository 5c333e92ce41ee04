import Foundation

extension MappingPlan {
    /// The primary key of an object.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if it has none yet.
    func key(of model: Model) throws -> Key {
        if let key = try mapping.key(of: model) { return key }
        throw DatabaseError(
            .notFound, "The \(description.type) has no key yet, so it has no row. Save it first.",
            table: description.table)
    }

    /// What an object remembers of itself; nil if it is not tracked.
    func tracker(of model: Model) -> ChangeTracker? {
        guard let changes = mapping.changes else { return nil }
        var tracker = ChangeTracker()
        changes(model) { tracker = $0 }
        return tracker
    }

    /// Marks an object as being what its row holds.
    ///
    /// - Parameter unloaded: The properties that were not loaded with it.
    func markLoaded(_ model: Model, unloaded: PropertyMask = PropertyMask()) {
        mapping.changes?(model) { tracker in
            tracker.markPersisted()
            tracker.unloaded = unloaded
        }
        mapping.keepOriginals(of: model)
    }
}

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

extension TableDescription {
    /// The error of a row that could not be decoded, with the row's key where values are shown.
    func located(_ error: any Error, inRow cells: UnsafePointer<Cell>, showsValues: Bool) -> any Error {
        guard showsValues, var located = error as? DatabaseError, located.code == .decoding else { return error }
        located.shownKey = exposed(columns.key(inRow: cells)).shown
        return located
    }
}
