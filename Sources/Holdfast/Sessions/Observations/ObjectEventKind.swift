/// A kind of ``ObjectEvent``.
public enum ObjectEventKind: Hashable, Sendable {
    /// The object was inserted.
    case inserted
    /// Properties of the object were updated.
    case updated
    /// The object was inserted or updated: an upsert, or a save of a struct that has a key, does not tell which.
    case saved
    /// The object was deleted, by itself or with one that held it.
    case deleted
    /// The object was fetched; only for who asks for it.
    case fetched
    /// Objects of the type may have changed in ways of which nothing is known one by one. Load what you keep again.
    ///
    /// It comes after bulk updates, raw SQL, what foreign keys do, and commits whose outcome is unknown.
    case reload
    /// More events came than the buffer holds, and the oldest are missing. Load what you keep again.
    case overflowed
}
