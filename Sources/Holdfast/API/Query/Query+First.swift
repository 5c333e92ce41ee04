extension Query {
    /// Fetches the first of the objects, or nil.
    ///
    /// ```swift
    /// let richest = try await db.query(Project.self).order(\.budget, .descending).first()    // LIMIT 1
    /// ```
    public func first(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Model? {
        try await at(fileID, line).first(known: nil)
    }

    func first(known: KnownObjects?) async throws -> Model? { try await firsts(1, known: known).first }

    /// Fetches the only object that meets the query.
    ///
    /// ```swift
    /// let apollo = try await db.query(Project.self).where { $0.code == "AP" }.one()
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if there is none, ``DatabaseError/Code/conflict`` if there are
    ///   several.
    public func one(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Model {
        let query = at(fileID, line)
        let found = try await query.firsts(2)
        if found.count == 1 { return found[0] }
        let description = Model.ownDescription
        throw DatabaseError(
            found.isEmpty ? .notFound : .conflict,
            "\(found.isEmpty ? "No" : "More than one") \(description.type) meets the query.", table: description.table
        ).called(at: try query.access.site)
    }

    /// Fetches at most `count` objects from the beginning.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func firsts(_ count: Int, known: KnownObjects? = nil) async throws -> [Model] {
        var query = self
        query.specification = specification.limited(to: count)
        var found = try await query.fetch(known: known)
        var limit = count
        var counted = self
        counted.specification.lock = nil
        // Objects that are left out after their rows were read count against the limit: look at more rows.
        while canLeaveOut, found.count < count, limit < specification.limit ?? .max,
            try await counted.limit(limit).run("count", { try $0.count() }, consume: Self.number) == limit
        {
            limit = limit > 1 << 20 ? .max : limit * 8
            query.specification = specification.limited(to: limit)
            found = Array(try await query.fetch(known: known).prefix(count))
        }
        return found
    }

    /// Whether objects can be left out after their rows were read.
    var canLeaveOut: Bool {
        Model.ownDescription.presence.leavesOutInMemory || specification.scope.missingTarget == .skip
            || specification.scope.omitsUnreadable
    }
}
