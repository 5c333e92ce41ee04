extension QuerySQL {
    /// Reads the primary keys of the objects, in the same order.
    ///
    /// - Parameter isLocked: Whether their rows are locked until the transaction ends.
    func keys(isLocked: Bool = false) throws -> Rendering {
        if isLocked { try requireLockable() }
        let keys = try (isLocked ? self : ofGiven).render { $0.root.key($0).joined(separator: ", ") }
        return try isLocked ? (keys.sql + changeLock, keys.parameters) : locking(keys)
    }

    /// Looks whether there is an object.
    func exists() throws -> Rendering {
        try requireNoLock()
        let one = limited(to: 1)
        return try one.ofGiven.render(isOrdered: specification.offset > 0) { _ in "1" }
    }

    /// Counts the objects.
    func count() throws -> Rendering {
        try requireNoLock()
        let writer = makeWriter()
        return (try count(by: writer), try writer.parameters)
    }

    /// Writes the statement, perhaps as one inside of another.
    func count(by writer: QueryWriter) throws -> String {
        guard specification.isCut else { return try ofGiven.render(by: writer, isOrdered: false) { _ in "count(*)" } }
        return "SELECT count(*) FROM (\(try ofGiven.render(by: writer, isOrdered: true) { _ in "1" })) AS found"
    }

    /// The query with at most so many rows.
    func limited(to count: Int) -> QuerySQL {
        QuerySQL(specification: specification.limited(to: count), description: description, dialect: dialect)
    }
}
