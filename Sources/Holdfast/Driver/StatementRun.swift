/// A statement, and what it is run with.
public struct StatementRun: Sendable {
    public var statement: Statement
    /// A value for each of its parameters; ``ParameterBuffer/none`` if it has none.
    public var parameters: ParameterBuffer

    public init(_ statement: Statement, _ parameters: ParameterBuffer = .none) {
        self.statement = statement
        self.parameters = parameters
    }
}
