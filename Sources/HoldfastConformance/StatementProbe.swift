@_spi(Driver) import Holdfast
import Synchronization

/// Stands between a database and its driver: sees every statement that is sent, and can hold one up or refuse it.
final class StatementProbe: Sendable {
    /// An interference with one of the following statements.
    private enum Interference {
        case refusal(after: Int)
        case hold(text: String, reached: Signal, enough: Signal)
    }

    private struct State {
        var statements: [String] = []
        var interference: Interference?
    }

    private let state = Mutex(State())

    /// Puts the probe in front of the driver that a configuration makes.
    func attach(to configuration: inout DatabaseConfiguration) {
        let make = configuration.makeDriver
        configuration.makeDriver = { [self] in ProbedDriver(base: try make($0), probe: self) }
    }

    /// The statements that were sent since this was last asked, but for those that begin and end transactions; and
    /// ``snapshot`` where the connection was asked to describe tables.
    func take() -> [String] {
        state.withLock { state in
            defer { state.statements = [] }
            return state.statements
        }
    }

    /// Refuses the statement that comes after so many others.
    func refuse(after count: Int) { state.withLock { $0.interference = .refusal(after: count) } }

    /// Refuses nothing any more.
    ///
    /// - Returns: Whether something was refused since it was asked for.
    func stopRefusing() -> Bool {
        state.withLock { state in
            defer { state.interference = nil }
            return state.interference == nil
        }
    }

    /// Holds up the next statement that contains a text.
    ///
    /// - Parameters:
    ///   - reached: Given when it has come.
    ///   - enough: Lets it go on.
    func hold(_ text: String, reached: Signal, until enough: Signal) {
        state.withLock { $0.interference = .hold(text: text, reached: reached, enough: enough) }
    }

    /// A name for the statements with which a driver describes tables, which the probe does not see.
    static let schema = "a description of tables"

    fileprivate func noteSchema() { state.withLock { $0.statements.append(Self.schema) } }

    fileprivate func meet(_ sql: String) async throws {
        let word = sql.prefix { $0 != " " }
        guard !["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "START", "SET", "PRAGMA"].contains(word) else {
            return
        }
        var waiting: (reached: Signal, enough: Signal)?
        var isRefused = false
        state.withLock { state in
            state.statements.append(sql)
            switch state.interference {
            case .refusal(after: 0): (isRefused, state.interference) = (true, nil)
            case .refusal(let count): state.interference = .refusal(after: count - 1)
            case .hold(let text, let reached, let enough) where sql.contains(text):
                (waiting, state.interference) = ((reached, enough), nil)
            case .hold, nil: break
            }
        }
        if isRefused { throw DatabaseError(.engine, "This statement is refused on purpose.") }
        if let waiting {
            waiting.reached.give()
            await waiting.enough.wait()
        }
    }
}

private struct ProbedDriver: Driver {
    let base: any Driver
    let probe: StatementProbe

    var dialect: any Dialect { base.dialect }
    var sharing: ConnectionSharing { base.sharing }

    func connect(_ role: ConnectionRole) async throws -> any DriverConnection {
        ProbedConnection(try await base.connect(role), probe)
    }

    func shutdown() async { await base.shutdown() }
}

private final class ProbedConnection: DriverConnection {
    private let base: any DriverConnection
    private let probe: StatementProbe

    init(_ base: any DriverConnection, _ probe: StatementProbe) {
        self.base = base
        self.probe = probe
    }

    var capabilities: Capabilities { base.capabilities }
    var transactionStatus: TransactionStatus { base.transactionStatus }
    var isUsable: Bool { base.isUsable }

    func run<Output>(
        _ statement: Statement,
        _ parameters: ParameterBuffer,
        timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        try await probe.meet(statement.sql)
        return try await base.run(statement, parameters, timeout: timeout, consume: consume)
    }

    func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor {
        try await probe.meet(statement.sql)
        return try await base.openCursor(statement, parameters, timeout: timeout)
    }

    func schema(_ request: SchemaRequest, timeout: Duration?) async throws -> DatabaseSchema {
        probe.noteSchema()
        return try await base.schema(request, timeout: timeout)
    }

    func interrupt() { base.interrupt() }

    func close() async { await base.close() }
}
