internal import CPostgres
import Foundation
import Holdfast
import Synchronization

extension PostgresConnection {
    private static let savepoint = "holdfast_rows"

    /// Does to many rows at once what `statement` does to each.
    ///
    /// In a savepoint: if it fails for the data's sake, it is undone, so that doing it row by row tells which row is to blame.
    ///
    /// - Returns: What the statement would have returned; nil, with nothing done, if it has to be run row by row.
    func runInBulk(
        _ statement: Statement, _ parameters: ParameterBuffer, _ plan: StatementPlan
    ) async throws(DatabaseError) -> ResultReader? {
        guard let change = statement.rowChange, parameters.rowCount >= BulkPlan.leastRows, parameters.lists.isEmpty,
            transactionStatus == .open
        else { return nil }
        switch change {
        case .insert(let table, let columns, let generatedKey):
            guard columns.count == plan.types.count, !columns.isEmpty else { return nil }
            return try await copy(parameters, plan, into: table, columns, generatedKey)
        case .update(let table, let columns, let keyColumns):
            let update = bulkStatements.withLock { statements in
                statements.statement(for: statement.id, plan.oids) {
                    BulkPlan.update(table, columns: columns, keyColumns: keyColumns, types: plan.oids)
                }
            }
            guard let update else { return nil }
            return try await run(update, parameters)
        }
    }

    // MARK: Inserts

    private func copy(
        _ parameters: ParameterBuffer, _ plan: StatementPlan, into table: String, _ columns: [String],
        _ generatedKey: String?
    ) async throws(DatabaseError) -> ResultReader? {
        var encoder = CopyEncoder(plan.types, parameters)
        guard encoder.canEncode else { return nil }
        let name = PostgresDialect().quoted(table)
        let column = generatedKey ?? columns[0]
        let count = parameters.rowCount
        var answers: [ServerResult?] = [nil, nil, nil]
        let hasKey = generatedKey != nil
        var pipeline = Pipeline(channel, count: hasKey ? 3 : 2, showsValues: configuration.showsValues)
        try await pipeline.run { session, index throws(DatabaseError) in
            switch index {
            case 0: PQsendQueryParams(session, "SAVEPOINT \(Self.savepoint)", 0, nil, nil, nil, nil, 1)
            case 1: Self.send(BulkPlan.check, [name, column], session)
            default: Self.send(BulkPlan.reserve, [name, column, String(count)], session)
            }
        } receive: { index, result in
            answers[index] = result
        }
        guard let check = answers[1], check.rowCount == 1 else { return try await giveUp(afterFailure: false) }
        var keys: ServerResult?
        if hasKey {
            let type = PQgetvalue(check.raw, 0, 0).map { UnsafeRawPointer($0).loadUnaligned(as: UInt32.self) }
            guard let answer = answers[2], answer.rowCount == count, let type,
                encoder.takeKeys(answer, type: type.bigEndian)
            else { return try await giveUp(afterFailure: false) }
            keys = answer
        }
        var stream = CopyStream(channel, showsValues: configuration.showsValues)
        do throws(DatabaseError) {
            let sql = BulkPlan.copy(into: table, columns: columns + (generatedKey.map { [$0] } ?? []))
            let taken = try await stream.run(sql, rowCount: count) { row, bytes throws(DatabaseError) in
                try encoder.append(row, to: &bytes)
            }
            // Row by row, the caller learns which of them a trigger passes over.
            if taken < count { return try await giveUp(afterFailure: true) }
        } catch {
            // A value that can't be sent is told by the way of single rows, in its words.
            if error.code == .invalidValue && error.engineCode == nil || error.isOfRows {
                return try await giveUp(afterFailure: true)
            }
            throw error
        }
        try await release()
        var gathered = GatheredResults(runCount: 1)
        if let keys { gathered.take(keys) }
        gathered.affectedRows = count
        return ResultReader(gathered, catalog: catalog)
    }

    private static func send(_ sql: String, _ texts: [String], _ session: OpaquePointer) -> Int32 {
        var pointers: [UnsafePointer<CChar>?] = []
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        for copy in copies { pointers.append(copy.map { UnsafePointer($0) }) }
        return PQsendQueryParams(session, sql, Int32(texts.count), nil, pointers, nil, nil, 1)
    }

    // MARK: Updates

    private func run(
        _ update: Statement, _ parameters: ParameterBuffer
    ) async throws(DatabaseError) -> ResultReader? {
        let lists = parameters.asLists
        try await control("SAVEPOINT \(Self.savepoint)")
        let rows: ResultReader
        do throws(DatabaseError) {
            rows = try await perform(update, lists)
        } catch {
            let isRefused = error.engineCode == nil && error.code == .invalidValue
            guard isRefused || error.isOfRows else { throw error }
            return try await giveUp(afterFailure: true)
        }
        try await release()
        return rows
    }

    // MARK: The savepoint

    private func release() async throws(DatabaseError) { try await control("RELEASE SAVEPOINT \(Self.savepoint)") }

    private func giveUp(afterFailure: Bool) async throws(DatabaseError) -> ResultReader? {
        if afterFailure { try await control("ROLLBACK TO SAVEPOINT \(Self.savepoint)") }
        try await release()
        return nil
    }

    private func control(_ sql: String) async throws(DatabaseError) {
        var pipeline = Pipeline(channel, count: 1, showsValues: configuration.showsValues)
        try await pipeline.run { session, _ throws(DatabaseError) in
            PQsendQueryParams(session, sql, 0, nil, nil, nil, nil, 1)
        } receive: { _, _ in
        }
    }
}
