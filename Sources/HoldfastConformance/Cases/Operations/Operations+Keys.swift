import Foundation
import Holdfast

extension ConformanceCase {
    static let keys: [ConformanceCase] = [
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
    ]
}
