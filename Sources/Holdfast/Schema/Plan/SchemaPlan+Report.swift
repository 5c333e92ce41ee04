extension SchemaPlan {
    /// The SQL, with comments in front of each statement: its locks, its work, and its ``hazards``.
    ///
    /// ```swift
    /// print(try await db.schemaPlan(for: schema).report)
    /// // -- ACCESS EXCLUSIVE on "note"; rewrites the table
    /// // -- Previous version: The column "rank" of "note" gets another type: values may not fit the old one.
    /// // ALTER TABLE "note" ALTER COLUMN "rank" TYPE bigint USING CAST("rank" AS bigint);
    /// ```
    public var report: String {
        let hazards = Dictionary(grouping: hazards, by: \.step)
        func comments(_ step: SchemaStep?) -> [String] {
            (hazards[step] ?? []).map { "-- Previous version: \($0.message)" }
        }
        return (steps.flatMap { ["-- " + $0.effectsText] + comments($0) + [$0.sql + ";"] } + comments(nil))
            .joined(separator: "\n")
    }
}

extension SchemaStep {
    fileprivate var effectsText: String {
        var parts = [locks.isEmpty ? "no lock on a table of others" : locks.map(\.description).joined(separator: ", ")]
        if rewritesTable { parts.append("rewrites the table") } else if scansTable { parts.append("scans the table") }
        if losesData { parts.append("may lose values") }
        if mayFail { parts.append("may fail") }
        if !isTransactional { parts.append("outside of the transaction") }
        return parts.joined(separator: "; ")
    }
}
