/// Finds one object by its key whose row is all that there is to it.
///
/// Where a statement costs a round trip, finds of several tasks share one once two are under way (``SharedFinds``).
struct FindOperation<Model: TableObject> {
    let access: DatabaseAccess
    let plan: MappingPlan<Model>

    /// The object with the key, decoded where its row is; nil if there is none.
    ///
    /// - Parameter key: One row of parameters.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func object(withKey key: ParameterBuffer) async throws -> Model? {
        guard case .database(let core) = access.kind, core.capabilities.hasRoundTrips else {
            return try await findAlone(key)
        }
        guard plan.finds.areShared(in: core) else { return try await findCounted(key) }
        try CurrentLease.check(core.id)
        let start = core.observer.start
        let outcome = try await plan.finds.find(key, in: core)
        if let count = outcome.rowCount {
            let purpose = LeasePurpose("find", at: access.site)
            core.observer.end(
                plan.statements.selectOne, since: start, purpose, rows: RowCount(returned: count), isShare: true)
        }
        switch outcome {
        case .row(let row):
            do {
                return try withExtendedLifetime(row) {
                    try decode(row.cells)
                }
            } catch let error as DatabaseError {
                throw error.naming(plan.statements.selectOne)
            }
        case .nothing: return nil
        case .alone: return try await findCounted(key)
        }
    }

    /// Finds by a statement of its own, which counts for whether the next finds share theirs.
    private func findCounted(_ key: ParameterBuffer) async throws -> Model? {
        plan.finds.beginAlone()
        defer { plan.finds.endAlone() }
        return try await findAlone(key)
    }

    private func findAlone(_ key: ParameterBuffer) async throws -> Model? {
        var found: Model?
        var isSentAgain = false
        do {
            let hasRun = try await access.runBriefly(.read, plan.statements.selectOne, key, purpose: "find") { source in
                if let cells = try source.next() { found = try decode(cells) }
            }
            if hasRun { return found }
        } catch let error as DatabaseError where error.code == .connectionLost && access.isOutsideTransaction {
            isSentAgain = true
        }
        return try await runWaiting(key, isSentAgain: isSentAgain)
    }

    /// Finds on the next connection that is free.
    ///
    /// - Parameter isSentAgain: Whether a connection was lost that had sent the statement.
    private func runWaiting(_ key: ParameterBuffer, isSentAgain: Bool) async throws -> Model? {
        try await access.perform(.read, purpose: "find", isSentAgain: isSentAgain) { session, _ in
            try await session.run(plan.statements.selectOne, key) { source in
                Transfer(value: try source.next().map { try decode($0) })
            }
        }.value
    }

    private func decode(_ cells: UnsafePointer<Cell>) throws -> Model {
        try FetchMark(access).making {
            try plan.decode(cells, showsKeys: access.core.configuration.telemetry.showsKeys)
        }
    }
}
