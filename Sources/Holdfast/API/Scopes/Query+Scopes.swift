extension Query {
    /// Finds also the objects that are outside of a scope.
    ///
    /// ```swift
    /// let drafts = try await db.query(Post.self).ignoringScope("published").where { $0.publishedAt == nil }.fetch()
    /// // SELECT … FROM "post" AS t0 WHERE t0."published_at" IS NULL ORDER BY t0."id"
    /// ```
    ///
    /// It is said of the objects of the query alone: what relations lead to is as in every query, and so is what a
    /// query inside of this one finds. Bulk updates and deletions of such a query change those objects, too; where the
    /// scope takes a value, they throw ``DatabaseError/Code/unsupported``.
    ///
    /// - Parameter name: The name of the scope. A query of a type without it throws ``DatabaseError/Code/syntax``.
    public func ignoringScope(_ name: String) -> Query {
        changed { specification in
            let scopes = Model.ownDescription.scopes.map(\.name)
            guard scopes.contains(name) else {
                specification.failure =
                    specification.failure
                    ?? DatabaseError(
                        .syntax,
                        "\(Model.ownDescription.type) has no scope \"\(name)\" to ignore. Its scopes: \(scopes.isEmpty ? "none" : scopes.joined(separator: ", ")).",
                        table: Model.ownDescription.table)
                return
            }
            specification.seen.passed.names.insert(name)
        }
    }

    /// Finds also the objects that are outside of any scope.
    ///
    /// ```swift
    /// let count = try await db.query(Post.self).ignoringScopes().count()   // SELECT count(*) FROM "post" AS t0
    /// ```
    ///
    /// Those that take a value, such as a tenant, are among them. Everything else is as in ``ignoringScope(_:)``. Of a
    /// type without scopes, everything is found anyway.
    public func ignoringScopes() -> Query {
        changed { if !Model.ownDescription.scopes.isEmpty { $0.seen.passed.passesAll = true } }
    }

    /// The query of objects that the program has already.
    var ofHeld: Query { changed { $0.seen = $0.seen.ofHeld } }

    /// Throws if the query passes a scope with a value, and is to change something: what is a boundary is passed by
    /// database, where it can be seen.
    func requireBoundary() throws {
        let description = Model.ownDescription
        guard let scope = description.scopes.first(where: { $0.takesValue && specification.seen.passed.contains($0) })
        else { return }
        throw DatabaseError(
            .unsupported,
            "A query that ignores the scope \"\(scope.name)\" of \(description.type) changes nothing. Do it by the database that `ignoringScopes(\"\(scope.name)\")` gives.",
            table: description.table)
    }
}
