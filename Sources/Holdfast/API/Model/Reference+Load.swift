extension Reference {
    /// Loads the target from the database.
    ///
    /// ```swift
    /// let customer = try await invoice.customer.load(from: db)    // SELECT … FROM "customer" WHERE "id" = $1
    /// ```
    ///
    /// Load the targets of many references together, by their keys: `db.fetch(Customer.self, keys: keys)`. Debug builds
    /// warn in the log if the references of one fetch are loaded one by one.
    ///
    /// - Parameters:
    ///   - context: The database or transaction.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Returns: The target, as `find` returns it; nil if its row is gone.
    /// - Throws: ``DatabaseError/Code/notFound`` if the target is new and has no row yet.
    public func load(
        from context: some DatabaseContext, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model? {
        guard let key else {
            let type = Model.ownDescription.type
            throw DatabaseError(.notFound, "A reference leads to a new \(type), which has no row yet. Save it first.")
        }
        #if DEBUG
        origin?.noteReference(to: Model.ownDescription.type, by: context.access(fileID, line))
        #endif
        return try await context.find(Model.self, key: key, fileID: fileID, line: line)
    }
}
