extension Query {
    /// Sets properties in the rows of all objects of the query, with one statement.
    ///
    /// ```swift
    /// let count = try await db.query(Project.self)
    ///     .where { $0.endDate < now }
    ///     .update { $0.status.set(.done); $0.revision += 1 }
    /// // UPDATE "project" SET "status" = $1, "revision" = … WHERE "project"."end_date" < $3
    /// ```
    ///
    /// Modification times are set too. Objects that you fetched before keep their values until you `reload` them. Hooks
    /// are not called.
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a value that does not fit, and for a key, which can't be
    ///   changed; and the engine's errors, such as ``DatabaseError/Code/uniqueViolation``. Nothing has changed then.
    @discardableResult
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func update(_ changes: (inout Assignments<Model>) -> Void) async throws -> Int {
        var query = self
        var assignments = Assignments<Model>(query.makeColumns().path.scope)
        changes(&assignments)
        let access = try access
        try Model.ownDescription.requireWritable()
        try await learnLooseTables()
        var sets: [ColumnAssignment] = []
        let (sql, parameters) = try query.rendered { written in
            let update = try written.update(assignments.list)
            sets = update.sets
            return update.0
        }
        let table = Model.ownDescription.tableName
        let statement = access.core.statementTexts.statement(sql) {
            Statement($0, table: table.description, rowChange: sets.change(of: table), columnTypes: sets.map(\.type))
        }
        return try await write(statement, parameters, "update", access)
    }

    /// Deletes all objects of the query.
    ///
    /// ```swift
    /// let count = try await db.query(Project.self).where { $0.endDate < now }.delete()
    /// // DELETE FROM "project" WHERE "project"."end_date" < $1
    /// ```
    ///
    /// Delete rules of relations apply as if each object were deleted, and rows of join tables with declared names are
    /// deleted with the objects; in both cases, the keys of the objects are read first. If the type, or a type that is
    /// deleted with it, has hooks, the objects are fetched and their hooks are called.
    ///
    /// - Parameter callingHooks: Whether hooks are called.
    /// - Returns: The number of objects that met the query.
    @discardableResult
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func delete(callingHooks: Bool = true) async throws -> Int {
        let access = try access
        let plan = try access.core.plan(for: Model.self)
        defer { Deletions.note(plan.description) }
        func makeGraph() throws -> (graph: DeleteGraph, table: DeleteTable) {
            let graph = DeleteGraph(core: access.core)
            return (graph, try graph.deletedObjects(of: Model.self).table)
        }
        if callingHooks, try makeGraph().graph.hasHooks {
            return try await atomically { transaction in
                var query = on(transaction)
                query.specification.scope.omitsLacking = false
                query.specification.scope.omitsUnreadable = false
                let found = try await query.fetch()
                return try await DeleteOperation(access: transaction._access, checksVersions: false).run(found)
            }
        }
        guard plan.description.deletesMore else {
            let (statement, parameters) = try await written { try $0.delete() }
            return try await write(statement, parameters, "delete", access)
        }
        let (statement, parameters) = try await written { try $0.keys(isLocked: true) }
        do {
            return try await access.runningAgainIfRefused(while: { true }) {
                let (graph, table) = try makeGraph()
                return try await access.perform(.atomic, purpose: "delete") { session, _ in
                    let keys = try await session.copiedRows(
                        statement, parameters, width: plan.description.keyIndices.count)
                    let count = keys.rowCount
                    table.add(keys)
                    _ = try await graph.delete(through: session, nil)
                    return count
                }
            }
        } catch let error as DatabaseError {
            throw await access.explained(error, of: plan.description)
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func atomically<Output: Sendable>(
        _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        let access = try access
        switch access.kind {
        case .database(let core):
            return try await Database(core: core).run(
                .readCommitted, for: LeasePurpose("delete", at: access.site), body)
        case .transaction(let scope): return try await Transaction(scope: scope).transaction(body)
        }
    }

    private func write(
        _ statement: Statement, _ parameters: ParameterBuffer, _ purpose: LeasePurpose, _ access: DatabaseAccess
    ) async throws -> Int {
        do {
            return try await access.runningAgainIfRefused(while: { true }) {
                try await access.perform(.write, purpose: purpose) { session, _ in
                    try await session.execute(statement, parameters)
                }
            }
        } catch let error as DatabaseError {
            throw await access.explained(error, of: Model.ownDescription)
        }
    }
}
