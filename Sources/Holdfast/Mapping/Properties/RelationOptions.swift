/// A rule for the objects of a relation when the object that holds them is deleted.
///
/// Declared once, in ``Relation(inverse:deleteRule:loading:)``; the database enforces it, so other programs keep it
/// too.
public enum DeleteRule: String, Hashable, Sendable, Codable {
    /// They stay.
    case nullify
    /// They are deleted too.
    case cascade
    /// The deletion is refused, with ``DatabaseError/Code/foreignKeyViolation``, while there are any.
    case deny
}

/// When the objects of a relation are loaded.
public enum RelationLoading: String, Hashable, Sendable, Codable {
    /// With the object that holds them.
    case eager
    /// When they are asked for: by the options of a fetch, or by `loadRelation`.
    case onDemand
}
