/// Sees to it that what a migration runs is what a script says, statement by statement.
struct ScriptWatch {
    private let script: SchemaScript
    private var position = 0

    init(_ script: SchemaScript) { self.script = script }

    /// Begins with what would be run now, which has to be all of the script; or what is left of it, if parts of it were
    /// committed before.
    mutating func begin(_ plan: SchemaPlan) throws {
        if let first = script.unplanned.first {
            throw DatabaseError(
                .conflict,
                "The script does not say all that would be run, so that it can't be applied. \(first) Nothing was changed."
            )
        }
        // Others have done it meanwhile.
        if plan.steps.isEmpty { position = script.steps.count }
        let start = script.steps.count - plan.steps.count
        if start > position, isBoundary(start), areSame(script.steps[start...], plan.steps) { position = start }
        try require(plan.steps)
        for (id, checksum) in plan.migrations where script.migrations[id] != checksum {
            throw DatabaseError(
                .conflict,
                "The migration \"\(id)\" is not the one that the script was made with. Make a new script. Nothing was changed."
            )
        }
    }

    /// Refuses what is still to be run, unless it is the rest of the script.
    func require(_ steps: [SchemaStep]) throws {
        let rest = script.steps[position...]
        guard areSame(rest, steps) else { throw conflict(rest.map(\.sql), steps.map(\.sql)) }
    }

    /// Goes on to the next step.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` if the script has another one there.
    mutating func admit(_ step: SchemaStep) throws {
        let next = script.steps[position...].first
        guard let next, next.sql == step.sql, next.losesData == step.losesData else {
            throw conflict([next?.sql].compactMap(\.self), [step.sql])
        }
        position += 1
    }

    /// Whether a part of the migration begins at a position, so that what is before it may have been committed.
    private func isBoundary(_ index: Int) -> Bool {
        index < script.steps.count && script.steps[index - 1].part != script.steps[index].part
    }

    private func areSame(_ left: ArraySlice<SchemaScript.Step>, _ right: [SchemaStep]) -> Bool {
        left.elementsEqual(right) { ($0.sql, $0.losesData, $0.part) == ($1.sql, $1.losesData, $1.part) }
    }

    /// The error that tells what of a script would not be run, and what else would be.
    private func conflict(_ script: [String], _ now: [String]) -> DatabaseError {
        let difference = now.difference(from: script)
        func list(_ changes: [CollectionDifference<String>.Change]) -> String {
            let statements = changes.map { change in
                switch change {
                case .insert(_, let sql, _), .remove(_, let sql, _): sql
                }
            }
            return statements.firstStatements
        }
        var parts: [String] = []
        if !difference.removals.isEmpty { parts.append("Only in the script: \(list(difference.removals)).") }
        if !difference.insertions.isEmpty { parts.append("Not in the script: \(list(difference.insertions)).") }
        if parts.isEmpty { parts = ["Its statements would lose other values, or run in other transactions."] }
        return DatabaseError(
            .conflict,
            "What would be run now is not what the script says: the database or the program has changed since. "
                + "\(parts.joined(separator: " ")) Make a new script. \(SchemaProblems.ending)")
    }
}

extension [String] {
    /// The first of these statements, each on a line, and how many more there are.
    var firstStatements: String {
        let texts = prefix(5).map { sql in
            let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return line.count > 120 ? "\(line.prefix(120))…" : line
        }
        return texts.joined(separator: "; ") + (count > 5 ? "; and \(count - 5) more" : "")
    }
}
