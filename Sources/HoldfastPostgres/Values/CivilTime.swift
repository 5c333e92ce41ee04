/// An instant as the server reads it in a constant: `2026-11-21 09:30:00.123456+00`.
struct CivilTime: CustomStringConvertible {
    let description: String

    /// Converts in the proleptic Gregorian calendar, as the server has it; the algorithm is Howard Hinnant's
    /// `civil_from_days` (https://howardhinnant.github.io/date_algorithms.html).
    init(unixMicroseconds: Int64) {
        let day: Int64 = 86_400_000_000
        let (quotient, remainder) = unixMicroseconds.quotientAndRemainder(dividingBy: day)
        let days = remainder < 0 ? quotient - 1 : quotient
        let time = remainder < 0 ? remainder + day : remainder

        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)

        func padded(_ value: Int64, _ length: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(length - text.count, 0)) + text
        }
        let date = [padded(year > 0 ? year : 1 - year, 4), padded(month, 2), padded(dayOfMonth, 2)]
        let seconds = time / 1_000_000
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
        let fraction = padded(time % 1_000_000, 6)
        description =
            date.joined(separator: "-") + " " + clock.joined(separator: ":") + "." + fraction + "+00"
            + (year > 0 ? "" : " BC")
    }
}
