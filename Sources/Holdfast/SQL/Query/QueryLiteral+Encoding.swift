import Foundation

extension QueryLiteral {
    var isText: Bool { if case .text = self { true } else { false } }
    var isBoolean: Bool { if case .boolean = self { true } else { false } }

    /// The literal as a value of the property that it stands beside.
    func encoded(as wanted: ValueType) throws -> ParameterBuffer {
        var encoder = CellEncoder(width: 1)
        if wanted.storage.isDateNumber {
            guard case .text(let text) = self, let microseconds = ISO8601.microseconds(of: text) else {
                throw CellMismatch.invalid("a date such as 2026-11-21T09:30:00Z")
            }
            try Date(microseconds: microseconds)._encode(into: &encoder, wanted.storage)
            return encoder.buffer
        }
        switch wanted.type {
        case nil: try encode(into: &encoder)
        case .boolean: try fitting(truth)._encode(into: &encoder, .native)
        case .text where wanted.storage == .native: try fitting(text)._encode(into: &encoder, .native)
        case .text where wanted.storage.isText, .uuid:
            guard let uuid = UUID(uuidString: try fitting(text)) else { throw CellMismatch.invalid("a UUID") }
            try uuid._encode(into: &encoder, wanted.storage)
        case .text, .timestamp:
            guard let microseconds = ISO8601.microseconds(of: try fitting(text)) else {
                throw CellMismatch.invalid("a date such as 2026-11-21T09:30:00Z")
            }
            try Date(microseconds: microseconds)._encode(into: &encoder, wanted.storage)
        case .int64 where wanted.storage.scale != nil:
            try decimal(fitting(digits))._encode(into: &encoder, wanted.storage)
        case .int64: try integer(fitting(digits))._encode(into: &encoder, .native)
        case .int16, .int32: try integer(fitting(wholeDigits))._encode(into: &encoder, .native)
        case .float:
            guard let value = Float(try fitting(digits)), value.isFinite else {
                throw CellMismatch.invalid("a number that fits")
            }
            try value._encode(into: &encoder, .native)
        case .double: try double(fitting(wanted.storage == .native ? digits : nil))._encode(into: &encoder, .native)
        case .decimal: try decimal(fitting(digits))._encode(into: &encoder, .native)
        case .blob, .json: throw Self.misfit
        }
        return encoder.buffer
    }

    private static var misfit: CellMismatch { .invalid("of the property's type") }

    /// A part of a literal that a type needs.
    ///
    /// - Throws: If the literal has none.
    private func fitting<Part>(_ part: Part?) throws -> Part {
        guard let part else { throw Self.misfit }
        return part
    }

    /// Appends the literal as it is beside nothing that has a type.
    private func encode(into encoder: inout CellEncoder) throws {
        switch self {
        case .boolean(let value): try value._encode(into: &encoder, .native)
        case .text(let text): try text._encode(into: &encoder, .native)
        case .integer(let digits): try integer(digits)._encode(into: &encoder, .native)
        case .number(let digits): try double(digits)._encode(into: &encoder, .native)
        }
    }

    private var truth: Bool? {
        switch self {
        case .boolean(let value): value
        case .integer("0"): false
        case .integer("1"): true
        case .integer, .number, .text: nil
        }
    }

    private var text: String? { if case .text(let text) = self { text } else { nil } }

    private var wholeDigits: String? { if case .integer(let digits) = self { digits } else { nil } }

    private var digits: String? {
        switch self {
        case .integer(let digits), .number(let digits): digits
        case .text, .boolean: nil
        }
    }

    private func integer(_ digits: String) throws -> Int64 {
        guard let value = Int64(digits) else { throw CellMismatch.invalid("an integer of 64 bits") }
        return value
    }

    private func double(_ digits: String) throws -> Double {
        guard let value = Double(digits), value.isFinite else { throw CellMismatch.invalid("a number that fits") }
        return value
    }

    private func decimal(_ digits: String) throws -> Decimal {
        guard let value = Decimal(string: digits, locale: nil), value.isFinite else {
            throw CellMismatch.invalid("a decimal number")
        }
        return value
    }
}
