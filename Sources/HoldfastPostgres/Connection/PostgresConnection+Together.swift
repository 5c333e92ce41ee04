internal import CPostgres
import Holdfast
import Synchronization

extension PostgresConnection {
    /// The greatest number of statements that go out together.
    private static let greatestCount = 64

    /// What is left to be done when the round trip is over.
    private struct Remainder {
        /// Rows that are not handed on yet, by the positions of their runs.
        var rows: [(index: Int, rows: ResultReader)] = []
        /// The first run that has to be done by itself, and all after it.
        var start: Int?
    }

    /// Runs statements in one round trip: the server makes the rows of the next ones, and the reactor reads them, while those of one
    /// are taken.
    func runTogether<Output: Sendable>(
        _ runs: [StatementRun],
        timeout: Duration?,
        consume: @escaping @Sendable (Int, any RowSource) throws -> Output,
        take: (Int, Output) throws -> Void
    ) async throws {
        guard Self.canGoTogether(runs) else {
            return try await runInTurn(runs, timeout: timeout, consume: consume, take: take)
        }
        var refusal: (any Error)?
        func hand(_ index: Int, _ rows: ResultReader) {
            guard refusal == nil else { return }
            do {
                let output: Output
                do {
                    output = try consume(index, rows)
                } catch let error as DatabaseError {
                    throw error.naming(runs[index].statement)
                }
                try take(index, output)
            } catch {
                refusal = error
            }
        }
        let remainder: Remainder
        do throws(DatabaseError) {
            if Task.isCancelled { throw .cancelled(.task) }
            await dropFetchAhead()
            try channel.begin(deadline: Clock.after(timeout))
            let outcome = await attempt { () async throws(DatabaseError) in
                try await performTogether(runs, timeout, hand)
            }
            await channel.settle()
            remainder = try end(with: outcome)
        } catch {
            throw error.naming(runs[0].statement)
        }
        for (index, rows) in remainder.rows { hand(index, rows) }
        if let refusal { throw refusal }
        guard let start = remainder.start else { return }
        try await runInTurn(runs, from: start, timeout: timeout, consume: consume, take: take)
    }

    private static func canGoTogether(_ runs: [StatementRun]) -> Bool {
        (2...greatestCount).contains(runs.count)
            && runs.allSatisfy { run in
                run.parameters.rowCount == 1 && run.statement.rowChange == nil && !run.statement.ignoresCancellation
            }
    }

    /// Runs statements within a run that has begun.
    ///
    /// Each has the time of `timeout` to be prepared and again to be run, not counting what `hand` takes.
    private func performTogether(
        _ runs: [StatementRun], _ timeout: Duration?, _ hand: (Int, ResultReader) -> Void
    ) async throws(DatabaseError) -> Remainder {
        let mayRepeat = transactionStatus == .idle
        var sending = SendingTogether(runs)
        for run in runs {
            channel.resume(deadline: Clock.after(timeout))
            do throws(DatabaseError) {
                sending.add(
                    try await heedingCancellation { () async throws(DatabaseError) in
                        try await plan(run.statement, run.parameters, namedTypes: nil)
                    })
            } catch {
                throw error.naming(run.statement)
            }
        }
        // By itself each gets another try with other types, or is told before those after it go out.
        guard sending.canEncode() else { return Remainder(start: 0) }
        var pipeline = Pipeline(channel, count: sending.commandCount, showsValues: configuration.showsValues)
        var (held, start): ([(index: Int, results: GatheredResults)], Int?) = ([], nil)
        for index in runs.indices {
            channel.resume(deadline: Clock.after(timeout))
            var results = GatheredResults(runCount: 1)
            let isLast = index == runs.count - 1
            do throws(DatabaseError) {
                try await heedingCancellation { () async throws(DatabaseError) in
                    try await pipeline.run(upTo: isLast ? nil : sending.end(of: index)) { session, command in
                        sending.send(command, session)
                    } receive: { command, result in
                        if sending.isStatement(command) { results.take(result) }
                    }
                }
            } catch {
                let failed = pipeline.failure.map { sending.run(of: $0.index) } ?? index
                keep(sending, unlessFailedAt: pipeline.failure?.index ?? 0)
                if error.isStalePlan { prepared.withLock { $0.remove(sending.plans[failed].key) } }
                guard error.isStalePlan, mayRepeat, channel.cancelReason == nil else {
                    throw error.naming(runs[failed].statement)
                }
                // Of this one and those after it, nothing has happened yet.
                start = index
                break
            }
            // Types that are not known yet can be asked for only when the round trip is over, as it is after the last one.
            if isLast || !held.isEmpty || !results.unknownTypes(catalog).isEmpty {
                held.append((index, results))
                continue
            }
            channel.pause()
            hand(index, ResultReader(results, catalog: catalog))
        }
        if start == nil { keep(sending, unlessFailedAt: nil) }
        for (index, results) in held {
            do throws(DatabaseError) {
                try await heedingCancellation { () async throws(DatabaseError) in
                    try await learn(results.unknownTypes(catalog))
                }
            } catch {
                throw error.naming(runs[index].statement)
            }
        }
        return Remainder(rows: held.map { ($0.index, ResultReader($0.results, catalog: catalog)) }, start: start)
    }

