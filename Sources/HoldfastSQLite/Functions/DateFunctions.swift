import CSQLite
import Foundation
import Holdfast

/// The functions that compute with dates, which are microseconds since 1970.
extension DatabaseHandle {
    func registerDateFunctions() throws(ResultCode) {
        try register("holdfast_date_seconds", 2) { context, _, values in
            guard let context, let (start, end) = dates(values) else { return }
            let (difference, overflows) = end.subtractingReportingOverflow(start)
            if overflows { return refuse(context) }
            sqlite3_result_double(context, Double(difference) / 1_000_000)
        }
        try register("holdfast_date_add", 2) { context, _, values in
            guard let context, let date = values?[0], let seconds = values?[1],
                sqlite3_value_type(date) != SQLITE_NULL, sqlite3_value_type(seconds) != SQLITE_NULL
            else { return }
            let added = (sqlite3_value_double(seconds) * 1_000_000).rounded(.toNearestOrEven)
            guard let microseconds = Int64(exactly: added) else { return refuse(context) }
            let (sum, overflows) = sqlite3_value_int64(date).addingReportingOverflow(microseconds)
            guard !overflows, sum >= earliest else { return refuse(context) }
            sqlite3_result_int64(context, sum)
        }
        try register("holdfast_date_part", 3) { context, _, values in
            guard let context, let date = values?[0], sqlite3_value_type(date) != SQLITE_NULL else { return }
            guard let look = DateLook<DatePart>.of(context, values, DatePart.init),
                let local = look.zone.local(sqlite3_value_int64(date))
            else { return refuse(context) }
            sqlite3_result_int64(context, LocalDate(local).part(look.unit))
        }
        try register("holdfast_date_start", 3) { context, _, values in
            guard let context, let date = values?[0], sqlite3_value_type(date) != SQLITE_NULL else { return }
            guard let look = DateLook<DateUnit>.of(context, values, DateUnit.init),
                let start = look.zone.start(of: look.unit, sqlite3_value_int64(date))
            else { return refuse(context) }
            sqlite3_result_int64(context, start)
        }
    }
}

/// The first instant that engines have: 4714-11-24 before Christ.
private let earliest: Int64 = -210_866_803_200_000_000

private func refuse(_ context: OpaquePointer) { sqlite3_result_error(context, "integer overflow", -1) }

/// Two dates; nil if one is NULL.
private func dates(_ values: UnsafeMutablePointer<OpaquePointer?>?) -> (Int64, Int64)? {
    guard let first = values?[0], let second = values?[1], sqlite3_value_type(first) != SQLITE_NULL,
        sqlite3_value_type(second) != SQLITE_NULL
    else { return nil }
    return (sqlite3_value_int64(first), sqlite3_value_int64(second))
}

/// What is looked for in dates, and in which time zone: the constants of a call, which SQLite keeps for a statement.
private final class DateLook<Unit: Sendable>: Sendable {
    let unit: Unit
    let zone: ZoneClock

    init(_ unit: Unit, _ zone: ZoneClock) { (self.unit, self.zone) = (unit, zone) }

    static func of(
        _ context: OpaquePointer, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ unit: (String) -> Unit?
    ) -> DateLook? {
        if let known = sqlite3_get_auxdata(context, 1) {
            return Unmanaged<DateLook>.fromOpaque(known).takeUnretainedValue()
        }
        guard let name = values?[1].flatMap(sqlite3_value_text), let zone = values?[2],
            let unit = unit(String(cString: name)), let clock = ZoneClock(zone)
        else { return nil }
        let look = DateLook(unit, clock)
        sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(look).toOpaque()) { known in
            if let known { Unmanaged<AnyObject>.fromOpaque(known).release() }
        }
        return look
    }
}

/// The clocks of a time zone.
private struct ZoneClock: Sendable {
    private static let second: Int64 = 1_000_000
    private static let day: Int64 = 86_400

    private let zone: TimeZone?
    private let offset: Int64

