import Foundation
import Synchronization

/// A connection whose statements take the time from a clock of the program in place of the engine's.
///
/// It binds the clock's time wherever a statement of the library's has the dialect's ``CurrentTime``. So nothing else
/// has to know of it, and without such a clock statements have no parameter for the time.
final class ClockedConnection: ForwardingConnection {
    let base: any DriverConnection
    private let clock: @Sendable () -> Date
    private let dialect: any Dialect
    /// Statements that were looked at, by their identities; nil where the time is not in them.
    private let statements = Mutex(RecentlyUsed<Int, ClockedStatement?>(capacity: rememberedLimit))

    /// As many as drivers keep prepared, and more.
    static let rememberedLimit = 512

    init(_ base: any DriverConnection, _ clock: @escaping @Sendable () -> Date, _ dialect: any Dialect) {
        (self.base, self.clock, self.dialect) = (base, clock, dialect)
    }

    /// A statement with the clock's time among its parameters.
    private func clocked(
        _ statement: Statement, _ parameters: ParameterBuffer
    ) throws -> (Statement, ParameterBuffer) {
        guard !statement.isRaw, let now = dialect.currentTime else { return (statement, parameters) }
        let known = statements.withLock { $0.value(for: statement.id) }
        let clocked = known ?? ClockedStatement(statement, now, dialect, width: parameters.width)
        // One that is made for each use is not met again.
        if known == nil, statement.isCached {
            statements.withLock { statements in
                _ = statements.removeOldest()
                statements.insert(clocked, for: statement.id)
            }
        }
        guard let clocked else { return (statement, parameters) }
        return (clocked.statement, clocked.parameters(parameters, try clock().microsecondsPassed()))
    }

    /// The number of statements that are remembered.
    var rememberedCount: Int { statements.withLock { $0.count } }

    func run<Output>(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        let (statement, parameters) = try clocked(statement, parameters)
        return try await base.run(statement, parameters, timeout: timeout, consume: consume)
    }

    func runImmediately(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?,
        consume: (any RowSource) throws -> Void
    ) throws -> RunProgress {
        let (statement, parameters) = try clocked(statement, parameters)
        return try base.runImmediately(statement, parameters, timeout: timeout, consume: consume)
    }

    func runTogether<Output: Sendable>(
        _ runs: [StatementRun<Output>], begin: Statement?, timeout: Duration?, receive: (Int, Output) throws -> Void
    ) async throws {
        let runs = try runs.map { run in
            let (statement, parameters) = try clocked(run.statement, run.parameters)
            return StatementRun(statement, parameters, consume: run.consume)
        }
        try await base.runTogether(runs, begin: begin, timeout: timeout, receive: receive)
    }

    func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor {
        let (statement, parameters) = try clocked(statement, parameters)
        return try await base.openCursor(statement, parameters, timeout: timeout)
    }
}

extension Date {
    /// Microseconds since 1970, rounded down, as a clock has it.
    fileprivate func microsecondsPassed() throws -> Int64 {
        do {
            let rounded = try roundedToMicroseconds()
            return Date(microseconds: rounded) > self ? rounded - 1 : rounded
        } catch is CellMismatch {
            throw DatabaseError(.invalidValue, "The clock of the configuration shows no time that a column can hold.")
        }
    }
}
