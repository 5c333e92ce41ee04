/// Instants as text such as `2026-11-21T09:30:00.123456Z`, in the proleptic Gregorian calendar.
///
/// Written always in UTC with six fractional digits, so that texts of the years 0 to 9999 sort as the instants do. Read
/// with any number of fractional digits up to nine (rounded to six), and with an offset such as `+01:00`. The
/// conversion of days to dates is Howard Hinnant's, "chrono-compatible low-level date algorithms".
package enum ISO8601 {
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    package static func text(ofMicroseconds microseconds: Int64) -> String {
        String(unsafeUninitializedCapacity: longestText) { utf8 in
            write(microseconds, to: UnsafeMutableRawBufferPointer(utf8))
        }
    }

    /// The length of the longest text that is written.
    package static let longestText = 30

    /// Writes the text of an instant.
    ///
    /// - Parameter bytes: Room for ``longestText`` bytes.
    /// - Returns: The number of bytes.
    package static func write(_ microseconds: Int64, to bytes: UnsafeMutableRawBufferPointer) -> Int {
        var days = microseconds / microsecondsPerDay
        var rest = microseconds % microsecondsPerDay
        if rest < 0 {
            rest += microsecondsPerDay
            days -= 1
        }
        let (year, month, day) = date(ofDay: days)
        var position = 0
        func write(_ character: Unicode.Scalar) {
            bytes[position] = UInt8(ascii: character)
            position += 1
        }
        func write(_ number: Int64, digits: Int) {
            var rest = number
            for index in stride(from: position + digits - 1, through: position, by: -1) {
                bytes[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                rest /= 10
            }
            position += digits
        }
        if year < 0 { write("-") } else if year > 9999 { write("+") }
        write(abs(year), digits: abs(year) > 99_999 ? 6 : abs(year) > 9999 ? 5 : 4)
        write("-")
        write(month, digits: 2)
        write("-")
        write(day, digits: 2)
        write("T")
        write(rest / 3_600_000_000, digits: 2)
        write(":")
        write(rest / 60_000_000 % 60, digits: 2)
        write(":")
        write(rest / 1_000_000 % 60, digits: 2)
        write(".")
        write(rest % 1_000_000, digits: 6)
        write("Z")
        return position
    }

    /// The microseconds since 1970 that `text` names, or nil if it names none.
    package static func microseconds(of text: String) -> Int64? {
        var text = text
        return text.withUTF8 { microseconds(of: UnsafeRawBufferPointer($0)) }
    }

    /// The microseconds since 1970 that a text names, or nil if it names none.
    package static func microseconds(of utf8: UnsafeRawBufferPointer) -> Int64? {
        var scanner = DateScanner(utf8)
        let sign = scanner.sign() ?? 1
        let yearDigits = scanner.digitCount(upTo: 6)
        guard yearDigits >= 4, let year = scanner.number(digits: yearDigits), scanner.skip("-"),
            let month = scanner.number(digits: 2), scanner.skip("-"), let day = scanner.number(digits: 2),
            scanner.skip("T") || scanner.skip(" "), let minutes = scanner.hourAndMinute(), scanner.skip(":"),
            let second = scanner.number(digits: 2), second < 60
        else { return nil }
        var fraction: Int64 = 0
        if scanner.skip(".") || scanner.skip(",") {
            guard let found = scanner.microseconds() else { return nil }
            fraction = found
        }
        guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
        return microseconds(sign * year, month, day, seconds: minutes + second - offset, fraction)
    }

    /// The microseconds since 1970 of an instant; nil if there is no such day, or 64 bits can't hold them.
    static func microseconds(
        _ year: Int64, _ month: Int64, _ day: Int64, seconds: Int64, _ fraction: Int64
    ) -> Int64? {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let dayNumber = self.day(ofYear: year, month: month, day: day)
        guard date(ofDay: dayNumber) == (year, month, day) else { return nil }
        // From the day that is nearer to 1970, since the day of the first instant begins before it.
        let isEarlier = dayNumber < 0
        let (days, overflows) = (dayNumber + (isEarlier ? 1 : 0)).multipliedReportingOverflow(by: microsecondsPerDay)
        let rest = seconds * 1_000_000 + fraction - (isEarlier ? microsecondsPerDay : 0)
        let (sum, exceeds) = days.addingReportingOverflow(rest)
        return overflows || exceeds ? nil : sum
    }

    /// The days from 1970-01-01 to a date.
    package static func day(ofYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date so many days after 1970-01-01.
    package static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
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
