extension Query {
    /// Sets properties in the rows of all objects of the query, and returns the objects as they are then.
    ///
    /// ```swift
    /// let jobs = try await db.query(Job.self)
    ///     .where { $0.state == .waiting }.order(\.id).limit(5).locked(.skipLocked)
    ///     .updateReturning { $0.state.set(.taken) }
    /// // WITH found(k0) AS MATERIALIZED (SELECT t0."id" FROM "job" AS t0 WHERE t0."state" = $2
    /// //     ORDER BY t0."id" LIMIT 5 FOR UPDATE OF t0 SKIP LOCKED)
    /// // UPDATE "job" SET "state" = $1 WHERE "id" IN (SELECT k0 FROM found) RETURNING "id", "state", …
    /// ```
    ///
    /// The order and the limit say which rows are changed. The objects come in no particular order, with their
    /// relations, as those of a fetch; what ``including(_:)`` and `properties(_:)` say holds. On SQLite the keys are
    /// found by a subquery, and `.skipLocked` adds nothing.
    ///
    /// Everything else is as of `update(_:)`.
    ///
    /// - Throws: The errors of `update(_:)` and of ``fetch(fileID:line:)``. Nothing has changed then.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func updateReturning(
        _ changes: (inout Assignments<Model>) -> Void, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        let query = at(fileID, line)
        let operation = try LoadOperation<Model>(try query.access, specification.scope)
        let (statement, parameters) = try await query.writtenUpdate(changes, returning: .objects)
        return try await query.explainingChange {
            try await operation.changed(by: statement, parameters, purpose: "update")
        }
    }

    /// Sets properties to what the row, its relations and its arrays hold, and returns the objects as they are then.
    ///
    /// ```swift
    /// let bills = try await db.query(Bill.self).updateReturning { bill, row in
    ///     bill.discount.set(row.customer.discount)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - changes: Sets properties of its first argument to expressions of the second, the columns of the row.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Throws: As for values; nothing has changed then.
    public func updateReturning(
        _ changes: (inout Assignments<Model>, Columns<Model>) -> Void, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> [Model] {
        var query = self
        let columns = query.makeColumns()
        return try await query.updateReturning(
            { (assignments: inout Assignments<Model>) in changes(&assignments, columns) }, fileID: fileID, line: line)
    }

    /// Sets properties in the rows of all objects of the query, and returns one value of each as it is then.
    ///
    /// ```swift
    /// let keys = try await db.query(Job.self).where { $0.runAt < now }.update(returning: { $0.id }) {
    ///     $0.attempts += 1
    /// }
    /// // UPDATE "job" SET "attempts" = … WHERE "job"."run_at" < $2 RETURNING "job"."id"
    /// ```
    ///
    /// - Parameters:
    ///   - column: A property or an expression of the changed row itself.
    ///   - changes: Sets the properties.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Returns: The values, in no particular order.
    /// - Throws: The errors of `update(_:)`; ``DatabaseError/Code/unsupported`` for what relations, arrays or several
    ///   rows hold. Nothing has changed then.
    public func update<Value: Storable>(
        returning column: (Columns<Model>) -> QueryExpression<Value>, _ changes: (inout Assignments<Model>) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Value] {
        var query = at(fileID, line)
        let expression = column(query.makeColumns())
        let (statement, parameters) = try await query.writtenUpdate(changes, returning: .values([expression.node]))
        return try await query.changedValues(statement, parameters, "update") {
            try ValueSelection<Model, Value>.values(of: $0, expression.storage)
        }.value
    }

    /// Sets properties in the rows of all objects of the query, and returns several values of each as they are then.
    ///
    /// ```swift
    /// let taken = try await db.query(Job.self).limit(5).update(returning: { ($0.id, $0.attempts) }) {
    ///     $0.attempts += 1
    /// }
    /// for (id, attempts) in taken { print(id ?? 0, attempts) }
    /// ```
    ///
    /// - Parameters:
    ///   - columns: Properties and expressions of the changed row itself.
    ///   - changes: Sets the properties.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Returns: A tuple for each row, in no particular order.
    /// - Throws: As for one value.
    public func update<each Value: Storable>(
        returning columns: (Columns<Model>) -> (repeat QueryExpression<each Value>),
        _ changes: (inout Assignments<Model>) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [(repeat each Value)] {
        let selection = at(fileID, line).select(columns)
        if let failure = selection.query.specification.failure { throw failure }
        let (statement, parameters) = try await selection.query.writtenUpdate(
            changes, returning: .values(selection.nodes))
        let storages = selection.storages
        return try await selection.query.changedValues(statement, parameters, "update") {
            try Selection<Model, repeat each Value>.values(of: $0, storages)
        }.value
    }

    /// Deletes all objects of the query, and returns them as they were.
    ///
    /// ```swift
    /// let gone = try await db.query(Session.self).where { $0.endedAt < limit }.deleteReturning()
    /// // DELETE FROM "session" WHERE "session"."ended_at" < $1 RETURNING "id", …
    /// ```
    ///
    /// The objects come in no particular order, and count as deleted, as if each had been deleted by itself. They are
    /// read and locked first, in one transaction, if they have relations or arrays, if delete rules apply, or hooks.
    ///
    /// Everything else is as of ``delete(callingHooks:permanently:fileID:line:)``. Of a type with a time of deletion,
    /// whose rows are marked, the objects are as they are then.
    ///
    /// - Parameters:
    ///   - callingHooks: Whether hooks are called.
    ///   - isPermanent: Whether rows are deleted also where they would be marked.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: The errors of ``delete(callingHooks:permanently:fileID:line:)`` and of ``fetch(fileID:line:)``.
    ///   Nothing has changed then.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func deleteReturning(
        callingHooks: Bool = true, permanently isPermanent: Bool = false, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> [Model] {
        let query = at(fileID, line)
        let access = try query.access
        let choice = try deleteChoice(isPermanent)
        let operation = try LoadOperation<Model>(access, specification.scope)
        let graph = DeleteGraph(core: access.core, choice: choice)
        _ = try graph.deletedObjects(of: Model.self)
        let callsHooks = try callingHooks && graph.hasHooks
        guard operation.isFlat, !operation.description.deletesMore(permanently: isPermanent), !callsHooks else {
            return try await query.atomically {
                try await query.inside($0).deleteFetched(callingHooks: callingHooks, choice)
            }
        }
        let (statement, parameters) = try await query.writtenDelete(choice, returning: .objects)
        defer { Deletions.note(operation.description) }
        return try await query.explainingChange {
            // Made here, since it may be done again.
            let deleted = DeleteGraph(core: access.core, choice: choice)
            var isRegistered = false
            let found = try await operation.changed(by: statement, parameters, purpose: "delete") { _, scope, models in
                for model in models { try deleted.give(model, checkingVersionAt: nil) }
                guard let scope else { return }
                deleted.markDeleted(undoingIn: scope)
                isRegistered = true
            }
            // Not before the COMMIT, which can fail.
            if !isRegistered { deleted.markDeleted(undoingIn: nil) }
            return found
        }
    }

    /// Fetches the objects, locks them and deletes them, in a transaction.
    private func deleteFetched(callingHooks: Bool, _ choice: DeleteChoice) async throws -> [Model] {
        let access = try access
        var query = self
        query.specification.scope.omitsLacking = false
        query.specification.scope.omitsUnreadable = false
        let operation = try LoadOperation<Model>(access, query.specification.scope)
        let (statement, parameters) = try await query.written(isChange: true) { try $0.selectToChange() }
        let found = try await operation.all(statement, parameters, selectsAll: false)
        if callingHooks {
            _ = try await DeleteOperation(access: access, checksVersions: false, choice: choice).run(found)
            return found
        }
        let graph = DeleteGraph(core: access.core, choice: choice)
        defer { graph.noteDeletions() }
        for model in found { try graph.give(model, checkingVersionAt: nil) }
        guard !graph.isEmpty else { return found }
        try await access.perform(.atomic, purpose: "delete") { session, scope in
            _ = try await graph.delete(through: session, nil)
            graph.markDeleted(undoingIn: scope)
        }
        return found
    }

    /// Deletes all objects of the query, and returns one value of each as it was.
    ///
    /// ```swift
    /// let names = try await db.query(Upload.self).where { $0.endedAt < limit }.delete(returning: { $0.path })
    /// // DELETE FROM "upload" WHERE "upload"."ended_at" < $1 RETURNING "upload"."path"
    /// ```
    ///
    /// If delete rules or hooks apply, the values are read first, and the rows locked, in one transaction.
    ///
    /// - Parameters:
    ///   - column: A property or an expression of the deleted row itself.
    ///   - callingHooks: Whether hooks are called.
    ///   - isPermanent: Whether rows are deleted also where they would be marked.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Returns: The values, in no particular order.
    /// - Throws: The errors of ``delete(callingHooks:permanently:fileID:line:)``; ``DatabaseError/Code/unsupported``
    ///   for what relations, arrays or several rows hold. Nothing has changed then.
    public func delete<Value: Storable>(
        returning column: (Columns<Model>) -> QueryExpression<Value>, callingHooks: Bool = true,
        permanently isPermanent: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Value] {
        var query = at(fileID, line)
        let expression = column(query.makeColumns())
        return try await query.deletedValues([expression.node], callingHooks, isPermanent) {
            try ValueSelection<Model, Value>.values(of: $0, expression.storage)
        }.value
    }

    /// Deletes all objects of the query, and returns several values of each as they were.
    ///
    /// ```swift
    /// let gone = try await db.query(Upload.self).delete(returning: { ($0.id, $0.path) })
    /// ```
    ///
    /// - Parameters:
    ///   - columns: Properties and expressions of the deleted row itself.
    ///   - callingHooks: Whether hooks are called.
    ///   - isPermanent: Whether rows are deleted also where they would be marked.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Returns: A tuple for each row, in no particular order.
    /// - Throws: As for one value.
    public func delete<each Value: Storable>(
        returning columns: (Columns<Model>) -> (repeat QueryExpression<each Value>), callingHooks: Bool = true,
        permanently isPermanent: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [(repeat each Value)] {
        let selection = at(fileID, line).select(columns)
        if let failure = selection.query.specification.failure { throw failure }
        let storages = selection.storages
        return try await selection.query.deletedValues(selection.nodes, callingHooks, isPermanent) {
            try Selection<Model, repeat each Value>.values(of: $0, storages)
        }.value
    }
}

extension Query {
    /// Runs a statement that changes rows, and reads the values that it returns, before the change is committed.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func changedValues<Output>(
        _ statement: Statement, _ parameters: ParameterBuffer, _ purpose: LeasePurpose,
        _ read: @escaping @Sendable (any RowSource) throws -> Transfer<Output>
    ) async throws -> Transfer<Output> {
        let access = try access
        return try await explainingChange {
            try await access.perform(.atomic, purpose: purpose) { session, _ in
                try await session.run(statement, parameters) { try read($0) }
            }
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func deletedValues<Output>(
        _ nodes: [QueryNode], _ callingHooks: Bool, _ isPermanent: Bool,
        _ read: @escaping @Sendable (any RowSource) throws -> Transfer<Output>
    ) async throws -> Transfer<Output> {
        let core = try access.core
        let description = try core.plan(for: Model.self).description
        let choice = try deleteChoice(isPermanent)
        let graph = DeleteGraph(core: core, choice: choice)
        _ = try graph.deletedObjects(of: Model.self)
        let callsHooks = try callingHooks && graph.hasHooks
        guard !description.deletesMore(permanently: isPermanent), !callsHooks else {
            // Written in vain, for what it refuses.
            _ = try rendered { try $0.delete(returning: .values(nodes)) }
            return try await atomically { transaction in
                try await inside(transaction).deleteSelected(nodes, callingHooks: callingHooks, choice, read)
            }
        }
        defer { Deletions.note(description) }
        let (statement, parameters) = try await writtenDelete(choice, returning: .values(nodes))
        return try await changedValues(statement, parameters, "delete", read)
    }

    /// Reads values of the objects and their keys, locks their rows, and deletes them by the keys, in a transaction.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func deleteSelected<Output>(
        _ nodes: [QueryNode], callingHooks: Bool, _ choice: DeleteChoice,
        _ read: @escaping @Sendable (any RowSource) throws -> Transfer<Output>
    ) async throws -> Transfer<Output> {
        let access = try access
        let description = Model.ownDescription
        let (statement, parameters) = try await written(isChange: true) { try $0.valuesAndKeys(nodes) }
        let width = description.keyIndices.count
        let rows = try await access.perform(.write, purpose: "delete") { session, _ in
            try await session.copiedRows(statement, parameters, width: nodes.count + width)
        }
        let output = try read(StoredRowSource(rows))
        var keys: [Key] = []
        let source = StoredRowSource(rows)
        while let cells = source.next() {
            keys.append(description.exposed(Key(cells: cells + nodes.count, count: width)))
        }
        guard !keys.isEmpty else { return output }
        var found = Query(access: access).keyed(keys)
        found.specification.seen.passed = specification.seen.passed
        if choice.isPermanent { found.specification.deleted = specification.deleted }
        _ = try await found.deleteAll(callingHooks: callingHooks, permanently: choice.isPermanent)
        return output
    }

    /// Runs a change again where the engine has rolled it back, and explains its errors.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func explainingChange<Output>(
        _ change: nonisolated(nonsending) () async throws -> Output
    ) async throws -> Output {
        let access = try access
        do {
            return try await access.runningAgainIfRefused(while: { true }, change)
        } catch let error as DatabaseError {
            throw access.core.explained(error, of: Model.ownDescription)
        }
    }
}
