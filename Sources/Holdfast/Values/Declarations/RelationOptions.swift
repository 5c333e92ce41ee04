/// A rule for the objects of a relation when the object that holds them is deleted.
///
/// ```swift
/// @Relation(deleteRule: .cascade) var milestones: [Milestone] = []
/// ```
///
/// The database enforces it, so it also applies to deletions by other programs.
public enum DeleteRule: String, Hashable, Sendable, Codable {
    /// The objects stay; this is the default.
    case nullify
    /// The objects are deleted too.
    ///
    /// ```swift
    /// @Relation(deleteRule: .cascade) var milestones: [Milestone] = []
    /// ```
    case cascade
    /// The deletion throws ``DatabaseError/Code/foreignKeyViolation`` while there are objects.
    ///
    /// ```swift
    /// @Relation(deleteRule: .deny) var invoices: [Invoice] = []
    /// ```
    case deny
}

/// A rule for an object that is taken out of a relation whose key it holds, when the owner is saved.
///
/// ```swift
/// @Relation(inverse: \Line.order, deleteRule: .cascade, orphans: .delete) var lines: [Line] = []
/// ```
///
/// It is a rule of saves: what `unlink`, a query or another program takes out stays.
public enum OrphanRule: String, Hashable, Sendable, Codable {
    /// The object stays, and refers to nothing: this is the default.
    case detach
    /// The object is deleted, with what its delete rules say.
    ///
    /// ```swift
    /// order.lines.removeAll { $0.quantity == 0 }
    /// try await db.save(order)    // DELETE FROM "line" WHERE "id" = …
    /// ```
    case delete
}

/// The time at which the objects of a relation, or the value of a column, are loaded.
///
/// ```swift
/// @Relation(loading: .onDemand) var related: [Project] = []
/// @Relation(inverse: \Meeting.project, loading: .eager) var meetings: [Meeting] = []
/// @Column(loading: .onDemand) var file: Data?
/// ```
///
/// Without it, an array with `inverse:` is loaded on demand where its owner is a class that tracks changes, as those of
/// `@Table` do. Everything else is loaded with its owner.
public enum RelationLoading: String, Hashable, Sendable, Codable {
    /// The objects are loaded with their holder, the value with its row.
    case eager
    /// The objects are loaded on request: by `including` of a fetch, or by `loadRelation`.
    ///
    /// A column is loaded by `loadColumn`, or by a query that names it in `properties`.
    ///
    /// ```swift
    /// let projects = try await db.fetch(Project.self, including: ["related"])
    /// try await db.loadColumn(\.file, of: attachments)
    /// ```
    case onDemand
}
