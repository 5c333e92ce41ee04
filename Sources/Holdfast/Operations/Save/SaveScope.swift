/// How much of what an object leads to is saved with it.
///
/// Whatever the scope, objects of classes are written only if they are new or changed. A changed object that a save
/// leaves out stays dirty.
public struct SaveScope: Sendable {
    enum Extent: Sendable {
        case graph
        case paths(RelationPaths)
    }

    let extent: Extent
    /// Whether timestamps stay that have a value.
    private(set) var keepsTimes = false

    /// The object, what it owns, and what these refer to: the default.
    ///
    /// An object owns what it holds by relations whose delete rule is `.cascade`. A save follows references and arrays
    /// with a join table from every object that it comes to. It follows an array with `inverse:` of a stored object
    /// only if the array was changed since it was loaded or saved, or if its delete rule is `.cascade` and its owner
    /// was given to the save or is owned by what was given. So an order is saved with its changed lines, and a line
    /// with its order, but without the other lines.
    ///
    /// A struct doesn't know what was changed, so a save follows all of its arrays.
    ///
    /// ```swift
    /// try await db.save(ticket)    // not the other tickets of its customer, which may have changed
    /// ```
    public static let graph = SaveScope(extent: .graph)
    /// The object alone, with its own references and arrays; what they lead to must have been saved.
    public static let object = SaveScope(extent: .paths([]))

    /// The object alone, with the times that it has: an object that was saved elsewhere.
    static var importing: SaveScope {
        var scope = SaveScope.object
        scope.keepsTimes = true
        return scope
    }

    /// The object, and what can be reached by some relations: also arrays with `inverse:` that were not changed.
    ///
    /// ```swift
    /// try await db.save(project, scope: .following(["lead", "meetings.participants"]))
    /// ```
    public static func following(_ paths: RelationPaths) -> SaveScope { SaveScope(extent: .paths(paths)) }
}
