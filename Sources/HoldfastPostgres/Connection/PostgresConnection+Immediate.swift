internal import CPostgres
@_spi(Driver) import Holdfast
import Synchronization

extension PostgresConnection {
    /// Sends a brief statement that is prepared already, and takes its answer if that comes while this thread waits.
    func runImmediately(
        _ statement: Statement,
        _ parameters: ParameterBuffer,
        timeout: Duration?,
        consume: (any RowSource) throws -> Void
    ) throws -> RunProgress {
        guard statement.isBrief, parameters.rowCount == 1, statement.ignoresCancellation || !Task.isCancelled,
            // Nothing is cancelled while this thread waits.
            timeout.map({ $0 > .nanoseconds(4 * BriefWaits.limit) }) ?? true,
            prefetched.withLock({ $0 == nil }), pooled == nil || transactionStatus == .open,
            let plan = keptPlan(statement, parameters), plan.leading.isEmpty, plan.trailing.isEmpty
        else { return .notBegun }
        do throws(DatabaseError) {
            try channel.begin(deadline: .distantFuture, ignoresCancellation: statement.ignoresCancellation)
        } catch {
            // Nothing was sent, and the other way takes a connection that is not lost.
            if error.code == .connectionLost { return .notBegun }
            throw error
        }
        var encoder = ParameterEncoder(plan.types, limits: plan.statement.limits)
        var canEncode = true
        var results = GatheredResults(runCount: 1, guardCount: plan.statement.guardCount)
        var pipeline = Pipeline(channel, count: 1, showsValues: configuration.telemetry.showsValues)
        pipeline.brief = plan.statement.kind
        let isOver: Bool
        do throws(DatabaseError) {
            isOver = try pipeline.runHere { session, _ throws(DatabaseError) in
                let (status, failure) = plan.statement.send(session, parameters, row: 0, &encoder)
                canEncode = failure == nil
                if let failure { throw parameterError(failure, plan, statement, rowCount: 1) }
                return status
            } receive: { _, result in
                results.add(result)
            }
        } catch {
            endRun()
            let error = pipeline.stale(error, plan)
            let mayRunAgain = forget(plan, ifStale: error) && !pipeline.isInTransaction
            // The other way names types, or prepares it anew.
            if !canEncode || mayRunAgain { return .notBegun }
            throw error
        }
        if isOver, results.unknownTypes(catalog).isEmpty {
            endRun()
            try consume(try rows(of: results, statement))
            return .done
        }
        let (sent, soFar) = (pipeline, results)
        nonisolated(nonsending) func rest(_ consume: (any RowSource) throws -> Void) async throws {
            channel.resume(deadline: .after(timeout))
            let reader = try await completing(statement) { () async throws(DatabaseError) in
                var (pipeline, results) = (sent, soFar)
                do throws(DatabaseError) {
                    if !isOver {
                        try await pipeline.receiveRest { _, result in results.add(result) }
                    }
                } catch {
                    let error = pipeline.stale(error, plan)
                    guard forget(plan, ifStale: error), !pipeline.isInTransaction else { throw error }
                    return try await perform(statement, parameters)
                }
                try await learnTypes(of: results)
                return try rows(of: results, statement)
            }
            try consume(reader)
        }
        return .begun(rest)
    }
}
