import Foundation
import Holdfast

/// What migrations make of search indexes.
extension ConformanceCase {
    static let search2: [ConformanceCase] = [
        ConformanceCase(
            "search-2.migrate", "SEARCH-2",
            "migrate indexes the rows of a table, and follows changes of the declaration",
            requires: [.textSearch, .describingSchemas]
        ) { environment in
            let db = try await environment.open(Searched.First.self)
            _ = try await db.insert([
                Searched.First(title: "red", body: "car"), Searched.First(title: "blue", body: nil),
            ])
            let plan = try await db.migrate(Searched.Second.self)
            try expect(plan.hazards, equals: [], "what may disturb others")
            try expect(
                try await db.query(Searched.Second.self).where { $0.matches("red car") }.count(), equals: 1, "rows")
            try expect(
                try await db.query(Searched.Second.self).where { $0.matches("blue") }.count(), equals: 1, "a NULL")
            try expect(try await db.migrate(Searched.Second.self).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Searched.Second.self), equals: [], "the differences")

            // Other columns.
            try await db.migrate(Searched.Third.self)
            try expect(
                try await db.query(Searched.Third.self).where { $0.matches("red") }.count(), equals: 0, "a title")
            try expect(try await db.query(Searched.Third.self).where { $0.matches("car") }.count(), equals: 1, "a body")
            try expect(try await db.migrate(Searched.Third.self).steps, equals: [], "the steps of a second time")

            // Another name, and a table that SQLite makes anew.
            try await db.migrate(Searched.Fourth.self)
            func count(_ text: String) async throws -> Int {
                try await db.query(Searched.Fourth.self).where { $0.matches(text) }.count()
            }
            try expect(try await count("car"), equals: 1, "what was there")
            _ = try await db.insert(Searched.Fourth(title: "new", content: "bike", rank: 1 << 40))
            _ = try await db.query(Searched.Fourth.self).where { $0.matches("car") }.update { $0.content.set("boat") }
            try expect([try await count("bike"), try await count("car")], equals: [1, 0], "what changed since")
            try expect(try await db.migrate(Searched.Fourth.self).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Searched.Fourth.self), equals: [], "the differences at the end")
        },
        ConformanceCase(
            "search-2.renames", "SEARCH-2",
            "A search index follows its table when that is renamed, made anew, or searched no more",
            requires: [.textSearch, .describingSchemas]
        ) { environment in
            let db = try await environment.open(Searched.Fourth.self)
            _ = try await db.insert([
                Searched.Fourth(title: "red", content: "car"), Searched.Fourth(title: "blue", content: nil),
            ])
            let fifth = Schema(
                Searched.Fifth.self,
                allowing: [.requiring(column: "content", of: "sought"), .dropping(column: "rank", of: "sought")])
            try await db.sql("UPDATE searched SET content = 'none' WHERE content IS NULL").execute()
            try await db.migrate(fifth)
            func count(_ text: String) async throws -> Int {
                try await db.query(Searched.Fifth.self).where { $0.matches(text) }.count()
            }
            try expect([try await count("red car"), try await count("none")], equals: [1, 1], "what was there")
            _ = try await db.insert(Searched.Fifth(title: "green", content: "bike"))
            try expect(try await count("green bike"), equals: 1, "what came")
            try expect(try await db.migrate(fifth).steps, equals: [], "the steps of a second time")
            try expect(try await db.drift(Searched.Fifth.self), equals: [], "the differences")

            // Without a declaration it stays, until it may go.
            try expect(try await db.migrate(Searched.Sixth.self).steps, equals: [], "the steps without a declaration")
            _ = try await db.insert(Searched.Sixth(id: nil, title: "late", content: "x"))
            try expect(try await count("late"), equals: 1, "what another program finds")
            try expect(try await db.drift(Searched.Sixth.self), equals: [], "the differences without a declaration")
            let plan = try await db.migrate(Schema(Searched.Sixth.self, allowing: [.leavingSearch(of: "sought")]))
            try expect(plan.hazards.map(\.severity), equals: [.mayBreak], "what others may miss")
            let schema = try await db.schema()
            let left =
                schema.tables.map(\.name) + schema.tables.flatMap(\.indexes).map(\.name)
                + schema.tables.flatMap(\.triggers)
            try expect(left.filter { $0.contains("holdfast_search") }, equals: [], "what is left of it")
        },
        ConformanceCase(
            "search-2.rolled-back", "SEARCH-2",
            "A search index is a part of the transaction of its migration, and can be lost",
            requires: [.textSearch, .describingSchemas]
        ) { environment in
            let db = try await environment.open(Searched.First.self)
            _ = try await db.insert(Searched.First(title: "red", body: "car"))
            let plan = try await db.schemaPlan(for: Searched.Second.self)
            try expect(
                plan.steps.contains { $0.sql.contains("holdfast_search_searched_") }, equals: true,
                "whether it is planned")
            try expect(
                plan.steps.allSatisfy { if case .createSearch = $0.action { true } else { false } }, equals: true,
                "whether nothing else is planned")
            try await expect(.conflict, from: "a migration that fails") {
                try await db.migrate(Searched.Second.self, Searched.Unplaced.self)
            }
            try expect(
                try await db.schemaPlan(for: Searched.Second.self).steps, equals: plan.steps, "the plan after that")
            try await db.migrate(Searched.Second.self)
            // Half of it is no index.
            let schema = try await db.schema().table("searched")
            let (triggers, indexes) = (schema?.triggers ?? [], schema?.indexes.map(\.name) ?? [])
            let name = try expect(some: triggers.last ?? indexes.first, "its name")
            let kind = triggers.isEmpty ? "INDEX" : "TRIGGER"
            try await db.sql(SQLFragment(unsafe: "DROP \(kind) \"\(name)\"")).execute()
            try expect(try await db.drift(Searched.Second.self).count, equals: 1, "the difference")
            _ = try await db.insert(Searched.First(title: "blue", body: "car"))
            try await db.migrate(Searched.Second.self)
            try expect(try await db.query(Searched.Second.self).where { $0.matches("car") }.count(), equals: 2, "rows")
            try expect(try await db.drift(Searched.Second.self), equals: [], "the differences at the end")
            try await db.dropTable(Searched.Second.self)
            let names = try await db.schema().tables.map(\.name)
            try expect(names.filter { $0.contains("search") }, equals: [], "what is left of it")
        },
        ConformanceCase(
            "search-2.adopted", "SEARCH-2", "A table of somebody else gets no search index"
        ) { environment in
            let db = try await environment.open()
            try await db.sql(
                "CREATE TABLE searched (id BIGINT PRIMARY KEY, title TEXT NOT NULL, body TEXT, rank INTEGER)"
            )
            .execute()
            let error = try await expect(.conflict, from: "an adoption with a search") {
                try await db.adopt(Searched.Second.self)
            }
            try expect(error.message.contains("search"), equals: true, "whether it is named: \(error.message)")
        },
    ]
}
