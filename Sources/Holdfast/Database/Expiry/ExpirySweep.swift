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
    /// A row that can't be deleted, since one refers to it that needs it, is passed over.
    ///
    /// - Returns: The number of rows, and the error about the first that could not be deleted.
    /// - Throws: Any other error, as when the task was cancelled; what was deleted before it stays deleted.
    func run() async throws -> (count: Int, refusal: DatabaseError?) {
        let plan = try core.plan(for: Model.self)
        guard plan.description.expiry != nil, !plan.description.isReadOnly else { return (0, nil) }
        let sql = TableSQL(description: plan.description, dialect: core.dialect)
        var (count, passedOver) = (0, 0)
        var refusal: DatabaseError?
        while true {
            do {
                let found = try await delete(upTo: Self.batchSize, passingOver: passedOver, sql)
                count += found
                if found < Self.batchSize { return (count, refusal) }
            } catch let error as DatabaseError where error.refusesDeletion {
                // One of them: each by itself then.
                for _ in 0..<Self.batchSize {
                    do {
                        let found = try await delete(upTo: 1, passingOver: passedOver, sql)
                        count += found
                        if found == 0 { break }
                    } catch let error as DatabaseError where error.refusesDeletion {
                        refusal = refusal ?? error
                        passedOver += 1
                        if passedOver == Self.greatestRefusals { return (count, refusal) }
                    }
                }
            }
        }
    }

    private func delete(upTo limit: Int, passingOver offset: Int, _ sql: TableSQL) async throws -> Int {
        guard let text = sql.selectExpired(limit: limit, offset: offset) else { return 0 }
        let (table, width) = (sql.description.table, sql.description.keyIndices.count)
        let access = DatabaseAccess(kind: .database(core), site: site)
        return try await access.perform(.atomic, purpose: "sweep") { session, _ in
            let keys = try await session.copiedRows(
                session.core.rawStatements.statement(text, table: table), .none, width: width)
            guard keys.rowCount > 0 else { return 0 }
            let graph = DeleteGraph(core: session.core)
            let deleted = try graph.deletedObjects(of: Model.self).table
            deleted.add(keys)
            _ = try await graph.delete(through: session, nil)
            return keys.rowCount
        }
    }
}

extension DatabaseError {
    /// Whether it is a rule of the schema that keeps a row from being deleted.
    fileprivate var refusesDeletion: Bool {
        switch code {
        case .foreignKeyViolation, .notNullViolation, .checkViolation, .uniqueViolation: true
        default: false
        }
    }
}
