public import Holdfast

/// A failure that a test asks for: see ``FaultInjection``.
///
/// ```swift
/// faults.inject(.serializationFailure)
/// faults.inject(.commitOutcomeUnknown(isCommitted: true))
/// faults.inject(.error(.statementTimeout), at: 3)
/// ```
public struct Fault: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
        /// The engine refuses the statement.
        case error(DatabaseError.Code)
        /// The connection is closed before the statement is sent.
        case loss
        /// The connection is closed before the answer comes.
        case lostAnswer(isRun: Bool)
    }

    let effect: Effect

    /// The statement is refused with an error of `code`, and not run; a transaction can only be rolled back then.
    public static func error(_ code: DatabaseError.Code) -> Fault { Fault(effect: .error(code)) }

    /// A concurrent transaction is in the way.
    ///
    /// Transactions with retries run again.
    public static let serializationFailure = error(.serializationFailure)

    /// Two transactions wait for each other.
    ///
    /// Transactions with retries run again.
    public static let deadlock = error(.deadlock)

    /// The disk is full.
    public static let diskFull = error(.diskFull)

    /// The connection is closed before the statement is sent, and what was not committed is rolled back.
    ///
    /// As ever, the library runs a single statement again on another connection if nothing can have been done yet: then
    /// nobody notices.
    public static let connectionLost = Fault(effect: .loss)

    /// The connection is closed before the answer to a COMMIT comes, or to a write that commits by itself.
    ///
    /// - Parameter isCommitted: Whether the engine has committed.
    public static func commitOutcomeUnknown(isCommitted: Bool) -> Fault {
        Fault(effect: .lostAnswer(isRun: isCommitted))
    }
}
