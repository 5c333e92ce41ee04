internal import CPostgres
import Foundation
@_spi(Driver) import Holdfast
import Synchronization

extension PostgresConnection {
    private static let savepoint = "holdfast_rows"

    /// The outcome of a change of many rows.
    enum BulkOutcome {
        case done(ResultReader)
        /// Nothing was done: it has to be run row by row.
        case rowByRow
        /// Nothing was done: the statement has to be prepared again, since columns have other types by now.
        case stalePlan
    }

    /// Does to many rows together what `statement` does to each.
    ///
    /// In a savepoint: if it fails for the data's sake, it is undone, so that doing it row by row tells which row is to
    /// blame.
    ///
    /// - Returns: What the statement would have returned; or that nothing is done, and how to go on.
    func runInBulk(
        _ statement: Statement, _ parameters: ParameterBuffer, _ plan: StatementPlan
    ) async throws(DatabaseError) -> BulkOutcome {
        guard let change = statement.rowChange, parameters.rowCount >= BulkPlan.leastRows, parameters.lists.isEmpty,
            transactionStatus == .open
        else { return .rowByRow }
        switch change {
        case .insert(let table, let columns, let generatedKey):
            guard columns.count == plan.types.count, !columns.isEmpty else { return .rowByRow }
            return try await copy(statement, parameters, plan, change, into: table, columns, generatedKey)
        case .update(let table, let columns, let keyColumns):
            guard parameters.bytes.count <= BulkPlan.greatestArrays else { return .rowByRow }
            let update = bulkStatements.withLock { statements in
                statements.statement(for: statement.id, plan.oids) {
                    BulkPlan.update(table, columns: columns, keyColumns: keyColumns, types: plan.oids)
                }
            }
            guard let update else { return .rowByRow }
            return try await run(update, statement, change, plan, parameters)
        case .upsert(let table, let columns, false, let onConflict?):
            guard columns.count == plan.types.count, parameters.bytes.count <= BulkPlan.greatestArrays else {
                return .rowByRow
            }
            let upsert = bulkStatements.withLock { statements in
                statements.statement(for: statement.id, plan.oids) {
                    BulkPlan.upsert(table, columns: columns, onConflict: onConflict, types: plan.oids)
                }
            }
            guard let upsert else { return .rowByRow }
            return try await run(upsert, statement, change, plan, parameters)
        case .upsert, .set: return .rowByRow
        }
    }

    /// The commands that describe a change of one row, and the columns that it writes.
    private static func describe(
        _ sql: String, _ change: Statement.RowChange, _ types: [UInt32] = []
    ) -> [StatementPlan.Command] {
        [
            .prepare(name: "", sql: sql, types: types), .describe(name: ""),
            .prepare(name: "", sql: change.selection, types: []), .describe(name: ""),
        ]
    }

    /// Whether columns still are what they were when a statement was prepared.
    ///
    /// - Parameters:
    ///   - now: The description of a change of one row.
    ///   - columns: The description of the columns that it writes.
    private func isCurrent(
        _ plan: StatementPlan, _ change: Statement.RowChange, _ types: [ColumnType?], _ now: ServerResult,
        _ columns: ServerResult?
    ) -> Bool {
        let limits = columns.map { ValueLimit.limits($0, of: change, types) }
        return now.parameterTypes == plan.oids && limits == plan.statement.limits
    }

    // MARK: Inserts

