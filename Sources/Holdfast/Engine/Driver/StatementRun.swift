/// A run of a statement, with its parameters and a closure that reads its rows.
///
/// The statement only reads, or it ends a transaction that has only read.
///
/// ```swift
/// let projects = StatementRun(Statement("SELECT id FROM project")) { rows in
///     var ids: [Int64] = []
///     while let cells = try rows.next() { ids.append(cells[0].integer) }
///     return ids
/// }
/// ```
@_spi(Driver) public struct StatementRun<Output: Sendable>: Sendable {
    /// The statement to run.
    public var statement: Statement
    /// A value for each of its parameters; ``ParameterBuffer/none`` if it has none.
    public var parameters: ParameterBuffer
    /// Reads the rows, once, on a thread where it may compute but not block.
    public var consume: @Sendable (any RowSource) throws -> Output

    /// Creates a run of a statement.
    ///
    /// - Parameters:
    ///   - statement: What to run.
    ///   - parameters: One row of values.
    ///   - consume: Reads the rows; maybe at the same time as what another run returned is taken.
    public init(
        _ statement: Statement, _ parameters: ParameterBuffer = .none,
        consume: @escaping @Sendable (any RowSource) throws -> Output
    ) {
        self.statement = statement
        self.parameters = parameters
        self.consume = consume
    }
}
