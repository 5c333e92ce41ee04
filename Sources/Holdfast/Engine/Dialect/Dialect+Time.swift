/// A text that was written with the time and with values of scopes, or without.
struct TimedSQL: Hashable, Sendable {
    var sql: String
    /// Whether a parameter is the time, which a clock of the program's tells.
    var takesTime = false
    /// The scopes whose values it has as parameters, one after the other, and the values; the time is behind them.
    var scopeNames: [String] = []
    var scopeValues: [ScopeValue] = []
    /// Whether others who see other rows may have the same text.
    var isShared = false
}

extension Dialect {
    /// Writes SQL that may name the time, and values of scopes.
    ///
    /// `… WHERE ("until" <= $2::timestamp with time zone) IS NOT TRUE` at the position 2, where a program has a clock.
    ///
    /// What is the same at whatever position the time would be does not have it; and so with values.
    ///
    /// - Parameters:
    ///   - position: The position of the first of these parameters.
    ///   - time: The position of the time, if it is known.
    ///   - write: Writes the SQL in the dialect that it is given; twice, where there is a clock or a value.
    func takingTime(
        at position: Int, knowing time: Int? = nil, _ write: (any Dialect) -> String
    ) -> TimedSQL {
        var text = TimedSQL(sql: write(self), isShared: scopes != nil)
        var dialect: any Dialect = self
        if let view = scopes, !view.values.isEmpty {
            for (name, value) in view.values.sorted(by: { $0.key < $1.key }) where view.positions[name] == nil {
                var probe: any Dialect = self
                probe.scopes?.positions[name] = position
                guard write(probe) != text.sql else { continue }
                dialect.scopes?.positions[name] = position + text.scopeNames.count
                text.scopeNames.append(name)
                text.scopeValues.append(value)
            }
            if !text.scopeNames.isEmpty {
                text.sql = write(dialect)
            }
        }
        guard timePosition != nil else { return text }
        dialect.timePosition = time ?? position + text.scopeNames.count
        let other = write(dialect)
        (text.sql, text.takesTime) = (other, other != text.sql)
        return text
    }
}
