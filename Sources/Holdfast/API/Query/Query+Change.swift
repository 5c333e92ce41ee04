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
    public func update(
        _ changes: (inout Assignments<Model>) -> Void, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        let query = at(fileID, line)
        let (statement, parameters) = try await query.writtenUpdate(changes)
        return try await write(statement, parameters, "update", query.access)
    }

    /// Sets properties to what the row, its relations and its arrays hold, with one statement.
    ///
    /// ```swift
    /// try await db.query(Bill.self).update { bill, row in
    ///     bill.discount.set(row.customer.discount)
    ///     bill.lineCount.set(row.lines.count)
    /// }
    /// // UPDATE "bill" SET "discount" = (SELECT t1."discount" FROM … LEFT JOIN "customer" AS t1
    /// //     ON t1."id" = "bill"."customer_id"), "line_count" = (SELECT count(*) FROM "bill_lines" …)
    /// ```
    ///
    /// All values are those before the update. What a relation that is nil leads to is nil: give a property that can't
    /// be nil another value by `??`.
    ///
    /// - Parameters:
    ///   - changes: Sets properties of its first argument to expressions of the second, the columns of the row.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Returns: The number of rows.
    /// - Throws: The errors of an update by values; ``DatabaseError/Code/unsupported`` for what other rows of the same
    ///   table hold, which the update may have changed; ``DatabaseError/Code/notNullViolation`` for nil in a property
    ///   that can't be nil.
    @discardableResult
    public func update(
        _ changes: (inout Assignments<Model>, Columns<Model>) -> Void, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Int {
        var query = self
        let columns = query.makeColumns()
        return try await query.update(
            { (assignments: inout Assignments<Model>) in changes(&assignments, columns) }, fileID: fileID, line: line)
    }

    /// The statement of an update, with its parameters.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func writtenUpdate(
        _ changes: (inout Assignments<Model>) -> Void, returning returned: ReturnedValues = .nothing
    ) async throws -> (Statement, ParameterBuffer) {
        var query = self
        var assignments = Assignments<Model>(query.makeColumns().path.scope)
        changes(&assignments)
        let access = try access
        try Model.ownDescription.requireWritable()
        try requireBoundary()
        try await learnLooseTables()
        var sets: [ColumnAssignment] = []
        let (sql, parameters) = try query.rendered { written in
            let update = try written.update(assignments.list, returning: returned)
            sets = update.sets
            return update.0
        }
        let table = Model.ownDescription.tableName
        let statement = access.core.statementTexts.statement(sql) {
            Statement(
                TimedSQL(sql: $0), table: table.description, rowChange: sets.change(of: table),
                columnTypes: sets.map(\.type), includesCallersSQL: specification.hasCallersSQL)
        }
        return (statement, parameters)
    }

    /// Deletes all objects of the query, or marks them as deleted, if their type has a time of deletion.
    ///
    /// ```swift
    /// let count = try await db.query(Project.self).where { $0.endDate < now }.delete()
    /// // DELETE FROM "project" WHERE "project"."end_date" < $1
    /// let old = try await db.query(Note.self).onlyDeleted().where { $0.deletedAt < limit }.delete(permanently: true)
    /// // DELETE FROM "note" WHERE "note"."deleted_at" IS NOT NULL AND ("note"."deleted_at" < $1)
    /// ```
    ///
    /// Delete rules of relations apply as if each object were deleted, and rows of join tables with declared names are
    /// deleted with the objects; in both cases, the keys of the objects are read first. If the type, or a type that is
    /// deleted with it, has hooks, the objects are fetched and their hooks are called.
    ///
    /// - Parameters:
    ///   - callingHooks: Whether hooks are called.
    ///   - isPermanent: Whether rows are deleted also where they would be marked; of those that are marked, if the
    ///     query finds them.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Returns: The number of objects that met the query.
    @discardableResult
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func delete(
        callingHooks: Bool = true, permanently isPermanent: Bool = false, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Int {
        try await at(fileID, line).deleteAll(callingHooks: callingHooks, permanently: isPermanent)
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func deleteAll(callingHooks: Bool, permanently isPermanent: Bool) async throws -> Int {
        let access = try access
        let plan = try access.core.plan(for: Model.self)
        let choice = try deleteChoice(isPermanent)
        defer { Deletions.note(plan.description) }
        func makeGraph() throws -> (graph: DeleteGraph, table: DeleteTable) {
            let graph = DeleteGraph(core: access.core, choice: choice)
            return (graph, try graph.deletedObjects(of: Model.self).table)
        }
        if callingHooks, try makeGraph().graph.hasHooks {
            return try await atomically { transaction in
                var query = try inside(transaction)
                query.specification.scope.omitsLacking = false
                query.specification.scope.omitsUnreadable = false
                let found = try await query.fetch(known: nil)
                return try await DeleteOperation(access: transaction._access, checksVersions: false, choice: choice)
                    .run(found)
            }
        }
        guard plan.description.deletesMore(permanently: isPermanent) else {
            let (statement, parameters) = try await writtenDelete(choice)
            return try await write(statement, parameters, "delete", access)
        }
        let (statement, parameters) = try await written(isChange: true) { try $0.keys(isLocked: true) }
        do {
            return try await access.runningAgainIfRefused(while: { true }) {
                let (graph, table) = try makeGraph()
                return try await access.perform(.atomic, purpose: "delete") { session, _ in
                    let keys = try await session.copiedRows(
                        statement, parameters, width: plan.description.keyIndices.count)
                    guard keys.rowCount > 0 else { return 0 }
                    table.add(keys)
                    let count = try await graph.delete(through: session, nil)
                    return plan.description.deletion == nil || isPermanent ? keys.rowCount : count
                }
            }
        } catch let error as DatabaseError {
            throw await access.explained(error, of: plan.description)
        }
    }

    /// How the query deletes.
    ///
    /// - Throws: ``DatabaseError/Code/unsupported`` if it would mark rows again.
    func deleteChoice(_ isPermanent: Bool) throws -> DeleteChoice {
        try requireBoundary()
        guard !isPermanent, Model.ownDescription.deletion != nil, specification.deleted == .only else {
            return DeleteChoice(isPermanent: isPermanent)
        }
        throw DatabaseError(
            .unsupported,
            "A query of objects that are deleted deletes them once more. Delete them permanently, or leave `onlyDeleted` out.",
            table: Model.ownDescription.table)
    }

    /// The statement that deletes the rows of the query, or marks them, with its parameters.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func writtenDelete(
        _ choice: DeleteChoice, returning returned: ReturnedValues = .nothing
    ) async throws -> (Statement, ParameterBuffer) {
        guard !choice.isPermanent, let deletion = Model.ownDescription.deletion else {
            return try await written(isChange: true) { try $0.delete(returning: returned) }
        }
        try await learnLooseTables()
        var sets: [ColumnAssignment] = []
        let (sql, parameters) = try rendered { written in
            let marking = try written.mark(deletion, returning: returned)
            sets = marking.sets
            return marking.0
        }
        let table = Model.ownDescription.tableName
        let statement = try access.core.statementTexts.statement(sql) {
            Statement($0, table: table.description, rowChange: sets.change(of: table), columnTypes: sets.map(\.type))
        }
        return (statement, parameters)
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func atomically<Output>(
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
