import CSQLite
import Foundation

/// The functions that queries call: arithmetic that fails where a result does not fit, and sums of decimals.
extension DatabaseHandle {
    /// Registers them, and the collation that orders decimals.
    func registerFunctions() throws(ResultCode) {
        try check(holdfast_sqlite_register_decimal_collation(pointer))
        try check(holdfast_sqlite_register_sum(pointer))
        for (name, operation) in [
            ("holdfast_add", HOLDFAST_ADD), ("holdfast_subtract", HOLDFAST_SUBTRACT),
            ("holdfast_multiply", HOLDFAST_MULTIPLY), ("holdfast_divide", HOLDFAST_DIVIDE),
            ("holdfast_remainder", HOLDFAST_REMAINDER),
        ] {
            let userData = UnsafeMutableRawPointer(bitPattern: UInt(operation) + 1)
            try check(
                sqlite3_create_function_v2(
                    pointer, name, 2, Self.pure, userData, { context, _, values in compute(context, values) }, nil, nil,
                    nil))
        }
        try check(
            sqlite3_create_function_v2(
                pointer, "holdfast_fitting", 2, Self.pure, nil,
                { context, _, values in
                    guard let context, let value = values?[0], let bits = values?[1] else { return }
                    holdfast_sqlite_fitting(context, value, sqlite3_value_int(bits))
                }, nil, nil, nil))
        try check(
            sqlite3_create_function_v2(
                pointer, "holdfast_stored", 2, Self.pure, nil,
                { context, _, values in
                    guard let context, let value = values?[0], let kind = values?[1] else { return }
                    giveStored(context, value, StoredKind(rawValue: sqlite3_value_int(kind)) ?? .text)
                }, nil, nil, nil))
        for (name, isAverage) in [("holdfast_decimal_sum", false), ("holdfast_decimal_average", true)] {
            let userData = UnsafeMutableRawPointer(bitPattern: isAverage ? 2 : 1)
            try check(
                sqlite3_create_function_v2(
                    pointer, name, 1, Self.pure, userData, nil,
                    { context, _, values in DecimalSum.of(context)?.add(values?.pointee, context) },
                    { context in DecimalSum.finish(context) }, nil))
        }
    }

    /// Registers the function that fails once the path leads to another file than the one that is open: this connection
    /// would not see what is written to the other one.
    func registerMoved() throws(ResultCode) {
        try check(
            sqlite3_create_function_v2(
                pointer, "holdfast_moved", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                Unmanaged.passUnretained(self).toOpaque(),
                { context, _, _ in
                    guard let context, let handle = sqlite3_user_data(context) else { return }
                    let database = Unmanaged<DatabaseHandle>.fromOpaque(handle).takeUnretainedValue()
                    guard database.findsItsFile() else {
                        sqlite3_result_error(context, "the file has been moved", -1)
                        return sqlite3_result_error_code(context, ExtendedCode.moved)
                    }
                    sqlite3_result_int(context, 0)
                }, nil, nil, nil))
    }

    private static let pure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS

    private func check(_ status: Int32) throws(ResultCode) {
        if status != SQLITE_OK { throw failure(status) }
    }
}

/// Computes with two numbers, or two decimals, which are text.
private func compute(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let context, let left = values?[0], let right = values?[1] else { return }
    let operation = Int32(truncatingIfNeeded: Int(bitPattern: sqlite3_user_data(context)) - 1)
    if holdfast_sqlite_number_arithmetic(context, operation, left, right) != 0 { return }
    guard var left = decimal(left), var right = decimal(right) else {
        return sqlite3_result_error(context, "a value is no number", -1)
    }
    var result = Decimal()
    let error: Decimal.CalculationError
    switch Int(operation) {
    case HOLDFAST_ADD: error = NSDecimalAdd(&result, &left, &right, .plain)
    case HOLDFAST_SUBTRACT: error = NSDecimalSubtract(&result, &left, &right, .plain)
    case HOLDFAST_MULTIPLY: error = NSDecimalMultiply(&result, &left, &right, .plain)
    default: return sqlite3_result_error(context, "decimals can't be divided", -1)
    }
    give(context, error == .noError ? result : nil)
}

/// Gives a decimal as canonical text, or an error where it took more than 38 digits.
func give(_ context: OpaquePointer, _ decimal: Decimal?) {
    guard let decimal else { return sqlite3_result_error(context, "decimal overflow", -1) }
    var text = decimal.description
    text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { text in
            holdfast_sqlite_result_text(context, text.baseAddress, Int32(truncatingIfNeeded: text.count))
        }
    }
}

func decimal(_ value: OpaquePointer?) -> Decimal? {
    guard let value else { return nil }
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return Decimal(sqlite3_value_int64(value))
    case SQLITE_FLOAT:
        // The shortest decimal that stands for the number, as the one that was stored does.
        guard let decimal = Decimal(string: sqlite3_value_double(value).description, locale: nil), decimal.isFinite
        else { return nil }
        return decimal
    case SQLITE_TEXT:
        guard let bytes = sqlite3_value_text(value) else { return nil }
        let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
        // Foundation would take what it can read of the beginning.
        guard isPlainNumber(text) else { return nil }
        return Decimal(string: String(decoding: text, as: UTF8.self), locale: nil)
    default: return nil
    }
}

/// Whether a text consists of a sign, which may be missing, and digits with a point among them, or without one.
private func isPlainNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (digits, points) = (0, 0)
    for (index, byte) in text.enumerated() {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
        case UInt8(ascii: "."): points += 1
        case UInt8(ascii: "-"), UInt8(ascii: "+"): if index > 0 { return false }
        default: return false
        }
    }
    return digits > 0 && points <= 1
}

/// The sum of the decimals of a group so far.
private final class DecimalSum {
    private var sum = Decimal()
    private var count = 0
    private var isExact = true

    /// The sum that belongs to a group: made at its first row, and freed by ``finish(_:)``.
    static func of(_ context: OpaquePointer?) -> DecimalSum? {
        let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
        guard
            let place = sqlite3_aggregate_context(context, size)?
                .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        else { return nil }
        if let known = place.pointee { return Unmanaged<DecimalSum>.fromOpaque(known).takeUnretainedValue() }
        let sum = DecimalSum()
        place.pointee = Unmanaged.passRetained(sum).toOpaque()
        return sum
    }

    func add(_ value: OpaquePointer?, _ context: OpaquePointer?) {
        guard let value, sqlite3_value_type(value) != SQLITE_NULL else { return }
        guard var next = decimal(value) else { return sqlite3_result_error(context, "a value is no number", -1) }
        var total = sum
        var result = Decimal()
        if NSDecimalAdd(&result, &total, &next, .plain) != .noError { isExact = false }
        sum = result
        count += 1
    }

    /// Gives the sum, or the average rounded to 20 fractional digits; NULL of nothing.
    static func finish(_ context: OpaquePointer?) {
        guard let context,
            let place = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self),
            let known = place.pointee
        else { return }
        place.pointee = nil
        let sum = Unmanaged<DecimalSum>.fromOpaque(known).takeRetainedValue()
        guard sum.count > 0 else { return }
        guard Int(bitPattern: sqlite3_user_data(context)) == 2 else {
            return give(context, sum.isExact ? sum.sum : nil)
        }
        var (total, count, quotient, rounded) = (sum.sum, Decimal(sum.count), Decimal(), Decimal())
        _ = NSDecimalDivide(&quotient, &total, &count, .plain)
        NSDecimalRound(&rounded, &quotient, 20, .plain)
        give(context, sum.isExact ? rounded : nil)
    }
}
