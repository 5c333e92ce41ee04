import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import HoldfastTesting
import Testing

@Suite(.database(.sqlite, models: Author.self, Note.self)) struct DatabaseTraitTests {
    // Two tests that would meet each other's rows, if there were any.
    @Test(arguments: 1...3) func `each case has an empty database of its own`(number: Int) async throws {
        let db = try Database.current
        try await db.save(Note("one", by: Author(name: "Ada")))
        #expect(try await db.count(Note.self) == 1)
        #expect(try await db.fetch(Note.self)[0].id == 1)
    }

    @Test func `the database is there in tasks that the test starts`() async throws {
        let db = try Database.current
        let other = try await Task { try Database.current }.value
        #expect(db === other)
        #expect(try TestDatabase.current.database === db)
    }

    @Test func `in a detached task it is not there`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Task.detached { _ = try Database.current }.value
        }
        #expect(error?.code == .notFound)
    }

    @Test(.database(.sqlite, models: Ticket.self)) func `the trait of a test counts, and not that of its suite`()
        async throws
    {
        let db = try Database.current
        #expect(try await db.count(Ticket.self) == 0)
        let error = await #expect(throws: DatabaseError.self) { try await db.count(Note.self) }
        #expect(error?.code == .notMigrated)
    }

    @Test(.database(models: Note.self), arguments: DriverType.tested(.sqlite, .postgres))
    func `a test that takes its engine as an argument has a database on that`(engine: DriverType) async throws {
        let early = #expect(throws: DatabaseError.self) { try Database.current }
        #expect(early?.message.contains("current(on:)") == true)
        let db = try await Database.current(on: engine)
        #expect(try Database.current === db)
        #expect(try await Database.current(on: engine) === db)
        try await db.save(Note("one"))
        #expect(try await db.count(Note.self) == 1)
        let sql = try await db.sql("SELECT count(*) FROM \(Note.self)").fetch(as: Int.self)
        #expect(sql == [1])
        #expect(db.capabilities.hasRoundTrips == engine.schemes.contains("postgres"))
    }

    @Test(.database(.sqlite, models: Note.self, configure: { $0.loading.maximumObjects = 1 }))
    func `a test can change the configuration`() async throws {
        let db = try Database.current
        try await db.save([Note("one", by: Author(name: "Ada")), Note("two")])
        let error = await #expect(throws: DatabaseError.self) { try await db.fetch(Note.self) }
        #expect(error?.code == .unsupported)
    }

    @Test(.database(.sqlite, prepare: { try await $0.migrate(Note.self) }))
    func `the closure of a trait can migrate`() async throws {
        #expect(try await Database.current.count(Note.self) == 0)
    }
}
