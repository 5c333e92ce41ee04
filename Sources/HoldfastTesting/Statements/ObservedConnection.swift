@_spi(Driver) import Holdfast
import Synchronization

/// A connection whose statements are recorded, and meet faults.
///
/// It changes neither the statements nor how they are run, unless a fault has yet to happen: then each is run by
/// itself, and none immediately, so that the fault finds its statement.
final class ObservedConnection: ForwardingConnection {
    let base: any DriverConnection
    private let recording: StatementRecording?
    private let faults: FaultInjection?
    /// What the library asks the engine for itself, and no caller.
    private let questions: [String]
    private let isLost = Atomic<Bool>(false)

    init(
        _ base: any DriverConnection, _ dialect: any Dialect, _ recording: StatementRecording?,
        _ faults: FaultInjection?
    ) {
        (self.base, self.recording, self.faults) = (base, recording, faults)
        questions = ["SELECT 1", dialect.looseTablesQuery].compactMap(\.self)
    }

    var isUsable: Bool { !isLost.load(ordering: .relaxed) && base.isUsable }

    var transactionStatus: TransactionStatus {
        isLost.load(ordering: .relaxed) ? .idle : base.transactionStatus
    }

    func run<Output>(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        switch meet(statement, parameters) {
        case nil: break
        case .error(let code): throw Self.refusal(code)
        case .loss: throw await lose()
        case .lostAnswer(let isRun):
            if isRun {
                try await base.run(statement, parameters, timeout: timeout) { while try $0.next() != nil {} }
            }
            throw await lose()
        }
        return try await base.run(statement, parameters, timeout: timeout, consume: consume)
    }

    func runImmediately(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?,
        consume: (any RowSource) throws -> Void
    ) throws -> RunProgress {
        if isArmed { return .notBegun }
        let progress: RunProgress
        do {
            progress = try base.runImmediately(statement, parameters, timeout: timeout, consume: consume)
        } catch {
            record(statement, parameters)
            throw error
        }
        switch progress {
        case .notBegun: break
        case .begun, .done: record(statement, parameters)
        }
        return progress
    }

    func runTogether<Output: Sendable>(
        _ runs: [StatementRun<Output>], begin: Statement?, timeout: Duration?, receive: (Int, Output) throws -> Void
    ) async throws {
        if isArmed { return try await runInTurn(runs, begin: begin, timeout: timeout, receive: receive) }
        if let begin { record(begin, .none) }
        for run in runs { record(run.statement, run.parameters) }
        try await base.runTogether(runs, begin: begin, timeout: timeout, receive: receive)
    }

    func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor {
        switch meet(statement, parameters) {
        case nil: return try await base.openCursor(statement, parameters, timeout: timeout)
        case .error(let code): throw Self.refusal(code)
        case .loss, .lostAnswer: throw await lose()
        }
    }
}

extension ObservedConnection {
    private var isArmed: Bool { faults?.isArmed == true }

    /// Whether a statement is the library's own question, such as whether a connection lives.
    private func isQuestion(_ statement: Statement) -> Bool {
        statement.table == nil && !statement.isRaw && questions.contains(statement.sql)
    }

    private func record(_ statement: Statement, _ parameters: ParameterBuffer) {
        if isQuestion(statement) { return }
        recording?.append(RecordedStatement(statement, parameters))
    }

    /// Records a statement that is about to run.
    ///
    /// - Returns: What happens to it instead.
    private func meet(_ statement: Statement, _ parameters: ParameterBuffer) -> Fault.Effect? {
        if isQuestion(statement) { return nil }
        let recorded = RecordedStatement(statement, parameters)
        recording?.append(recorded)
        guard let faults, faults.isArmed else { return nil }
        let commits =
            statement.kind == .commit || statement.kind.changesRows && base.transactionStatus == .idle
        return faults.fault(at: recorded, commits: commits)?.effect
    }

    /// Closes the connection as a loss would, and returns the error of that.
    private func lose() async -> DatabaseError {
        isLost.store(true, ordering: .relaxed)
        await base.close()
        return DatabaseError(.connectionLost, "A test had the connection closed. Open a transaction again to go on.")
    }

    /// Returns an error as if the engine had refused a statement.
    ///
    /// By its engine code, the transaction knows that it is over.
    private static func refusal(_ code: DatabaseError.Code) -> DatabaseError {
        var error = DatabaseError(code, "A test had the statement refused.")
        error.engineCode = "injected"
        return error
    }
}
