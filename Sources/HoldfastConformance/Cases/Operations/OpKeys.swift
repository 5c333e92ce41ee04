import Foundation
import Holdfast

extension ConformanceCase {
    static let opKeys: [ConformanceCase] = [
        ConformanceCase(
            "op-keys.generated",
            "OP-KEYS",
            "Keys that the engine makes are new ones, also after a delete and after explicit ones"
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = (0..<3).map { Note("n\($0)") }
            try await db.save(notes)
            let last = try expect(some: notes[2].id, "the last key")
            try await db.delete(notes[2])
            let next = Note("next")
            try await db.save(next)
            try expect(next.id != last, "The key of a deleted row was given again.")
            let explicit = Note("explicit")
            explicit.id = 1_000
            try await db.insert(explicit)
            let after = (0..<3).map { _ in Note("after") }
            try await db.save(after)
            try expect(explicit.id, equals: 1_000, "the explicit key")
            try expect(after.allSatisfy { ($0.id ?? 0) > 1_000 }, "A new key is not above the explicit one.")
            try expect(
                try await db.find(Note.self, key: 1_000)?.title,
                equals: "explicit",
                "the object with an explicit key"
            )
        },
        ConformanceCase(
            "op-keys.extremes",
            "OP-KEYS",
            "The least and the greatest integers, empty and long texts are keys"
        ) { environment in
            let db = try await environment.open(Numbered.self, Named.self)
            for key in [Int64.min, -1, 0, 1, .max] {
                try await db.insert(Numbered(key, "k\(key)"))
                try expect(try await db.find(Numbered.self, key: key)?.title, equals: "k\(key)", "the object of \(key)")
            }
            for key in ["", " ", "'", "\"", "\\", "%", String(repeating: "ж", count: 500)] {
                _ = try await db.insert(Named(name: key, number: key.count))
                try expect(try await db.find(Named.self, key: key)?.number, equals: key.count, "the object of a text")
            }
            try expect(try await db.find(Named.self, key: "x")?.number, equals: nil, "the object of an absent key")
        },
        ConformanceCase("op-keys.uuid", "OP-KEYS", "UUIDs are keys, and so are types that wrap a key") { environment in
            let db = try await environment.open(Token.self, Account.self)
            let tokens = (0..<20).map { Token(id: UUID(), number: $0) }
            _ = try await db.insert(tokens)
            let some = [tokens[7], tokens[3], tokens[19]]
            let fetched = try await db.fetch(Token.self, keys: [some[0].id, UUID(), some[1].id, some[2].id])
            try expect(fetched, equals: some, "the objects in the order of the keys")
            let accounts = ["b", "a"].map { Account(id: AccountNumber(rawValue: $0), balance: 1) }
            _ = try await db.insert(accounts)
            try expect(
                try await db.find(Account.self, key: AccountNumber(rawValue: "b")),
                equals: accounts[0],
                "the account"
            )
            try expect(try await db.find(Account.self, key: "a"), equals: accounts[1], "the account, by its raw value")
        },
        ConformanceCase("op-keys.composite", "OP-KEYS", "Keys of several columns work in every operation") {
            environment in
            let db = try await environment.open(Place.self)
            let tokens = [UUID(), UUID()]
            let places = [
                Place("a", 1, tokens[0], name: "p"), Place("a", 1, tokens[1], name: "q"),
                Place("a", 2, tokens[0], name: "r"),
                Place("b", 1, tokens[0], name: "s"),
            ]
            try await db.insert(places)
            places[2].name = "R"
            try await db.save(places)
            let keys = [Key("b", Int32(1), tokens[0]), Key("a", Int32(2), tokens[0]), Key("b", Int32(2), tokens[0])]
            try expect(
                try await db.fetch(Place.self, keys: keys).map(\.name),
                equals: ["s", "R"],
                "the objects of three keys"
            )
            try await expect(.uniqueViolation, from: "inserting a key again") {
                try await db.insert(Place("a", 1, tokens[1], name: "again"))
            }
            try expect(try await db.delete([places[0], places[3]]), equals: 2, "the number of rows deleted")
            try expect(
                try await db.fetch(Place.self).map(\.name).sorted(),
                equals: ["R", "q"],
                "the names that are left"
            )
            try await expect(.invalidValue, from: "a key with too few parts") {
                _ = try await db.find(Place.self, key: Key("a", Int32(1)))
            }
            try await expect(.invalidValue, from: "a key of one part") { _ = try await db.find(Place.self, key: "a") }
        },
        ConformanceCase(
            "op-keys.wrong-type",
            "OP-KEYS",
            "A key of another type than the property's is refused, not compared as something else"
        ) { environment in
            let db = try await environment.open(Numbered.self, Named.self)
            try await db.insert(Numbered(1))
            _ = try await db.insert(Named(name: "1"))
            try await expect(.invalidValue, from: "a text for an integer key") {
                _ = try await db.find(Numbered.self, key: "1")
            }
            try await expect(.invalidValue, from: "an integer for a text key") {
                _ = try await db.find(Named.self, key: 1)
            }
        },
        ConformanceCase(
            "op-keys.fetch",
            "OP-KEYS",
            "Keys fetch their objects in the order asked; missing are skipped, repeated are repeated"
        ) { environment in
            let db = try await environment.open(Numbered.self, Tagged.self)
            try await db.insert((1...9).map { Numbered(Int64($0), "t\($0)") })
            let titles = try await db.fetch(Numbered.self, keys: [9, 2, 100, 2, 5, -1]).map(\.title)
            try expect(titles, equals: ["t9", "t2", "t2", "t5"], "the titles in the order of the keys")
            try expect(try await db.fetch(Numbered.self, keys: [Int64]()).count, equals: 0, "the objects of no keys")
            let tagged = (0..<5).map { Tagged("n\($0)", tags: ["t\($0)"]) }
            try await db.insert(tagged)
            let keys = [4, 1, 4].compactMap { tagged[$0].id }
            let same = try await db.fetch(Tagged.self, keys: keys)
            try expect(same.map(\.tags), equals: [["t4"], ["t1"], ["t4"]], "the arrays in the order of the keys")
        },
        ConformanceCase(
            "op-keys.more-than-parameters",
            "OP-KEYS",
            "More keys than a statement takes parameters are fetched all the same"
        ) { environment in
            let db = try await environment.open(Numbered.self)
            let count = min(environment.capabilities.maximumParameters, 70_000) + 10
            let present = stride(from: 0, to: count, by: count / 50).map { Numbered(Int64($0), "t\($0)") }
            try await db.insert(present)
            let fetched = try await db.fetch(Numbered.self, keys: (0..<count).reversed().map { Int64($0) })
            try expect(
                fetched.map(\.number),
                equals: present.reversed().map(\.number),
                "the objects in the order of the keys"
            )
        },
        ConformanceCase("op-keys.reload", "OP-KEYS", "reload reads what a row holds now, and drops what was not saved")
        { environment in
            let db = try await environment.open(Tagged.self, Named.self)
            let tagged = Tagged("a", tags: ["x"], scores: [1])
            try await db.save(tagged)
            try await db.sql("UPDATE \(Tagged.self) SET name = 'theirs'").execute()
            tagged.name = "mine"
            tagged.tags = []
            tagged.scores = nil
            try await db.reload(tagged)
            try expect(tagged.name, equals: "theirs", "the name")
            try expect(tagged.tags, equals: ["x"], "the tags")
            try expect(tagged.scores, equals: [1], "the scores")
            try expect(!tagged.isDirty, "A reloaded object is dirty.")
            let named = try await db.insert(Named(name: "n", number: 1))
            try await db.sql("UPDATE \(Named.self) SET number = 2").execute()
            try expect(try await db.reload(named).number, equals: 2, "the struct that was reloaded")
            try await db.sql("DELETE FROM \(Tagged.self)").execute()
            tagged.name = "mine"
            try await expect(.notFound, from: "reloading a row that is gone") { try await db.reload(tagged) }
            try expect(tagged.name, equals: "mine", "the name after a reload that failed")
        },
        ConformanceCase("op-keys.date", "OP-KEYS", "A date is a key: one instant, to the microsecond") { environment in
            let db = try await environment.open(Beat.self)
            var beats = (0..<5).map { Beat(id: start + Double($0) / 1_000_000, number: $0) }
            beats += [Beat(id: .distantPast, number: 5), Beat(id: .distantFuture, number: 6)]
            beats = try await db.insert(beats)
            for beat in beats {
                try expect(try await db.find(Beat.self, key: beat.id), equals: beat, "the object of an instant")
            }
            let close = start + 0.000_000_2
            try expect(try await db.find(Beat.self, key: close)?.number, equals: 0, "the object of a closer instant")
            let wanted = [beats[3].id, start + 1, beats[1].id, beats[3].id]
            let found = try await db.fetch(Beat.self, keys: wanted).map(\.number)
            try expect(found, equals: [3, 1, 3], "the objects in the order of the keys")
            let keys = try await db.query(Beat.self).keys()
            try expect(keys.first == Key(Date.distantPast), "A key of a row is not the key of its date.")
            try expect(Set(keys) == Set(beats.map { Key($0.id) }), "The keys are not those of the dates.")
            try expect(try keys[1].value(as: Date.self), equals: beats[0].id, "the date of a key")
            for key in keys {
                try expect(Key(token: try key.token) == key, "A token is not the key that it was made of.")
                let data = try JSONEncoder().encode([key])
                try expect(try JSONDecoder().decode([Key].self, from: data), equals: [key], "the key from JSON")
            }
            let after = try await db.query(Beat.self).where { $0.id > beats[1].id && $0.id < start + 1 }.count()
            try expect(after, equals: 3, "the number of later ones")
            try await expect(.uniqueViolation, from: "inserting an instant again") {
                _ = try await db.insert(Beat(id: close, number: 9))
            }
            _ = try await db.upsert(Beat(id: beats[0].id, number: 10))
            try expect(try await db.find(Beat.self, key: start)?.number, equals: 10, "the number after an upsert")
            try expect(try await db.delete(beats[1]), equals: 1, "the number of rows deleted")
            try expect(try await db.find(Beat.self, key: beats[1].id), equals: nil, "the deleted object")
        },
        ConformanceCase("op-keys.date-composite", "OP-KEYS", "A date is a part of a key, also in relations and arrays")
        {
            environment in
            let db = try await environment.open(Quote.self, Trade.self)
            let quotes = try await saveQuotes(db)
            let key = Key(start, Int32(0))
            let first = try expect(some: try await db.find(Quote.self, key: key), "the quote of a key")
            try expect(first.price == 0 && first.marks == ["a", "b"], "The quote is another one.")
            try expect(first.similar.map(\.number), equals: [1, 1, 1], "the similar quotes")
            try expect(first.similar[0] === first.similar[2], "One row is two instances.")
            try expect(first.similar[0].previous === first, "A reference leads to another instance of the row.")
            try expect(first.trades.count, equals: 2, "the trades of the quote")
            try expect(first.trades.allSatisfy { $0.quote === first }, "A trade leads to another instance.")
            let found = try await db.fetch(Trade.self).sorted { ($0.id ?? 0) < ($1.id ?? 0) }
            try expect(found[0].quote === found[2].quote, "One row is two instances.")
            let opening = try expect(some: found[0].opening, "the reference")
            try expect(opening.key == Key(start + 1, Int32(0)), "The key of a reference is another one.")
            try expect(opening == found[1].opening, "References to one row are not equal.")
            try expect(try await opening.load(from: db)?.price, equals: 2, "the quote that a reference leads to")

            let counts = [
                try await db.query(Trade.self).where { $0.quote == first }.count(),
                try await db.query(Trade.self).where { $0.quote.hasKey(key) }.count(),
                try await db.query(Trade.self).where { $0.quote.at == start && $0.quote.number == 1 }.count(),
                try await db.query(Quote.self).where { $0.similar.contains(key: Key(start, Int32(1))) }.count(),
                try await db.query(Quote.self).where { $0.previous.in(keys: [key, Key(start + 5, Int32(0))]) }.count(),
            ]
            try expect(counts, equals: [2, 2, 1, 1, 2], "the numbers of objects that meet conditions with keys")

            var cursor: PageCursor?
            var seen: [Key] = []
            repeat {
                let page = try await db.query(Quote.self).page(size: 1, after: cursor)
                seen += page.objects.map { Key($0.at, $0.number) }
                cursor = page.next.flatMap { PageCursor(token: $0.token) }
            } while cursor != nil
            try expect(seen, equals: quotes.map { Key($0.at, $0.number) }, "the keys of all pages")
        },
        ConformanceCase(
            "op-keys.date-composite-changes", "OP-KEYS",
            "An object with a date in its key is changed and deleted, with what leads to it"
        ) { environment in
            let db = try await environment.open(Quote.self, Trade.self)
            _ = try await saveQuotes(db)
            let key = Key(start, Int32(0))
            let first = try expect(some: try await db.find(Quote.self, key: key), "the quote of a key")
            let found = try await db.fetch(Trade.self).sorted { ($0.id ?? 0) < ($1.id ?? 0) }
            first.similar.removeLast()
            first.trades.removeLast()
            first.price = 7
            try await db.save(first)
            let again = try expect(some: try await db.fetch(Quote.self, keys: [key]).first, "the quote")
            try expect(again.price, equals: 7, "the price")
            try expect([again.similar.count, again.trades.count], equals: [2, 1], "the numbers of what it holds")
            try await db.delete(again)
            try expect(
                try await db.query(Quote.self).where { $0.previous == nil }.count(), equals: 3, "the quotes left")
            try expect(try await db.query(Trade.self).where { $0.quote != nil }.count(), equals: 1, "the trades left")
            try expect(found[0].quote?.at, equals: start, "the date of an object")
        },
        ConformanceCase("op-keys.date-seconds", "OP-KEYS", "A key in whole seconds is the second that a date is in") {
            environment in
            let db = try await environment.open(Shift.self)
            let day = Date(timeIntervalSince1970: 1_700_000_000)
            let shifts = (0..<3).map { Shift(day + Double($0) * 60 + 0.25, "s\($0)") }
            shifts[0].next = shifts[1]
            shifts[1].guests = [shifts[0], shifts[2]]
            shifts[2].reserve = Reference(key: day + 60.25)
            try await db.save(shifts)
            let stored = try await db.sql("SELECT start FROM \(Shift.self) ORDER BY start").fetch(as: Int64.self)
            try expect(stored, equals: [1_700_000_000, 1_700_000_060, 1_700_000_120], "the stored seconds")
            let second = try expect(some: try await db.find(Shift.self, key: day + 60.4), "the shift of a date")
            try expect(second.name, equals: "s1", "its name")
            try expect(second.guests.map(\.name), equals: ["s0", "s2"], "its guests")
            try expect(second.guests[0].next === second, "A reference leads to another instance of the row.")
            let reserve = try expect(some: second.guests[1].reserve, "the reference")
            try expect(reserve.key == Key(day + 60), "The key of a reference is not the date of its row.")
            try expect(try await reserve.load(from: db)?.name, equals: "s1", "the shift that a reference leads to")
            let keys = try await db.query(Shift.self).order(\.start).keys()
            try expect(keys, equals: (0..<3).map { Key(day + Double($0) * 60) }, "the keys")
            let names = try await db.fetch(Shift.self, keys: keys.reversed()).map(\.name)
            try expect(names, equals: ["s2", "s1", "s0"], "the objects of the keys")
            let counts = [
                try await db.query(Shift.self).where { $0.next.hasKey(day + 60) }.count(),
                try await db.query(Shift.self).where { $0.next.start == day + 60 }.count(),
                try await db.query(Shift.self).where { $0.guests.contains(key: day) }.count(),
            ]
            try expect(counts, equals: [1, 1, 1], "the numbers of objects that meet conditions with keys")
        },
        ConformanceCase("op-keys.date-refused", "OP-KEYS", "A key that is a date is not found by a number or a text") {
            environment in
            let db = try await environment.open(Beat.self, Quote.self, Trade.self, Shift.self)
            try await expect(.invalidValue, from: "an integer for a date") {
                _ = try await db.find(Beat.self, key: 1_700_000_000)
            }
            try await expect(.invalidValue, from: "an integer for seconds") {
                _ = try await db.fetch(Shift.self, keys: [1_700_000_000])
            }
            try await expect(.invalidValue, from: "a text for a date") {
                _ = try await db.find(Quote.self, key: Key("2026-11-21", Int32(1)))
            }
            try await expect(.invalidValue, from: "an integer in a condition") {
                _ = try await db.query(Trade.self).where { $0.quote.hasKey(Key(5, Int32(1))) }.count()
            }
            try await expect(.invalidValue, from: "a date for an integer") {
                _ = try await db.find(Trade.self, key: start)
            }
            try await expect(.invalidValue, from: "a reference by an integer") {
                let trade = Trade()
                trade.opening = Reference(key: Key(5, Int32(1)))
                try await db.save(trade)
            }
        },
    ]

    /// An instant with a fraction of six digits.
    private static let start = Date(timeIntervalSince1970: 1_700_000_000.123_456)

    /// Saves four quotes with two dates, and trades that lead to them.
    private static func saveQuotes(_ db: Database) async throws -> [Quote] {
        let quotes = (0..<4).map { Quote(start + Double($0 / 2), Int32($0 % 2), Decimal($0)) }
        quotes[0].marks = ["a", "b"]
        quotes[0].similar = [quotes[3], quotes[1], quotes[3]]
        quotes[1].previous = quotes[0]
        quotes[3].previous = quotes[0]
        let trades = [Trade(quotes[0]), Trade(quotes[1]), Trade(quotes[0])]
        trades[0].opening = Reference(quotes[2])
        trades[1].opening = Reference(key: Key(start + 1, Int32(0)))
        try await db.save(quotes)
        try await db.save(trades)
        return quotes
    }
}
