/// The rows of a table that a statement sees, of those that have not expired.
struct SeenRows: Hashable, Sendable {
    /// What is seen of those that are marked as deleted.
    var deleted = DeletedRows.leftOut
    var passed = PassedScopes()

    /// The rows among which that of an object is looked for which the program has already.
    ///
    /// Where it has that from, it has passed the scopes. Those with a value are a boundary, and are not passed by that.
    var ofHeld: SeenRows {
        var seen = self
        seen.passed.passesPlain = true
        return seen
    }
}

/// The scopes of a type that a statement does not obey.
struct PassedScopes: Hashable, Sendable {
    var names: Set<String> = []
    /// Whether those are passed that take no value.
    var passesPlain = false
    var passesAll = false

    func contains(_ scope: TableScope) -> Bool {
        passesAll || passesPlain && !scope.takesValue || names.contains(scope.name)
    }
}
