import Foundation
import Holdfast

extension ConformanceCase {
    static let ordering: [ConformanceCase] = [
        ConformanceCase(
            "ord-1.text-keys-by-code-point",
            "ORD-1",
            "Text keys sort by code point, whatever the database's language is"
        ) { environment in
            let db = try await environment.open(Named.self)
            let names = [
                "b", "a", "B", "A", "_", "é", "e\u{301}", "z", "Z", "ｚ", "😀", "ß", "ss", "", " ", "a b", "ab", "Ä",
                "10", "9",
            ]
            for name in names { _ = try await db.insert(Named(name: name)) }
            let order = names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
            let fetched = try await db.fetch(Named.self).map(\.name)
            try expect(fetched.map { Array($0.utf8) }, equals: order.map { Array($0.utf8) }, "the keys in order")
        },
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
        ConformanceCase(
            "ord-1.canonical-equivalents-are-two-keys",
            "ORD-1",
            "Two Unicode forms of one name are two keys, everywhere where keys are compared"
        ) { environment in
            let db = try await environment.open(Named.self, Place.self)
            let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
            _ = try await db.insert([Named(name: composed, number: 1), Named(name: decomposed, number: 2)])
            try expect(try await db.find(Named.self, key: composed)?.number, equals: 1, "the composed form")
            try expect(try await db.find(Named.self, key: decomposed)?.number, equals: 2, "the decomposed form")
            let both = try await db.fetch(Named.self, keys: [decomposed, composed, decomposed])
            try expect(both.map(\.number), equals: [2, 1, 2], "the objects in the order of the keys")
            _ = try await db.save([Named(name: composed, number: 10), Named(name: decomposed, number: 20)])
            try expect(
                try await db.fetch(Named.self).map(\.number),
                equals: [20, 10],
                "both after a save in one batch"
            )

            let token = UUID()
            let places = [composed, decomposed].map { Place($0, 1, token, name: $0, aliases: [$0, $0 + "!"]) }
            try await db.save(places)
            let stored = try await db.fetch(Place.self)
            try expect(stored.count, equals: 2, "the number of places")
            for (place, form) in zip(stored, [decomposed, composed]) {
                try expect(place.name, isExactly: form, "the name of a composite key")
                try expect(place.aliases.count, equals: 2, "the number of elements of each form's array")
                for alias in place.aliases {
                    try expect(alias.utf8.starts(with: form.utf8), "An element went to the other form.")
                }
            }
            try expect(try await db.delete(places[0]), equals: 1, "the rows deleted by the composed form")
            try expect(
                try await db.fetch(Place.self).map { Array($0.country.utf8) },
                equals: [Array(decomposed.utf8)],
                "what is left"
            )
        },
        ConformanceCase(
            "ord-1.change-to-an-equivalent-form",
            "ORD-1",
            "Changing a text to another Unicode form of itself is a change"
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("caf\u{E9}")
            try await db.save(note)
            note.title = "cafe\u{301}"
            try await db.save(note)
            let titles = try await db.sql("SELECT title FROM \(Note.self)").fetch(as: String.self)
            try expect(titles.first, isExactly: "cafe\u{301}", "the title in the row")
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
    ]
}
