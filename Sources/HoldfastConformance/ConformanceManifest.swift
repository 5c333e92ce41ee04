/// The claims of a driver before the suite is run: every level is claimed or declined, every failure is known.
///
/// ```swift
/// let manifest = ConformanceManifest(
///     driver: "sqlite",
///     claims: [.core],
///     knownIssues: [KnownIssue("val-6.sorts-as-numbers", "https://…/issues/12: the collation is missing")])
/// ```
///
/// A level or a case that it leaves out, or a case that does not exist, is a problem that fails the run.
public struct ConformanceManifest: Sendable {
    /// A case that is known to fail.
    public struct KnownIssue: Hashable, Sendable {
        /// The case's ``ConformanceCase/id``.
        public let id: String
        /// Why, with a link to where it is followed up.
        public let reason: String

        /// Creates a known issue: the case with this id fails, for this reason.
        public init(_ id: String, _ reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// The driver's name, for the report.
    public var driver: String
    /// The levels that the driver means to pass.
    public var claims: Set<ConformanceLevel>
    /// The levels that the driver does not have, each with the reason.
    ///
    /// Their cases are not run.
    public var declines: [ConformanceLevel: String]
    /// The cases that fail for now.
    ///
    /// One that starts to pass fails the run, so that the list stays true.
    public var knownIssues: [KnownIssue]

    /// Creates a manifest.
    public init(
        driver: String,
        claims: Set<ConformanceLevel>,
        declines: [ConformanceLevel: String] = [:],
        knownIssues: [KnownIssue] = []
    ) {
        self.driver = driver
        self.claims = claims
        self.declines = declines
        self.knownIssues = knownIssues
    }

    /// Returns the errors in the manifest, compared with existing cases.
    public func problems(with cases: [ConformanceCase]) -> [String] {
        var problems: [String] = []
        let known = Set(cases.map(\.id))
        var seen = Set<String>()
        for issue in knownIssues {
            if !known.contains(issue.id) {
                problems.append("The manifest names \(issue.id), and there is no such case.")
            }
            if !seen.insert(issue.id).inserted { problems.append("The manifest names \(issue.id) twice.") }
            if issue.reason.isEmpty { problems.append("The manifest gives no reason for \(issue.id).") }
        }
        for level in Set(cases.map(\.level)).sorted(by: { $0.rawValue < $1.rawValue }) {
            switch (claims.contains(level), declines[level] != nil) {
            case (false, false):
                problems.append(
                    "The manifest neither claims nor declines the level \(level.rawValue): its cases are unclassified."
                )
            case (true, true): problems.append("The manifest both claims and declines the level \(level.rawValue).")
            default: break
            }
        }
        return problems
    }

    func knownIssue(_ behaviour: ConformanceCase) -> KnownIssue? { knownIssues.first { $0.id == behaviour.id } }
}
