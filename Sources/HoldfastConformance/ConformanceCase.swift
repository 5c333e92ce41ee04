/// One thing that every driver must do: a value, so that no driver can leave one out.
///
/// ```swift
/// for behaviour in ConformanceCase.all { print(behaviour.id, behaviour.title) }
/// let result = await ConformanceRunner(provision).run(behaviour)
/// ```
///
/// The suite uses no test framework: run it from yours, one test for each case, or through ``ConformanceRunner``.
public struct ConformanceCase: Sendable, Identifiable {
    /// The name in manifests and filters: the clause in lower case, a dot, and words: `val-3.before-1970`.
    public let id: String
    /// The clause of the portable profile that it checks: `VAL-3`.
    public let clause: String
    /// The expected behaviour, as a sentence.
    public let title: String
    /// The part of the profile that it belongs to.
    public let level: ConformanceLevel
    /// The features that the engine needs.
    ///
    /// Where it can't, the case must end in ``Holdfast/DatabaseError/Code/unsupported``.
    public let requires: [Requirement]
    /// Checks it, in an empty database of its own; throws if it does not hold.
    public let run: @Sendable (ConformanceEnvironment) async throws -> Void

    /// Creates a case.
    public init(
        _ id: String,
        _ clause: String,
        _ title: String,
        level: ConformanceLevel = .core,
        requires: [Requirement] = [],
        run: @escaping @Sendable (ConformanceEnvironment) async throws -> Void
    ) {
        self.id = id
        self.clause = clause
        self.title = title
        self.level = level
        self.requires = requires
        self.run = run
    }
}

extension ConformanceCase: CustomStringConvertible {
    public var description: String { id }
}

/// A part of the portable profile that a driver can have as a whole.
public struct ConformanceLevel: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Values, flat objects with arrays of values, transactions, errors, and tables made from nothing.
    public static let core = ConformanceLevel(rawValue: "Core")
    /// References and arrays of objects.
    public static let graph = ConformanceLevel(rawValue: "Graph")
    /// Changes to tables that exist.
    public static let schemaEvolution = ConformanceLevel(rawValue: "Schema evolution")
    /// Listeners and live queries.
    public static let live = ConformanceLevel(rawValue: "Live")
    /// Keyed documents.
    public static let documents = ConformanceLevel(rawValue: "Documents")
    /// Keeping databases of two engines the same.
    public static let sync = ConformanceLevel(rawValue: "Sync")
}
