extension ConformanceCase {
    /// A case of the level of graphs.
    static func graph(
        _ id: String, _ clause: String, _ title: String,
        run: @escaping @Sendable (ConformanceEnvironment) async throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(id, clause, title, level: .graph, run: run)
    }
}
