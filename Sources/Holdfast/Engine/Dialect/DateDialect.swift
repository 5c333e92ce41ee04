/// The SQL that computes with dates: instants of the type ``ColumnType/timestamp``, as a dialect has them.
///
/// Each result is NULL where a value that it is computed of is.
@_spi(Driver) public protocol DateDialect: Sendable {
    /// Returns the seconds from one instant to another as a ``ColumnType/double``, exact to the microsecond.
    ///
    /// ```sql
    /// holdfast_date_seconds(t0."created_at", t0."closed_at") -- SQLite
    /// ```
    func seconds(from start: String, to end: String) -> String

    /// Returns an instant so many seconds after another one, rounded to the microsecond, half to even.
    ///
    /// It must throw where the result is no instant that a column holds.
    ///
    /// ```sql
    /// (t0."due_at" + '1 microsecond'::interval * ($1::double precision * 1000000)) -- PostgreSQL
    /// ```
    func adding(seconds: String, to date: String) -> String

    /// Returns a part of a date as clocks and calendars of a time zone show it, as a ``ColumnType/int64``.
    ///
    /// The calendar is the Gregorian one, also before there was one; the year before year 1 is -1.
    ///
    /// ```sql
    /// floor(extract(year FROM (t0."created_at" AT TIME ZONE 'Europe/Berlin')))::bigint -- PostgreSQL
    /// ```
    func part(_ part: DatePart, of date: String, in zone: QueryTimeZone) -> String

    /// Returns the instant at which a unit of time began that a date is in.
    ///
    /// Where clocks skip the beginning, it is the instant of the change; where they show it twice, the second one for a
    /// day and greater units, and the one of the date itself for hours and minutes.
    ///
    /// ```sql
    /// date_trunc('day', t0."created_at", 'Europe/Berlin') -- PostgreSQL
    /// ```
    func start(of unit: DateUnit, _ date: String, in zone: QueryTimeZone) -> String
}

/// A part of a date, as clocks and calendars of a time zone show it.
public enum DatePart: String, Hashable, Sendable, CaseIterable {
    /// The year; the one before year 1 is -1.
    case year
    /// The quarter of the year, from 1 to 4.
    case quarter
    /// The month of the year, from 1 to 12.
    case month
    /// The week of ISO 8601, from 1 to 53: the first one has the year's first Thursday, and a week begins on Monday.
    case week
    /// The day of the month, from 1 to 31.
    case day
    /// The day of the year, from 1 to 366.
    case dayOfYear
    /// The day of the week, from 1 for Monday to 7 for Sunday.
    case weekday
    /// The hour of the day, from 0 to 23.
    case hour
    /// The minute of the hour, from 0 to 59.
    case minute
    /// The second of the minute, from 0 to 59, without its fraction.
    case second
}

/// A unit of time that begins at the same time for all who share a time zone.
public enum DateUnit: String, Hashable, Sendable, CaseIterable {
    /// A year, from the 1st of January.
    case year
    /// A quarter of a year, from the 1st of January, April, July or October.
    case quarter
    /// A month, from the 1st.
    case month
    /// A week, from Monday.
    case week
    /// A day, of 23 to 25 hours where clocks change.
    case day
    /// An hour.
    case hour
    /// A minute.
    case minute
}

/// The time zone in which a query looks at dates.
@_spi(Driver) public enum QueryTimeZone: Hashable, Sendable {
    /// One by its name in the time zone database of IANA: `Europe/Berlin`.
    case named(String)
    /// One that is always so many seconds east of Greenwich.
    case offset(seconds: Int)
}
