internal import CPostgres
@_spi(Driver) import Holdfast
import Synchronization

extension PostgresConnection {
    /// The greatest number of statements that go out together.
    private static let greatestCount = 64

    /// The work that is left when the round trip is over.
    private struct Remainder<Output: Sendable> {
        /// Rows that are not handed on yet, by the positions of their runs.
        var rows: [(index: Int, run: StatementRun<Output>, rows: ResultReader)] = []
        /// The first run that has to be done by itself, and all after it.
        var start: Int?
    }

    /// Runs statements in one round trip.
    ///
    /// The server makes the rows of the next ones, and the reactor reads them, while those of one are taken.
    func runTogether<Output: Sendable>(
        _ runs: [StatementRun<Output>],
        begin: Statement?,
        timeout: Duration?,
        receive: (Int, Output) throws -> Void
    ) async throws {
        guard runs.count > (begin == nil ? 1 : 0), runs.count <= Self.greatestCount,
            runs.allSatisfy(Self.canGoTogether)
        else { return try await runInTurn(runs, begin: begin, timeout: timeout, receive: receive) }
        var refusal: (any Error)?
        func hand(_ index: Int, _ run: StatementRun<Output>, _ rows: ResultReader) {
            guard refusal == nil else { return }
            do {
                let output: Output
                do {
                    output = try run.consume(rows)
                } catch let error as DatabaseError {
                    throw error.naming(run.statement)
                }
                try receive(index, output)
            } catch {
                refusal = error
            }
        }
        let remainder: Remainder<Output>
        do throws(DatabaseError) {
            if Task.isCancelled { throw .cancelled(.task) }
            await dropPrefetched()
            try channel.begin(deadline: .after(timeout))
            let outcome = await attempt { () async throws(DatabaseError) -> Remainder<Output> in
                try await performTogether(runs, begin, timeout, hand)
            }
            await channel.settle()
            remainder = try end(with: outcome)
        } catch {
            throw error.naming(runs[0].statement)
        }
        for (index, run, rows) in remainder.rows { hand(index, run, rows) }
        if let refusal { throw refusal }
        if let start = remainder.start {
            try await runInTurn(runs, from: start, begin: begin, timeout: timeout, receive: receive)
        }
    }

    private static func canGoTogether<Output>(_ run: StatementRun<Output>) -> Bool {
        run.parameters.rowCount == 1 && run.statement.rowChange == nil && !run.statement.ignoresCancellation
    }

