import HoldfastConformance
import Testing

@Suite struct EngineTests {
    @Test(arguments: ConformanceCase.all)
    func `SQLite conforms`(to behaviour: ConformanceCase) async {
        let result = await Engines.sqlite.run(behaviour)
        #expect(result.outcome.isAcceptable, "\(behaviour.title)\n\(result.outcome)")
    }

    @Test(
        .enabled(if: Engines.postgres != nil, "HOLDFAST_POSTGRES_URL names no server; use Integration/with-postgres."),
        arguments: ConformanceCase.all
    )
    func `PostgreSQL conforms`(to behaviour: ConformanceCase) async throws {
        let result = await (try #require(Engines.postgres)).run(behaviour)
        #expect(result.outcome.isAcceptable, "\(behaviour.title)\n\(result.outcome)")
    }
}
