import Foundation
@_spi(Driver) import Holdfast

/// Pages, lists and options of queries.
extension ConformanceCase {
    static let opQuery: [ConformanceCase] = [
        ConformanceCase(
            "op-query.pages", "OP-QUERY",
            "Pages neither repeat nor pass over an object, in any order, whatever comes and goes between them"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let orders: [@Sendable (Columns<Engineer>) -> [Ordering]] = [
                { _ in [] },
                { [$0.name.ascending.ignoringCase] },
                { [$0.shoe.ascending, $0.height.descending] },
                { [$0.shoe.descending.nulls(.first), $0.salary.descending] },
                { [$0.boss.ascending.nulls(.last), $0.joined.descending] },
                { [$0.isRemote.ascending, $0.born.descending, $0.badge.ascending] },
                { [$0.ratio.descending, $0.bonus.ascending] },
            ]
            for (index, order) in orders.enumerated() {
                let query = db.query(Engineer.self).where { $0.age > -55 }.order(order)
                let expected = try await query.keys()
                var found: [Int64?] = []
                var cursor: PageCursor?
                var pages = 0
                repeat {
                    let page = try await query.page(size: 5, after: cursor)
                    found += page.objects.map(\.id)
                    pages += 1
                    cursor = page.next.flatMap { PageCursor(token: $0.token) }
                    try expect(cursor == page.next, "A token stands for its cursor.")
                } while cursor != nil
                try expect(
                    found.compactMap { $0.map { Key($0) } }, equals: expected,
                    "the objects of all pages in order \(index)")
                try expect(pages, equals: (expected.count + 4) / 5, "the number of pages in order \(index)")
            }
            let query = db.query(Engineer.self).order { $0.name.ascending }
            let first = try await query.page(size: 5)
            try await db.delete(try expect(some: first.objects.last, "the last of the page"))
            try await db.save(Engineer("", age: 0))
            let second = try await query.page(size: 5, after: first.next)
            let names = engineers.map(\.name).sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
            try expect(
                second.objects.map(\.name), equals: Array(names[5..<10]), "the second page, after changes before it")
            try await expect(.invalidValue, from: "a cursor of another order") {
                _ = try await db.query(Engineer.self).page(size: 5, after: first.next)
            }
            try await expect(.invalidValue, from: "a page of none") { _ = try await query.page(size: 0) }
            for token in ["", "x", "AAAA", "_w", String(repeating: "A", count: 99)] {
                guard let cursor = PageCursor(token: token) else { continue }
                try await expect(.invalidValue, from: "a cursor of nobody's") {
                    _ = try await query.page(size: 5, after: cursor)
                }
            }
        },
        ConformanceCase(
            "op-query.options", "OP-QUERY", "Options ask what a query does"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let options = QueryOptions(
                conditions: ["age > \(0)", "boss.name LIKE \("%a%")"],
                orderBy: [.descending("age"), .ascending("name")],
                including: ["team"], depth: 0, limit: 4, offset: 1)
            let found = try await db.fetch(Engineer.self, options)
            let expected = try await db.query(Engineer.self).where { $0.age > 0 && $0.boss.name.like("%a%") }
                .order { [$0.age.descending, $0.name.ascending] }.limit(4).offset(1).keys()
            try expect(found.compactMap { $0.id.map { Key($0) } }, equals: expected, "what options find")
            try expect(
                found.allSatisfy { $0.isLoaded(\.team) && !$0.isLoaded(\.boss) }, "Only what is named is loaded.")
            try expect(try await db.fetch(Engineer.self, QueryOptions()).count, equals: 24, "all")
            let plan = try await db.query(Engineer.self).options(options).explain()
            try expect(!plan.isEmpty, "The engine has a plan.")
            let analyzed = try await db.query(Engineer.self).options(options).explain(analyze: true)
            try expect(
                analyzed.contains("rows=4") && analyzed.contains("actual") && analyzed.contains("ms"),
                "The analyzed plan has no number of rows and no time: \(analyzed)")
            let grades = try await db.fetch(Engineer.self, QueryOptions(distinctBy: ["grade"]))
            try expect(grades.compactMap(\.id), equals: [1, 2, 3], "one of each grade")
        },
        ConformanceCase(
            "op-query.empty-lists", "OP-QUERY",
            "A list that is empty means nothing asked for, or is refused before anything is sent"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let ids = engineers.map(\.id)
            try await expect(.invalidValue, from: "objects that differ in nothing") {
                _ = try await all.distinct(by: []).fetch()
            }
            try await expect(.invalidValue, from: "setting nothing") { _ = try await all.update { _ in } }
            try await expect(.invalidValue, from: "selecting nothing at all") {
                _ = try await all.select { _ in }.fetch()
            }
            try await expect(.invalidValue, from: "distinct nothing") {
                _ = try await all.select { _ in }.distinct().fetch()
            }
            struct Nothing: Decodable {}
            try await expect(.invalidValue, from: "selecting nothing") {
                _ = try await all.select(as: Nothing.self) { _ in [:] }.fetch()
            }
            try await expect(.invalidValue, .conflict, .unsupported, from: "an index of nothing") {
                try await db.migrate(Schema(Team.self).indexing(Team.self, by: .index()))
            }
            try await expect(.notFound, from: "dropping an index of nothing") { try await db.dropIndex(on: Team.self) }
            try await expect(.invalidValue, from: "a key of nothing") {
                _ = try await db.find(Engineer.self, key: Key())
            }
            for query in [all.order { _ in [] }, all.order(by: []), all.including([]), all.where(.all([]))] {
                try expect(try await query.fetch().map(\.id), equals: ids, "the objects")
            }
            let none: [Int64] = []
            try expect(try await all.where { $0.in(keys: none) }.count(), equals: 0, "those with none of the keys")
            try expect(try await all.where { $0.age.in([]) }.count(), equals: 0, "those with none of the values")
            try expect(try await all.where(.any([])).count(), equals: 0, "those of no condition")
            try expect(try await db.fetch(Engineer.self, keys: none).count, equals: 0, "the objects of no keys")
            try await db.save([Engineer]())
            try await db.delete([Engineer]())
            try expect(try await all.count(), equals: ids.count, "the number of objects after all")
        },
        ConformanceCase(
            "op-query.pages-of-others", "OP-QUERY",
            "A page begins after a cursor of the same order and table, whatever the conditions, and after no other"
        ) { environment in
            let (db, _) = try await openSample(environment)
            let all = db.query(Engineer.self)
            try await db.save((0..<4).map { Team("\($0)") })
            let cursor = try expect(some: try await all.order(\.name).page(size: 2).next, "the next page")
            let sent = try expect(some: PageCursor(token: cursor.token), "a cursor that was sent")
            try expect(sent == cursor, "A token stands for its cursor.")
            let others: [(String, Query<Engineer>)] = [
                ("another property", all.order(\.nickname)),
                ("another direction", all.order(\.name, .descending)),
                ("nils at another end", all.order { [$0.name.ascending.nulls(.last)] }),
                ("any case", all.order { [$0.name.ascending.ignoringCase] }),
                ("what is computed", all.order { ($0.name + "!").ascending }),
                ("a relation", all.order(\.boss.name)),
                ("no order", all),
            ]
            for (name, query) in others {
                try await expect(.invalidValue, from: "a page after a cursor of another order: \(name)") {
                    _ = try await query.page(size: 2, after: sent)
                }
            }
            let computed = try await all.order { ($0.age + 1).ascending }.page(size: 2)
            try await expect(.invalidValue, from: "a page by another constant") {
                _ = try await all.order { ($0.age + 2).ascending }.page(size: 2, after: computed.next)
            }
            try await expect(.invalidValue, from: "a page of another type") {
                _ = try await db.query(Team.self).order(\.name).page(size: 2, after: sent)
            }
            let some = all.order(\.name).where { $0.age > 0 }
            let rest = try await some.page(size: 100, after: sent).objects.map(\.id)
            let after = try await all.order(\.name).page(size: 100, after: sent).objects.filter { $0.age > 0 }.map(\.id)
            try expect(rest, equals: after, "a page with another condition")
            // Those of earlier versions began with the number of their values.
            try expect(PageCursor(token: "AQIAAAAAAwAAAAAAAAA") == nil, "A token of an earlier version is taken.")
        },
        ConformanceCase(
            "op-query.part-of-a-table", "OP-QUERY",
            "A struct for a part of a table reads and updates that part, and leaves the rest"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = (1...3).map { Note("n\($0)", body: "b", rank: $0) }
            try await db.save(notes)
            let parts = try await db.query(NotePart.self).where { $0.title > "n1" }.fetch()
            try expect(parts.map(\.title), equals: ["n2", "n3"], "the titles")
            var part = try expect(parts, count: 2, "parts")[0]
            part.title = "changed"
            part = try await db.update(part)
            let same = try expect(some: try await db.find(Note.self, key: part.id), "the note")
            try expect(same.title, equals: "changed", "the title")
            try expect(same.body, equals: "b", "the body")
            try expect(same.rank, equals: 2, "the rank")
        },
        ConformanceCase(
            "op-query.claims", "OP-QUERY",
            "Of many concurrent updates that look for the same rows, each row is changed by one"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let planned = engineers.filter { $0.grade == .junior }.count
            let total = try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        try await db.query(Engineer.self).where { $0.grade == .junior }.update {
                            $0.grade.set(.senior)
                            $0.age.set(task)
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            try expect(total, equals: planned, "the number of rows that were changed")
            let bosses = engineers.filter { $0.boss?.name == "Ada" }.count
            let deleted = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await db.query(Engineer.self).where { $0.boss.name == "Ada" }.delete() }
                }
                return try await group.reduce(0, +)
            }
            try expect(deleted, equals: bosses, "the number of rows that were deleted")
        },
        ConformanceCase(
            "op-query.pages-meanwhile", "OP-QUERY",
            "In a transaction that sees what others commit, a page begins after the object at which the last one ended",
            level: .graph, requires: [.concurrentWriters]
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Tagged.self) { probe.attach(to: &$0) }
            let other = try await environment.open()
            let sees = environment.capabilities.hasConcurrentWriters
            try await db.save((1...6).map { Tagged("\($0)", tags: ["t"]) })
            let names = try await fetched(db, probe, holding: "tags\"", sees: sees) { tx in
                let query = tx.query(Tagged.self).order { [$0.name.ascending] }
                let first = try await query.page(size: 3)
                let second = try await query.page(size: 3, after: first.next)
                return (first.objects + second.objects).map(\.name)
            } meanwhile: {
                // The last of the first page goes behind all others.
                try await other.query(Tagged.self).where { $0.name == "3" }.update { $0.name.set("9") }
            }
            try expect(names, equals: ["1", "2", "3", "4", "5", "6"], "the objects of two pages")
        },
    ]
}