    /// Runs statements within a run that has begun.
    ///
    /// Each has the time of `timeout` to be prepared and again to be run, not counting how long `hand` lasts.
    ///
    /// - Parameter hand: Hands on the rows of a run.
    private func performTogether<Output: Sendable>(
        _ runs: [StatementRun<Output>], _ begin: Statement?, _ timeout: Duration?,
        _ hand: (Int, StatementRun<Output>, ResultReader) -> Void
    ) async throws(DatabaseError) -> Remainder<Output> {
        let mayRepeat = begin == nil && transactionStatus == .idle
        // Outside a transaction, what is sent together is one.
        let isFirst = begin != nil || transactionStatus == .idle
        var sending = SendingTogether(
            after: (begin.map { [$0.sql] } ?? [])
                + (isFirst ? pooled.map { begin == nil ? [$0.beforeStatement] : $0.afterBegin } ?? [] : []))
        for run in runs {
            channel.resume(deadline: .after(timeout))
            do throws(DatabaseError) {
                let plan = try await heedingCancellation { () async throws(DatabaseError) in
                    try await self.plan(run.statement, run.parameters, namedTypes: nil)
                }
                sending.add(plan, run.parameters)
            } catch {
                throw error.naming(run.statement)
            }
        }
        // If not all can be encoded, they are sent one by one: each can then be tried with other types, or its error is
        // reported before later ones are sent.
        guard sending.canEncodeAll() else { return Remainder(start: 0) }
        var pipeline = Pipeline(channel, count: sending.commandCount, showsValues: configuration.telemetry.showsValues)
        if runs.allSatisfy(\.statement.isBrief) { pipeline.brief = .read }
        var held: [(index: Int, results: GatheredResults)] = []
        var remainder = Remainder<Output>()
        var index = 0
        while index < runs.count {
            channel.resume(deadline: .after(timeout))
            var results = GatheredResults(runCount: 1)
            let isLast = index == runs.count - 1
            do throws(DatabaseError) {
                try await heedingCancellation { () async throws(DatabaseError) in
                    try await pipeline.run(upTo: isLast ? nil : sending.end(of: index)) { session, command in
                        sending.send(command, session)
                    } receive: { command, result in
                        if sending.isStatement(command) { results.add(result) }
                    }
                }
            } catch {
                if let begin, pipeline.failure?.index == 0 { throw error.naming(begin) }
                let failed = pipeline.failure.map { sending.run(of: $0.index) } ?? index
                keep(sending, unlessFailedAt: pipeline.failure?.index ?? 0)
                let error = pipeline.stale(error, sending.plans[failed])
                guard forget(sending.plans[failed], ifStale: error), mayRepeat, channel.cancelReason == nil else {
                    throw error.naming(runs[failed].statement)
                }
                // Of this one and those after it, nothing has happened yet.
                remainder.start = index
                break
            }
            defer { index += 1 }
            // Types that are not known yet can be asked for only when the round trip is over, as it is after the last
            // one.
            if isLast || !held.isEmpty || !results.unknownTypes(catalog).isEmpty {
                held.append((index, results))
                continue
            }
            channel.pause()
            let checksTypes = checksTypes(sending.plans[index], runs[index].statement)
            hand(index, runs[index], ResultReader(results, catalog: catalog, checksTypes: checksTypes))
        }
        if remainder.start == nil { keep(sending, unlessFailedAt: nil) }
        for (index, results) in held {
            do throws(DatabaseError) {
                try await heedingCancellation { () async throws(DatabaseError) in
                    try await learn(results.unknownTypes(catalog))
                }
            } catch {
                throw error.naming(runs[index].statement)
            }
        }
        remainder.rows = held.map { index, results in
            let checksTypes = checksTypes(sending.plans[index], runs[index].statement)
            return (index, runs[index], ResultReader(results, catalog: catalog, checksTypes: checksTypes))
        }
        return remainder
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
    private(set) var plans: [StatementPlan] = []
    private var parameters: [ParameterBuffer] = []
    /// The run of each command.
    private var runOfCommand: [Int] = []
    /// For each run, the position after its last command.
    private var ends: [Int] = []
    /// The SQL that is sent before all of the statements.
    private let first: [String]

    init(after first: [String]) { self.first = first }

    mutating func add(_ plan: StatementPlan, _ parameters: ParameterBuffer) {
        var plan = plan
        if !plan.name.isEmpty, plan.prepares, let first = plans.first(where: { $0.key == plan.key }) {
            // The one before has it prepared.
            plan.statement = first.statement
            plan.leading.removeAll { if case .prepare = $0 { true } else { false } }
        }
        if plans.isEmpty { plan.leading.insert(contentsOf: first.map { .run($0) }, at: 0) }
        runOfCommand += [Int](repeating: plans.count, count: plan.leading.count + 1)
        ends.append(runOfCommand.count)
        plans.append(plan)
        self.parameters.append(parameters)
    }

    var commandCount: Int { runOfCommand.count }
    func run(of command: Int) -> Int { runOfCommand[min(command, runOfCommand.count - 1)] }
    func start(of run: Int) -> Int { run == 0 ? 0 : ends[run - 1] }
    func end(of run: Int) -> Int { ends[run] }
    /// Whether a command is the statement of a run.
    func isStatement(_ command: Int) -> Bool { command == ends[runOfCommand[command]] - 1 }

    /// Whether all values can be sent.
    func canEncodeAll() -> Bool { plans.indices.allSatisfy { Self.canEncode(parameters[$0], plans[$0]) } }

    static func canEncode(_ parameters: ParameterBuffer, _ plan: StatementPlan) -> Bool {
        var encoder = ParameterEncoder(plan.types)
        return encoder.firstFailure(parameters) == nil
    }

    func send(_ command: Int, _ session: OpaquePointer) -> Int32 {
        let run = runOfCommand[command]
        let plan = plans[run]
        guard isStatement(command) else { return plan.leading[command - start(of: run)].send(session) }
        var encoder = ParameterEncoder(plan.types)
        let (status, _) = plan.statement.send(session, parameters[run], row: 0, &encoder)
        guard status == 1, run < plans.count - 1 else { return status }
        // Else the server keeps the end of an answer until the next one fills its buffer.
        return PQsendFlushRequest(session)
    }
}
