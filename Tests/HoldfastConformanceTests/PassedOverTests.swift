import Foundation
import HoldfastConformance
import Testing

@testable import Holdfast
@testable import HoldfastConformance

/// Rows that a trigger of the table passes over, on both engines: what was not written does not count as saved.
@Suite struct PassedOverTests {
    /// Calls `body` with a database of both types, and what makes a trigger that passes over what a condition is true
    /// of.
    private func with(
        _ engine: SchemaEngine,
        _ body: (
            Database, (_ event: String, _ table: String, _ condition: String) async throws -> Void
        ) async throws -> Void
    ) async throws {
        let home = try await engine.provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        var failure: (any Error)?
        do {
            try await db.migrate(Note.self, Numbered.self, Place.self, Hooked.self, Company.self, Edition.self)
            try await body(db) { event, table, condition in
                switch engine {
                case .sqlite:
                    try await db.sql(
                        SQLFragment(
                            unsafe: """
                                CREATE TRIGGER pass_\(table) BEFORE \(event) ON \(table) WHEN \(condition)
                                BEGIN SELECT RAISE(IGNORE); END
                                """)
                    ).execute()
                case .postgresql:
                    try await db.sql(
                        "CREATE OR REPLACE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"
                    ).execute()
                    try await db.sql(
                        SQLFragment(
                            unsafe: """
                                CREATE TRIGGER pass_\(table) BEFORE \(event) ON \(table) FOR EACH ROW WHEN (\(condition))
                                EXECUTE FUNCTION pass()
                                """)
                    ).execute()
                }
            }
        } catch {
            failure = error
        }
        try await db.close()
        try await home.destroy()
        if let failure { throw failure }
    }

    private func code(_ body: () async throws -> Void) async -> DatabaseError.Code? {
        do { try await body() } catch let error as DatabaseError { return error.code } catch {}
        return nil
    }

    @Test(arguments: SchemaEngine.available) func `an upsert that was passed over says nothing of the next one`(
        engine: SchemaEngine
    ) async throws {
        try await with(engine) { db, pass in
            try await pass("UPDATE", "numbered", "NEW.title = 'no'")
            #expect(try await db.insertOrUpdate(Numbered(1, "a"), on: \.number) == .inserted)
            #expect(await code { _ = try await db.insertOrUpdate(Numbered(1, "no"), on: \.number) } == .engine)
            #expect(try await db.insertOrUpdate(Numbered(2, "b"), on: \.number) == .inserted)
            #expect(try await db.insertOrUpdate(Numbered(2, "c"), on: \.number) == .updated)
        }
    }

    @Test(arguments: SchemaEngine.available) func `an object whose insertion was passed over stays new`(
        engine: SchemaEngine
    ) async throws {
        try await with(engine) { db, pass in
            try await pass("INSERT", "note", "NEW.title = 'no'")
            try await pass("INSERT", "numbered", "NEW.title = 'no'")
            let before = Note("before")
            try await db.save(before)
            let (note, numbered) = (Note("no"), Numbered(7, "no"))
            for _ in 0..<2 {
                #expect(await code { try await db.save(note) } == .engine)
                #expect(note.isDirty && note.id == nil)
                #expect(await code { try await db.save(numbered) } == .engine)
                #expect(numbered.isDirty)
                #expect(await code { try await db.insert(numbered) } == .engine)
                #expect(await code { try await db.transaction { tx in try await tx.save(note) } } == .engine)
                #expect(note.isDirty && numbered.isDirty)
            }
            (note.title, numbered.title) = ("yes", "yes")
            try await db.save(note)
            try await db.save(numbered)
            #expect(try await db.fetch(Note.self).map(\.title) == ["before", "yes"])
            #expect(try await db.fetch(Numbered.self).map(\.title) == ["yes"])
        }
    }

    @Test(arguments: SchemaEngine.available, [3, 100]) func `many of which one was passed over stay new`(
        engine: SchemaEngine, count: Int
    ) async throws {
        try await with(engine) { db, pass in
            for table in ["note", "numbered"] { try await pass("INSERT", table, "NEW.title = 'no'") }
            try await pass("INSERT", "place_aliases", "NEW.value = 'no'")
            let notes = (0..<count).map { Note($0 == 1 ? "no" : "yes") }
            let numbered = (0..<count).map { Numbered(Int64($0), $0 == 1 ? "no" : "yes") }
            #expect(await code { try await db.save(notes) } == .engine)
            #expect(await code { try await db.save(numbered) } == .engine)
            #expect(notes.allSatisfy { $0.isDirty && $0.id == nil } && numbered.allSatisfy { $0.isDirty })
            #expect(try await db.count(Note.self) == 0)
            #expect(try await db.count(Numbered.self) == 0)
            let places = (0..<count).map { Place("c", Int32($0), UUID(), name: "n", aliases: [$0 == 1 ? "no" : "yes"]) }
            #expect(await code { try await db.save(places) } == .engine)
            #expect(places.allSatisfy { $0.isDirty })
            #expect(try await db.count(Place.self) == 0)
            (notes[1].title, numbered[1].title, places[1].aliases) = ("yes", "yes", ["yes"])
            try await db.save(notes)
            try await db.save(numbered)
            try await db.save(places)
            #expect(try await db.count(Note.self) == count)
            #expect(try await db.count(Numbered.self) == count)
            let same = try await db.fetch(Place.self)
            #expect(same.count == count && same.allSatisfy { $0.aliases == ["yes"] })
        }
    }

