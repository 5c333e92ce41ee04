import Foundation
import Holdfast

/// SQL of the caller's in queries: conditions, orders and values, with columns by name and values bound.
extension ConformanceCase {
    static let qry4: [ConformanceCase] = [
        ConformanceCase(
            "qry-4.conditions", "QRY-4",
            "SQL in a condition names columns, binds values, and combines with other conditions"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save([
                Note("one", body: "%", rank: 1), Note("two", rank: 2), Note("three' OR TRUE --", body: "", rank: 3),
            ])
            let all = db.query(Note.self).order { $0.rank.ascending }
            func titles(_ query: Query<Note>, _ expected: [String], _ what: String, line: Int = #line) async throws {
                try expect(try await query.fetch().map(\.title), equals: expected, what, line: line)
            }
            let (rank, title) = (2, "three' OR TRUE --")
            try await titles(all.where(sql: "\(\Note.rank) + 1 > \(rank)"), ["two", title], "by a key path")
            try await titles(all.where(sql: "\(\Note.title) = \(title)"), [title], "by a text")
            try await titles(all.where(sql: "\(\Note.rank) IN (\([1, 3]))"), ["one", title], "by a list")
            try await titles(all.where(sql: "\(\Note.rank) IN (\([Int]()))"), [], "by an empty list")
            try await titles(
                all.where { Condition.sql("length(\($0.title)) = \(3)") && $0.rank > 1 }, ["two"], "in a closure")
            // Unknown is false, and its negation true.
            let bodies = Condition.sql("\(\Note.body) = \("%")")
            try await titles(all.where(bodies), ["one"], "where it is unknown for some")
            try await titles(all.where { _ in !bodies }, ["two", title], "negated")
            try await titles(all.where { $0.rank == 2 || bodies }, ["one", "two"], "beside an alternative")
            try expect(try await all.where(bodies).count(), equals: 1, "the count")
            try expect(try await all.where(bodies).update { $0.rank.set(7) }, equals: 1, "the rows of an update")
            try expect(try await all.where(sql: "\(\Note.rank) = 7").delete(), equals: 1, "the rows of a deletion")
            try await expect(.invalidValue, from: "a property of another type") {
                _ = try await all.where(sql: "\(\Board.rank) = 1").fetch()
            }
            try await expect(.syntax, from: "SQL that is none") { _ = try await all.where(sql: "= =").fetch() }
        },
        ConformanceCase(
            "qry-4.values", "QRY-4", "Values in SQL are compared, ordered by, selected and grouped by"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save([Note("aaa", rank: 1), Note("b", rank: 1), Note("cc", rank: 2), Note("ddd", rank: 2)])
            let length = QueryExpression<Int>.sql("length(\(\Note.title))")
            let all = db.query(Note.self)
            try expect(
                try await all.where { _ in length > 1 }.order { _ in length.descending }.fetch().map(\.title),
                equals: ["aaa", "ddd", "cc"], "the objects by a computed length")
            try expect(
                try await all.select { ($0.title, length) }.fetch().map { "\($0)\($1)" },
                equals: ["aaa3", "b1", "cc2", "ddd3"], "selected values")
            let page = try await all.order { _ in length.ascending }.page(size: 2)
            let next = try await all.order { _ in length.ascending }.page(size: 2, after: page.next)
            try expect(
                (page.objects + next.objects).map(\.title), equals: ["b", "cc", "aaa", "ddd"],
                "pages by a computed length")
            let groups = try await all.group { _ in length }.select { (length, $0.rowCount) }.fetch()
            try expect(
                groups.map { "\($0) \($1)" }.sorted(), equals: ["1 1", "2 1", "3 2"], "groups by a computed length")
            try expect(
                try await all.select { _ in QueryExpression<String>.sql("upper(\(\Note.title))") }.fetch(),
                equals: ["AAA", "B", "CC", "DDD"], "one value")
        },
        ConformanceCase(
            "qry-4.named", "QRY-4", "Values are selected by the names of a Decodable type, whatever their storage"
        ) { environment in
            struct Line: Decodable, Equatable {
                var title: String
                var sent: Date?
                var price: Decimal
                var level: String
                var mark: UUID?
                var twice: Int
            }
            let db = try await environment.open(Form.self)
            let (sent, mark) = (Date(timeIntervalSince1970: 1_763_712_345.123456), UUID())
            let (first, second) = (Form("a"), Form("b"))
            (first.count, first.price, first.sent, first.mark, second.count) = (3, 12.5, sent, mark, 4)
            try await db.save([first, second])
            let lines = db.query(Form.self).order { $0.title.ascending }.select(as: Line.self) {
                [
                    "title": $0.title, "sent": $0.sent, "price": $0.price, "level": $0.level, "mark": $0.mark,
                    "twice": $0.count * 2,
                ]
            }
            let expected = [
                Line(title: "a", sent: sent, price: 12.50, level: "low", mark: mark, twice: 6),
                Line(title: "b", sent: nil, price: 0, level: "low", mark: nil, twice: 8),
            ]
            try expect(try await lines.fetch(), equals: expected, "the lines")
            try expect(try await lines.first(), equals: expected[0], "the first line")
            struct Count: Decodable, Equatable {
                var level: String
                var rowCount: Int
            }
            let counts = db.query(Form.self).group { $0.level }
                .select(as: Count.self) { ["level": $0.level, "row_count": $0.rowCount] }
            try expect(try await counts.fetch(), equals: [Count(level: "low", rowCount: 2)], "the counts")
            try await expect(.decoding, from: "a name that is not selected") {
                _ = try await db.query(Form.self).select(as: Count.self) { ["level": $0.level] }.fetch()
            }
            try await expect(.invalidValue, from: "a name for two values") {
                _ = try await db.query(Form.self).select(as: Count.self) {
                    ["level": $0.level, "level": $0.title, "rowCount": $0.count]
                }.fetch()
            }
        },
        ConformanceCase(
            "qry-4.relations", "QRY-4", "SQL names columns of related objects and of elements", level: .graph
        ) { environment in
            let db = try await environment.open(Board.self)
            let boards = [Board("a"), Board("b")]
            boards[0].cards = [Slip("first"), Slip("second")]
            boards[0].cards[0].color = SlipColor("red")
            boards[1].cards = [Slip("third")]
            try await db.save(boards)
            let red = try await db.query(Slip.self).where { Condition.sql("\($0.color.name) = \("red")") }.fetch()
            try expect(red.map(\.text), equals: ["first"], "the slips of a color")
            let found = try await db.query(Board.self)
                .where { $0.cards.contains { Condition.sql("length(\($0.text)) = 6") } }.fetch()
            try expect(found.map(\.title), equals: ["a"], "the boards by their cards")
            try expect(found.first?.cards.count, equals: 2, "the cards that come along")
            var results = db.query(Slip.self).where(sql: "\(\Slip.text) LIKE 't%'").observe().makeAsyncIterator()
            try expect(try await results.next()?.objects.count, equals: 1, "the first result")
            try await db.save(Slip("tenth"))
            try expect(try await results.next()?.objects.count, equals: 2, "the next result")
        },
    ]
}
