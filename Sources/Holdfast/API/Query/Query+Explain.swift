extension Query {
    /// Returns the engine's query plan, one step in each line; for people, and different on each engine.
    ///
    /// ```swift
    /// print(try await db.query(Project.self).where { $0.code == "AP" }.explain())
    /// // SEARCH t0 USING INDEX project_code_key (code=?)
    /// ```
    ///
    /// - Parameters:
    ///   - analyze: Whether the statement is run, too, without making objects. PostgreSQL's plan then has the
    ///     rows and times of each step; where an engine does not measure steps, as SQLite, a last line has those of
    ///     all: `actual rows=12 time=0.31 ms`.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    public func explain(
        analyze: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> String {
        let query = at(fileID, line)
        let dialect = try query.access.core.dialect
        let plan = try await query.run(
            "explain",
            { sql in
                let (text, parameters) = try sql.select()
                return (analyze ? dialect.explainAnalyze(text) : dialect.explain(text), parameters)
            }
        ) { rows in
            let last = rows.columnNames.count - 1
            var lines: [String] = []
            while let cells = try rows.next() { lines.append(try String._decode(cells[last])) }
            return lines.joined(separator: "\n")
        }
        guard analyze, !dialect.measuresSteps else { return plan }
        let start = PoolClock.now
        let count = try await query.run("explain", { try $0.select() }) { rows in
            var count = 0
            while try rows.next() != nil { count += 1 }
            return count
        }
        return "\(plan)\nactual rows=\(count) time=\(StatementLog.milliseconds(PoolClock.now - start)) ms"
    }
}
