import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// Tables of kinds that only SQLite has, and that a migration would not make.
@Suite struct AdoptedTableTests {
    @Table("entry") struct Entry: Equatable {
        @PrimaryKey var code: String
        var count: Int
        var name: String?
    }

    @Table("numbered") final class Numbered {
        @PrimaryKey(.database) var id: Int?
        var name: String
        init(_ name: String) { self.name = name }
    }

    @Table final class Holder {
        var id: Int64?
        var entry: Entry?
        var numbered: Numbered?
        init() {}
    }

    @Test(arguments: [
        "(code TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL, name TEXT) WITHOUT ROWID",
        "(code PRIMARY KEY, count, name)",
        "(code VARCHAR(9) PRIMARY KEY, count BIGINT, name NVARCHAR(20), extra DEFAULT 5)",
        "(code TEXT PRIMARY KEY, count INT, name TEXT) STRICT",
    ])
    func `a table without rowids, types or strictness is adopted, written and referred to`(
        columns: String
    ) async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            try await db.sql("CREATE TABLE entry \(unsafe: columns)").execute()
            try await db.sql("CREATE TABLE numbered (id INTEGER PRIMARY KEY, name)").execute()
            let schema = Schema(Holder.self, adopting: [Entry.self, Numbered.self])
            try await db.migrate(schema)
            #expect(try await db.migrate(schema).isEmpty)
            var entries = (0..<100).map { Entry(code: "c\($0)", count: $0, name: $0 == 3 ? nil : "n\($0)") }
            _ = try await db.save(entries)
            entries[5].count = -1
            _ = try await db.save(entries[5])
            #expect(try await db.find(Entry.self, key: "c5") == entries[5])
            #expect(try await db.query(Entry.self).where { $0.count >= 50 }.count() == 50)
            #expect(try await db.query(Entry.self).where { $0.name == nil }.fetch() == [entries[3]])
            let holder = Holder()
            (holder.entry, holder.numbered) = (entries[7], Numbered("one"))
            try await db.save(holder)
            let found = try #require(try await db.query(Holder.self).first())
            #expect(found.entry == entries[7])
            #expect(found.numbered?.name == "one")
            #expect(try await db.delete(entries[7]) == 1)
            #expect(try await db.query(Holder.self).first()?.entry == nil)
            let many = (0..<100).map { Numbered("\($0)") }
            try await db.save(many)
            #expect(many.map(\.id) == (2...101).map { $0 })
        }
    }
}
