/// Instants as text such as `2026-11-21T09:30:00.123456Z`, in the proleptic Gregorian calendar.
///
/// Written always in UTC with six fractional digits, so that texts of the years 0 to 9999 sort as the instants do. Read with any
/// number of fractional digits up to nine (rounded to six), and with an offset such as `+01:00`.
/// The conversion of days to dates is Howard Hinnant's, "chrono-compatible low-level date algorithms".
enum ISO8601 {
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    static func text(ofMicroseconds microseconds: Int64) -> String {
        var days = microseconds / microsecondsPerDay
        var rest = microseconds % microsecondsPerDay
        if rest < 0 {
            rest += microsecondsPerDay
            days -= 1
        }
        let (year, month, day) = date(ofDay: days)
        let (hour, minute, second) = (rest / 3_600_000_000, rest / 60_000_000 % 60, rest / 1_000_000 % 60)
        let sign = year < 0 ? "-" : year > 9999 ? "+" : ""
        let date = "\(sign)\(padded(abs(year), 4))-\(padded(month, 2))-\(padded(day, 2))"
        return "\(date)T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2)).\(padded(rest % 1_000_000, 6))Z"
    }

    /// The microseconds since 1970 that `text` names, or nil if it names none.
    static func microseconds(of text: String) -> Int64? {
        let pattern = /([+-]?)(\d{4,6})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|z|[+-]\d\d:?\d\d)/
        guard let match = text.wholeMatch(of: pattern),
            let year = Int64(match.2), let month = Int64(match.3), let day = Int64(match.4),
            let hour = Int64(match.5), let minute = Int64(match.6), let second = Int64(match.7),
            (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60
        else { return nil }
        let signedYear = match.1 == "-" ? -year : year
        let dayNumber = self.day(ofYear: signedYear, month: month, day: day)
        guard date(ofDay: dayNumber) == (signedYear, month, day) else { return nil }
        let digits = match.8.map(String.init) ?? "0"
        guard let fraction = Double("0.\(digits)") else { return nil }
        let micro = Int64((fraction * 1_000_000).rounded())
        let seconds = hour * 3600 + minute * 60 + second - offset(match.9)
        let (days, overflows) = dayNumber.multipliedReportingOverflow(by: microsecondsPerDay)
        let (sum, exceeds) = days.addingReportingOverflow(seconds * 1_000_000 + micro)
        return overflows || exceeds ? nil : sum
    }

    private static func offset(_ text: Substring) -> Int64 {
        let digits = text.filter(\.isNumber)
        guard digits.count == 4, let number = Int64(digits) else { return 0 }
        let seconds = number / 100 * 3600 + number % 100 * 60
        return text.hasPrefix("-") ? -seconds : seconds
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func day(ofYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        return (yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0), calendarMonth, dayOfMonth)
    }
}
