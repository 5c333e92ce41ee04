/// The result of a run of the suite.
public struct ConformanceReport: Sendable {
    /// The manifest of the driver.
    public let manifest: ConformanceManifest
    /// The seed of random choices.
    public let seed: UInt64
    /// One result for each case that was run, in the order of the cases.
    public let results: [ConformanceResult]
    /// The errors in the manifest.
    public let problems: [String]

    init(manifest: ConformanceManifest, seed: UInt64, results: [ConformanceResult], problems: [String]) {
        self.manifest = manifest
        self.seed = seed
        self.results = results
        self.problems = problems
    }

    /// Whether nothing failed and the manifest is complete and true.
    public var isAcceptable: Bool {
        problems.isEmpty && !results.isEmpty && results.allSatisfy(\.outcome.isAcceptable)
    }

    /// The number of cases for each outcome, by its name.
    ///
    /// ```swift
    /// report.counts["failed", default: 0]
    /// ```
    public var counts: [String: Int] {
        Dictionary(grouping: results, by: \.outcome.name).mapValues(\.count)
    }
}

// MARK: For people

extension ConformanceReport: CustomStringConvertible {
    /// A table with a row for each clause, and details of each case that did not simply pass.
    public var description: String { [table, details, verdict].filter { !$0.isEmpty }.joined(separator: "\n\n") }

    private static let columns = ["passed", "emulated", "unsupported", "known issue", "failed"]

    private var table: String {
        var clauses: [String] = []
        for result in results where !clauses.contains(result.behaviour.clause) {
            clauses.append(result.behaviour.clause)
        }
        var rows = [["clause"] + Self.columns]
        for clause in clauses { rows.append(row(clause, results.filter { $0.behaviour.clause == clause })) }
        rows.append(row("all", results))
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private func row(_ name: String, _ results: [ConformanceResult]) -> [String] {
        [name]
            + Self.columns.map { column in
                let count = results.count { $0.outcome.name == column }
                return count == 0 ? "·" : String(count)
            }
    }

    private var details: String {
        results.filter { $0.outcome != .passed }
            .map { "\($0.behaviour.id): \($0.outcome.name)\n    \($0.behaviour.title)\n    \($0.outcome.detail ?? "")" }
            .joined(separator: "\n")
    }

    private var verdict: String {
        let lines = problems + (results.isEmpty ? ["No case was run."] : [])
        let sentence =
            isAcceptable
            ? "\(manifest.driver) conforms: \(results.count) cases."
            : "\(manifest.driver) does not conform. Repeat with the seed \(seed)."
        return (lines + [sentence]).joined(separator: "\n")
    }
}

// MARK: For machines

extension ConformanceReport: Encodable {
    private enum Field: String, CodingKey {
        case driver, seed, conforms, counts, problems, cases
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        try container.encode(manifest.driver, forKey: .driver)
        try container.encode(seed, forKey: .seed)
        try container.encode(isAcceptable, forKey: .conforms)
        try container.encode(counts, forKey: .counts)
        try container.encode(problems, forKey: .problems)
        try container.encode(results, forKey: .cases)
    }
}

extension ConformanceResult: Encodable {
    private enum Field: String, CodingKey {
        case id, clause, level, title, outcome, detail, seconds
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        try container.encode(behaviour.id, forKey: .id)
        try container.encode(behaviour.clause, forKey: .clause)
        try container.encode(behaviour.level.rawValue, forKey: .level)
        try container.encode(behaviour.title, forKey: .title)
        try container.encode(outcome.name, forKey: .outcome)
        try container.encodeIfPresent(outcome.detail, forKey: .detail)
        let components = duration.components
        try container.encode(Double(components.seconds) + Double(components.attoseconds) * 1e-18, forKey: .seconds)
    }
}
