import Foundation
import Holdfast

extension ConformanceCase {
    /// An instant with a fraction of six digits.
    private static let start = Date(timeIntervalSince1970: 1_700_000_000.123_456)

    static let dateKeys: [ConformanceCase] = [
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
}
