import Foundation
import Holdfast
import Testing

@testable import HoldfastSQLite

/// Tables that another program drops and makes anew, with other types, while statements for them are kept.
@Suite struct RemadeTableTests {
    @Table("note") final class Note {
        var id: Int64?
        var text: String?
        init(_ text: String?) { self.text = text }
    }

    private static let table = "CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, text "

    /// - Parameter body: Gets two programs with the same file.
    private func withPrograms(_ body: (_ db: Database, _ other: Database) async throws -> Void) async throws {
        let directory = try TestDirectory()
        try await Database.withDatabase(.sqlite(path: directory.path, synchronous: .off)) { db async throws in
            try await Database.withDatabase(.sqlite(path: directory.path, synchronous: .off)) { other async throws in
                try await other.sql("\(unsafe: Self.table)TEXT)").execute()
                try await body(db, other)
            }
        }
    }

    private func remake(_ other: Database, _ type: String) async throws {
        try await other.transaction { tx in
            try await tx.sql("DROP TABLE note").execute()
            try await tx.sql("\(unsafe: Self.table)\(unsafe: type))").execute()
        }
    }

    private func refused(_ body: () async throws -> Void) async {
        let error = await #expect(throws: DatabaseError.self) { try await body() }
        #expect(error?.code == .invalidValue && error?.table == "note" && error?.properties == ["text"])
    }

    @Test(arguments: [1, 2, 100]) func `a text is not stored as a number`(count: Int) async throws {
        try await withPrograms { db, other async throws in
            func notes(_ text: String?) -> [Note] { (0..<count).map { _ in Note(text) } }
            try await db.save(notes("007"))
            try await remake(other, "NUMERIC")
            await refused { try await db.save(notes("007")) }
            #expect(try await db.count(Note.self) == 0)
            let saved = notes("abc")
            try await db.save(saved)
            #expect(try await Set(db.fetch(Note.self).map(\.id)) == Set(saved.map(\.id)))
            try await remake(other, "TEXT")
            try await db.save(notes("007"))
            #expect(try await db.query(Note.self).where { $0.text == "007" }.count() == count)
        }
    }

    @Test func `the first values are nil`() async throws {
        try await withPrograms { db, other async throws in
            try await db.save(Note(nil))
            try await remake(other, "INTEGER")
            await refused { try await db.save([Note(nil), Note("1")]) }
            #expect(try await db.count(Note.self) == 0)
        }
    }

    @Test func `an update and an update by a query are refused`() async throws {
        try await withPrograms { db, other async throws in
            func update(_ note: Note, _ text: String) async throws {
                note.text = text
                try await db.save(note)
                try await db.query(Note.self).where { $0.id > 0 }.update { $0.text.set(text) }
            }
            let note = Note("a")
            try await db.save(note)
            try await update(note, "1")
            try await remake(other, "REAL")
            try await other.save(Note("b"))
            await refused { try await update(note, "2") }
            await refused { try await db.query(Note.self).where { $0.id > 0 }.update { $0.text.set("2") } }
            #expect(try await db.fetch(Note.self).map(\.text) == ["b"])
        }
    }

    @Test func `a transaction goes on`() async throws {
        try await withPrograms { db, other async throws in
            try await db.save(Note("1"))
            try await remake(other, "NUMERIC")
            var attempts = 0
            try await db.transaction { tx async throws in
                attempts += 1
                try await tx.save(Note("a"))
                await refused { try await tx.save(Note("2")) }
                try await tx.sql("ALTER TABLE note RENAME TO old").execute()
                try await tx.sql("\(unsafe: Self.table)TEXT)").execute()
                try await tx.save(Note("3"))
            }
            #expect(attempts == 1)
            #expect(try await db.fetch(Note.self).map(\.text) == ["3"])
        }
    }

    @Test func `a new key is the column's, not the number of the row`() async throws {
        try await withPrograms { db, other async throws in
            try await db.save(Note("a"))
            try await other.transaction { tx in
                try await tx.sql("DROP TABLE note").execute()
                try await tx.sql("CREATE TABLE note (id INT DEFAULT (70 + 7) PRIMARY KEY, text TEXT)").execute()
            }
            let note = Note("b")
            try await db.save(note)
            #expect(note.id == 77)
        }
    }

    @Test func `triggers are compiled again with the statement`() async throws {
        try await withPrograms { db, other async throws in
            try await db.save(Note("one"))
            try await other.sql("CREATE TABLE log (text TEXT)").execute()
            try await other.sql(
                """
                CREATE TRIGGER log_note AFTER INSERT ON note BEGIN
                    INSERT INTO log (text) VALUES (new.text);
                    UPDATE note SET text = new.text || '!' WHERE id = new.id;
                END
                """
            ).execute()
            try await db.save([Note("two"), Note("three")])
            #expect(try await db.fetch(Note.self).map(\.text) == ["one", "two!", "three!"])
        }
    }

    @Test func `nothing is converted while another program remakes the table all the time`() async throws {
        try await withPrograms { db, other async throws in
            let remaking = Task {
                var converted = 0
                for round in 0..<200 {
                    try await Task.sleep(for: .milliseconds(2))
                    converted += try await other.transaction { tx async throws in
                        let numbers = try await tx.sql("SELECT 1 FROM note WHERE typeof(text) <> 'text'").fetch()
                        try await tx.sql("DROP TABLE note").execute()
                        try await tx.sql(
                            "\(unsafe: Self.table)\(unsafe: round.isMultiple(of: 2) ? "NUMERIC" : "TEXT"))"
                        )
                        .execute()
                        return numbers.count
                    }
                }
                return converted
            }
            let saving = Task {
                var (stored, refused) = (0, 0)
                while !Task.isCancelled {
                    do {
                        try await db.save(Note("007"))
                        stored += 1
                    } catch let error as DatabaseError where error.code == .invalidValue {
                        refused += 1
                    } catch let error as DatabaseError where error.code == .cancelled {
                        break
                    }
                }
                return (stored, refused)
            }
            #expect(try await remaking.value == 0)
            saving.cancel()
            let (stored, refused) = try await saving.value
            #expect(stored > 0 && refused > 0)
        }
    }
}