    /// The zone of a name, or with an offset in seconds; nil if there is none of that name.
    init?(_ value: OpaquePointer) {
        if sqlite3_value_type(value) == SQLITE_INTEGER {
            (zone, offset) = (nil, sqlite3_value_int64(value))
            return
        }
        guard let name = sqlite3_value_text(value), let zone = TimeZone(identifier: String(cString: name)) else {
            return nil
        }
        (self.zone, offset) = (zone, 0)
    }

    /// The seconds that clocks are ahead at so many seconds after 1970.
    private func offset(at seconds: Int64) -> Int64 {
        zone.map { Int64($0.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))) } ?? offset
    }

    /// What clocks show at an instant, as if they were in Greenwich; nil if that is too far away.
    func local(_ date: Int64) -> Int64? {
        let (sum, overflows) = date.addingReportingOverflow(
            offset(at: date.flooredQuotient(Self.second)) * Self.second)
        return overflows ? nil : sum
    }

    /// The instant at which a unit began that a date is in.
    func start(of unit: DateUnit, _ date: Int64) -> Int64? {
        guard let local = local(date) else { return nil }
        let seconds = local.flooredQuotient(Self.second)
        let start: Int64
        switch unit {
        case .hour: start = seconds.flooredQuotient(3600) * 3600 - (seconds - date.flooredQuotient(Self.second))
        case .minute: start = seconds.flooredQuotient(60) * 60 - (seconds - date.flooredQuotient(Self.second))
        case .year, .quarter, .month, .week, .day: start = instant(LocalDate(local).firstDay(of: unit) * Self.day)
        }
        let (result, overflows) = start.multipliedReportingOverflow(by: Self.second)
        return overflows ? nil : result
    }

    /// The seconds since 1970 at which clocks show a time: by the later offset where they show it twice, and by the
    /// earlier one where they skip it.
    private func instant(_ local: Int64) -> Int64 {
        let (before, after) = (offset(at: local - Self.day), offset(at: local + Self.day))
        if before == after { return local - before }
        return offset(at: local - after) == after ? local - after : local - before
    }
}

/// A day and a time of it, as clocks and calendars show them.
private struct LocalDate {
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    /// The days since 1970.
    private let days: Int64
    /// The seconds of the day.
    private let seconds: Int64

    init(_ local: Int64) {
        days = local.flooredQuotient(Self.microsecondsPerDay)
        seconds = (local - days * Self.microsecondsPerDay) / 1_000_000
    }

    /// The day of the week, from 0 for Monday: the first day of 1970 was a Thursday.
    private var weekday: Int64 { days + 3 - (days + 3).flooredQuotient(7) * 7 }

    func part(_ part: DatePart) -> Int64 {
        switch part {
        case .hour: return seconds / 3600
        case .minute: return seconds / 60 % 60
        case .second: return seconds % 60
        case .weekday: return weekday + 1
        case .week:
            // A week belongs to the year that its Thursday is in.
            let thursday = days - weekday + 3
            let year = ISO8601.date(ofDay: thursday).year
            return (thursday - ISO8601.day(ofYear: year, month: 1, day: 1)) / 7 + 1
        case .year, .quarter, .month, .day, .dayOfYear: break
        }
        let (year, month, day) = ISO8601.date(ofDay: days)
        return switch part {
        case .year: year > 0 ? year : year - 1
        case .quarter: (month - 1) / 3 + 1
        case .month: month
        case .dayOfYear: days - ISO8601.day(ofYear: year, month: 1, day: 1) + 1
        case .day, .week, .weekday, .hour, .minute, .second: day
        }
    }

    /// The first day of a unit that has days.
    func firstDay(of unit: DateUnit) -> Int64 {
        let (year, month, _) = ISO8601.date(ofDay: days)
        return switch unit {
        case .year: ISO8601.day(ofYear: year, month: 1, day: 1)
        case .quarter: ISO8601.day(ofYear: year, month: (month - 1) / 3 * 3 + 1, day: 1)
        case .month: ISO8601.day(ofYear: year, month: month, day: 1)
        case .week: days - weekday
        case .day, .hour, .minute: days
        }
    }
}

extension Int64 {
    /// The quotient, rounded down.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
