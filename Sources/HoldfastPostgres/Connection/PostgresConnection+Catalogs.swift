@_spi(Driver) import Holdfast

extension PostgresConnection {
    /// Turns the just-in-time compiler off until the transaction ends, and keeps in the transaction what it was.
    private static let compilerOff = Statement(
        """
        SELECT set_config('holdfast.jit', current_setting('jit'), true), set_config('jit', 'off', true)
        """)

    /// Turns the just-in-time compiler on again, if it was on.
    private static let compilerAsBefore = Statement(
        """
        SELECT set_config('jit', coalesce(nullif(current_setting('holdfast.jit', true), ''), current_setting('jit')), true)
        """)

    /// Runs a statement about the catalogs, and makes a value of each of its rows.
    ///
    /// The server would compile hundreds of functions first, for seconds, since its planner takes such a statement for
    /// one that lasts: it runs without the just-in-time compiler. The three statements are one round trip and, outside
    /// a transaction, one transaction.
    func readCatalogs<Row: Sendable>(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?,
        row: @escaping @Sendable (UnsafePointer<Cell>) -> Row
    ) async throws -> [Row] {
        let runs = [
            StatementRun(Self.compilerOff) { _ in [Row]() },
            StatementRun(statement, parameters) { rows in
                var result: [Row] = []
                while let cells = try rows.next() { result.append(row(cells)) }
                return result
            },
            StatementRun(Self.compilerAsBefore) { _ in [] },
        ]
        var result: [Row] = []
        try await runTogether(runs, begin: nil, timeout: timeout) { _, rows in result += rows }
        return result
    }
}
