@_spi(Driver) import Holdfast

@_spi(Driver) extension PostgresDialect: DateDialect {
    /// By a whole number of microseconds, so that its quotient is the same double on every engine.
    ///
    /// The server computes doubles many times faster than numerics. Below 2e9 seconds, all that it rounds is less than
    /// half a microsecond, so that the whole number is the exact one; beyond, numerics compute it.
    public func seconds(from start: String, to end: String) -> String {
        let time = "(\(instant(end)) - \(instant(start)))"
        let exact = "round(extract(epoch FROM \(time)) * 1000000)::bigint::double precision / 1000000"
        // A query inside would run twice.
        if time.contains("SELECT") { return "(\(exact))" }
        let fast = "round(date_part('epoch', \(time)) * 1000000) / 1000000"
        return "(CASE WHEN abs(date_part('epoch', \(time))) < 2e9 THEN \(fast) ELSE \(exact) END)"
    }

    public func adding(seconds: String, to date: String) -> String {
        "(\(instant(date)) + '1 microsecond'::interval * ((\(seconds))::double precision * 1000000))"
    }

    public func part(_ part: DatePart, of date: String, in zone: QueryTimeZone) -> String {
        let field =
            switch part {
            case .year, .quarter, .month, .week, .day, .hour, .minute, .second: part.rawValue
            case .dayOfYear: "doy"
            case .weekday: "isodow"
            }
        return "floor(extract(\(field) FROM (\(instant(date)) AT TIME ZONE \(name(of: zone)))))::bigint"
    }

    public func start(of unit: DateUnit, _ date: String, in zone: QueryTimeZone) -> String {
        "date_trunc('\(unit.rawValue)', \(instant(date)), \(name(of: zone)))"
    }

    private func instant(_ sql: String) -> String { "(\(sql))::\(storedTypeName(.timestamp))" }

    /// The name of a time zone; one with an offset as POSIX has it, where a positive one is west of Greenwich.
    private func name(of zone: QueryTimeZone) -> String {
        switch zone {
        case .named(let name): return quotedText(name)
        case .offset(0): return "'UTC'"
        case .offset(let seconds):
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let rest = abs(seconds)
            let clock = "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
            return "'<\(seconds > 0 ? "+" : "-")\(two(rest / 3600))>\(seconds > 0 ? "-" : "+")\(clock)'"
        }
    }
}
