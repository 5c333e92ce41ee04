@_spi(Driver) import Holdfast
import Synchronization

/// Faults that a database is to meet, at statements that a test chooses.
///
/// ```swift
/// let faults = FaultInjection()
/// let db = try await Database.open(.sqlite(.inMemory).injecting(faults))
/// try await db.migrate(Project.self)
/// faults.inject(.serializationFailure, at: 2)
/// try await db.transaction(maxRetries: 1) { tx in    // runs twice
///     try await tx.save(Project(name: "Apollo"))
///     try await tx.save(Project(name: "Gemini"))
/// }
/// ```
///
/// The database of a test has one already: ``TestDatabase/faults``.
public final class FaultInjection: Sendable {
    private struct Plan {
        let fault: Fault
        /// How many more statements that match come before it.
        var distance: Int
        var times: Int
        /// Nil for the statements that the fault is about.
        let matches: (@Sendable (RecordedStatement) -> Bool)?

        func concerns(_ statement: RecordedStatement, commits: Bool) -> Bool {
            if let matches { return matches(statement) }
            return switch fault.effect {
            case .error, .loss: statement.kind != .transaction
            case .lostAnswer: commits
            }
        }
    }

    private let plans = Mutex<[Plan]>([])
    private let isArmedNow = Atomic<Bool>(false)

    /// Creates an injection without faults.
    public init() {}

    /// Injects a fault into a statement that comes.
    ///
    /// ```swift
    /// faults.inject(.diskFull, at: 3) { $0.kind == .insert }    // the third INSERT from now
    /// faults.inject(.connectionLost) { $0.table == "project" }
    /// ```
    ///
    /// - Parameters:
    ///   - fault: What happens.
    ///   - number: Which of the statements that match: 1 for the next.
    ///   - times: How many of them in a row.
    ///   - matches: Whether a statement counts. By default, all do but those that begin and end transactions; for
    ///     ``Fault/commitOutcomeUnknown(isCommitted:)``, COMMIT does, and writes outside of transactions.
    public func inject(
        _ fault: Fault, at number: Int = 1, times: Int = 1,
        where matches: (@Sendable (RecordedStatement) -> Bool)? = nil
    ) {
        precondition(number >= 1 && times >= 1, "Statements are counted from 1, and a fault happens once or more.")
        plans.withLock { plans in
            plans.append(Plan(fault: fault, distance: number - 1, times: times, matches: matches))
            isArmedNow.store(true, ordering: .relaxed)
        }
    }

    /// How many faults have not happened yet, each counted as often as it is to happen.
    public var remaining: Int { plans.withLock { $0.reduce(0) { $0 + $1.times } } }

    /// Takes back the faults that have not happened yet.
    public func removeAll() {
        plans.withLock { plans in
            plans = []
            isArmedNow.store(false, ordering: .relaxed)
        }
    }

    /// Whether a fault has yet to happen.
    var isArmed: Bool { isArmedNow.load(ordering: .relaxed) }

    /// The fault that happens at a statement, if one does.
    ///
    /// Every plan counts the statement, and the first whose turn it is happens.
    ///
    /// - Parameter commits: Whether the statement commits: a COMMIT, or a write outside of a transaction.
    func fault(at statement: RecordedStatement, commits: Bool) -> Fault? {
        guard isArmed else { return nil }
        return plans.withLock { plans in
            var fault: Fault?
            for index in plans.indices where plans[index].concerns(statement, commits: commits) {
                if plans[index].distance > 0 {
                    plans[index].distance -= 1
                } else if fault == nil {
                    fault = plans[index].fault
                    plans[index].times -= 1
                }
            }
            plans.removeAll { $0.times == 0 }
            if plans.isEmpty { isArmedNow.store(false, ordering: .relaxed) }
            return fault
        }
    }
}
