/// The form in which a column stores a date or a decimal.
///
/// ```swift
/// @Column(storage: .secondsSince2001) var created: Date?   // a column that another library wrote
/// @Column(storage: .scaled(2)) var price: Decimal = 0      // 12.50 is stored as the integer 1250
/// ```
public struct ValueStorage: Hashable, Sendable, BitwiseCopyable {
    @usableFromInline let code: UInt8

    @usableFromInline
    init(code: UInt8) { self.code = code }

    /// The default form of the engine: integer microseconds or `timestamptz` for dates, canonical text or `numeric` for
    /// decimals.
    @inlinable public static var native: ValueStorage { ValueStorage(code: 0) }
    /// Stores a date as text such as `2026-11-21T09:30:00.123456Z`, always in UTC, to the microsecond.
    ///
    /// ```swift
    /// @Column(storage: .iso8601) var checkedAt: Date?
    /// ```
    public static let iso8601 = ValueStorage(code: 1)
    /// Stores a date as real seconds since 1970-01-01, rounded to the microsecond.
    ///
    /// ```swift
    /// @Column(storage: .secondsSince1970) var sentAt: Date?    // 1795514400.5
    /// ```
    public static let secondsSince1970 = ValueStorage(code: 2)
    /// Stores a date as real seconds since 2001-01-01, rounded to the microsecond.
    ///
    /// ```swift
    /// @Column(storage: .secondsSince2001) var takenAt: Date?   // 817207200.5
    /// ```
    public static let secondsSince2001 = ValueStorage(code: 3)
    /// Stores a date as real milliseconds since 1970-01-01, rounded to the millisecond.
    ///
    /// ```swift
    /// @Column(storage: .millisecondsSince1970) var sentAt: Date?    // 1795514400500.0
    /// ```
    public static let millisecondsSince1970 = ValueStorage(code: 4)
    /// Stores a date as real seconds since 2001-01-01, with every bit of its `Double`.
    ///
    /// ```swift
    /// @Column(storage: .exact) var receivedAt: Date
    /// ```
    public static let exact = ValueStorage(code: 5)

    /// Stores a decimal as an integer: its value times ten to the power of `digits`.
    ///
    /// A value with more fractional digits, or one that does not fit 64 bits, throws
    /// ``DatabaseError/Code/invalidValue``.
    ///
    /// ```swift
    /// @Column(storage: .scaled(2)) var price: Decimal = 0    // 12.50 is stored as 1250
    /// ```
    ///
    /// - Parameter digits: The number of fractional digits, from 0 to 18.
    public static func scaled(_ digits: Int) -> ValueStorage {
        precondition((0...18).contains(digits), "A scaled decimal has 0 to 18 fractional digits, not \(digits).")
        return ValueStorage(code: 64 + UInt8(digits))
    }

    /// The number of fractional digits of a scaled decimal.
    var scale: Int? { code >= 64 ? Int(code) - 64 : nil }
}
