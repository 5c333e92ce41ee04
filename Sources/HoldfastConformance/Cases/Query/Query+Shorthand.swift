import Foundation
import Holdfast

/// Short forms: key paths, single values, values of keys.
extension ConformanceCase {
    static let queryShorthands: [ConformanceCase] = [
        ConformanceCase("qry-2.single", "QRY-2", "One selected value comes as itself, several as a tuple") {
            environment in
            let (db, engineers) = try await openSample(environment)
            let all = db.query(Engineer.self)
            let ages = try await all.select { $0.age }.fetch()
            try expect(ages.max(), equals: engineers.map(\.age).max(), "the greatest of the values")
            try expect(ages, equals: engineers.map(\.age), "the values")
            try expect(try await all.select(\.name).first(), equals: engineers[0].name, "the first value")
            let shoes: [Int16?] = try await all.select { $0.shoe }.fetch()
            try expect(shoes, equals: engineers.map(\.shoe), "values that can be nil")
            var streamed: [String] = []
            for try await name in all.select({ $0.name }).stream() { streamed.append(name) }
            try expect(streamed, equals: engineers.map(\.name), "the values of a stream")
            let pairs = try await all.select { ($0.name, $0.age) }.fetch()
            try expect(pairs.map(\.0), equals: engineers.map(\.name), "the first of two values")
            let counts = try await all.group { $0.grade }.select { $0.rowCount }.fetch()
            try expect(counts.reduce(0, +), equals: engineers.count, "the sizes of all groups")
            try await expect(.decoding, from: "a nil that was not expected") {
                _ = try await all.select { $0.boss.name }.fetch()
            }
        },
        ConformanceCase("qry-2.key-paths", "QRY-2", "An order and the relations to load are named by key paths") {
            environment in
            let (db, _) = try await openSample(environment)
            let all = db.query(Engineer.self)
            func names(_ query: Query<Engineer>) async throws -> [String] { try await query.fetch().map(\.name) }
            try expect(
                try await names(all.order(\.name)), equals: try await names(all.order { $0.name.ascending }),
                "the names in their order")
            try expect(
                try await names(all.order(\.age, .descending)),
                equals: try await names(all.order { $0.age.descending }), "those by age")
            try expect(
                try await names(all.order(\.boss.name, .descending)),
                equals: try await names(all.order { $0.boss.name.descending }), "those by the name of another")
            let some = try await all.depth(0).including(\.boss, \.reviews).fetch()
            try expect(
                some.allSatisfy { $0.isLoaded(\.boss) && $0.isLoaded(\.reviews) },
                "A relation that was named is not loaded.")
            try expect(!some.contains { $0.isLoaded(\.team) }, "A relation that was not named is loaded.")
            try await expect(.invalidValue, from: "what is no relation") { _ = try await all.including(\.name).fetch() }
        },
        ConformanceCase("op-find.key-values", "OP-FIND", "Keys give their values back, and go by JSON and URLs") {
            environment in
            let db = try await environment.open(Named.self, Token.self, Numbered.self, Place.self)
            let id = UUID()
            let names = ["42", "a/b, ~c", "", id.uuidString, "e\u{301}"]
            for name in names { _ = try await db.insert(Named(name: name)) }
            _ = try await db.insert(Token(id: id))
            try await db.insert(Numbered(-7))
            let place = Place("a,b", 3, id, name: "x")
            try await db.insert(place)

            func sent(_ key: Key) throws -> Key {
                let data = try JSONEncoder().encode([key])
                let received = try JSONDecoder().decode([Key].self, from: data)[0]
                try expect(received, equals: key, "the key that JSON gave back")
                return try expect(some: Key(token: key.token), "the key of a token")
            }
            let found = try await db.query(Named.self).keys()
            try expect(
                Set(found.compactMap(\.string).map { Array($0.utf8) }), equals: Set(names.map { Array($0.utf8) }),
                "the texts")
            for key in found {
                let same = try await db.find(Named.self, key: try sent(key))
                try expect(
                    same.map { Array($0.name.utf8) }, equals: key.string.map { Array($0.utf8) }, "the object of a text")
            }
            let token = try await db.query(Token.self).keys()[0]
            try expect(token.uuid, equals: id, "the UUID of a key")
            try expect(token.int64, equals: nil, "a number that is none")
            try expect(token.string, equals: nil, "a text that is none")
            try expect(try await db.find(Token.self, key: try sent(token)) != nil, "A UUID leads nowhere.")
            let number = try await db.query(Numbered.self).keys()[0]
            try expect(number.int64, equals: -7, "the number of a key")
            try expect(try await db.find(Numbered.self, key: try sent(number)) != nil, "A number leads nowhere.")
            let places = try await db.query(Place.self).keys()
            let (country, count, uuid) = try places[0].values(as: String.self, Int32.self, UUID.self)
            try expect(country == "a,b" && count == 3 && uuid == id, "The parts of a key are others.")
            try expect(
                try await db.find(Place.self, key: try sent(places[0]))?.name, equals: "x", "the object of three parts")
            let reference = Reference<Numbered>(key: -7)
            try expect(try reference.key?.value(as: Int64.self), equals: -7, "the key of a reference")
            try await expect(.decoding, from: "a part too many") { _ = try number.values(as: Int.self, Int.self) }
            try await expect(.decoding, from: "another type") { _ = try number.value(as: String.self) }
        },
        ConformanceCase("op-sql.one", "OP-SQL", "SQL of one's own gives its first row, or its only one") {
            environment in
            let db = try await environment.open(Note.self)
            try await db.save([Note("a", rank: 1), Note("b", rank: 2)])
            func titles(_ rank: Int) -> SQLQuery {
                db.sql("SELECT title, rank FROM \(Note.self) WHERE rank > \(rank) ORDER BY rank")
            }
            try expect(try await titles(0).first()?.decode(String.self, at: 0), equals: "a", "the first row")
            try expect(try await titles(2).first() == nil, "There is a first row of none.")
            try expect(try await titles(1).one().decode(Int.self, named: "rank"), equals: 2, "the only row")
            try await expect(.notFound, from: "the only row of none") { _ = try await titles(2).one() }
            try await expect(.conflict, from: "the only row of two") { _ = try await titles(0).one() }
            let (title, rank) = try await titles(1).one(as: (String, Int).self)
            try expect(title == "b" && rank == 2, "The only tuple is another.")
            let first = try await titles(0).first(as: (String, Int).self)
            try expect(first?.0, equals: "a", "the first tuple")
            try expect(
                try await db.sql("SELECT count(*) FROM \(Note.self)").one(as: Int.self), equals: 2, "the only value")
            struct Row: Decodable { var title: String; var rank: Int }
            try expect(try await titles(1).one(as: Row.self).title, equals: "b", "the only Decodable value")
            try expect(try await titles(0).first(as: Row.self)?.rank, equals: 1, "the first Decodable value")
            let notes = db.sql("SELECT * FROM \(Note.self) ORDER BY rank DESC")
            try expect(try await notes.first(Note.self)?.title, equals: "b", "the first object")
            try await expect(.conflict, from: "the only object of two") { _ = try await notes.one(Note.self) }
            let inserted = try await db.sql(
                "INSERT INTO \(Note.self) (title, rank) VALUES ('c', 3), ('d', 4) RETURNING title"
            ).first(as: String.self)
            try expect(inserted, equals: "c", "the first row of two inserted")
            try expect(try await db.count(Note.self), equals: 4, "the rows after that")
        },
        ConformanceCase(
            "txn-2.context", "TXN-2", "A function of any context is atomic inside and outside a transaction"
        ) {
            environment in
            let db = try await environment.open(Note.self)
            func pair(_ name: String, in context: some DatabaseContext, fails: Bool) async throws {
                let count = try await context.transaction { tx in
                    try await tx.save(Note(name))
                    if fails { throw DatabaseError(.conflict, "on purpose") }
                    try await tx.save(Note(name + "2"))
                    return 2
                }
                try expect(count, equals: 2, "what the closure returned")
            }
            try await pair("a", in: db, fails: false)
            try await expect(.conflict, from: "the function outside") { try await pair("b", in: db, fails: true) }
            try await db.transaction { tx in
                try await pair("c", in: tx, fails: false)
                try await expect(.conflict, from: "the function inside") { try await pair("d", in: tx, fails: true) }
                try await tx.save(Note("e"))
            }
            let any: any DatabaseContext = db
            try await any.transaction { tx in _ = try await tx.save(Note("f")) }
            let titles = Set(try await db.fetch(Note.self).map(\.title))
            try expect(titles, equals: ["a", "a2", "c", "c2", "e", "f"], "the rows")
        },
    ]
}
