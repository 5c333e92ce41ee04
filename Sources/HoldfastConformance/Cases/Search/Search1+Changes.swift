import Foundation
import Holdfast

/// That an index follows every change of a row.
extension ConformanceCase {
    static let search1Changes: [ConformanceCase] = [
        ConformanceCase(
            "search-1.changes", "SEARCH-1", "What is saved, changed or deleted is found as it is then",
            requires: [.textSearch]
        ) { environment in
            let db = try await environment.open(Essay.self)
            func found(_ text: String, _ context: some DatabaseContext) async throws -> Int {
                try await context.query(Essay.self).where { $0.matches(text) }.count()
            }
            let essay = Essay("red car", "old")
            try await db.save([essay, Essay("blue car")])
            essay.body = "new"
            try await db.save(essay)
            try expect(try await [found("old", db), found("new", db)], equals: [0, 1], "after a save")
            _ = try await db.upsert([Essay("red car", "upserted"), Essay("green car", "upserted")], on: \.title)
            try expect(try await [found("new", db), found("upserted", db)], equals: [0, 2], "after an upsert")
            _ = try await db.query(Essay.self).where { $0.matches("upserted") }.update { $0.body.set("changed") }
            try expect(try await [found("upserted", db), found("changed", db)], equals: [0, 2], "after an update")
            struct Undo: Error {}
            try await db.transaction { tx in
                try await tx.save(Essay("yellow car"))
                try expect(try await found("yellow", tx), equals: 1, "before the commit")
                do {
                    try await tx.transaction { inner in
                        try await inner.save(Essay("black car"))
                        try expect(try await found("black", inner), equals: 1, "inside")
                        throw Undo()
                    }
                } catch is Undo {}
                try expect(try await found("black", tx), equals: 0, "after a rollback to a savepoint")
            }
            do {
                try await db.transaction { tx in
                    try await tx.deleteAll(Essay.self)
                    try expect(try await found("car", tx), equals: 0, "after all are deleted")
                    throw Undo()
                }
            } catch is Undo {}
            try expect(try await found("car", db), equals: 4, "after a rollback")
            _ = try await db.query(Essay.self).where { $0.matches("blue") }.delete()
            try expect(try await found("car", db), equals: 3, "after a deletion")
            try await db.deleteAll(Essay.self)
            try expect(try await found("car", db), equals: 0, "after all are deleted for good")
        },
        ConformanceCase(
            "search-1.others", "SEARCH-1", "What other programs write by SQL is found", requires: [.textSearch]
        ) { environment in
            let db = try await environment.open(Essay.self, Glossed.self)
            func titles(_ query: SearchQuery) async throws -> [String] {
                try await db.query(Essay.self).where { $0.matches(query) }.order { $0.id.ascending }.fetch().map(
                    \.title)
            }
            try await db.sql(
                "INSERT INTO essay (id, title, body, likes) VALUES (1, 'red', 'one', 0), (2, 'blue', NULL, 0)"
            )
            .execute()
            try expect(try await titles("red OR blue"), equals: ["red", "blue"], "after an insertion")
            try await db.sql("UPDATE essay SET id = 3, body = 'two' WHERE id = 1").execute()
            try expect(try await titles("one"), equals: [], "the old text under another key")
            try expect(try await titles("two"), equals: ["red"], "the new text under another key")
            try await db.sql("UPDATE essay SET id = id + 100").execute()
            try expect(try await titles("two"), equals: ["red"], "after all keys have moved")
            let replacement =
                environment.capabilities.hasConcurrentWriters
                ? "INSERT INTO essay (id, title, body, likes) VALUES (9, 'red', 'three', 0) "
                    + "ON CONFLICT (title) DO UPDATE SET body = excluded.body"
                : "INSERT OR REPLACE INTO essay (id, title, body, likes) VALUES (9, 'red', 'three', 0)"
            try await db.sql(SQLFragment(unsafe: replacement)).execute()
            try expect(try await titles("two"), equals: [], "what was replaced")
            try expect(try await titles("three"), equals: ["red"], "what replaced it")
            try await db.sql("DELETE FROM essay WHERE title = 'red'").execute()
            try expect(try await titles("red"), equals: [], "what was deleted")
            try await db.sql("UPDATE essay SET likes = 5").execute()
            try expect(try await titles("blue"), equals: ["blue"], "after a change of something else")
            try await db.sql("INSERT INTO glossed (language, word, meaning) VALUES ('en', 'a', 'red')").execute()
            try await db.sql("UPDATE glossed SET word = 'b'").execute()
            let words = try await db.query(Glossed.self).where { $0.matches("red") }.fetch()
            try expect(words.map(\.word), equals: ["b"], "a row with another key of texts")
        },
    ]
}