    private func copy(
        _ statement: Statement, _ parameters: ParameterBuffer, _ plan: StatementPlan, _ change: Statement.RowChange,
        into table: TableName, _ columns: [String], _ generatedKey: String?
    ) async throws(DatabaseError) -> BulkOutcome {
        var encoder = CopyEncoder(plan.statement, parameters)
        guard encoder.canEncode else { return .rowByRow }
        let name = PostgresDialect().quoted(table)
        let count = parameters.rowCount
        let probe = BulkPlan.probe(table, columns: columns, generatedKey: generatedKey)
        var commands: [StatementPlan.Command] =
            [.run("SAVEPOINT \(Self.savepoint)")] + Self.describe(probe, change)
            + [.query(BulkPlan.check, [name])]
        if let generatedKey { commands.append(.query(BulkPlan.reserve, [name, generatedKey, String(count)])) }
        guard let answers = try await begin(commands) else { return .rowByRow }
        guard let now = answers[2], let check = answers[5], check.rowCount == 1 else {
            return try await giveUp(afterFailure: false)
        }
        if !isCurrent(plan, change, statement.columnTypes, now, answers[4]) {
            // Types that were named are those of the values, and the columns have others: another plan would not help,
            // so the rows are sent one by one.
            let isStale = plan.key.namedTypes.isEmpty
            return try await giveUp(afterFailure: false, because: isStale ? .stalePlan : .rowByRow)
        }
        var keys: ServerResult?
        if generatedKey != nil {
            guard let answer = answers[6], answer.rowCount == count, now.columnCount == 1,
                encoder.useKeys(answer, type: PQftype(now.raw, 0))
            else { return try await giveUp(afterFailure: false) }
            keys = answer
        }
        var stream = CopyStream(channel, showsValues: configuration.telemetry.showsValues)
        let sql = BulkPlan.copy(into: table, columns: columns + (generatedKey.map { [$0] } ?? []))
        let copied: Int
        do throws(DatabaseError) {
            copied = try await stream.run(sql, rowCount: count) { row, bytes throws(DatabaseError) in
                try encoder.append(row, to: &bytes)
            }
        } catch {
            // A value that can't be sent is reported by the path for single rows, in its words.
            if error.code == .invalidValue && error.engineCode == nil || error.isOfRows {
                return try await giveUp(afterFailure: true)
            }
            throw error.naming(sql)
        }
        // A trigger has passed rows over. Row by row, the caller learns which.
        if copied != count { return try await giveUp(afterFailure: true) }
        try await release()
        var gathered = GatheredResults(runCount: 1)
        if let keys { gathered.add(keys) }
        gathered.affectedRows = count
        return .done(ResultReader(gathered, catalog: catalog))
    }

    /// Sets the savepoint, and asks for what has to be known.
    ///
    /// - Returns: The answers; nil, with the savepoint released, where the server refuses to tell: a sequence that the
    ///   user may not use can still be the default of a column.
    private func begin(_ commands: [StatementPlan.Command]) async throws(DatabaseError) -> [ServerResult?]? {
        let (answers, failure) = try await send(commands)
        guard let (index, error) = failure else { return answers }
        guard index < commands.count else { throw error }
        guard error.isOfRows, index > 0 else { throw commands[index].sql.map { error.naming($0) } ?? error }
        _ = try await giveUp(afterFailure: true)
        return nil
    }

    // MARK: Updates and upserts

    /// Runs one statement for the lists of all rows.
    private func run(
        _ bulk: Statement, _ statement: Statement, _ change: Statement.RowChange, _ plan: StatementPlan,
        _ parameters: ParameterBuffer
    ) async throws(DatabaseError) -> BulkOutcome {
        if !plan.statement.limits.isEmpty {
            // Lists are of a type without limits.
            var encoder = ParameterEncoder(plan.types, limits: plan.statement.limits)
            if encoder.firstFailure(parameters) != nil { return .rowByRow }
        }
        let lists = parameters.asLists
        // Parsed and not run, as before a COPY: the casts of the lists would else hide that columns have other types by
        // now.
        let commands =
            [.run("SAVEPOINT \(Self.savepoint)")] + Self.describe(statement.sql, change, plan.key.namedTypes)
        guard let answers = try await begin(commands) else { return .rowByRow }
        guard let now = answers[2], isCurrent(plan, change, statement.columnTypes, now, answers[4]) else {
            return try await giveUp(afterFailure: false, because: .stalePlan)
        }
        let rows: ResultReader
        do throws(DatabaseError) {
            rows = try await perform(bulk, lists)
        } catch {
            let isRefused = error.engineCode == nil && error.code == .invalidValue
            guard isRefused || error.isOfRows else { throw error.naming(bulk) }
            return try await giveUp(afterFailure: true)
        }
        try await release()
        return .done(rows)
    }

    // MARK: The savepoint

    private func release() async throws(DatabaseError) { try await control("RELEASE SAVEPOINT \(Self.savepoint)") }

    private func giveUp(
        afterFailure: Bool, because outcome: BulkOutcome = .rowByRow
    ) async throws(DatabaseError) -> BulkOutcome {
        if afterFailure { try await control("ROLLBACK TO SAVEPOINT \(Self.savepoint)") }
        try await release()
        return outcome
    }

    private func control(_ sql: String) async throws(DatabaseError) {
        var pipeline = Pipeline(channel, count: 1, showsValues: configuration.telemetry.showsValues)
        do throws(DatabaseError) {
            try await pipeline.run { session, _ throws(DatabaseError) in
                PQsendQueryParams(session, sql, 0, nil, nil, nil, nil, 1)
            } receive: { _, _ in
            }
        } catch {
            throw error.naming(sql)
        }
    }
}
