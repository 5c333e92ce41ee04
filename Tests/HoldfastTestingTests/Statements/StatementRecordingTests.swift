import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import HoldfastTesting
import Testing

@Suite(.database(models: Author.self, Note.self)) struct StatementRecordingTests {
    private static let engines = DriverType.tested(.sqlite, .postgres)

    @Test(arguments: engines) func `nothing was recorded before the test`(engine: DriverType) async throws {
        _ = try await Database.current(on: engine)
        #expect(try TestDatabase.current.statements.statements.isEmpty)
    }

    @Test(arguments: engines) func `a save of an unchanged object sends nothing`(engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        let statements = try TestDatabase.current.statements
        let author = Author(name: "Ada")
        try await db.save(author)
        #expect(statements.count() == 1)
        #expect(statements.count(.insert, table: "author") == 1)
        #expect(statements.count(.insert, table: "note") == 0)
        statements.clear()
        try await db.save(author)
        #expect(statements.count() == 0)
        author.name = "Bob"
        try await db.save(author)
        let mark = engine.schemes.contains("postgres") ? ("$1", "$2") : ("?", "?")
        #expect(statements.sql == [#"UPDATE "author" SET "name" = \#(mark.0) WHERE "id" = \#(mark.1)"#])
    }

    @Test(arguments: engines) func `a graph is loaded by one statement a relation`(engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        let statements = try TestDatabase.current.statements
        try await db.save((1...50).map { Note("\($0)", by: Author(name: "\($0)")) })
        #expect(statements.count(.insert) <= 4)
        #expect(statements.statements.filter { $0.kind == .insert }.reduce(0) { $0 + $1.rows } == 100)
        statements.clear()
        #expect(try await db.fetch(Note.self).count == 50)
        #expect(statements.count(.select) == 2)
        #expect(statements.count() == 2)
    }

    @Test(arguments: engines) func `finds by key are recorded`(engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        let statements = try TestDatabase.current.statements
        try await db.save(Author(name: "Ada"))
        statements.clear()
        for _ in 1...3 { #expect(try await db.find(Author.self, key: 1)?.name == "Ada") }
        #expect(statements.count(.select, table: "author") == 3)
    }

    @Test(arguments: engines) func `transactions and savepoints are recorded`(engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        let statements = try TestDatabase.current.statements
        try await db.transaction { tx in
            try await tx.save(Author(name: "Ada"))
            try await tx.transaction { try await $0.save(Author(name: "Bob")) }
        }
        let control = statements.statements.filter { $0.kind == .transaction }.map(\.sql)
        #expect(control.count == 4)
        #expect(control.first?.hasPrefix("BEGIN") == true)
        #expect(control.dropFirst().first?.hasPrefix("SAVEPOINT") == true)
        #expect(control.last == "COMMIT")
        #expect(statements.count(.transaction) == 4)
        #expect(statements.count() == 2)
    }

    @Test(arguments: engines) func `streams and raw SQL are recorded`(engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        let statements = try TestDatabase.current.statements
        let name = "Ada"
        try await db.sql("INSERT INTO author (name) VALUES (\(name))").execute()
        for try await author in db.query(Author.self).stream() { #expect(author.name == name) }
        #expect(statements.count(.insert) == 1)
        #expect(statements.count(.select) == 1, "\(statements.statements)")
        #expect(statements.sql.first?.hasPrefix("INSERT INTO author (name) VALUES (") == true)
    }

    @Test(arguments: engines) func `values are never recorded`(engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        let statements = try TestDatabase.current.statements
        let canary = "canary-4711"
        try await db.save((1...20).map { Note("\(canary) \($0)", by: Author(name: canary)) })
        let notes = try await db.query(Note.self).where { $0.title == "\(canary) 7" && $0.author.name == canary }
            .fetch()
        #expect(notes.count == 1)
        try await db.delete(notes)
        try await db.sql("UPDATE note SET title = \(canary)").execute()
        #expect(!String(reflecting: statements.statements).contains("4711"))
        #expect(statements.count(.delete) >= 1)
        #expect(statements.count(.update) == 1)
    }

    @Test func `a database that is opened by hand can be recorded`() async throws {
        let recording = StatementRecording()
        try await Database.withDatabase(.sqlite(.inMemory).recording(recording)) { db in
            try await db.migrate(Author.self)
            #expect(recording.statements.contains { $0.kind == .other && $0.sql.hasPrefix("CREATE TABLE") })
            recording.clear()
            try await db.save(Author(name: "Ada"))
            #expect(recording.count(.insert) == 1)
        }
    }
}
