public import Foundation

/// Exact to 38 digits: canonical plain text on SQLite, `numeric` on PostgreSQL; see ``ValueStorage/scaled(_:)`` for
/// integers.
extension Decimal: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? {
        if storage.scale != nil { return .int64 }
        if storage == .text { return .text }
        return storage == .native ? .decimal : nil
    }

    public static func _textForm(_ storage: ValueStorage) -> TextForm? { storage == .text ? .decimal : nil }

    public static func _decode(_ cell: Cell) throws -> Decimal {
        if let scale = cell.storage.scale {
            let integer = try cell.storedInteger()
            return Decimal(
                sign: integer < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(integer.magnitude))
        }
        switch cell.kind {
        case .integer: return Decimal(cell.integer)
        case .real:
            // A NUMERIC column of another program makes numbers of decimals: the shortest one that stands for it.
            guard let value = Decimal(string: cell.real.description, locale: nil), value.isFinite else {
                throw cell.mismatch("a decimal number")
            }
            return value
        case .decimal, .text: return try decimal(ofPlainText: String(decoding: cell.bytes, as: UTF8.self))
        default: throw cell.mismatch("a decimal number")
        }
    }

    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        guard isFinite else { throw CellMismatch.invalid("a number: NaN can't be stored") }
        guard let scale = storage.scale else {
            return try encoder.append(storage == .text ? .text : .decimal, text: canonicalText)
        }
        let scaled = Decimal(sign: .plus, exponent: scale, significand: self)
        guard let integer = Int64(scaled.canonicalText) else {
            throw CellMismatch.invalid("a decimal of at most \(scale) fractional digits that fits 64 bits")
        }
        encoder.append(.integer(integer))
    }

    public static func _isSame(_ left: Decimal, _ right: Decimal) -> Bool? { left == right }

    /// Plain digits without exponent, without trailing zeros after the point: equal numbers have equal texts.
    var canonicalText: String {
        Decimal.canonical(plainText: description)
    }

    private static func canonical(plainText text: String) -> String {
        var digits = Substring(text)
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits.removeFirst() }
        while digits.first == "0", digits.dropFirst().first?.isNumber == true { digits.removeFirst() }
        if digits.contains(".") {
            while digits.last == "0" { digits.removeLast() }
            if digits.last == "." { digits.removeLast() }
        }
        if digits.first == "." { digits = "0" + digits }
        return isNegative && digits != "0" ? "-" + digits : String(digits)
    }

    /// Reads plain digits; a number that a Decimal would round is refused.
    private static func decimal(ofPlainText text: String) throws -> Decimal {
        let plain = text.utf8.allSatisfy { ($0 >= 48 && $0 <= 57) || $0 == 45 || $0 == 46 || $0 == 43 }
        guard plain, let value = Decimal(string: text), value.isFinite else {
            throw CellMismatch.invalid("a decimal number in plain digits")
        }
        guard value.canonicalText == canonical(plainText: text) else {
            throw CellMismatch.invalid("a decimal number of at most 38 digits")
        }
        return value
    }
}
