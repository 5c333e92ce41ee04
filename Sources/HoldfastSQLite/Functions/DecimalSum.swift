import CSQLite
import Foundation

/// The sum of the decimals of a group so far.
final class DecimalSum {
    private var sum = Decimal()
    private var count = 0
    private var isExact = true

    /// The sum that belongs to a group: made at its first row, and freed by ``finish(_:)``.
    static func of(_ context: OpaquePointer?) -> DecimalSum? { GroupState.of(context, DecimalSum()) }

    func add(_ value: OpaquePointer?, _ context: OpaquePointer?) {
        guard let value, sqlite3_value_type(value) != SQLITE_NULL else { return }
        guard let next = decimal(value) else { return sqlite3_result_error(context, "a value is no number", -1) }
        change(by: next)
        count += 1
    }

    /// Takes a value back, as it leaves a window.
    func takeBack(_ value: OpaquePointer?) {
        guard let value, sqlite3_value_type(value) != SQLITE_NULL, let last = decimal(value) else { return }
        change(by: -last)
        count -= 1
    }

    private func change(by value: Decimal) {
        var (total, value, result) = (sum, value, Decimal())
        if NSDecimalAdd(&result, &total, &value, .plain) != .noError { isExact = false }
        sum = result
    }

    /// Gives the sum, or the average rounded to 20 fractional digits; NULL of nothing.
    private func give(_ context: OpaquePointer) {
        guard count > 0 else { return }
        guard Int(bitPattern: sqlite3_user_data(context)) == 2 else {
            return HoldfastSQLite.give(context, isExact ? sum : nil)
        }
        var (total, count, quotient, rounded) = (sum, Decimal(count), Decimal(), Decimal())
        _ = NSDecimalDivide(&quotient, &total, &count, .plain)
        NSDecimalRound(&rounded, &quotient, 20, .plain)
        HoldfastSQLite.give(context, isExact ? rounded : nil)
    }

    /// Gives what there is so far.
    static func give(_ context: OpaquePointer?) {
        guard let context else { return }
        GroupState<DecimalSum>.current(context)?.give(context)
    }

    /// Gives the result of a group, and forgets it.
    static func finish(_ context: OpaquePointer?) {
        guard let context else { return }
        GroupState<DecimalSum>.end(context)?.give(context)
    }
}
