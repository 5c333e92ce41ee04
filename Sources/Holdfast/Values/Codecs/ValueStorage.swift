/// The form in which a column stores a value, where it is not the engine's own.
///
/// ```swift
/// @Column(storage: .secondsSince2001) var created: Date?   // a column that another library wrote
/// @Column(storage: .scaled(2)) var price: Decimal = 0      // 12.50 is stored as the integer 1250
/// ```
///
/// <doc:ExistingDatabases> lists the forms by the columns that other programs make.
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

    /// Stores a date as integer seconds since 1970-01-01, rounded to the second.
    ///
    /// ```swift
    /// @Column(storage: .seconds) var seenAt: Date?    // 1795514400
    /// ```
    public static let seconds = ValueStorage(code: 6)
    /// Stores a date as integer milliseconds since 1970-01-01, rounded to the millisecond.
    ///
    /// ```swift
    /// @Column(storage: .milliseconds) var seenAt: Date?    // 1795514400500
    /// ```
    public static let milliseconds = ValueStorage(code: 7)
    /// Stores a date as a real Julian day, as SQLite's `julianday()` makes it, rounded to the millisecond.
    ///
    /// ```swift
    /// @Column(storage: .julianDay) var observedAt: Date?    // 2461366.0 is the noon of 2026-11-21
    /// ```
    public static let julianDay = ValueStorage(code: 8)
    /// Stores a date, a UUID or a decimal as text; of a `String`, it is the text of a value of another type.
    ///
    /// A date is written as `2026-11-21 09:30:00`, with a fraction if it has one, in UTC, for the years 1 to 9999. It
    /// is also read without a time, without seconds, with a `T` in place of the blank, and with an offset such as
    /// `+01:00` or `Z`. A query compares instants, whatever the form of each text, so that an index on the column is
    /// not used.
    ///
    /// A UUID is written in lower case, and is one only so; ``uppercaseText`` is the other form. It can be a key.
    ///
    /// A decimal is written in its shortest form, and read in any plain one.
    ///
    /// A `String` stands for a value of whatever type its column has: `inet`, `interval`, `money`, a range. The engine
    /// makes the value of the text and the text of the value, in its own form, and a query compares and orders such
    /// values by their type. A save leaves the text in the object as you wrote it: fetch to see `01:30:00` for
    /// `90 min`. A column of SQLite holds the text itself.
    ///
    /// ```swift
    /// @Column(storage: .text) var address: String?       // inet: '10.0.0.9' comes before '10.0.0.10'
    /// @Column(storage: .text) var sentAt: Date?          // '2026-11-21 09:30:00.5'
    /// @PrimaryKey @Column(storage: .text) let id: UUID   // '5a0f3c8e-…'
    /// db.query(Mail.self).where { $0.sentAt > start }    // PostgreSQL: "sent_at"::timestamptz > $1
    /// ```
    public static let text = ValueStorage(code: 9)
    /// Stores a UUID as text in upper case, as Foundation writes it.
    ///
    /// ```swift
    /// @Column(storage: .uppercaseText) var token: UUID    // '5A0F3C8E-…'
    /// ```
    public static let uppercaseText = ValueStorage(code: 10)

    /// Stores an array of values in one column instead of a table: `text[]` on PostgreSQL, JSON as text on SQLite.
    ///
    /// For arrays of Booleans, numbers, decimals, texts, UUIDs and dates, and of what is stored as one. In JSON, a date
    /// is a text such as `2026-11-21T09:30:00Z`, and a decimal has all of its digits. The column is read and written as
    /// a whole, and a query can ask only whether it is NULL.
    ///
    /// ```swift
    /// @Column(storage: .array) var tags: [String] = []    // '{a,b}', or '["a","b"]'
    /// ```
    public static let array = ValueStorage(code: 11)

    /// Stores a Boolean as the integer 1 or 0, in a column that the engine takes for one of numbers.
    ///
    /// Any other number in the column is an error, of a fetch and of a query. SQLite has no other Booleans.
    ///
    /// ```swift
    /// @Column(storage: .integer) var isActive = true    // PostgreSQL: smallint, 1
    /// ```
    public static let integer = ValueStorage(code: 12)

    /// The array of elements of a type: what ``array`` is of a property.
    static func array(of element: ColumnType) -> ValueStorage {
        ValueStorage(code: firstArray + UInt8(ColumnType.allCases.firstIndex(of: element) ?? 0))
    }

    private static let firstArray: UInt8 = 20
    private var arrays: Range<UInt8> { Self.firstArray..<Self.firstArray + UInt8(ColumnType.allCases.count) }

    /// Whether the column holds an array.
    var isArray: Bool { self == .array || arrays.contains(code) }
    /// The type of the elements of an array.
    var elementType: ColumnType? {
        arrays.contains(code) ? ColumnType.allCases[Int(code - Self.firstArray)] : nil
    }

    /// Stores a Boolean as one of two texts.
    ///
    /// Any other text in the column is an error, of a fetch and of a query.
    ///
    /// ```swift
    /// @Column(storage: .words(true: "Y", false: "N")) var isActive = true    // 'Y'
    /// ```
    ///
    /// - Parameters:
    ///   - trueWord: The text for true.
    ///   - falseWord: The text for false, another one.
    public static func words(true trueWord: String, false falseWord: String) -> ValueStorage {
        ValueStorage(code: WordPair.code(of: WordPair(true: trueWord, false: falseWord)))
    }

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
    var scale: Int? { code >= 64 && code <= 82 ? Int(code) - 64 : nil }
    /// The words of a Boolean.
    var words: WordPair? { code >= WordPair.firstCode ? WordPair.pair(of: code) : nil }
    /// Whether the column holds dates as numbers.
    var isDateNumber: Bool { (2...8).contains(code) }
    /// Whether it is a form of text for UUIDs; of dates and decimals, queries never see it.
    var isText: Bool { self == .text || self == .uppercaseText }
    /// The number by which the journal of migrations knows it: those of words differ from process to process.
    var recorded: Int { code >= WordPair.firstCode ? Int(WordPair.firstCode) : Int(code) }
}
