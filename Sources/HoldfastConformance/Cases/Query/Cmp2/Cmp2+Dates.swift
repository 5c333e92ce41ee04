import Foundation
import Holdfast

extension ConformanceCase {
    static let cmp2Dates: [ConformanceCase] = [
        asking(
            "cmp-2.date-differences", "CMP-2", "The time between two dates is in seconds, and nil where one is nil",
            [
                .typed("a difference", { ($0.joined - $0.born) > 86_400 }, { ($0.joined - $0.born) ?? 0 > 86_400 }),
                .typed(
                    "a difference of its own", { $0.born.seconds(until: $0.born) == 0 }, { $0.born != nil }),
                .typed("no difference", { $0.joined - $0.born == nil }, { ($0.joined - $0.born) == nil }),
                .typed(
                    "the time until a date", { $0.born.seconds(until: noon) < 1_000 },
                    { ($0.born.map { noon.timeIntervalSince($0) } ?? .infinity) < 1_000 }),
                .typed(
                    "a sum", { $0.born.adding(.seconds(3_600)) < $0.born.adding(.milliseconds(3_600_001)) },
                    { $0.born != nil }),
                .typed(
                    "a sum with a value", { $0.born.adding(.seconds(-86_400)) >= noon },
                    { $0.born.map { $0 - 86_400 >= noon } ?? false }),
                .typed(
                    "a sum with a property", { $0.joined.adding(seconds: $0.age) > $0.born },
                    { engineer in
                        guard let joined = engineer.joined, let born = engineer.born else { return false }
                        return joined + Double(engineer.age) > born
                    }),
                .typed(
                    "a sum with a double", { $0.born.adding(seconds: $0.height) == nil },
                    { $0.born == nil || $0.height == nil }),
                .typed("the time of the statement", { $0.born < .statementTime }, { $0.born != nil }),
            ]),
        ConformanceCase(
            "cmp-2.date-averages", "CMP-2", "Times between dates are averaged, set and limited as other numbers are"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let averages = try await all.group { $0.grade }
                .select { ($0.grade, $0.born.seconds(until: $0.joined).average) }.fetch()
            for (grade, average) in averages {
                let times = engineers.filter { $0.grade == grade }.compactMap { $0.born - $0.joined }.map { -$0 }
                let expected = times.reduce(0, +) / Double(times.count)
                try expect(abs((average ?? .infinity) - expected) < 1e-3, "The average of \(grade) is right.")
            }
            let count = try await all.where { $0.born != nil }.update {
                $0.born.set($0.born.current.adding(.milliseconds(90_500)))
            }
            try expect(count, equals: engineers.filter { $0.born != nil }.count, "the number of dates set")
            let later = try await all.select(\.born).fetch()
            try expect(later, equals: engineers.map { $0.born.map { $0 + 90.5 } }, "the dates that were set")
            let far = Date(timeIntervalSince1970: 9_000_000_000_000)
            try await all.update { $0.born.set(far) }
            try await expect(.invalidValue, from: "a date that no column holds") {
                _ = try await all.select { $0.born.adding(.seconds(900_000_000_000)) }.fetch()
            }
            try await expect(.invalidValue, from: "a time that is endless") {
                _ = try await all.select { $0.born.adding(seconds: $0.height * .greatestFiniteMagnitude) }.fetch()
            }
            try await expect(.unsupported, from: "a time in decimals") {
                _ = try await all.select { $0.born.adding(seconds: $0.salary) }.fetch()
            }
            try await expect(.unsupported, from: "a time zone of a name that is ambiguous") {
                let zone = try expect(some: TimeZone(identifier: "CET"), "the zone")
                _ = try await all.select { $0.born.part(.hour, in: zone) }.fetch()
            }
        },
        ConformanceCase(
            "cmp-2.date-exact", "CMP-2",
            "A time between two dates is the double of its microseconds, however long it is"
        ) { environment in
            let db = try await environment.open(Beat.self)
            var random = SplitMix64(state: environment.seed)
            let range: ClosedRange<Int64> = -1_000_000_000_000_000...1_000_000_000_000_000
            func date(_ microseconds: Int64) -> Date {
                Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
            }
            let starts = Set((0..<500).map { _ in Int64.random(in: range, using: &random) }).sorted()
            _ = try await db.insert(starts.enumerated().map { Beat(id: date($1), number: $0) })
            let all = db.query(Beat.self).order(\.number)
            // Around the length up to which PostgreSQL computes with doubles, and far beyond.
            for far: Int64 in [0, 1_500_000_000, -1_500_000_000, 2_000_000_000, -2_000_000_000, 7_000_000_000] {
                let end = Int64.random(in: range, using: &random)
                let times = try await all.select { $0.id.adding(.seconds(far)).seconds(until: date(end)) }.fetch()
                try expect(
                    times, equalsEach: starts.map { Double(end - $0 - far * 1_000_000) / 1_000_000 },
                    "the times to a date, from \(far) seconds later")
            }
        },
        ConformanceCase(
            "cmp-2.date-clock", "CMP-2", "The time of a statement is that of the clock of the configuration"
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(Beat.self) { clock.attach(to: &$0) }
            _ = try await db.insert([
                Beat(id: clock.now - 10, number: 1), Beat(id: clock.now, number: 2),
                Beat(id: clock.now + 10, number: 3),
            ])
            let all = db.query(Beat.self).order(\.number)
            try expect(
                try await all.where { $0.id < .statementTime }.fetch().map(\.number), equals: [1], "what has passed")
            try expect(
                try await all.where { $0.id - .statementTime > 5 && $0.number < 9 }.fetch().map(\.number), equals: [3],
                "what is ahead")
            try expect(
                try await all.select { ($0.number, $0.id - .statementTime) }.fetch().map { $0.1 ?? 0 },
                equals: [-10, 0, 10], "the times from now")
            clock.now += 15
            try expect(
                try await all.where { $0.id < .statementTime }.fetch().map(\.number), equals: [1, 2, 3],
                "what has passed later")
        },
        ConformanceCase(
            "cmp-2.date-parts", "CMP-2",
            "Parts and beginnings of dates are those that clocks show in a time zone, from 1900 to 2100"
        ) { environment in
            let db = try await environment.open(Beat.self)
            var random = SplitMix64(state: 20_261)
            var dates: Set<Date> = []
            for _ in 0..<700 {
                let seconds = Double(Int.random(in: -2_208_902_400..<4_102_358_400, using: &random))
                dates.insert(Date(timeIntervalSince1970: seconds + Double(Int.random(in: 0..<4, using: &random)) / 4))
            }
            // The hours around changes of clocks, in Berlin and in New York.
            for change in [1_774_746_000, 1_792_890_000, 1_772_953_200, 1_793_512_800, -1_693_706_400, -880_207_200] {
                for quarter in -20...20 { dates.insert(Date(timeIntervalSince1970: Double(change + quarter * 900))) }
            }
            let sorted = dates.sorted()
            _ = try await db.insert(sorted.enumerated().map { Beat(id: $1, number: $0) })
            let all = db.query(Beat.self).order(\.number)
            for name in ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC", "+02:30", "-08:00"] {
                let zone = try expect(some: Self.zone(name), "the zone \(name)")
                let looks = sorted.map { DateShown($0, in: zone) }
                let parts = try await all.select {
                    (
                        $0.id.part(.year, in: zone), $0.id.part(.month, in: zone), $0.id.part(.day, in: zone),
                        $0.id.part(.hour, in: zone), $0.id.part(.minute, in: zone), $0.id.part(.second, in: zone)
                    )
                }.fetch()
                let calendars = try await all.select {
                    (
                        $0.id.part(.weekday, in: zone), $0.id.part(.week, in: zone), $0.id.part(.dayOfYear, in: zone),
                        $0.id.part(.quarter, in: zone)
                    )
                }.fetch()
                for (index, look) in looks.enumerated() {
                    let (year, month, day, hour, minute, second) = parts[index]
                    let (weekday, week, dayOfYear, quarter) = calendars[index]
                    try expect(
                        [year, month, day, hour, minute, second, weekday, week, dayOfYear, quarter],
                        equals: look.parts, "the parts of \(sorted[index]) in \(name)")
                }
                for unit in DateUnit.allCases {
                    let starts = try await all.select { $0.id.start(of: unit, in: zone) }.fetch()
                    for (index, look) in looks.enumerated() {
                        try expect(
                            starts[index], equals: look.start(of: unit),
                            "the beginning of the \(unit) of \(sorted[index]) in \(name)")
                    }
                }
            }
        },
        ConformanceCase(
            "cmp-2.date-groups", "CMP-2", "Objects are grouped, ordered and counted by their days in a time zone"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let zone = try expect(some: Self.zone("Europe/Berlin"), "the zone")
            let all = db.query(Engineer.self)
            let days = try await all.group { $0.born.start(of: .day, in: zone) }
                .order { $0.born.start(of: .day, in: zone).descending }
                .select { ($0.born.start(of: .day, in: zone), $0.rowCount) }.fetch()
            let byDay = Dictionary(grouping: engineers) { $0.born.flatMap { DateShown($0, in: zone).start(of: .day) } }
            try expect(
                days.map(\.0), equals: byDay.keys.sorted(by: { $0 ?? .distantPast > $1 ?? .distantPast }), "the days")
            try expect(days.map(\.1), equals: days.map { byDay[$0.0]?.count ?? 0 }, "the engineers of each")
            let weekdays = try await all.group { $0.joined.part(.weekday, in: zone) }
                .select { ($0.joined.part(.weekday, in: zone), $0.rowCount) }.fetch()
            let byWeekday = Dictionary(grouping: engineers) { $0.joined.map { DateShown($0, in: zone).parts[6] } }
            try expect(weekdays.count, equals: byWeekday.count, "the number of days of the week")
            for (weekday, count) in weekdays {
                try expect(count, equals: byWeekday[weekday]?.count, "the engineers of a day of the week")
            }
        },
        ConformanceCase(
            "cmp-2.date-storages", "CMP-2", "Dates in texts are computed with, and those in numbers are refused"
        ) { environment in
            let db = try await environment.open(Shift.self)
            try await db.save(Shift(Date(timeIntervalSince1970: 1_000_000_000), "early"))
            let all = db.query(Shift.self)
            try await expect(.unsupported, from: "a part of a date that is a number") {
                _ = try await all.select { $0.start.part(.year) }.fetch()
            }
            try await expect(.unsupported, from: "the beginning of a date that is a number") {
                _ = try await all.where { $0.start.start(of: .day) < .statementTime }.fetch()
            }
            try await expect(.unsupported, from: "the time since a date that is a number") {
                _ = try await all.where { $0.start.seconds(until: .statementTime) > 5 }.count()
            }
            try await expect(.unsupported, from: "a sum with a date that is a number") {
                _ = try await all.select { $0.start.adding(.seconds(1)) }.fetch()
            }
        },
    ]

    /// A time zone by its name, or with an offset such as `-08:00`.
    private static func zone(_ name: String) -> TimeZone? {
        guard name.first == "+" || name.first == "-" else { return TimeZone(identifier: name) }
        let numbers = name.dropFirst().split(separator: ":").compactMap { Int($0) }
        return TimeZone(secondsFromGMT: (numbers[0] * 3600 + numbers[1] * 60) * (name.first == "-" ? -1 : 1))
    }
}

