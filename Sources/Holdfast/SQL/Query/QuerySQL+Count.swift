extension QuerySQL {
    /// Reads the primary keys of the objects, in the same order.
    ///
    /// - Parameter isLocked: Whether their rows are locked until the transaction ends.
    func keys(isLocked: Bool = false) throws -> Rendering {
        if isLocked { try requireLockable() }
        let keys = try (isLocked ? self : ofGiven).render { $0.root.key($0).joined(separator: ", ") }
        return isLocked ? (keys.sql + lock, keys.parameters) : keys
    }

    /// Looks whether there is an object.
    func exists() throws -> Rendering {
        let one = QuerySQL(specification: specification.limited(to: 1), description: description, dialect: dialect)
        return try one.ofGiven.render(isOrdered: specification.offset > 0) { _ in "1" }
    }

    /// Counts the objects.
    func count() throws -> Rendering {
        guard specification.limit == nil, specification.offset == 0 else {
            let inner = try ofGiven.render { _ in "1" }
            return ("SELECT count(*) FROM (\(inner.sql)) AS found", inner.parameters)
        }
        return try ofGiven.render(isOrdered: false) { _ in "count(*)" }
    }
}
