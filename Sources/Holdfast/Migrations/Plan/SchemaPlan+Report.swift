extension SchemaPlan {
    /// The SQL, with comments in front of each statement: its locks, its work, its ``hazards``, and what is not known.
    ///
    /// ```swift
    /// print(try await db.schemaPlan(for: schema).report)
    /// // -- ACCESS EXCLUSIVE on "note"; rewrites the table
    /// // -- Previous version: The column "rank" of "note" gets another type: values may not fit the old one.
    /// // ALTER TABLE "note" ALTER COLUMN "rank" TYPE bigint USING CAST("rank" AS bigint);
    /// ```
    public var report: String { script.report }

    /// The plan as a script, which can be read, kept, and applied as it is.
    ///
    /// ```swift
    /// let script = try await db.schemaPlan(for: schema).script
    /// print(script)    // SQL with comments
    /// try await db.migrate(schema, applying: script)
    /// ```
    public var script: SchemaScript {
        let hazards = Dictionary(grouping: hazards, by: \.step)
        func comments(_ step: SchemaStep?) -> [String] {
            (hazards[step] ?? []).map { "Previous version: \($0.message)" }
        }
        return SchemaScript(
            steps: steps.map { step in
                SchemaScript.Step(
                    sql: step.sql, losesData: step.losesData, unknown: step.unknown, part: step.part,
                    comments: [step.effectsText] + [step.unknown?.sentence].compactMap(\.self) + comments(step))
            }, unplanned: unplanned, comments: comments(nil), migrations: migrations)
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
