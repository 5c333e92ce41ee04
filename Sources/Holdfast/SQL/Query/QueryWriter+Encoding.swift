extension QueryWriter {
    func mismatch(_ wanted: ValueType) -> CellMismatch {
        .invalid("of the property's type, \(wanted.type.map { "\($0)" } ?? "unknown")")
    }

    /// Encodes a value whose type was not checked when the query was written.
    static func encoded(open value: some Storable, _ wanted: ValueType) throws -> ParameterBuffer {
        var encoder = CellEncoder(width: 1)
        // A text beside a UUID that is stored as text is that UUID.
        let own = wanted.storage.isText && value is String ? nil : Swift.type(of: value)._columnType(wanted.storage)
        guard let type = wanted.type else {
            try value._encode(into: &encoder, .native)
            return encoder.buffer
        }
        if own == type
            || own.flatMap(NumberKind.init) == .integer && NumberKind(type) == .integer && wanted.storage == .native
        {
            try value._encode(into: &encoder, wanted.storage)
            return encoder.buffer
        }
        // An integer beside a property of another kind of number is that number.
        try value._encode(into: &encoder, .native)
        if let cell = encoder.buffer.cells.first, cell.kind == .integer {
            return try QueryLiteral.integer(String(cell.integer)).encoded(as: wanted)
        }
        if let cell = encoder.buffer.cells.first, cell.kind == .real, type == .float {
            // As a literal beside a Float is.
            return try QueryLiteral.number(String(cell.real)).encoded(as: wanted)
        }
        if let text = value as? String, own == .text || type != .text || wanted.storage.isText {
            return try QueryLiteral.text(text).encoded(as: wanted)
        }
        throw CellMismatch.invalid("of the property's type")
    }
}
