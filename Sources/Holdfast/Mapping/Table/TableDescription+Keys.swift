import Foundation

/// Keys as callers have them, and as the columns of a table hold them.
///
/// Both are alike but for two types. A UUID in a column of texts is a text. An instant is the integer of its column:
/// microseconds, milliseconds or seconds, on every engine, so that a row has one key wherever it comes from.
extension TableDescription {
    /// The key as its columns hold it; an invalid one if a part of it is an integer where an instant is expected.
    func canonical(_ key: Key) -> Key {
        guard hasConvertedKey, let parts = try? key.parameters(), parts.width == keyIndices.count else {
            // A key that can't be stored stays as it is: the operation that is given it says what is wrong.
            return key
        }
        for (part, index) in zip(parts.cells, keyIndices) where properties[index].keyUnit != nil {
            guard part.kind == .timestamp else { return Key(invalid: .invalid("a `Date`, as its property is")) }
        }
        // As above: whoever binds the key is told why it can't be converted.
        guard let columns = try? converted(parts) else { return key }
        return columns.withRow(0) { cells in cells.baseAddress.map { Key(cells: $0, count: cells.count) } ?? key }
    }

    /// The key of a row as callers have it: the way back from ``canonical(_:)``.
    func exposed(_ key: Key) -> Key {
        // A key that can't be stored, or is another table's, stays as it is: the operation that uses it says what is
        // wrong.
        guard hasConvertedKey, let parts = try? key.parameters(), parts.width == keyIndices.count else { return key }
        var exposed = ParameterBuffer(width: parts.width)
        let isWhole = parts.withRow(0) { cells in
            for (cell, index) in zip(cells, keyIndices) {
                guard cell.kind == .integer, let unit = properties[index].keyUnit else {
                    exposed.append(copying: cell)
                    continue
                }
                let (microseconds, overflows) = cell.integer.multipliedReportingOverflow(by: unit)
                if overflows { return false }
                exposed.append(.timestamp(microseconds))
            }
            return true
        }
        return isWhole ? Key(cells: exposed.cells, bytes: exposed.bytes) : Key(invalid: .invalid("an instant"))
    }

    /// The parts of `key`, as callers or as columns have it, as one row of parameters.
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` if it is no key of this table.
    func parameters(of key: Key) throws -> ParameterBuffer {
        var parameters = try key.parameters()
        guard parameters.width == keyIndices.count else {
            throw DatabaseError(
                .invalidValue,
                "A key of \(type) has \(keyIndices.count) part(s), not \(parameters.width). Give its parts with `Key(…)`.",
                table: table)
        }
        if hasConvertedKey { parameters = try converted(parameters) }
        for (cell, index) in zip(parameters.cells, keyIndices) {
            let property = properties[index]
            guard property.columnType?.holdsKey(cell.kind) == true else {
                throw DatabaseError(
                    .invalidValue, "\"\(property.name)\" of \(type) can't be found by a value of another type.",
                    table: table, properties: [property.name])
            }
        }
        return parameters
    }

    /// Parts of a key as they are bound to a statement.
    private func converted(_ parts: ParameterBuffer) throws -> ParameterBuffer {
        var encoder = CellEncoder(width: parts.width)
        try parts.withRow(0) { cells in
            for (cell, index) in zip(cells, keyIndices) {
                let property = properties[index]
                switch cell.kind {
                case .uuid where property.storage.isText:
                    try UUID._decode(cell)._encode(into: &encoder, property.storage)
                case .timestamp where property.storage.isDateNumber:
                    encoder.append(.integer(Date.rounded(cell.integer, to: property.keyUnit ?? 1)))
                case .integer where property.columnType == .timestamp: encoder.append(.timestamp(cell.integer))
                case .null, .boolean, .integer, .real, .text, .blob, .timestamp, .decimal, .uuid, .json, .list:
                    encoder.buffer.append(copying: cell)
                }
            }
        }
        return encoder.buffer
    }
}

extension PropertyMapping {
    /// The unit in which its column holds instants as integers, in microseconds; nil if it does not hold instants as
    /// integers.
    var keyUnit: Int64? {
        switch storage {
        case .seconds: 1_000_000
        case .milliseconds: 1000
        default: columnType == .timestamp ? 1 : nil
        }
    }

    /// Whether its column holds instants in a way that can't be a key: as texts, or as real numbers.
    var hasUnfitDates: Bool { textForm == .date || storage == .iso8601 || storage.isDateNumber && keyUnit == nil }
}
