import Foundation
import Holdfast
import HoldfastDocuments

extension ConformanceCase {
    static let doc1: [ConformanceCase] = [
        ConformanceCase(
            "doc-1.values", "DOC-1", "Values of every Codable type come back as they were", level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let parcels = db.documents["parcels"]
            let parcel = Cargo()
            try await parcels.set(parcel, for: "p")
            try expect(try await parcels.get("p", as: Cargo.self), equals: parcel, "the value")
            for value: Presence.Value in [.missing, .null, .some(7)] {
                try await parcels.set(Presence(value), for: "presence")
                try expect(
                    try await parcels.get("presence", as: Presence.self), equals: Presence(value), "what is present")
            }
            for double in [Double.leastNonzeroMagnitude, 0.1, 1e300, -1.7976931348623157e308, 1e21, 123_456_789.125] {
                try await parcels.set([double], for: "double")
                try expect(try await parcels.get("double", as: [Double].self), equals: [double], "a Double")
            }
            for float: Float in [0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
                try await parcels.set([float], for: "float")
                try expect(try await parcels.get("float", as: [Float].self), equals: [float], "a Float")
            }
            try await parcels.set("a scalar", for: "scalar")
            try expect(try await parcels.get("scalar", as: String.self), equals: "a scalar", "a scalar")
            try expect(try await parcels.get("none", as: String.self), equals: nil, "what is not there")
            let dates = [0.000_001, 253_402_300_799.999, -62_167_219_200].map(Date.init(timeIntervalSince1970:))
            try await parcels.set(dates, for: "dates")
            let read = try expect(some: try await parcels.get("dates", as: [Date].self), "the dates")
            for (date, expected) in zip(read, dates) {
                try expect(abs(date.timeIntervalSince(expected)) < 0.000_1, "A date is \(date), and not \(expected).")
            }
        },
        ConformanceCase(
            "doc-1.refused", "DOC-1", "What JSON can't say is refused, and changes nothing", level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            try await table.set(["a": 1], for: "k")
            try await expect(.invalidValue, from: "a NaN") { try await table.set([Double.nan], for: "k") }
            try await expect(.invalidValue, from: "infinity") { try await table.set([Float.infinity], for: "k") }
            try await expect(.invalidValue, from: "a NUL") { try await table.set(["a\u{0}b"], for: "k") }
            try await expect(.invalidValue, from: "a NUL in JSON") {
                try await table.set(["a": "\u{0}"] as JSON, for: "k")
            }
            try await expect(.invalidValue, from: "a NUL in a key") { try await table.set(["a": 1], for: "a\u{0}") }
            try await expect(.invalidValue, from: "a table without a name") {
                try await db.documents[""].set(["a": 1], for: "k")
            }
            try await expect(.invalidValue, from: "a date beyond the year 9999") {
                try await table.set([Date(timeIntervalSince1970: 1e12)], for: "k")
            }
            try await expect(.invalidValue, from: "one of several") {
                try await table.set(["new": 1.5, "k": Double.nan])
            }
            try await expect(.decoding, from: "a value of another type") {
                _ = try await table.get("k", as: [String].self)
            }
            try expect(try await table.keys(), equals: ["k"], "the keys")
            try expect(try await table.get("k", as: JSON.self), equals: ["a": 1], "the value")
        },
        ConformanceCase(
            "doc-1.json", "DOC-1", "JSON texts come back with the same meaning", level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            let texts = [
                "{}", "[]", "null", "true", "\"\"", "0", "-0", "1.50", "1E2", "123456789012345678901234567890.5",
                "{\"b\":1,\"a\":{\"c\":[1,[2,{}]]},\"\":null}", " [ 1 , \"\\u00e9\\ud83d\\ude00\\/\" ] ",
                String(repeating: "[", count: 200) + String(repeating: "]", count: 200), "1e-300",
                "1.\(String(repeating: "7", count: 600))e-390",
                "{\"long\":\"\(String(repeating: "ä", count: 100_000))\"}",
            ]
            for (index, text) in texts.enumerated() {
                let json = try JSON(parsing: text)
                try await table.set(json, for: "k\(index)")
                let found = try await table.get("k\(index)", as: JSON.self)
                try expect(found, equals: json, "the JSON \(index)")
            }
            try expect(
                try await table.get("k10", as: JSON.self)?["a"]?["c"]?[1]?[0]?.integer, equals: 2, "an element")
        },
        ConformanceCase(
            "doc-1.keys", "DOC-1", "Keys are compared by their bytes, whatever they contain", level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let (table, other) = (db.documents["t"], db.documents["T"])
            let keys = [
                "", " ", "a", "A", "a ", "\u{e9}", "e\u{301}", "%", "_", "'; DROP TABLE x; --", "\u{1F600}", "1", "01",
            ]
            for (index, key) in keys.enumerated() { try await table.set(index, for: key) }
            try await other.set(["x": 0], for: "x")
            for (index, key) in keys.enumerated() {
                try expect(try await table.get(key, as: Int.self), equals: index, "the value of key \(index)")
            }
            let sorted = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { Array($0.utf8) }
            try expect(try await table.keys().map { Array($0.utf8) }, equals: sorted, "the keys")
            try expect(try await table.hasKey("A"), equals: true, "whether a key is there")
            try expect(try await table.hasKey("B"), equals: false, "whether another one is there")
            try expect(try await table.hasAllKeys(["a", "a", "A"]), equals: true, "whether all are there, one twice")
            try expect(try await table.hasAllKeys(["a", "b"]), equals: false, "whether all are there")
            try expect(try await table.hasAllKeys([]), equals: true, "whether none is there")
            let several = try await table.get(["a", "b", "A"], as: Int.self)
            try expect(several.map { "\($0.key) \($0.value)" }, equals: ["A 3", "a 2"], "several")
            try expect(try await table.delete("a"), equals: true, "whether one was deleted")
            try expect(try await table.delete("a"), equals: false, "whether it was deleted again")
            try expect(try await table.delete(["A", "1", "none"]), equals: 2, "how many were deleted")
            try expect(try await table.keys().count, equals: keys.count - 3, "how many are left")
        },
        ConformanceCase(
            "doc-1.replaced", "DOC-1", "A value is replaced as a whole, and keeps the time at which it was added",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            try await table.set(["a": 1, "b": 2], for: "k")
            let first = try expect(some: try await table.document("k"), "the document")
            try await Task.sleep(for: .milliseconds(2))
            try await table.set(["a": 3], for: "k")
            let second = try expect(some: try await table.document("k"), "the document")
            try expect(second.value, equals: ["a": 3], "the value")
            try expect(second.addedAt, equals: first.addedAt, "the time at which it was added")
            let (before, after) = (
                try expect(some: first.updatedAt, "a time"), try expect(some: second.updatedAt, "a time")
            )
            try expect(after > before, "The time of the second set is not later.")

            try await expect(.staleVersion, from: "a set since which another one came") {
                try await table.set(["a": 4], ifUnchangedSince: first)
            }
            try await table.set(["a": 5], ifUnchangedSince: second)
            let third = try expect(some: try await table.document("k"), "the document")
            try expect(third.value, equals: ["a": 5], "the value")
            try await table.delete("k")
            for number in 0..<2 { try await table.set(["a": 6 + number], for: "k") }
            try await expect(.staleVersion, from: "a set since which it was deleted, and came again") {
                try await table.set(["a": 7], ifUnchangedSince: third)
            }
            try await table.delete("k")
            try await expect(.staleVersion, from: "a set since which it was deleted") {
                try await table.set(["a": 7], ifUnchangedSince: third)
            }
            try expect(try await table.hasKey("k"), equals: false, "whether it is there again")
        },
        ConformanceCase(
            "doc-1.merged", "DOC-1", "A patch is merged as RFC 7396 has it, also by many at a time", level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            // The examples of the RFC's appendix.
            let examples: [(JSON, JSON, JSON)] = [
                (["a": "b"], ["a": "c"], ["a": "c"]), (["a": "b"], ["b": "c"], ["a": "b", "b": "c"]),
                (["a": "b"], ["a": .null], [:]), (["a": "b", "b": "c"], ["a": .null], ["b": "c"]),
                (["a": ["b"]], ["a": "c"], ["a": "c"]), (["a": "c"], ["a": ["b"]], ["a": ["b"]]),
                (["a": ["b": "c"]], ["a": ["b": "d", "c": .null]], ["a": ["b": "d"]]),
                (["a": [["b": "c"]]], ["a": [1]], ["a": [1]]), (["a", "b"], ["c", "d"], ["c", "d"]),
                (["a": "b"], ["c"], ["c"]), (["a": "foo"], .null, .null), (["a": "foo"], "bar", "bar"),
                (["e": .null], ["a": 1], ["e": .null, "a": 1]), ([1, 2], ["a": "b", "c": .null], ["a": "b"]),
                ([:], ["a": ["bb": ["ccc": .null]]], ["a": ["bb": [:]]]),
            ]
            for (index, (document, patch, result)) in examples.enumerated() {
                try await table.set(document, for: "k")
                try expect(try await table.merge(patch, into: "k"), equals: result, "the result of patch \(index)")
                try expect(try await table.get("k", as: JSON.self), equals: result, "the value after patch \(index)")
            }
            try await table.merge(["a": .null, "b": 1], into: "new")
            try expect(try await table.get("new", as: JSON.self), equals: ["b": 1], "a patch of nothing")
            try await expect(.invalidValue, from: "a patch with a NUL") {
                try await table.merge(["a": "\0"], into: "k")
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 { group.addTask { try await table.merge(["n\(number)": 1], into: "many") } }
                try await group.waitForAll()
            }
            try expect(try await table.get("many", as: JSON.self)?.object?.count, equals: 20, "the members")
        },
        ConformanceCase(
            "doc-1.partial", "DOC-1",
            "What a type does not name stays in a document into which its value is merged, and goes where it is set",
            level: .documents
        ) { environment in
            struct Part: Codable {
                var title: String
                var tags: [String]?
            }
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            try await table.set(["title": "a", "tags": ["x"], "owner": "ann", "size": [1, 2]] as JSON, for: "k")
            var part = try expect(some: try await table.get("k", as: Part.self), "the part")
            (part.title, part.tags) = ("b", nil)
            try await table.merge(try JSON(encoding: part), into: "k")
            try expect(
                try await table.get("k", as: JSON.self),
                equals: ["title": "b", "tags": ["x"], "owner": "ann", "size": [1, 2]], "the document after a merge")
            try await table.set(part, for: "k")
            try expect(try await table.get("k", as: JSON.self), equals: ["title": "b"], "the document that was set")
        },
        ConformanceCase(
            "doc-1.tables", "DOC-1", "Tables are there as long as they have documents", level: .documents
        ) { environment in
            let db = try await environment.open()
            try await db.documents.migrate()
            try expect(try await db.documents.tables(), equals: [], "the tables")
            for (index, name) in ["b", "a", "Z", "a b", "\u{e9}"].enumerated() {
                try await db.documents[name].set(["n": index], for: "k")
            }
            try await db.documents["a"].set(["n": 9], for: "l")
            try expect(try await db.documents.tables(), equals: ["Z", "a", "a b", "b", "\u{e9}"], "the tables")
            try expect(try await db.documents.hasTable("a"), equals: true, "whether a table is there")
            try expect(try await db.documents.hasTable("c"), equals: false, "whether another is there")
            try expect(try await db.documents.dropTable("a"), equals: 2, "the documents that were dropped")
            try expect(try await db.documents["a"].keys(), equals: [], "the keys of a dropped table")
            try expect(
                try await db.documents.tables(), equals: ["Z", "a b", "b", "\u{e9}"], "the tables that are left")
        },
        ConformanceCase(
            "doc-1.transactions", "DOC-1", "Documents and objects are saved together, and observed alike",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self, Note.self)
            struct Undone: Error {}
            do {
                try await db.transaction { tx in
                    try await tx.documents["t"].set(["n": 1], for: "k")
                    try await tx.save(Note("n"))
                    try expect(try await tx.documents["t"].hasKey("k"), equals: true, "whether it is seen inside")
                    throw Undone()
                }
            } catch is Undone {}
            try expect(try await db.documents.tables(), equals: [], "the tables after a rollback")
            try expect(try await db.query(Note.self).count(), equals: 0, "the notes after a rollback")
            let events = db.events(of: Document.self)
            var results = db.documents["t"].where { $0["n"] > 5 }.observe().makeAsyncIterator()
            try expect(try await results.next()?.objects.count, equals: 0, "the first result")
            try await db.transaction { tx in
                try await tx.documents["t"].set(["n": 9], for: "k")
                try await tx.save(Note("n"))
            }
            try expect(try await results.next()?.objects.map(\.key), equals: ["k"], "the next result")
            var iterator = events.makeAsyncIterator()
            let event = try expect(some: try await iterator.next(), "an event")
            try expect(event.key, equals: Key("t", "k"), "the key of the event")
        },
        ConformanceCase(
            "doc-1.long-keys", "DOC-1", "A key and the name of its table have 2,500 bytes together, on every engine",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            // What does not compress, as an engine may compress keys.
            var random = SplitMix64(state: environment.seed)
            let characters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
            let long = String((0..<2_500).map { _ in characters.randomElement(using: &random) ?? "a" })
            let longest = String(long.dropLast())
            try await table.set(1, for: longest)
            try expect(try await table.get(longest, as: Int.self), equals: 1, "the value of the longest key")
            for key in [long, String(repeating: "é", count: 1_300), String(repeating: long, count: 10)] {
                try await expect(.invalidValue, from: "setting a longer key") { try await table.set(1, for: key) }
                try await expect(.invalidValue, from: "one of several") { try await table.set(["a": 1, key: 2]) }
                try await expect(.invalidValue, from: "a patch") { try await table.merge(["a": 1], into: key) }
                try expect(try await table.get(key, as: Int.self), equals: nil, "the value of a longer key")
                try expect(try await table.delete(key), equals: false, "whether it was deleted")
            }
            try expect(try await table.keys(), equals: [longest], "the keys")
        },
        ConformanceCase(
            "doc-1.spellings", "DOC-1", "Values of several keys are told apart by the bytes of their keys",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
            let table = db.documents["t"]
            try await table.set(1, for: composed)
            try await table.set(2, for: decomposed)
            let values = try await table.get([composed, decomposed, "none"], as: Int.self)
            try expect(values.count, equals: 2, "the number of values")
            try expect(values[composed], equals: 1, "the value of one spelling")
            try expect(values[decomposed], equals: 2, "the value of the other")
            try expect(values["none"], equals: nil, "the value of no key")
            try expect(try await table.get([composed], as: Int.self)[decomposed], equals: nil, "what was not asked for")
            try expect(
                values.keys.map { Array($0.utf8) }, equals: [Array(decomposed.utf8), Array(composed.utf8)], "keys")
            // The tables as well.
            try await db.documents[composed].set(3, for: "k")
            try await db.documents[decomposed].set(4, for: "k")
            try expect(try await db.documents[composed].get("k", as: Int.self), equals: 3, "in a table of one spelling")
            try expect(try await db.documents[decomposed].get("k", as: Int.self), equals: 4, "in one of the other")
            try await db.documents.save(Spelled(documentKey: composed, next: .init(Spelled(documentKey: decomposed))))
            let loaded = try expect(some: try await db.documents.load(Spelled.self, composed), "the object")
            let next = try expect(some: loaded.next?.object, "the object that it leads to")
            try expect(Array(next.documentKey.utf8), equals: Array(decomposed.utf8), "its key")
        },
    ]

    private struct Spelled: DocumentObject {
        static let documentTable = "spelled"
        var documentKey: String
        var next: DocumentReference<Spelled>?
    }
}
