import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Synchronization
import Testing

@testable import HoldfastTesting

@Suite struct TestDatabaseTests {
    private struct Failure: Error {}

    /// Whether the database that a URL names is there.
    private func exists(_ url: String) async throws -> Bool {
        if url.hasPrefix("sqlite:") {
            return FileManager.default.fileExists(atPath: String(url.dropFirst("sqlite:".count).prefix { $0 != "?" }))
        }
        do {
            try await Database.withDatabase(.postgres(url: url)) { _ in }
            return true
        } catch let error as DatabaseError where error.code == .cannotConnect {
            return false
        }
    }

    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func `a database is removed when its user returns`(engine: DriverType) async throws {
        let url = try await TestDatabase.withDatabase(engine, models: Note.self) { test in
            try await test.database.save(Note("one"))
            #expect(try await exists(test.stored.url))
            return test.stored.url
        }
        #expect(try await !exists(url))
    }

    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func `a database is removed when its user throws`(engine: DriverType) async throws {
        var url = ""
        await #expect(throws: Failure.self) {
            try await TestDatabase.withDatabase(engine, models: Note.self) { test in
                url = test.stored.url
                throw Failure()
            }
        }
        #expect(try await !exists(url))
    }

    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func `a database is removed when its task is cancelled`(engine: DriverType) async throws {
        let task = Task {
            var url = ""
            _ = try? await TestDatabase.withDatabase(engine, models: Note.self) { test in
                url = test.stored.url
                withUnsafeCurrentTask { $0?.cancel() }
                try await test.database.save(Note("one"))
            }
            return url
        }
        let removed = await task.value
        #expect(removed.contains("test"))
        #expect(try await !exists(removed))
    }

    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func `a database is removed though its user has left another open`(engine: DriverType) async throws {
        let (url, leaked) = try await TestDatabase.withDatabase(engine, models: Note.self) { test in
            let other = try await Database.open(test.configuration)
            try await other.save(Note("one"))
            #expect(try await test.database.count(Note.self) == 1)
            return (test.stored.url, other)
        }
        #expect(try await !exists(url))
        try await leaked.close()
    }

    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func `a template is prepared once, and each copy has what it has`(engine: DriverType) async throws {
        let calls = Atomic(0)
        for number in 1...3 {
            try await TestDatabase.withDatabase(
                engine, models: Note.self,
                prepare: { db in
                    calls.add(1, ordering: .relaxed)
                    try await db.save(Note("prepared"))
                }
            ) { test in
                let notes = try await test.database.fetch(Note.self)
                #expect(notes.map(\.title) == ["prepared"])
                notes[0].title = "changed by \(number)"
                try await test.database.save(notes)
            }
        }
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func `a closure that can't prepare fails every test that it is for`(engine: DriverType) async throws {
        for _ in 1...2 {
            await #expect(throws: Failure.self) {
                try await TestDatabase.withDatabase(engine, prepare: { _ in throw Failure() }) { _ in }
            }
        }
    }

    @Test(arguments: DriverType.tested(.sqlite, .postgres))
    func `a database in the scope of another one is another one`(engine: DriverType) async throws {
        try await TestDatabase.withDatabase(engine, models: Note.self) { outer in
            try await outer.database.save(Note("one"))
            try await TestDatabase.withDatabase(engine, models: Note.self) { inner in
                let count = try await inner.database.count(Note.self)
                #expect(count == 0)
                #expect(try Database.current === inner.database)
            }
            #expect(try Database.current === outer.database)
            #expect(try await outer.database.count(Note.self) == 1)
        }
    }

    @Test func `the order of models makes no other template`() {
        let first = DatabaseTemplate([Note.self, Author.self], prepare: nil, place: "a")
        let second = DatabaseTemplate([Author.self, Note.self], prepare: nil, place: "b")
        #expect(first.key == second.key)
        #expect(first.key != DatabaseTemplate([Note.self], prepare: nil, place: "a").key)
        #expect(first.key != DatabaseTemplate([Note.self, Author.self], prepare: { _ in }, place: "a").key)
    }

    @Test(
        arguments: [
            (nil, true, true), ("", true, true), ("sqlite", true, false), ("sqlite,postgres", true, true),
            (" Postgres ", false, true), ("oracle", false, false),
        ] as [(String?, Bool, Bool)])
    func `a list in the environment limits the engines`(list: String?, sqlite: Bool, postgres: Bool) {
        #expect(DriverType.sqlite.isNamed(in: list) == sqlite)
        #expect(DriverType.postgres.isNamed(in: list) == postgres)
    }

    @Test func `outside of a test with the trait there is no database`() async {
        let error = #expect(throws: DatabaseError.self) { try Database.current }
        #expect(error?.code == .notFound)
        let other = await #expect(throws: DatabaseError.self) { try await Database.current(on: .sqlite) }
        #expect(other?.code == .notFound)
    }
}
