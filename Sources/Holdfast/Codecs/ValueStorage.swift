/// How a date or a decimal is laid out in its column, where that is not the engine's own way.
///
/// ```swift
/// @Column(storage: .secondsSince2001) var created: Date?   // a column that another library wrote
/// @Column(storage: .scaled(2)) var price: Decimal = 0      // 12.50 is stored as the integer 1250
/// ```
public struct ValueStorage: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline let code: UInt8

    @usableFromInline
    init(code: UInt8) { self.code = code }

    /// The engine's own way: integer microseconds or `timestamptz` for dates, canonical text or `numeric` for decimals.
    @inlinable public static var native: ValueStorage { ValueStorage(code: 0) }
    /// A date as text such as `2026-11-21T09:30:00.123456Z`, always in UTC, to the microsecond.
    public static let iso8601 = ValueStorage(code: 1)
    /// A date as real seconds since 1970-01-01, rounded to the microsecond.
    public static let secondsSince1970 = ValueStorage(code: 2)
    /// A date as real seconds since 2001-01-01, rounded to the microsecond.
    public static let secondsSince2001 = ValueStorage(code: 3)
    /// A date as real milliseconds since 1970-01-01, rounded to the millisecond.
    public static let millisecondsSince1970 = ValueStorage(code: 4)
    /// A date as real seconds since 2001-01-01, with every bit of its `Double`.
    public static let exact = ValueStorage(code: 5)

    /// A decimal as an integer: its value times ten to the power of `digits`.
    ///
    /// A value with more fractional digits is refused, and so is one that does not fit 64 bits.
    ///
    /// - Parameter digits: The number of fractional digits, from 0 to 18.
    public static func scaled(_ digits: Int) -> ValueStorage {
        precondition((0...18).contains(digits), "A scaled decimal has 0 to 18 fractional digits, not \(digits).")
        return ValueStorage(code: 64 + UInt8(digits))
    }

    /// The number of fractional digits of a scaled decimal.
    var scale: Int? { code >= 64 ? Int(code) - 64 : nil }
}
