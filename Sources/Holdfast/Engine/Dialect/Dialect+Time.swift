/// A text that was written with the time, or without.
struct TimedSQL: Hashable, Sendable {
    let sql: String
    /// Whether a parameter is the time, which a clock of the program's tells.
    var takesTime = false
}

extension Dialect {
    /// Writes SQL that may name the time.
    ///
    /// `… WHERE ("until" <= $2::timestamp with time zone) IS NOT TRUE` at the position 2, where a program has a clock.
    ///
    /// What is the same at whatever position the time would be does not have it.
    ///
    /// - Parameters:
    ///   - position: The position of the parameter that is the time, if a clock tells it.
    ///   - write: Writes the SQL in the dialect that it is given; twice, where there is a clock.
    func takingTime(at position: Int, _ write: (any Dialect) -> String) -> TimedSQL {
        let sql = write(self)
        guard timePosition != nil else { return TimedSQL(sql: sql) }
        var timed: any Dialect = self
        timed.timePosition = position
        let other = write(timed)
        return TimedSQL(sql: other, takesTime: other != sql)
    }
}
