/// Deletes the rows of one type that have expired, in transactions of few rows each.
///
/// Which they are is found by the index on the column, and looked at again when they are locked: a row that got a later
/// date stays. Rows that others have locked, such as other processes that sweep, are left to them.
struct ExpirySweep<Model: TableObject> {
    let core: DatabaseCore
    var site: CallSite?

    /// The number of rows of a transaction: on SQLite, so long the others that write wait.
    private static var batchSize: Int { 500 }
    /// The number of rows that can't be deleted, after which a sweep ends: each is tried by a transaction of its own.
    private static var greatestRefusals: Int { 1_000 }

    /// Deletes what has expired, until nothing is found.
    ///
    /// A row that can't be deleted, since one refers to it that needs it, is passed over. Where there are too many of
    /// them for one sweep, the next one begins behind the last that was passed over, and comes to the first rows at the
    /// end: so none of them keeps others from being deleted, however many there are.
    ///
    /// - Throws: Any other error, as when the task was cancelled; what was deleted before it stays deleted.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func run() async throws -> SweepOutcome {
        let core = try core.seeingAll(of: Model.ownDescription)
        let plan = try core.plan(for: Model.self)
        var outcome = SweepOutcome()
        guard plan.description.expiry != nil, !plan.description.isReadOnly else { return outcome }
        let sql = TableSQL(description: plan.description, dialect: core.dialect)
        var place = core.sweeper.place(in: Model.self)
        defer { core.sweeper.setPlace(place, in: Model.self) }
        var isOfAll = place == nil
        while true {
            var last: Key?
            do {
                let found = try await delete(upTo: Self.batchSize, behind: place, sql, &last, core)
                outcome.count += found
                if found == Self.batchSize { continue }
            } catch let error as DatabaseError where error.refusesDeletion {
                try await deleteOneByOne(behind: &place, sql, &outcome, core)
                if outcome.refusedCount >= Self.greatestRefusals { return outcome }
                continue
            }
            // Nothing is left behind the place.
            place = nil
            if isOfAll { return outcome }
            isOfAll = true
        }
    }

    /// Deletes as many rows as a batch has, each by itself, as one of them can't be deleted.
    ///
    /// - Parameter place: The row behind which they are; set to the last that can't be deleted.
    private func deleteOneByOne(
        behind place: inout Key?, _ sql: TableSQL, _ outcome: inout SweepOutcome, _ core: DatabaseCore
    ) async throws {
        for _ in 0..<Self.batchSize where outcome.refusedCount < Self.greatestRefusals {
            var last: Key?
            do {
                let found = try await delete(upTo: 1, behind: place, sql, &last, core)
                if found == 0 { return }
                outcome.count += found
            } catch let error as DatabaseError where error.refusesDeletion {
                // Without a row it is no error about one.
                guard let last else { throw error }
                outcome.refusal = outcome.refusal ?? error
                outcome.refusedCount += 1
                place = last
            }
        }
    }

    /// Deletes rows that come behind another one; from the first one on, if it is nil.
    ///
    /// - Parameter last: Set to the key of the last that was found.
    private func delete(
        upTo limit: Int, behind place: Key?, _ sql: TableSQL, _ last: inout Key?, _ core: DatabaseCore
    ) async throws -> Int {
        let (table, width) = (sql.description.table, sql.description.keyIndices.count)
        let parameters = try place?.parameters() ?? .none
        let text = sql.text(
            after: parameters.width, ifAny: { $0.selectExpired(limit: limit, followingOne: place != nil) })
        guard let text else { return 0 }
        let access = DatabaseAccess(kind: .database(core), site: site)
        return try await access.runningAgainIfRefused(while: { true }) {
            try await access.perform(.atomic, purpose: "sweep") { session, _ in
                let keys = try await session.copiedRows(
                    session.core.statementTexts.statement(text, table: table), parameters, width: width)
                guard keys.rowCount > 0 else { return 0 }
                last = keys.key(ofRow: keys.rowCount - 1, count: width)
                let graph = DeleteGraph(core: session.core, choice: .permanent)
                let deleted = try graph.deletedObjects(of: Model.self).table
                deleted.add(keys)
                _ = try await graph.delete(through: session, nil)
                return keys.rowCount
            }
        }
    }
}

extension DatabaseCore {
    /// The database for those who see all rows of a type and of those that it leads to, as whoever sweeps: nobody gives
    /// them values of scopes.
    func seeingAll(of description: TableDescription) throws -> DatabaseCore {
        let scopes = description.scopedTypes.flatMap(\.scopes)
        guard scopes.contains(where: \.takesValue) else { return self }
        return try DatabaseCore(self, seeing: ScopeView(ignored: Set(scopes.map(\.name))))
    }
}

/// What a sweep has done.
struct SweepOutcome: Sendable {
    /// The number of rows that were deleted.
    var count = 0
    /// The number of times that a row could not be deleted.
    var refusedCount = 0
    /// The error about the first of those rows.
    var refusal: DatabaseError?
}

extension DatabaseError {
    /// Whether it is a rule of the schema that keeps a row from being deleted, or a trigger.
    fileprivate var refusesDeletion: Bool {
        switch code {
        case .foreignKeyViolation, .notNullViolation, .checkViolation, .uniqueViolation, .engine: true
        default: false
        }
    }
}
