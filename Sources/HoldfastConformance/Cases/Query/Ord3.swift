import Foundation
import Holdfast

extension ConformanceCase {
    static let ord3: [ConformanceCase] = [
        ConformanceCase(
            "ord-3.results-of-any-length",
            "ORD-3",
            "All objects come in the order of their keys, however many there are"
        ) { environment in
            let db = try await environment.open(Numbered.self)
            var count = 0
            for length in [1, 511, 512, 513, 1_023, 1_024, 1_025, 5_000] {
                try await db.save((count..<length).map { Numbered(Int64($0), "t\($0)") })
                count = length
                let fetched = try await db.fetch(Numbered.self)
                try expect(
                    fetched.map(\.number), equalsEach: (0..<length).map { Int64($0) }, "the keys of \(length) objects")
                try expect(
                    fetched.map(\.title), equalsEach: (0..<length).map { "t\($0)" }, "the titles of \(length) objects")
                try expect(fetched.allSatisfy { !$0.isDirty }, "An object that was fetched is dirty.")
            }
        },
        ConformanceCase("ord-3.by-primary-key", "ORD-3", "Without an order, results come by primary key") {
            environment in
            let db = try await environment.open(Numbered.self, Token.self, Place.self)
            let numbers: [Int64] = [5, -3, .max, 0, .min, 12, -100]
            for number in numbers { try await db.insert(Numbered(number)) }
            try await db.delete(Numbered(0))
            try await db.insert(Numbered(0))
            try expect(
                try await db.fetch(Numbered.self).map(\.number),
                equals: numbers.sorted(),
                "the integer keys in order"
            )

            let tokens = (0..<40).map { _ in Token(id: UUID()) }
            _ = try await db.insert(tokens)
            func bytes(_ id: UUID) -> [UInt8] { withUnsafeBytes(of: id.uuid) { Array($0) } }
            let order = tokens.map { bytes($0.id) }.sorted { $0.lexicographicallyPrecedes($1) }
            try expect(try await db.fetch(Token.self).map { bytes($0.id) }, equals: order, "the UUIDs in order")

            let token = UUID()
            for (country, number) in [("b", Int32(1)), ("a", 2), ("B", 7), ("a", -2), ("é", 0)] {
                try await db.insert(Place(country, number, token, name: "\(country)\(number)"))
            }
            try expect(
                try await db.fetch(Place.self).map(\.name),
                equals: ["B7", "a-2", "a2", "b1", "é0"],
                "the composite keys in order"
            )
        },
        ConformanceCase(
            "ord-3.with-arrays",
            "ORD-3",
            "Objects with arrays come by primary key too, with their own elements"
        ) { environment in
            let db = try await environment.open(Place.self)
            let token = UUID()
            let names = ["é", "Z", "a", "", "zz", "z", "10", "9"]
            try await db.insert(names.map { Place($0, 0, token, name: $0, aliases: [$0, "x", $0]) })
            let order = names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
            let places = try await db.fetch(Place.self)
            try expect(places.map(\.name), equals: order, "the names in order")
            try expect(places.map(\.aliases), equals: order.map { [$0, "x", $0] }, "the arrays of each")
        },
        ConformanceCase(
            "ord-3.query", "ORD-3", "Limit and offset cut what a query finds, in its order; without one by primary key"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let ids = engineers.compactMap(\.id)
            let all = db.query(Engineer.self)
            try expect(try await all.limit(3).fetch().compactMap(\.id), equals: Array(ids.prefix(3)), "the first three")
            try expect(
                try await all.offset(20).fetch().compactMap(\.id), equals: Array(ids.dropFirst(20)), "without twenty")
            try expect(
                try await all.limit(3).offset(2).fetch().compactMap(\.id), equals: Array(ids.dropFirst(2).prefix(3)),
                "three after two")
            try expect(try await all.limit(0).fetch().count, equals: 0, "none")
            try expect(try await all.limit(3).offset(2).count(), equals: 3, "the count of three after two")
            try expect(try await all.limit(300).offset(20).count(), equals: ids.count - 20, "the count of the rest")
            try expect(try await all.limit(0).exists(), equals: false, "whether one of none exists")
            try expect(try await all.offset(ids.count).exists(), equals: false, "whether one exists after all")
            try expect(try await all.first()?.id, equals: ids.first, "the first")
            try await expect(.invalidValue, from: "a limit below 0") { _ = try await all.limit(-1).fetch() }
            try await expect(.invalidValue, from: "an offset below 0") { _ = try await all.offset(-1).fetch() }
            let ada = all.where { $0.name == "Ada" }
            try expect(try await ada.one().name, equals: "Ada", "the one")
            try await expect(.notFound, from: "one of none") { _ = try await ada.where { $0.age > 1_000 }.one() }
            try await expect(.conflict, from: "one of several") { _ = try await all.one() }
            try expect(try await ada.where { $0.age > 1_000 }.first() == nil, "There is no first of none.")
        },
        ConformanceCase(
            "ord-3.default", "ORD-3", "A type can declare the order of its objects where a query says none"
        ) { environment in
            let db = try await environment.open(Chapter.self)
            try await db.save([Chapter(1, "b"), Chapter(2, "x"), Chapter(1, "a"), Chapter(3, "c"), Chapter(1, "b")])
            let expected = ["c", "x", "a", "b", "b"]
            let all = db.query(Chapter.self)
            try expect(try await db.fetch(Chapter.self).map(\.title), equals: expected, "a fetch")
            try expect(try await all.fetch().map(\.title), equals: expected, "a query")
            try expect(try await all.first()?.title, equals: "c", "the first")
            let some: [String] = try await all.limit(2).offset(1).select { $0.title }.fetch()
            try expect(some, equals: ["x", "a"], "values of some")
            var streamed: [String] = []
            for try await chapter in all.stream() { streamed.append(chapter.title) }
            try expect(streamed, equals: expected, "a stream")
            var paged: [String] = []
            var cursor: PageCursor?
            repeat {
                let page = try await all.page(size: 2, after: cursor)
                paged += page.objects.map(\.title)
                cursor = page.next
            } while cursor != nil
            try expect(paged, equals: expected, "pages")
            try expect(
                try await all.order { $0.title.ascending }.fetch().map(\.title), equals: ["a", "b", "b", "c", "x"],
                "an order of its own")
            try expect(
                try await all.group { $0.number }.select { ($0.number, $0.rowCount) }.fetch().map(\.1),
                equals: [3, 1, 1], "groups, in their own order")
            try expect(try await all.max { $0.number }, equals: 3, "an aggregate")
            try expect(try await all.limit(2).delete(), equals: 2, "the first two, deleted")
            try expect(try await all.fetch().map(\.title), equals: ["a", "b", "b"], "what is left")
        },
    ]
}
