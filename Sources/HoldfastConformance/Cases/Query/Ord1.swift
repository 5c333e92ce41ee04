import Foundation
import Holdfast

extension ConformanceCase {
    static let ord1: [ConformanceCase] = [
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
        ConformanceCase(
            "ord-1.query", "ORD-1",
            "A query orders by any number of properties, each with its own direction, also along relations"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            func check(
                _ what: String, _ orders: @Sendable (Columns<Engineer>) -> [Ordering],
                _ comes: (Engineer, Engineer) -> Bool?
            ) async throws {
                let found = try await db.query(Engineer.self).order(orders).keys()
                let expected = engineers.sorted { comes($0, $1) ?? (($0.id ?? 0) < ($1.id ?? 0)) }
                try expect(found, equals: expected.compactMap { $0.id.map { Key($0) } }, "the order by \(what)")
            }
            func scalars(_ left: String, _ right: String) -> Bool? {
                Array(left.utf8) == Array(right.utf8)
                    ? nil : left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
            }
            try await check("text", { [$0.name.ascending] }) { scalars($0.name, $1.name) }
            try await check("text, downwards", { [$0.name.descending] }) { scalars($1.name, $0.name) }
            try await check("text, any case", { [$0.name.ascending.ignoringCase] }) {
                scalars(folded($0.name), folded($1.name))
            }
            try await check("two", { [$0.grade.ascending, $0.age.descending] }) {
                $0.grade == $1.grade
                    ? ($0.age == $1.age ? nil : $0.age > $1.age) : $0.grade.rawValue < $1.grade.rawValue
            }
            try await check("decimals", { [$0.salary.descending] }) {
                $0.salary == $1.salary ? nil : $0.salary > $1.salary
            }
            try await check("scaled decimals", { [$0.rate.descending] }) {
                $0.rate == $1.rate ? nil : $0.rate > $1.rate
            }
            try await check("what is computed", { [($0.age % 7).ascending] }) {
                $0.age % 7 == $1.age % 7 ? nil : $0.age % 7 < $1.age % 7
            }
            try await check("a count", { [$0.tags.count.descending] }) {
                $0.tags.count == $1.tags.count ? nil : $0.tags.count > $1.tags.count
            }
            try await check("a relation's property", { [$0.boss.age.ascending] }) {
                optional($0.boss?.age, $1.boss?.age, <)
            }
            try await check("a relation", { [$0.boss.descending] }) { optional($1.boss?.id, $0.boss?.id, <) }
            let named = try await db.query(Engineer.self).order(by: [.descending("boss.age"), .ascending("name")])
                .keys()
            let typed = try await db.query(Engineer.self).order { [$0.boss.age.descending, $0.name.ascending] }.keys()
            try expect(named, equals: typed, "the order by names")
        },
    ]
}

/// Nil first.
private func optional<Value: Comparable>(_ left: Value?, _ right: Value?, _ comes: (Value, Value) -> Bool) -> Bool? {
    switch (left, right) {
    case (nil, nil): nil
    case (nil, _): true
    case (_, nil): false
    case (let left?, let right?): left == right ? nil : comes(left, right)
    }
}

/// With ASCII letters in lower case.
private func folded(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        folded.append(("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value + 32)) : scalar)
    }
    return String(folded)
}
