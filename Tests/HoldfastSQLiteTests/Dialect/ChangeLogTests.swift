import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// The change log of files in whose place an older copy is put.
@Suite struct ChangeLogTests {
    @Table("logged_item", log: true)
    struct Item {
        var id: Int64
        var name = ""

        init(_ id: Int64) { self.id = id }
    }

    @Table("logged_note", log: .oldValues)
    struct Note {
        var id: Int64
        var text: String
        var other = "o"
    }

    @Test func `a text with NUL is read exactly, and one that is no UTF-8 is told of and hides no other`()
        async throws
    {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            try await db.migrate(Note.self)
            let start = try await db.changeToken()
            try await db.sql("INSERT INTO logged_note (id, text, other) VALUES (1, 'a' || char(0, 1) || 'b', 'o')")
                .execute()
            try await db.sql("UPDATE logged_note SET text = CAST(x'61ff62' AS TEXT), other = 'p'").execute()
            try await db.sql("UPDATE logged_note SET text = 'new', other = 'q'").execute()
            let changes = try await db.changes(of: Note.self, after: start).fetch().changes
            #expect(changes.map(\.kind) == [.inserted, .updated, .updated])
            #expect(try changes[1].oldValue(\Note.text) == "a\0\u{1}b")
            #expect(try changes[1].oldValue(\Note.other) == "o")
            let error = #expect(throws: DatabaseError.self) { _ = try changes[2].oldValue(\Note.text) }
            #expect(error?.code == .decoding)
            #expect(try changes[2].oldValue(\Note.other) == "p")
            #expect(changes[2].oldTexts?["text"] == "a\u{FFFD}b")
        }
    }

    /// A database with an item, a copy of its file, and tokens from before and after the copy.
    private func makeBackup(
        in directory: TestDirectory
    ) async throws -> (copy: String, before: ChangeToken, after: ChangeToken) {
        let copy = directory.path + ".copy"
        let before = try await Database.withDatabase(.sqlite(path: directory.path)) { db async throws in
            try await db.migrate(Item.self)
            _ = try await db.save(Item(1))
            return try await db.changeToken()
        }
        try FileManager.default.copyItem(atPath: directory.path, toPath: copy)
        let after = try await Database.withDatabase(.sqlite(path: directory.path)) { db async throws in
            for id: Int64 in 2...4 { _ = try await db.save(Item(id)) }
            return try await db.changeToken()
        }
        return (copy, before, after)
    }

    private func putBack(_ copy: String, in directory: TestDirectory) throws {
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: directory.path + suffix) }
        try FileManager.default.removeItem(atPath: directory.path)
        try FileManager.default.moveItem(atPath: copy, toPath: directory.path)
    }

    @Test func `an older file refuses the tokens from after it, and no others`() async throws {
        let directory = try TestDirectory()
        let (copy, before, after) = try await makeBackup(in: directory)
        try putBack(copy, in: directory)
        try await Database.withDatabase(.sqlite(path: directory.path)) { db async throws in
            try await expectTrimmed(db, after)
            for id: Int64 in 12...16 { _ = try await db.save(Item(id)) }
            try await expectTrimmed(db, after)
            let changes = try await db.changes(of: Item.self, after: before).fetch().changes
            #expect(changes.map(\.keyTexts) == (12...16).map { ["\($0)"] })
            let new = try await db.changeToken()
            _ = try await db.save(Item(20))
            #expect(try await db.changes(of: Item.self, after: new).fetch().changes.count == 1)
        }
    }

    @Test func `a reader notices that the file was replaced while it was open, and all go on with the new one`()
        async throws
    {
        let directory = try TestDirectory()
        let (copy, _, after) = try await makeBackup(in: directory)
        try await Database.withDatabase(.sqlite(path: directory.path)) { db async throws in
            var batches = db.changes(of: Item.self, after: after).makeAsyncIterator()
            _ = try await db.save(Item(5))
            #expect(try await batches.next()?.changes.count == 1)
            var counts = db.query(Item.self).observe { try await $0.count() }.makeAsyncIterator()
            #expect(try await counts.next() == 5)
            try putBack(copy, in: directory)
            let error = await #expect(throws: DatabaseError.self) { _ = try await batches.next() }
            #expect(error?.code == .changesTrimmed)
            #expect(try await counts.next() == 1)
            let new = try await db.changeToken()
            _ = try await db.save(Item(30))
            #expect(try await db.changes(of: Item.self, after: new).fetch().changes.map(\.keyTexts) == [["30"]])
            #expect(try await counts.next() == 2)
        }
        // Nothing went where it is lost.
        try await Database.withDatabase(.sqlite(path: directory.path)) { db async throws in
            #expect(try await db.query(Item.self).fetch().map(\.id) == [1, 30])
        }
    }

    private func expectTrimmed(
        _ db: Database, _ token: ChangeToken, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let error = await #expect(throws: DatabaseError.self, sourceLocation: location) {
            _ = try await db.changes(of: Item.self, after: token).fetch()
        }
        #expect(error?.code == .changesTrimmed, sourceLocation: location)
    }
}
