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

    @Table("article") final class Article {
        var id: Int64?
        var text: String
        init(_ text: String) { self.text = text }
    }

    @Test(arguments: [false, true]) func `triggers keep a full-text index, if the schema is trusted`(
        isTrusted: Bool
    ) async throws {
        let directory = try TestDirectory()
        let configuration = DatabaseConfiguration.sqlite(path: directory.path, trustsSchema: isTrusted)
        try await Database.withDatabase(configuration) { db async throws in
            for sql in [
                "CREATE TABLE article (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL)",
                "CREATE VIRTUAL TABLE words USING fts5(text, content='article', content_rowid='id')",
                """
                CREATE TRIGGER article_words AFTER INSERT ON article BEGIN
                    INSERT INTO words (rowid, text) VALUES (new.id, new.text);
                END
                """,
            ] { try await db.sql("\(unsafe: sql)").execute() }
            do {
                try await db.save(Article("a stone"))
                // Newer versions of the library call the index harmless.
                try await db.sql("CREATE TABLE other (id INTEGER PRIMARY KEY)").execute()
                try await db.save([Article("a rose"), Article("two stones and a stone")])
                let found = try await db.sql("SELECT rowid FROM words WHERE words MATCH 'stone'").fetch(as: Int.self)
                #expect(found.sorted() == [1, 3])
            } catch let error as DatabaseError {
                #expect(!isTrusted && error.code == .unsupported && error.message.contains("trustsSchema"))
                #expect(try await db.count(Article.self) == 0)
            }
        }
    }
}
