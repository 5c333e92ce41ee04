/// A statement of a load, and what becomes of its rows.
struct LoadRequest {
    let run: StatementRun
    let shape: LoadedRows.Shape
    /// Takes the rows into the table that asked for them.
    let take: (LoadedRows) throws -> Void

    init(
        _ statement: Statement, _ parameters: ParameterBuffer, _ shape: LoadedRows.Shape,
        take: @escaping (LoadedRows) throws -> Void
    ) {
        run = StatementRun(statement, parameters)
        self.shape = shape
        self.take = take
    }
}
