import Foundation

/// Dates as pages and forms have them.
///
/// All are in UTC, since the server does not know where its readers are.
enum Dates {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `2026-11-26`, as fields of the type `date` have it.
    static func day(_ date: Date) -> String { String(date.formatted(.iso8601).prefix(10)) }

    /// `2026-11-26T09:30`, as fields of the type `datetime-local` have it.
    static func minute(_ date: Date) -> String { String(date.formatted(.iso8601).prefix(16)) }

    static func fromDay(_ text: String) -> Date? { try? Date(text + "T00:00:00Z", strategy: .iso8601) }

    static func fromMinute(_ text: String) -> Date? { try? Date(text + ":00Z", strategy: .iso8601) }

    /// The day for readers: `26 Nov 2026`.
    static func shownDay(_ date: Date) -> String {
        let parts = day(date).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return day(date) }
        return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
    }

    /// The day and the time for readers: `26 Nov 2026, 09:30`.
    static func shownMinute(_ date: Date) -> String { "\(shownDay(date)), \(minute(date).suffix(5))" }
}
