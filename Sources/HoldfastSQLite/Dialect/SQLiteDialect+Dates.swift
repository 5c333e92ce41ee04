@_spi(Driver) import Holdfast

/// By functions of ours: SQLite has no time zones, and reads only dates as text.
@_spi(Driver) extension SQLiteDialect: DateDialect {
    public func seconds(from start: String, to end: String) -> String { "holdfast_date_seconds(\(start), \(end))" }

    public func adding(seconds: String, to date: String) -> String { "holdfast_date_add(\(date), \(seconds))" }

    public func part(_ part: DatePart, of date: String, in zone: QueryTimeZone) -> String {
        "holdfast_date_part(\(date), '\(part.rawValue)', \(name(of: zone)))"
    }

    public func start(of unit: DateUnit, _ date: String, in zone: QueryTimeZone) -> String {
        "holdfast_date_start(\(date), '\(unit.rawValue)', \(name(of: zone)))"
    }

    private func name(of zone: QueryTimeZone) -> String {
        switch zone {
        case .named(let name): quotedText(name)
        case .offset(let seconds): String(seconds)
        }
    }
}
