/// How much of what an object leads to is saved with it.
public struct SaveScope: Sendable {
    enum Extent: Sendable {
        case graph
        case paths(RelationPaths)
    }

    let extent: Extent
    /// Whether timestamps stay that have a value.
    private(set) var keepsTimes = false

    /// Every object that can be reached, new or changed: the default.
    public static let graph = SaveScope(extent: .graph)
    /// The object alone, with its own references and arrays; what they lead to must have been saved.
    public static let object = SaveScope(extent: .paths([]))

    /// The object alone, with the times that it has: an object that was saved elsewhere.
    static var importing: SaveScope {
        var scope = SaveScope.object
        scope.keepsTimes = true
        return scope
    }

    /// The object, and what can be reached by some relations.
    ///
    /// ```swift
    /// try await db.save(project, scope: .following(["lead", "meetings.participants"]))
    /// ```
    public static func following(_ paths: RelationPaths) -> SaveScope { SaveScope(extent: .paths(paths)) }
}
