import CSQLite
import Foundation

/// The functions of numbers and texts that SQLite has not, or not for decimals.
extension DatabaseHandle {
    func registerNumberFunctions() throws(ResultCode) {
        try register("holdfast_number", 3) { context, _, values in
            guard let context, let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else { return }
            guard let function = NumberFunction(values?[1]) else { return refuseNumber(context) }
            switch sqlite3_value_type(value) {
            case SQLITE_INTEGER: function.give(context, sqlite3_value_int64(value))
            case SQLITE_FLOAT: function.give(context, sqlite3_value_double(value), values?[2])
            default:
                guard let decimal = decimal(value) else { return refuseNumber(context) }
                function.give(context, decimal, values?[2])
            }
        }
        try register("holdfast_greatest", -1) { context, count, values in
            giveExtreme(context, count, values, isGreatest: true)
        }
        try register("holdfast_least", -1) { context, count, values in
            giveExtreme(context, count, values, isGreatest: false)
        }
        try register("holdfast_integer", 1) { context, _, values in
            guard let context, let value = values?[0], let integer = integer(value) else { return }
            sqlite3_result_int64(context, integer)
        }
    }
}

private func refuseNumber(_ context: OpaquePointer) { sqlite3_result_error(context, "a value is no number", -1) }

private enum NumberFunction: String {
    case magnitude, sign, rounded, floor, ceiling, double, decimal

    /// The function of a name.
    init?(_ name: OpaquePointer?) {
        guard let name, let text = sqlite3_value_text(name) else { return nil }
        self.init(rawValue: String(cString: text))
    }

    func give(_ context: OpaquePointer, _ number: Int64) {
        switch self {
        case .sign: sqlite3_result_int64(context, number.signum())
        case .magnitude:
            if number == .min { return sqlite3_result_error(context, "integer overflow", -1) }
            sqlite3_result_int64(context, abs(number))
        case .rounded, .floor, .ceiling: sqlite3_result_int64(context, number)
        case .double: sqlite3_result_double(context, Double(number))
        case .decimal: HoldfastSQLite.give(context, Decimal(number))
        }
    }

    func give(_ context: OpaquePointer, _ number: Double, _ digits: OpaquePointer?) {
        switch self {
        case .sign: sqlite3_result_int64(context, number > 0 ? 1 : number < 0 ? -1 : 0)
        case .magnitude: sqlite3_result_double(context, abs(number))
        case .double: sqlite3_result_double(context, number)
        case .decimal:
            guard abs(number) < 1e38, let decimal = Decimal(string: number.description, locale: nil),
                decimal.isFinite
            else { return sqlite3_result_error(context, "decimal overflow", -1) }
            HoldfastSQLite.give(context, decimal)
        case .floor: sqlite3_result_double(context, number.rounded(.down))
        case .ceiling: sqlite3_result_double(context, number.rounded(.up))
        case .rounded:
            // Numbers beyond 2^53 have no fraction, and the least ones no digit that is asked for.
            if abs(number) >= 0x1p53 { return sqlite3_result_double(context, number) }
            guard abs(number) > 1e-40, var decimal = Decimal(string: number.description, locale: nil) else {
                return sqlite3_result_double(context, 0)
            }
            var result = Decimal()
            NSDecimalRound(&result, &decimal, Int(digits.map(sqlite3_value_int) ?? 0), .plain)
            sqlite3_result_double(context, Double(result.description) ?? number)
        }
    }

    func give(_ context: OpaquePointer, _ number: Decimal, _ digits: OpaquePointer?) {
        var (number, result) = (number, Decimal())
        switch self {
        case .sign: return sqlite3_result_int64(context, number > 0 ? 1 : number < 0 ? -1 : 0)
        case .magnitude: result = abs(number)
        case .double: return sqlite3_result_double(context, Double(number.description) ?? .nan)
        case .decimal: result = number
        case .floor: NSDecimalRound(&result, &number, 0, .down)
        case .ceiling: NSDecimalRound(&result, &number, 0, .up)
        case .rounded: NSDecimalRound(&result, &number, Int(digits.map(sqlite3_value_int) ?? 0), .plain)
        }
        HoldfastSQLite.give(context, result)
    }
}

/// Gives the greatest or the least value that is not NULL; the first argument says whether texts are decimals.
private func giveExtreme(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?, isGreatest: Bool
) {
    guard let context, let values, count > 1 else { return }
    let areDecimals = sqlite3_value_int(values[0]) == 1
    var best: OpaquePointer?
    for index in 1..<Int(count) {
        guard let value = values[index], sqlite3_value_type(value) != SQLITE_NULL else { continue }
        guard let known = best else {
            best = value
            continue
        }
        guard let isLess = isLess(known, value, areDecimals: areDecimals) else { return refuseNumber(context) }
        if isLess == isGreatest { best = value }
    }
    if let best { sqlite3_result_value(context, best) }
}

/// Whether a value is less than another one; nil if they can't be compared.
private func isLess(_ left: OpaquePointer, _ right: OpaquePointer, areDecimals: Bool) -> Bool? {
    if areDecimals {
        guard let left = decimal(left), let right = decimal(right) else { return nil }
        return left < right
    }
    switch (sqlite3_value_type(left), sqlite3_value_type(right)) {
    case (SQLITE_INTEGER, SQLITE_INTEGER): return sqlite3_value_int64(left) < sqlite3_value_int64(right)
    case (SQLITE_INTEGER, SQLITE_FLOAT), (SQLITE_FLOAT, SQLITE_INTEGER), (SQLITE_FLOAT, SQLITE_FLOAT):
        return sqlite3_value_double(left) < sqlite3_value_double(right)
    case (SQLITE_TEXT, SQLITE_TEXT):
        guard let first = sqlite3_value_text(left), let second = sqlite3_value_text(right) else { return nil }
        return UnsafeBufferPointer(start: first, count: Int(sqlite3_value_bytes(left)))
            .lexicographicallyPrecedes(UnsafeBufferPointer(start: second, count: Int(sqlite3_value_bytes(right))))
    default: return nil
    }
}

/// The integer that a text writes with a sign, which may be missing, and 1 to 18 digits.
private func integer(_ value: OpaquePointer) -> Int64? {
    guard sqlite3_value_type(value) == SQLITE_TEXT, let bytes = sqlite3_value_text(value) else { return nil }
    let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
    let isSigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
    let digits = text.dropFirst(isSigned ? 1 : 0)
    guard (1...18).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    let number = digits.reduce(into: Int64(0)) { $0 = $0 * 10 + Int64($1 - 48) }
    return text.first == UInt8(ascii: "-") ? -number : number
}
