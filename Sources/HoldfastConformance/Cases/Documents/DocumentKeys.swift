import Foundation
import Holdfast
import HoldfastDocuments

/// Keys that are long, or that Swift takes for equal.
extension ConformanceCase {
    static let documentKeys: [ConformanceCase] = [
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
