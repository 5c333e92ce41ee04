/// A statement of a load, and what becomes of its rows.
struct LoadRequest {
    let run: StatementRun
    let shape: LoadedRows.Shape
    /// The table that gets its rows, of which objects may be made while others come.
    let target: AnyLoadTable?
    /// Takes the rows into the table that asked for them.
    let take: (LoadedRows) throws -> Void

    init(
        _ statement: Statement, _ parameters: ParameterBuffer, _ shape: LoadedRows.Shape,
        into target: AnyLoadTable? = nil,
        take: @escaping (LoadedRows) throws -> Void
    ) {
        run = StatementRun(statement, parameters)
        self.shape = shape
        self.target = target
        self.take = take
    }
}
