public import Foundation

/// Computations with dates, in the calendar and by the clocks of a time zone.
///
/// The database computes them, on both engines with the same results. The calendar is the Gregorian one of all years.
/// The rules of a time zone are those of the database server on PostgreSQL, and Foundation's on SQLite: keep both up to
/// date. A time zone is given by its place, such as Europe/Berlin, or has a fixed offset; a query with another one,
/// such as CET, throws ``DatabaseError/Code/unsupported``, as does one with dates that are stored as numbers.
extension QueryExpression where Value: DateValue {
    /// Returns the seconds from this date to another one; nil if one of them is nil, negative if the other is earlier.
    ///
    /// ```swift
    /// .group { $0.assignee.id }.select { ($0.assignee.id, $0.createdAt.seconds(until: $0.closedAt).average) }
    /// // holdfast_average(holdfast_date_seconds(t0."created_at", t0."closed_at")) on SQLite
    /// ```
    public func seconds(until end: QueryExpression<Date>) -> QueryExpression<Double?> { seconds(end.node, end.levels) }

    /// Returns the seconds from this date to another one; nil if one of them is nil.
    @_disfavoredOverload
    public func seconds(until end: QueryExpression<Date?>) -> QueryExpression<Double?> {
        seconds(end.node, end.levels)
    }

    /// Returns the seconds from this date to one that you give; nil if this one is nil.
    ///
    /// ```swift
    /// .where { $0.createdAt.seconds(until: deadline) > 3600 }
    /// ```
    @_disfavoredOverload
    public func seconds(until end: Date) -> QueryExpression<Double?> {
        seconds(QueryValue.encoding(end, .native), 0)
    }

    private func seconds(_ end: QueryNode, _ inner: Int) -> QueryExpression<Double?> {
        QueryExpression<Double?>(.date(.seconds, [node, end]), around: Swift.max(levels, inner))
    }

    /// Returns the seconds from the right date to the left one; nil if one of them is nil.
    ///
    /// ```swift
    /// .where { $0.closedAt - $0.createdAt > 3600 }    // what took more than an hour
    /// ```
    public static func - (left: QueryExpression, right: QueryExpression<Date>) -> QueryExpression<Double?> {
        right.seconds(left.node, left.levels)
    }

    /// Returns the seconds from the right date to the left one; nil if one of them is nil.
    @_disfavoredOverload
    public static func - (left: QueryExpression, right: QueryExpression<Date?>) -> QueryExpression<Double?> {
        right.seconds(left.node, left.levels)
    }

    /// Returns the date a time after this one; before it, for a negative time.
    ///
    /// ```swift
    /// .where { $0.sentAt.adding(.seconds(3 * 3600)) < $0.openedAt }
    /// .update { $0.dueAt.set($0.dueAt.current.adding(.seconds(3600))) }
    /// ```
    ///
    /// The query throws ``DatabaseError/Code/invalidValue`` if the result is no date that a column holds.
    public func adding(_ duration: Duration) -> QueryExpression {
        let (seconds, attoseconds) = duration.components
        let value = Double(seconds) + Double(attoseconds) / 1e18
        return QueryExpression(.date(.adding, [node, QueryValue.encoding(value, .native)]), around: levels)
    }

    /// Returns the date so many seconds after this one, rounded to the microsecond; nil if one of them is nil.
    ///
    /// ```swift
    /// .where { $0.startedAt.adding(seconds: $0.timeout) < .statementTime }
    /// ```
    ///
    /// The query throws ``DatabaseError/Code/unsupported`` for decimals, and ``DatabaseError/Code/invalidValue`` if the
    /// result is no date that a column holds.
    public func adding(seconds: QueryExpression<some NumberValue>) -> QueryExpression {
        QueryExpression(.date(.adding, [node, seconds.node]), around: Swift.max(levels, seconds.levels))
    }

    /// Returns a part of the date, as clocks and calendars of a time zone show it; nil if the date is nil.
    ///
    /// ```swift
    /// .where { $0.createdAt.part(.weekday, in: berlin) == 1 }    // on a Monday
    /// ```
    ///
    /// - Parameters:
    ///   - part: The part, such as ``DatePart/hour``.
    ///   - timeZone: The time zone; UTC by default.
    public func part(_ part: DatePart, in timeZone: TimeZone = .gmt) -> QueryExpression<Int?> {
        QueryExpression<Int?>(.date(node, in: timeZone) { .part(part, $0) }, around: levels)
    }

    /// Returns the instant at which the year, the month, the day or another unit began that the date is in.
    ///
    /// ```swift
    /// .group { $0.createdAt.start(of: .day, in: berlin) }
    /// .select { ($0.createdAt.start(of: .day, in: berlin), $0.rowCount) }
    /// // date_trunc('day', t0."created_at", 'Europe/Berlin') on PostgreSQL
    /// ```
    ///
    /// Where clocks skip the beginning of a day, it is the instant of the change; where they show it twice, the second
    /// one. An hour that comes twice is two hours.
    ///
    /// - Parameters:
    ///   - unit: The unit; a week begins on Monday.
    ///   - timeZone: The time zone; UTC by default.
    public func start(of unit: DateUnit, in timeZone: TimeZone = .gmt) -> QueryExpression {
        QueryExpression(.date(node, in: timeZone) { .start(unit, $0) }, around: levels)
    }

    /// The time at which the statement began, as the database tells it, or the clock of its configuration.
    ///
    /// ```swift
    /// .where { $0.dueAt < .statementTime }    // t0."due_at" < statement_timestamp() on PostgreSQL
    /// ```
    ///
    /// On SQLite it has milliseconds.
    public static var statementTime: QueryExpression { QueryExpression(.date(.now, [])) }
}
