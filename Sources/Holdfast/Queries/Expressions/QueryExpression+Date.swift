public import Foundation

/// An instant in a query: Date, and its optional.
public protocol DateValue: Storable {}

extension Date: DateValue {}
extension Optional: DateValue where Wrapped == Date {}

extension QueryExpression where Value: DateValue {
    /// Whether the instant is on the same day as `date`, in a time zone.
    ///
    /// ```swift
    /// .where { $0.startDate.on(day: Date(), in: .init(identifier: "Europe/Berlin")!) }
    /// ```
    ///
    /// - Parameters:
    ///   - date: Any instant of the day.
    ///   - timeZone: The time zone of the day; UTC by default. A day has 23 to 25 hours when clocks change.
    public func on(day date: Date, in timeZone: TimeZone = .gmt) -> Condition {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let start = calendar.startOfDay(for: date)
        guard let end = calendar.date(byAdding: .day, value: 1, to: start) else {
            return Condition(
                .failure(DatabaseError(.invalidValue, "A query names a day for which there is no next one.")))
        }
        return Condition(
            .and([
                .comparison(.greaterOrEqual, node, QueryValue.encoding(start, storage)),
                .comparison(.less, node, QueryValue.encoding(calendar.startOfDay(for: end), storage)),
            ]))
    }
}
