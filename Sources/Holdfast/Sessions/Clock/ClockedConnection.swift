import Foundation

/// A connection that binds the time of the program's clock to the statements which take it as a parameter.
///
/// It is around the driver's, so that the clock is read when a statement is sent, whoever sends it.
final class ClockedConnection: ForwardingConnection {
    let base: any DriverConnection
    private let clock: @Sendable () -> Date

    init(_ base: any DriverConnection, _ clock: @escaping @Sendable () -> Date) {
        (self.base, self.clock) = (base, clock)
    }

    private func timed(_ statement: Statement, _ parameters: ParameterBuffer) throws -> ParameterBuffer {
        let hasPlace = parameters.rowCount == 1 && parameters.cells.contains(where: \.isClockTime)
        guard statement.takesTime || hasPlace else { return parameters }
        return parameters.telling(.timestamp(try clock().microsecondsPassed()), atEnd: statement.takesTime)
    }

    func run<Output>(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        try await base.run(statement, try timed(statement, parameters), timeout: timeout, consume: consume)
    }

    func runImmediately(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?,
        consume: (any RowSource) throws -> Void
    ) throws -> RunProgress {
        try base.runImmediately(statement, try timed(statement, parameters), timeout: timeout, consume: consume)
    }

    func runTogether<Output: Sendable>(
        _ runs: [StatementRun<Output>], begin: Statement?, timeout: Duration?, receive: (Int, Output) throws -> Void
    ) async throws {
        var runs = runs
        for index in runs.indices { runs[index].parameters = try timed(runs[index].statement, runs[index].parameters) }
        try await base.runTogether(runs, begin: begin, timeout: timeout, receive: receive)
    }

    func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor {
        try await base.openCursor(statement, try timed(statement, parameters), timeout: timeout)
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