    /// Does a part of a run, which is cancelled with the task.
    ///
    /// Rows are not handed on within it, since what a cancellation handler guards leaves the caller's isolation.
    private func heedingCancellation<Output>(
        _ body: () async throws(DatabaseError) -> Output
    ) async throws(DatabaseError) -> Output {
        let outcome = await withTaskCancellationHandler {
            await attempt(body)
        } onCancel: {
            channel.cancel(.task)
        }
        return try outcome.get()
    }

    /// Keeps what was prepared on the way.
    ///
    /// - Parameter command: The command that failed.
    private func keep(_ sending: SendingTogether, unlessFailedAt command: Int?) {
        for (index, plan) in sending.plans.enumerated() {
            keep(plan, unlessFailedAt: command.map { max($0 - sending.start(of: index), 0) })
        }
    }
}

/// The commands of several runs, one after the other: for each, what has to be prepared, and then the statement.
private struct SendingTogether {
    private let runs: [StatementRun]
    private(set) var plans: [StatementPlan] = []
    /// The run of each command.
    private var runOfCommand: [Int] = []
    /// For each run, the position after its last command.
    private var ends: [Int] = []

    init(_ runs: [StatementRun]) { self.runs = runs }

    mutating func add(_ plan: StatementPlan) {
        var plan = plan
        if !plan.name.isEmpty, !plan.leading.isEmpty, let first = plans.first(where: { $0.key == plan.key }) {
            // The one before has it prepared.
            plan.statement = first.statement
            plan.leading.removeAll { if case .prepare = $0 { true } else { false } }
        }
        runOfCommand += [Int](repeating: plans.count, count: plan.leading.count + 1)
        ends.append(runOfCommand.count)
        plans.append(plan)
    }

    var commandCount: Int { runOfCommand.count }
    func run(of command: Int) -> Int { runOfCommand[min(command, runOfCommand.count - 1)] }
    func start(of run: Int) -> Int { run == 0 ? 0 : ends[run - 1] }
    func end(of run: Int) -> Int { ends[run] }
    /// Whether a command is the statement of a run.
    func isStatement(_ command: Int) -> Bool { command == ends[runOfCommand[command]] - 1 }

    /// Whether all values can be sent.
    func canEncode() -> Bool {
        runs.indices.allSatisfy { run in
            var encoder = ParameterEncoder(plans[run].types)
            return encoder.firstFailure(runs[run].parameters) == nil
        }
    }

    func send(_ command: Int, _ session: OpaquePointer) -> Int32 {
        let run = runOfCommand[command]
        let (plan, parameters) = (plans[run], runs[run].parameters)
        guard isStatement(command) else { return plan.leading[command - start(of: run)].send(session) }
        var encoder = ParameterEncoder(plan.types)
        let (status, _) = plan.statement.send(session, parameters, row: 0, &encoder)
        guard status == 1, run < runs.count - 1 else { return status }
        // Else the server keeps the end of an answer until the next one fills its buffer.
        return PQsendFlushRequest(session)
    }
}
