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

    /// Marks an object as being what its row holds.
    ///
    /// - Parameter unloaded: The properties that were not loaded with it.
    func markLoaded(_ model: Model, unloaded: PropertyMask = PropertyMask()) {
        mapping.changes?(model) { tracker in
            tracker.state = .persisted
            tracker.dirty = PropertyMask()
            tracker.unloaded = unloaded
        }
    }
}

extension TableMapping {
    /// The parts of the primary key of an object, as one row; NULL where the engine is still to make it.
    func keyRow(of model: Model) throws -> ParameterBuffer {
        var encoder = RowEncoder(description, mask: description.keyMask)
        try encode(model, &encoder)
        try encoder.cells.buffer.requireEncodedKey(0, of: description)
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
        located.shownKey = columns.key(inRow: cells).shown
        return located
    }

    /// The parts of `key` as one row, if it is a key of this table.
    func parameters(of key: Key) throws -> ParameterBuffer {
        let parameters = hasTextKey ? try textParameters(of: key) : try key.parameters()
        guard parameters.cells.count == keyIndices.count else {
            throw DatabaseError(
                .invalidValue,
                "A key of \(type) has \(keyIndices.count) part(s), not \(parameters.cells.count). Give its parts with `Key(…)`.",
                table: table)
        }
        for (cell, index) in zip(parameters.cells, keyIndices) {
            let property = properties[index]
            guard property.columnType?.canHold(cell.kind) == true else {
                throw DatabaseError(
                    .invalidValue, "\"\(property.name)\" of \(type) can't be found by a value of another type.",
                    table: table, properties: [property.name])
            }
        }
        return parameters
    }
}

extension TableDescription {
    /// The key as its columns hold it: UUIDs as texts where they are stored so.
    func canonical(_ key: Key) -> Key {
        // A key that can't be stored stays as it is: the operation that is given it says what is wrong.
        guard hasTextKey, let parts = try? textParameters(of: key) else { return key }
        return Key(cells: parts.cells, bytes: parts.bytes)
    }

    private func textParameters(of key: Key) throws -> ParameterBuffer {
        let parts = try key.parameters()
        guard parts.width == keyIndices.count else { return parts }
        var encoder = CellEncoder(width: parts.width)
        try parts.withRow(0) { cells in
            for (cell, index) in zip(cells, keyIndices) {
                if cell.kind == .uuid, properties[index].storage.isText {
                    try UUID._decode(cell)._encode(into: &encoder, properties[index].storage)
                } else {
                    encoder.buffer.append(copying: cell)
                }
            }
        }
        return encoder.buffer
    }
}

extension ColumnType {
    /// Whether a key column of this type holds values of the kind.
    fileprivate func canHold(_ kind: Cell.Kind) -> Bool {
        switch kind {
        case .integer: self == .int16 || self == .int32 || self == .int64
        case .text: self == .text
        case .uuid, .blob: self == .uuid
        default: false
        }
    }
}
