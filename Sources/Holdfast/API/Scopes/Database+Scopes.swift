extension Database {
    /// The database for those who see what has some values, such as the tenant of a request.
    ///
    /// ```swift
    /// let mine = try db.scoped(["tenant": tenantID])
    /// let invoices = try await mine.query(Invoice.self).where { $0.total > 100 }.fetch()
    /// // SELECT … FROM (SELECT * FROM "invoice" WHERE ("invoice"."tenant_id" = $1)) AS t0 WHERE t0."total" > $2 …
    /// ```
    ///
    /// Every read, relation, count, change and deletion of a type with such a scope (``TableScope/scope(_:by:)``) obeys
    /// it, also in transactions and observed queries. A save writes what an object holds: set the property yourself.
    /// Raw SQL obeys nothing. It is the same database otherwise, with the same connections; closing it closes both.
    ///
    /// - Parameter values: The values by the names of their scopes: integers, texts and UUIDs. They are added to those
    ///   that this database has.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a value of another type; ``DatabaseError/Code/unsupported`` if
    ///   the driver has no such scopes.
    public func scoped(_ values: [String: any Storable & Sendable]) throws -> Database {
        var view = core.dialect.scopes ?? ScopeView()
        for (name, value) in values {
            view.values[name] = try Self.scopeValue(value, name)
            view.ignored.remove(name)
        }
        return Database(core: try DatabaseCore(core, seeing: view))
    }

    /// The database for those who see also what is outside of some scopes.
    ///
    /// ```swift
    /// let desk = try db.ignoringScopes("published")
    /// let drafts = try await desk.fetch(Post.self)          // SELECT … FROM "post"
    /// ```
    ///
    /// It is said of everything: of relations, of saves and of queries inside of others, where
    /// ``Query/ignoringScope(_:)`` is said of the objects of one query. A type with a scope that takes a value can be
    /// used without one.
    ///
    /// - Parameter names: The names of scopes, of whatever types.
    /// - Throws: ``DatabaseError/Code/unsupported`` if the driver has no such scopes.
    public func ignoringScopes(_ names: String...) throws -> Database {
        var view = core.dialect.scopes ?? ScopeView()
        view.ignored.formUnion(names)
        return Database(core: try DatabaseCore(core, seeing: view))
    }

    private static func scopeValue(_ value: some Storable, _ name: String) throws -> ScopeValue {
        if let type = type(of: value)._columnType(.native) {
            var encoder = CellEncoder(width: 1)
            do { try value._encode(into: &encoder, .native) } catch let mismatch as CellMismatch {
                throw DatabaseError(.invalidValue, "The value of the scope \"\(name)\" \(mismatch.sentence).")
            }
            if let value = ScopeValue(encoder.buffer, type) { return value }
        }
        throw DatabaseError(
            .invalidValue,
            "The value of the scope \"\(name)\" is a \(type(of: value)): give an integer, a text or a UUID.")
    }
}
