import Foundation

/// What JSON gives for a property: the way back from ``ObjectJSON``.
struct GivenJSON {
    let json: JSON
    /// The storage of the property's column.
    let storage: ValueStorage

    /// What it gives for each element of an array.
    var elements: [GivenJSON] {
        get throws {
            if json.isNull { throw GivenValueFault.null }
            guard let elements = json.array else { throw misfit("an array") }
            // Elements that share one column have none to lay them out.
            let storage = storage.isArray ? ValueStorage.native : storage
            return elements.map { GivenJSON(json: $0, storage: storage) }
        }
    }

    /// Appends the cell that a column has for it.
    ///
    /// - Parameters:
    ///   - type: The type of the column.
    ///   - form: The form of the column's texts, if they stand for something else.
    func encode(into encoder: inout CellEncoder, as type: ColumnType, _ form: TextForm?) throws {
        // As JSON, null is a value.
        if type == .json { return try encoder.append(.json, text: json.text) }
        if json.isNull { throw GivenValueFault.null }
        switch form?.type ?? type {
        case .int64 where storage.isDateNumber, .double where storage.isDateNumber, .text where storage == .iso8601,
            .timestamp:
            try date(of: form)._encode(into: &encoder, storage)
        case .int64 where storage.scale != nil, .decimal: try decimal(of: form)._encode(into: &encoder, storage)
        case .boolean:
            guard let value = json.boolean else { throw misfit("true or false") }
            try value._encode(into: &encoder, storage)
        case .int16, .int32, .int64: encoder.append(.integer(try integer))
        case .float: encoder.append(.real(try float))
        case .double: encoder.append(.real(try double))
        case .text where storage.isText && form == nil, .uuid: try uuid._encode(into: &encoder, storage)
        case .text: try encoder.append(.text, text: try string("a string"))
        case .blob:
            guard let data = Data(base64Encoded: try string("a string in base 64")) else {
                throw CellMismatch.invalid("in base 64")
            }
            try data._encode(into: &encoder, storage)
        case .json: break  // above
        }
    }

    // MARK: Values

    private var integer: Int64 {
        get throws {
            guard json.number != nil else { throw misfit("a whole number") }
            guard let integer = json.integer else { throw CellMismatch.invalid("a whole number of 64 bits") }
            return integer
        }
    }

    private var float: Double {
        get throws {
            guard let number = json.number else { throw misfit("a number") }
            guard let nearest = Float(number.text), nearest.isFinite else {
                throw CellMismatch.invalid("in the range of a Float")
            }
            return Double(nearest) + 0  // -0.0 + 0 is 0.0
        }
    }

    private var double: Double {
        get throws {
            guard let value = json.double else { throw misfit("a number") }
            return value + 0
        }
    }

    private func decimal(of form: TextForm?) throws -> Decimal {
        var encoder = CellEncoder(width: 1)
        if form != nil, let text = json.string {
            try encoder.append(.text, text: text)
        } else {
            guard let number = json.number else { throw misfit("a number") }
            guard let text = number.plainText else {
                throw CellMismatch.invalid("a decimal number of at most 38 digits")
            }
            try encoder.append(.decimal, text: text)
        }
        return try encoder.buffer.withRow(0) { try Decimal._decode($0[0]) }
    }

    private func date(of form: TextForm?) throws -> Date {
        let text = try string("a date as a string")
        guard
            let microseconds = ISO8601.microseconds(of: text)
                ?? (form == nil ? nil : DateText.microseconds(of: text))
        else { throw CellMismatch.invalid("a date such as 2026-11-21T09:30:00Z") }
        return Date(microseconds: microseconds)
    }

    private var uuid: UUID {
        get throws {
            guard let value = UUID(uuidString: try string("a UUID as a string")) else {
                throw CellMismatch.invalid("a UUID")
            }
            return value
        }
    }

    private func string(_ needed: String) throws -> String {
        guard let string = json.string else { throw misfit(needed) }
        return string
    }

    private func misfit(_ needed: String) -> GivenValueFault { .json(given: json.kind, needed: needed) }
}

extension JSON {
    /// The kind of value that it is, for people.
    fileprivate var kind: String {
        switch JSONParser.firstByte(of: text) {
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a truth value"
        case UInt8(ascii: "n"): "null"
        default: "a number"
        }
    }
}