private let noon = Date(timeIntervalSince1970: 1_000_209_600)

/// The seconds between two dates, nil where one is nil.
private func - (left: Date?, right: Date?) -> Double? {
    left.flatMap { left in right.map { left.timeIntervalSince($0) } }
}

/// A date as clocks and calendars show it, by Foundation.
private struct DateShown {
    let date: Date
    let calendar: Calendar
    let seconds: Int

    init(_ date: Date, in zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        (calendar.timeZone, calendar.firstWeekday, calendar.minimumDaysInFirstWeek) = (zone, 2, 4)
        (self.date, self.calendar) = (date, calendar)
        // What clocks show is what those in Greenwich show some time later.
        seconds = Int(date.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: date)
    }

    var parts: [Int] {
        let shown = calendar.dateComponents([.year, .month, .day, .weekday, .weekOfYear], from: date)
        let (year, month, day) = (shown.year ?? 0, shown.month ?? 0, shown.day ?? 0)
        let dayOfYear = calendar.ordinality(of: .day, in: .year, for: date) ?? 0
        let time = (seconds % 86_400 + 86_400) % 86_400
        return [
            year, month, day, time / 3600, time / 60 % 60, time % 60, ((shown.weekday ?? 0) + 5) % 7 + 1,
            shown.weekOfYear ?? 0, dayOfYear, (month + 2) / 3,
        ]
    }

    func start(of unit: DateUnit) -> Date? {
        let components: Set<Calendar.Component>
        switch unit {
        case .minute, .hour:
            let length = unit == .hour ? 3600 : 60
            let passed = (seconds % length + length) % length
            return Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down) - Double(passed))
        case .day: return later(calendar.startOfDay(for: date))
        case .week: components = [.yearForWeekOfYear, .weekOfYear]
        case .month: components = [.year, .month]
        case .year: components = [.year]
        case .quarter:
            var shown = calendar.dateComponents([.year, .month], from: date)
            shown.month = ((shown.month ?? 0) - 1) / 3 * 3 + 1
            return calendar.date(from: shown).map { later(calendar.startOfDay(for: $0)) }
        }
        let start = calendar.date(from: calendar.dateComponents(components, from: date))
        return start.map { later(calendar.startOfDay(for: $0)) }
    }

    /// The second instant at which clocks show the time of a first one, as they did in Berlin when 1916-10-01 began.
    private func later(_ date: Date) -> Date {
        let zone = calendar.timeZone
        return zone.secondsFromGMT(for: date) == zone.secondsFromGMT(for: date + 3600) + 3600 ? date + 3600 : date
    }
}
