public import Foundation

/// A UTC instant, rounded to the microsecond.
///
/// SQLite keeps it as integer microseconds since 1970, PostgreSQL as `timestamptz`; ``ValueStorage`` names the other
/// ways. Instants that `timestamptz` can't hold (before 4714 BC, after the year 294246) are refused on both engines.
extension Date: Storable {
    public static func _columnType(_ storage: ValueStorage) -> ColumnType? {
        switch storage {
        case .native: .timestamp
        case .iso8601, .text: .text
        case .secondsSince1970, .secondsSince2001, .millisecondsSince1970, .exact, .julianDay: .double
        case .seconds, .milliseconds: .int64
        default: nil
        }
    }

    public static func _textForm(_ storage: ValueStorage) -> TextForm? { storage == .text ? .date : nil }

    public static func _decode(_ cell: Cell) throws -> Date {
        switch cell.storage {
        case .native:
            guard cell.kind == .timestamp || cell.kind == .integer else { throw cell.mismatch("an instant") }
            return Date(microseconds: cell.integer)
        case .iso8601:
            guard cell.kind == .text else { throw cell.mismatch("an ISO 8601 date") }
            guard let microseconds = ISO8601.microseconds(of: cell.bytes) else {
                throw CellMismatch.invalid("a date such as 2026-11-21T09:30:00.123456Z")
            }
            return Date(microseconds: microseconds)
        case .text:
            guard cell.kind == .text else { throw cell.mismatch("a date as text") }
            guard let microseconds = DateText.microseconds(of: cell.bytes) else {
                throw CellMismatch.invalid("a date such as 2026-11-21 09:30:00")
            }
            return Date(microseconds: microseconds)
        case .seconds: return try date(of: try integer(cell), microseconds: 1_000_000)
        case .milliseconds: return try date(of: try integer(cell), microseconds: 1000)
        case .julianDay:
            let milliseconds = (try seconds(cell) * millisecondsPerDay).rounded() - julianEpoch
            guard let integer = Int64(exactly: milliseconds) else { throw CellMismatch.invalid("a Julian day") }
            return try date(of: integer, microseconds: 1000)
        case .secondsSince1970: return Date(timeIntervalSince1970: try seconds(cell))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try seconds(cell) / 1000)
        default: return Date(timeIntervalSinceReferenceDate: try seconds(cell))
        }
    }

    /// Which instants are rounded to the same is a matter of the storage.
    public static func _isSame(_ left: Date, _ right: Date) -> Bool? {
        left.timeIntervalSinceReferenceDate.bitPattern == right.timeIntervalSinceReferenceDate.bitPattern ? true : nil
    }

    public static func _smallOriginal(_ value: Date?) -> SmallOriginal? {
        .of(value, \.timeIntervalSinceReferenceDate.bitPattern)
    }

    public static func _value(ofBits bits: UInt64) -> Date? {
        Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    }

    public func _encode(into encoder: inout CellEncoder, _ storage: ValueStorage) throws {
        let bits = timeIntervalSinceReferenceDate
        if storage == .exact {
            guard bits.isFinite else { throw CellMismatch.invalid("a finite instant") }
            return encoder.append(.real(bits + 0))
        }
        let microseconds = try roundedToMicroseconds()
        let stored: Date
        switch storage {
        case .native:
            encoder.append(.timestamp(microseconds))
            stored = Date(microseconds: microseconds)
        case .iso8601:
            try encoder.append(.text, text: ISO8601.text(ofMicroseconds: microseconds))
            stored = Date(microseconds: microseconds)
        case .text:
            guard let text = DateText.text(ofMicroseconds: microseconds) else {
                throw CellMismatch.invalid("an instant of the years 1 to 9999, which its text can name")
            }
            try encoder.append(.text, text: text)
            stored = Date(microseconds: microseconds)
        case .seconds:
            let seconds = Date.rounded(microseconds, to: 1_000_000)
            encoder.append(.integer(seconds))
            stored = Date(microseconds: seconds * 1_000_000)
        case .milliseconds:
            let milliseconds = Date.rounded(microseconds, to: 1000)
            encoder.append(.integer(milliseconds))
            stored = Date(microseconds: milliseconds * 1000)
        case .julianDay:
            let milliseconds = Date.rounded(microseconds, to: 1000)
            // As SQLite computes it, so that equal instants are equal numbers.
            encoder.append(.real((Double(milliseconds) + Date.julianEpoch) / Date.millisecondsPerDay))
            stored = Date(microseconds: milliseconds * 1000)
        case .secondsSince1970:
            let seconds = Date(microseconds: microseconds).timeIntervalSince1970
            encoder.append(.real(seconds))
            stored = Date(timeIntervalSince1970: seconds)
        case .millisecondsSince1970:
            let milliseconds = (Double(microseconds) / 1000).rounded()
            encoder.append(.real(milliseconds))
            stored = Date(timeIntervalSince1970: milliseconds / 1000)
        default:
            stored = Date(microseconds: microseconds)
            encoder.append(.real(stored.timeIntervalSinceReferenceDate))
        }
        if stored != self { encoder.hasAdjusted = true }
    }

    private static let millisecondsPerDay = 86_400_000.0
    /// Milliseconds from the first noon of the Julian count to 1970.
    private static let julianEpoch = 210_866_760_000_000.0

    /// The integer in a cell; also one that a column of real numbers holds.
    private static func integer(_ cell: Cell) throws -> Int64 {
        guard cell.kind == .real else { return try cell.storedInteger() }
        guard let integer = Int64(exactly: cell.real) else { throw CellMismatch.invalid("an integer") }
        return integer
    }

    private static func date(of number: Int64, microseconds factor: Int64) throws -> Date {
        let (microseconds, overflows) = number.multipliedReportingOverflow(by: factor)
        guard !overflows else { throw CellMismatch.invalid("an instant between 4714-11-24 BC and the year 294246") }
        return Date(microseconds: microseconds)
    }

    /// Microseconds in a greater unit, rounded to the nearest; half of one up.
    static func rounded(_ microseconds: Int64, to unit: Int64) -> Int64 {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: unit)
        if rest * 2 >= unit { return whole + 1 }
        return rest * 2 < -unit ? whole - 1 : whole
    }

    private static func seconds(_ cell: Cell) throws -> Double {
        let value = try Double._decode(cell)
        guard value.isFinite else { throw CellMismatch.invalid("a finite instant") }
        return value
    }
}

extension Date {
    /// Seconds from 1970-01-01 to 2001-01-01, which a `Date` counts from.
    private static let reference: Int64 = 978_307_200

    /// The instant `microseconds` after 1970-01-01: the one codec for both engines.
    init(microseconds: Int64) {
        let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(timeIntervalSinceReferenceDate: Double(seconds - Date.reference) + Double(fraction) / 1_000_000)
    }

    /// Microseconds since 1970-01-01, rounded to the nearest.
    func roundedToMicroseconds() throws -> Int64 {
        let since2001 = timeIntervalSinceReferenceDate
        let seconds = since2001.rounded(.down)
        // The lower bound is timestamptz's, the upper one is what 64 bits of microseconds since 1970 hold.
        guard seconds >= -211_845_110_400, seconds < 9_222_393_729_654 else {
            throw CellMismatch.invalid("an instant between 4714-11-24 BC and the year 294246")
        }
        let fraction = ((since2001 - seconds) * 1_000_000).rounded()
        return (Int64(seconds) + Date.reference) * 1_000_000 + Int64(fraction)
    }
}
