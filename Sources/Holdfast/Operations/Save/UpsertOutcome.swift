/// What `insertOrUpdate` has done with an object.
public enum UpsertOutcome: Hashable, Sendable, CaseIterable {
    /// No row had the unique key, and a new one was inserted.
    case inserted
    /// A row had it, and was updated.
    case updated
}
