import Testing

@_spi(Driver) @testable import Holdfast

/// Who is woken by which commits, without a database.
@Suite struct ObservationsTests {
    private let observations = Observations()

    private func isWoken(_ observation: Observation) async -> Bool {
        // Of a task that is cancelled already, waiting throws unless a commit came; so it waits for none.
        let waiting = Task { try await observation.signal.wait() }
        try? await Task.sleep(for: .milliseconds(20))
        waiting.cancel()
        return (try? await waiting.value) != nil
    }

    @Test func `commits wake who observes their tables, and those that may touch any table wake all`() async {
        let notes = observations.observe(["note"])
        let all = observations.observe(nil)
        observations.publish(Statement(#"UPDATE "card" SET x = 1"#, table: "card"), since: observations.period)
        #expect(await !isWoken(notes))
        #expect(await isWoken(all))
        observations.publish(
            Statement(#"INSERT INTO "note" DEFAULT VALUES"#, table: "note"), since: observations.period)
        #expect(await isWoken(notes))
        notes.signal.reset()
        observations.publish(Statement(#"DELETE FROM "card""#, table: "card"), since: observations.period)
        #expect(await !isWoken(notes))
        observations.publish(Statement(#"DELETE FROM "note""#, table: "note"), since: observations.period)
        #expect(await isWoken(notes))
        notes.signal.reset()
        observations.publish(Statement("DELETE FROM card", isRaw: true), since: observations.period)
        #expect(await isWoken(notes))
        notes.signal.reset()
        observations.publish(Statement("UPDATE card SET x = 1", isRaw: true), since: observations.period)
        #expect(await isWoken(notes))
        notes.signal.reset()
        observations.publish(Statement("SELECT 1", isRaw: true), since: observations.period)
        #expect(await !isWoken(notes))
    }

    @Test func `what began while nobody observed may have touched anything`() async {
        let before = observations.period
        let notes = observations.observe(["note"])
        observations.publish(SessionChanges(), since: before)
        #expect(await isWoken(notes))
        notes.signal.reset()
        observations.publish(SessionChanges(), since: observations.period)
        #expect(await !isWoken(notes))
    }

    @Test func `an observation ends when it is released`() {
        #expect(!observations.isActive)
        var notes: Observation? = observations.observe(["note"])
        var cards: Observation? = observations.observe(["card"])
        #expect(observations.isActive && notes != nil && cards != nil)
        notes = nil
        #expect(observations.isActive)
        cards = nil
        #expect(!observations.isActive)
    }

    @Test func `savepoints and rollbacks touch nothing`() {
        var touched = TouchedTables()
        let statements = ControlStatements()
        for statement in [statements.commit, statements.rollback, statements.savepoint(1), statements.rollbackTo(1)] {
            touched.note(statement)
        }
        #expect(touched.isEmpty)
        touched.note(Statement("CREATE TABLE note (id)"))
        #expect(touched.touches(["card"]))
    }
}
