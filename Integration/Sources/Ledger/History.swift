/// What the database may hold, after all that programs were told of their operations.
struct History {
    /// Whether an entry has to be there; nil for either.
    private var entries: [String: Bool?] = [:]
    /// What is known of each operation, as its last line told, and whether an earlier attempt ended in the dark.
    private var tallies: [String: (done: Int, unknown: Int)] = [:]
    private var marks: [String: (known: Int, unknown: Set<Int>)] = [:]
    private var counts: [String: Int] = [:]
    private var anomalies: [String] = []
    private var open: Set<Operation> = []
    private var unknown: Set<Operation> = []

    mutating func take(_ outcome: Journal.Outcome, _ operation: Operation, _ comment: String) {
        if outcome == .begun {
            open.insert(operation)
            return
        }
        open.remove(operation)
        let code = comment.split(separator: " ").first.map(String.init) ?? ""
        counts[outcome == .done ? "done" : code, default: 0] += 1
        if outcome == .failed, code == "uniqueViolation", !unknown.contains(operation) {
            anomalies.append(
                "\(operation.worker)-\(operation.number) \(operation.kind) was done, though an error denied it.")
        }
        apply(outcome, operation)
    }

    private mutating func apply(_ outcome: Journal.Outcome, _ operation: Operation) {
        if outcome == .unknown { unknown.insert(operation) }
        if outcome == .failed {
            for id in operation.entries where entries[id] == nil {
                entries[id] = operation.kind == .delete ? true : false
            }
            return
        }
        let isKnown = outcome == .done
        switch operation.kind {
        case .tally:
            var tally = tallies[operation.worker] ?? (0, 0)
            if isKnown { tally.done += 1 } else { tally.unknown += 1 }
            tallies[operation.worker] = tally
        case .mark:
            var mark = marks[operation.worker] ?? (0, [])
            if isKnown { mark.known = operation.number } else { mark.unknown.insert(operation.number) }
            marks[operation.worker] = mark
        default:
            let isThere = operation.kind != .delete
            for id in operation.entries { entries.updateValue(isKnown ? isThere : nil, forKey: id) }
        }
    }

    /// The ways in which the database contradicts what was told.
    mutating func problems(entries found: Set<String>, counters: [String: Int]) -> [String] {
        for operation in open { apply(.unknown, operation) }
        var problems = anomalies
        for (id, state) in entries {
            guard let isExpected = state, isExpected != found.contains(id) else { continue }
            problems.append(
                isExpected ? "\(id) is lost." : "\(id) is there, though an error denied it or it was deleted.")
        }
        problems += halves(found)
        for (worker, tally) in tallies {
            let value = counters[Operation.tally(of: worker)] ?? -1
            if value < tally.done || value > tally.done + tally.unknown {
                problems.append("The tally of \(worker) is \(value): \(tally.done) done, \(tally.unknown) unknown.")
            }
        }
        for (worker, mark) in marks {
            let value = counters[Operation.mark(of: worker)] ?? -1
            if value != mark.known, !mark.unknown.contains(value) {
                problems.append("The mark of \(worker) is \(value), and was last set to \(mark.known).")
            }
        }
        return problems
    }

    /// Saves of several entries of which some are there and some are not.
    private func halves(_ found: Set<String>) -> [String] {
        unknown.compactMap { operation in
            guard operation.entries.count > 1 else { return nil }
            let count = operation.entries.count { found.contains($0) }
            guard count != 0, count != operation.entries.count else { return nil }
            return
                "\(count) of \(operation.entries.count) entries of \(operation.worker)-\(operation.number) are there."
        }
    }

    /// The outcomes and how often each came.
    var summary: String {
        let outcomes = counts.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }
        return "\(outcomes.joined(separator: ", ")), \(open.count) under way when killed"
    }
}