    @Test(arguments: SchemaEngine.available) func `a row that is there for another does not count as written`(
        engine: SchemaEngine
    ) async throws {
        try await with(engine) { db, pass in
            try await db.save(Numbered(1, "first"))
            try await pass("INSERT", "numbered", "NEW.number = 1")
            let second = Numbered(1, "second")
            #expect(await code { try await db.save(second) } == .engine)
            #expect(second.isDirty)
            #expect(try await db.fetch(Numbered.self).map(\.title) == ["first"])
        }
    }

    @Test(arguments: SchemaEngine.available, [1, 100]) func `objects whose update was passed over stay changed`(
        engine: SchemaEngine, count: Int
    ) async throws {
        try await with(engine) { db, pass in
            let notes = (0..<count).map { _ in Note("a") }
            let edition = Edition("a")
            try await db.save(notes)
            try await db.save(edition)
            try await pass("UPDATE", "note", "NEW.title = 'no'")
            try await pass("UPDATE", "edition", "NEW.text = 'no'")
            for note in notes { note.title = "yes" }
            notes[0].title = "no"
            edition.text = "no"
            for _ in 0..<2 {
                #expect(await code { try await db.save(notes) } == .engine)
                #expect(notes.allSatisfy { $0.isDirty })
                let refused = await code { try await db.save(edition) }
                #expect(refused == .conflict)
                #expect(edition.isDirty)
            }
            #expect(try await Set(db.fetch(Note.self).map(\.title)) == ["a"])
            notes[0].title = "yes"
            try await db.save(notes)
            #expect(try await Set(db.fetch(Note.self).map(\.title)) == ["yes"])
        }
    }

    @Test(arguments: SchemaEngine.available) func `hooks, upserts and objects that are ignored`(
        engine: SchemaEngine
    ) async throws {
        try await with(engine) { db, pass in
            try await pass("INSERT", "note", "NEW.title = 'no'")
            try await pass("INSERT", "hooked", "NEW.name = 'no'")
            let log = HookLog()
            let hooked = Hooked("NO", log: log)
            #expect(await code { try await db.save(hooked) } == .engine)
            #expect(hooked.isDirty && log.take() == ["willSave no"])
            let note = Note("no", code: "c")
            #expect(await code { try await db.upsert(note, on: \.code) } == .engine)
            #expect(note.isDirty)
            #expect(try await db.insertOrIgnore(note) == false)
            #expect(note.isDirty)
            #expect(try await db.count(Note.self) == 0)
        }
    }

    @Test(arguments: SchemaEngine.available) func `an object whose deletion was passed over is not new`(
        engine: SchemaEngine
    ) async throws {
        try await with(engine) { db, pass in
            let notes = [Note("a"), Note("no")]
            try await db.save(notes)
            try await pass("DELETE", "note", "OLD.title = 'no'")
            #expect(await code { try await db.delete(notes[1]) } == .engine)
            #expect(await code { try await db.delete(notes) } == .engine)
            #expect(!notes[0].isDirty && !notes[1].isDirty)
            #expect(try await db.count(Note.self) == 2)
            #expect(try await db.delete(notes[0]) == 1)
            #expect(try await db.delete(notes[0]) == 0)
        }
    }

    @Test func `views whose triggers write elsewhere are written as before`() async throws {
        try await with(.sqlite) { db, _ in
            for sql: SQLFragment in [
                "CREATE TABLE sent (title TEXT)", "ALTER TABLE numbered RENAME TO base",
                "CREATE VIEW numbered AS SELECT number, title FROM base",
                "CREATE TRIGGER i INSTEAD OF INSERT ON numbered BEGIN INSERT INTO base VALUES (NEW.number, NEW.title); END",
                """
                CREATE TRIGGER u INSTEAD OF UPDATE ON numbered
                BEGIN
                    UPDATE base SET title = NEW.title WHERE number = OLD.number;
                    INSERT INTO sent VALUES (NEW.title);
                END
                """,
            ] { try await db.sql(sql).execute() }
            let numbered = [Numbered(1, "a"), Numbered(2, "b"), Numbered(3, "c")]
            try await db.save(numbered[0])
            try await db.save(Array(numbered[1...]))
            numbered[0].title = "d"
            try await db.save(numbered[0])
            #expect(numbered.allSatisfy { !$0.isDirty })
            #expect(try await db.fetch(Numbered.self).map(\.title) == ["d", "b", "c"])
            #expect(try await db.sql("SELECT title FROM sent").fetch(as: String.self) == ["d"])
            try await db.sql("DELETE FROM base WHERE number = 1").execute()
            numbered[0].title = "e"
            #expect(await code { try await db.save(numbered[0]) } == .notFound)
            #expect(numbered[0].isDirty)
        }
    }
}
