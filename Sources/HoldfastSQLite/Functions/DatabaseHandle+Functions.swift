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
        try registerDateFunctions()
        try registerNumberFunctions()
        try registerPercentiles()
        try registerUpsertFunctions()
        for (name, isAverage) in [("holdfast_decimal_sum", false), ("holdfast_decimal_average", true)] {
            let userData = UnsafeMutableRawPointer(bitPattern: isAverage ? 2 : 1)
            try check(
                sqlite3_create_window_function(
                    pointer, name, 1, Self.pure, userData,
                    { context, _, values in DecimalSum.of(context)?.add(values?.pointee, context) },
                    { context in DecimalSum.finish(context) }, { context in DecimalSum.give(context) },
                    { context, _, values in DecimalSum.of(context)?.takeBack(values?.pointee) }, nil))
        }
        try check(
            sqlite3_create_function_v2(
                pointer, "holdfast_joined", -1, Self.pure, nil, nil,
                { context, count, values in
                    guard let context, let values else { return }
                    JoinedTexts.of(context)?.add(UnsafeBufferPointer(start: values, count: Int(count)), context)
                }, { context in JoinedTexts.finish(context) }, nil))
    }

    /// Registers a function that gives the same for the same values, and does nothing else.
    func register(
        _ name: String, _ argumentCount: Int32,
        _ function: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) throws(ResultCode) {
        try check(
            sqlite3_create_function_v2(pointer, name, argumentCount, Self.pure, nil, function, nil, nil, nil))
    }

    /// Registers an aggregate that gives the same for the same values, and does nothing else.
    func registerAggregate(
        _ name: String, _ argumentCount: Int32,
        _ step: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void,
        _ finish: @convention(c) (OpaquePointer?) -> Void
    ) throws(ResultCode) {
        try check(
            sqlite3_create_function_v2(pointer, name, argumentCount, Self.pure, nil, nil, step, finish, nil))
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
