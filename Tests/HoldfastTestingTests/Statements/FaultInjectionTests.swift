import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import HoldfastTesting
import Testing

@Suite(.database(models: Author.self, Note.self)) struct FaultInjectionTests {
    private static let engines = DriverType.tested(.sqlite, .postgres)

    /// The database of a test, and its faults.
    private func start(on engine: DriverType) async throws -> (Database, FaultInjection) {
        (try await Database.current(on: engine), try TestDatabase.current.faults)
    }

    private func code(_ body: () async throws -> Void) async -> DatabaseError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DatabaseError)?.code
        }
    }

    @Test(arguments: engines) func `a transaction that may not be serialized runs again`(
        engine: DriverType
    )
        async throws
    {
        let (db, faults) = try await start(on: engine)
        var runs = 0
        faults.inject(.serializationFailure, at: 2)
        faults.inject(.deadlock, at: 4)
        try await db.transaction(maxRetries: 2) { tx in
            runs += 1
            try await tx.save(Author(name: "Ada"))
            try await tx.save(Author(name: "Bob"))
        }
        #expect(runs == 3)
        #expect(faults.remaining == 0)
        #expect(try await db.fetch(Author.self).map(\.name) == ["Ada", "Bob"])
    }

    @Test(arguments: engines) func `a refused COMMIT has the transaction run again`(engine: DriverType) async throws {
        let (db, faults) = try await start(on: engine)
        var runs = 0
        faults.inject(.serializationFailure) { $0.sql == "COMMIT" }
        try await db.transaction(maxRetries: 1) { tx in
            runs += 1
            try await tx.save(Author(name: "Ada"))
        }
        #expect(runs == 2)
        #expect(try await db.count(Author.self) == 1)
    }

    @Test(arguments: engines) func `without retries, a refused statement leaves nothing`(
        engine: DriverType
    )
        async throws
    {
        let (db, faults) = try await start(on: engine)
        faults.inject(.serializationFailure, at: 2)
        let code = await code {
            try await db.transaction(maxRetries: 0) { tx in
                try await tx.save(Author(name: "Ada"))
                try await tx.save(Author(name: "Bob"))
            }
        }
        #expect(code == .serializationFailure)
        #expect(try await db.count(Author.self) == 0)
    }

    @Test(arguments: engines) func `a refused statement ends the transaction, though its error is swallowed`(
        engine: DriverType
    ) async throws {
        let (db, faults) = try await start(on: engine)
        faults.inject(.diskFull)
        let code = await code {
            try await db.transaction { tx in
                _ = try? await tx.save(Author(name: "Ada"))
                try await tx.save(Author(name: "Bob"))
            }
        }
        #expect(code == .transactionAborted)
        #expect(try await db.count(Author.self) == 0)
    }

    @Test(arguments: engines) func `a full disk leaves an object as it was`(engine: DriverType) async throws {
        let (db, faults) = try await start(on: engine)
        let note = Note("one", by: Author(name: "Ada"))
        faults.inject(.diskFull) { $0.kind == .insert && $0.table == "note" }
        #expect(await code { try await db.save(note) } == .diskFull)
        #expect(note.id == nil)
        #expect(note.author?.id == nil)
        #expect(try await db.count(Author.self) == 0)
        try await db.save(note)
        #expect(try await db.fetch(Note.self).map { $0.author?.name } == ["Ada"])
    }

    @Test(arguments: engines) func `a lost connection rolls a transaction back`(engine: DriverType) async throws {
        let (db, faults) = try await start(on: engine)
        faults.inject(.connectionLost, at: 2)
        let code = await code {
            try await db.transaction { tx in
                try await tx.save(Author(name: "Ada"))
                try await tx.save(Author(name: "Bob"))
            }
        }
        #expect(code == .connectionLost)
        #expect(try await db.count(Author.self) == 0)
        try await db.save(Author(name: "Cleo"))
        #expect(try await db.count(Author.self) == 1)
    }

    @Test(arguments: engines) func `a statement that reads is run again when its connection is lost`(
        engine: DriverType
    ) async throws {
        let (db, faults) = try await start(on: engine)
        try await db.save(Author(name: "Ada"))
        faults.inject(.connectionLost)
        #expect(try await db.fetch(Author.self).count == 1)
        #expect(faults.remaining == 0)
        faults.inject(.connectionLost, times: 2)
        #expect(await code { _ = try await db.fetch(Author.self) } == .connectionLost)
        #expect(try await db.fetch(Author.self).count == 1)
    }

    @Test(arguments: engines, [true, false]) func `an answer to COMMIT is lost`(
        engine: DriverType, isCommitted: Bool
    ) async throws {
        let (db, faults) = try await start(on: engine)
        let note = Note("one", by: Author(name: "Ada"))
        faults.inject(.commitOutcomeUnknown(isCommitted: isCommitted))
        #expect(await code { try await db.save(note) } == .commitOutcomeUnknown)
        #expect(faults.remaining == 0)
        #expect(try await db.count(Note.self) == (isCommitted ? 1 : 0))
        #expect(try await db.count(Author.self) == (isCommitted ? 1 : 0))
    }

    @Test(arguments: engines, [true, false]) func `an answer to a single write is lost`(
        engine: DriverType, isCommitted: Bool
    ) async throws {
        let (db, faults) = try await start(on: engine)
        faults.inject(.commitOutcomeUnknown(isCommitted: isCommitted))
        #expect(await code { try await db.save(Author(name: "Ada")) } == .commitOutcomeUnknown)
        #expect(try await db.count(Author.self) == (isCommitted ? 1 : 0))
    }

    @Test(arguments: engines) func `what only reads is never in doubt`(engine: DriverType) async throws {
        let (db, faults) = try await start(on: engine)
        try await db.save([Author(name: "Ada"), Author(name: "Bob")])
        faults.inject(.commitOutcomeUnknown(isCommitted: false))
        #expect(await code { try await db.read { _ = try await $0.count(Author.self) } } == .connectionLost)
        faults.inject(.commitOutcomeUnknown(isCommitted: true))
        #expect(
            await code { _ = try await db.read { try await $0.query(Author.self).page(size: 1).objects.count } }
                == .connectionLost)
        #expect(faults.remaining == 0)
        #expect(try await db.count(Author.self) == 2)
    }

    @Test(arguments: engines) func `any code can be injected, and taken back`(engine: DriverType) async throws {
        let (db, faults) = try await start(on: engine)
        faults.inject(.error(.lockTimeout), times: 2)
        #expect(faults.remaining == 2)
        #expect(await code { _ = try await db.fetch(Author.self) } == .lockTimeout)
        #expect(faults.remaining == 1)
        faults.removeAll()
        #expect(faults.remaining == 0)
        #expect(try await db.fetch(Author.self).isEmpty)
    }

    @Test func `a database that is opened by hand can meet faults`() async throws {
        let faults = FaultInjection()
        try await Database.withDatabase(.sqlite(.inMemory).injecting(faults)) { db in
            try await db.migrate(Author.self)
            faults.inject(.diskFull)
            #expect(await code { try await db.save(Author(name: "Ada")) } == .diskFull)
        }
    }
}
