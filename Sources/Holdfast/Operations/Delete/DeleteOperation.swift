/// Deletes objects by their keys, and what their relations say is deleted with them.
///
/// The database enforces every rule by itself. Where deletions cascade, what is reached is found level by level all the
/// same: for the hooks of those objects, and because engines give up on cascades that are too deep.
struct DeleteOperation<Model: TableObject> {
    let access: DatabaseAccess
    /// Whether rows have to have the versions that their objects know.
    var checksVersions = true
    /// The exceptions to the declared rules.
    var choice = DeleteChoice()

    /// Deletes the rows of `models`.
    ///
    /// - Returns: The number of rows that existed.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func run(_ models: [Model]) async throws -> Int {
        // A hook is not run twice.
        var hasHooks = true
        return try await access.runningAgainIfRefused(while: { !hasHooks }) {
            try await delete(models, hasHooks: &hasHooks)
        }
    }

    private func delete(_ models: [Model], hasHooks: inout Bool) async throws -> Int {
        let plan = try access.core.plan(for: Model.self)
        let graph = DeleteGraph(core: access.core, choice: choice)
        // Also after a failure, of which it may not be known what it left.
        defer { graph.noteDeletions() }
        try choice.validate(from: plan.description)
        for (index, model) in models.enumerated() {
            do {
                try graph.give(model, checkingVersionAt: checksVersions ? index : nil)
            } catch var error as DatabaseError {
                if models.count > 1 { error.objectIndex = index }
                throw error
            }
        }
        guard !graph.isEmpty else { return 0 }
        hasHooks = try graph.hasHooks
        if hasHooks, case .database(let core) = access.kind {
            // Hooks get the transaction, and so do the objects: as inside an explicit one.
            return try await Database(core: core).run(.readCommitted, for: LeasePurpose("delete", at: access.site)) {
                transaction in
                try await DeleteOperation(
                    access: transaction._access, checksVersions: checksVersions, choice: choice
                ).run(models)
            }
        }
        do {
            let isSimple = try graph.isSimple
            let isOne = isSimple && graph.keyCount == 1 && !graph.knowsVersions
            let (count, isRegistered) = try await access.perform(isOne ? .write : .atomic, purpose: "delete") {
                session, scope in
                if graph.knowsVersions { try await graph.checkVersions(givenCount: models.count, through: session) }
                let count =
                    try await isSimple ? graph.deleteGiven(through: session) : graph.delete(through: session, scope)
                if let scope { graph.markDeleted(undoingIn: scope) }
                return (count, scope != nil)
            }
            // Not before the COMMIT, which can fail.
            if !isRegistered { graph.markDeleted(undoingIn: nil) }
            return count
        } catch let error as DatabaseError {
            throw await access.explained(error, of: plan.description)
        }
    }

    /// Deletes every row of the type.
    ///
    /// - Returns: The number of rows that existed.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func all() async throws -> Int {
        try await access.runningAgainIfRefused(while: { true }) { try await deleteAll() }
    }

    private func deleteAll() async throws -> Int {
        let plan = try access.core.plan(for: Model.self)
        try plan.description.requireWritable()
        defer { Deletions.note(plan.description) }
        do {
            let graph = DeleteGraph(core: access.core, choice: choice)
            let statements = choice.isPermanent ? plan.statements.ofMarkedRows : plan.statements
            guard plan.description.deletesMore(permanently: choice.isPermanent) else {
                return try await access.perform(.write, purpose: "delete") { session, _ in
                    try await session.execute(statements.deleteAll)
                }
            }
            let table = try graph.deletedObjects(of: Model.self).table
            return try await access.perform(.atomic, purpose: "delete") { session, _ in
                let keys = try await session.copiedRows(
                    statements.selectKeys, .none, width: plan.description.keyIndices.count)
                table.add(keys)
                guard table.keyCount > 0 else { return 0 }
                return try await graph.delete(through: session, nil)
            }
        } catch let error as DatabaseError {
            throw await access.explained(error, of: plan.description)
        }
    }
}

extension TableDescription {
    /// Whether deleting an object deletes others, by what its relations say.
    var cascades: Bool { columns.relations.contains { $0.deleteRule == .cascade } }

    /// Whether deleting rows takes more than a statement that deletes them: others go with them, or links in join
    /// tables that may have no foreign keys, or rows of the table hold each other, and an engine may look at each by
    /// itself.
    var deletesMore: Bool {
        cascades || !namedLinks.isEmpty || circularReleases.contains { $0.relation.target.description === self }
    }

    /// The same of a deletion that may only mark rows.
    func deletesMore(permanently isPermanent: Bool) -> Bool {
        deletion == nil || isPermanent ? deletesMore : marksMore
    }
}
