public import Foundation

/// A type that is an instant: Date, and optionals of it.
public protocol DateValue: Storable {}

extension Date: DateValue {}
extension Optional: DateValue where Wrapped == Date {}

extension QueryExpression where Value: DateValue {
    /// Whether the instant lies on the day that `date` is part of, in a time zone.
    ///
    /// ```swift
    /// .where { $0.startDate.on(day: Date(), in: .init(identifier: "Europe/Berlin")!) }
    /// ```
    ///
    /// - Parameters:
    ///   - date: Any instant of the day.
    ///   - timeZone: Where the day is meant; UTC unless said otherwise. A day has 23 to 25 hours where clocks are changed.
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
