/// The server's times: microseconds, or days, since 2000-01-01.
enum ServerTime {
    /// Microseconds from 1970-01-01 to 2000-01-01.
    private static let offset: Int64 = 946_684_800_000_000
    private static let day: Int64 = 86_400_000_000
    /// The range of `timestamp` and `timestamptz`, from 4714-11-24 BC on; see `MIN_TIMESTAMP` in the server's
    /// `timestamp.h`.
    private static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

    /// The server's time for microseconds since 1970; nil if it has none.
    static func fromUnix(_ microseconds: Int64) -> Int64? {
        let (time, overflow) = microseconds.subtractingReportingOverflow(offset)
        return overflow || !range.contains(time) ? nil : time
    }

    /// Microseconds since 1970; nil for the infinities, and for what 64 bits don't hold.
    static func toUnix(_ time: Int64) -> Int64? {
        if time == .max || time == .min { return nil }
        let (microseconds, overflow) = time.addingReportingOverflow(offset)
        return overflow ? nil : microseconds
    }

    /// The server's day that begins at an instant; nil if none does.
    static func day(ofUnix microseconds: Int64) -> Int32? {
        guard let time = fromUnix(microseconds), time % day == 0 else { return nil }
        return Int32(exactly: time / day)
    }

    /// The instant at which a day begins in UTC; nil for the infinities, and for what 64 bits don't hold.
    static func toUnix(day number: Int32) -> Int64? {
        if number == .max || number == .min { return nil }
        let (time, overflow) = Int64(number).multipliedReportingOverflow(by: day)
        return overflow ? nil : toUnix(time)
    }
}
