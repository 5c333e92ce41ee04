import Foundation
import Holdfast
import HoldfastDocuments

/// Queries for documents by what they say.
extension ConformanceCase {
    static let documentConditions: [ConformanceCase] = [
        ConformanceCase(
            "doc-2.conditions", "DOC-2", "Conditions ask for what is at a path, by its type", level: .documents,
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            let values: [String: JSON] = [
                "k1": ["number": 1, "account": "ACCT's 1", "tags": ["red", "green"], "at": ["city": "Bonn"], "open": true],
                "k2": ["number": 2, "account": "ACCT's 1", "tags": ["green"], "at": ["city": "Köln"], "open": false],
                "k3": ["number": 3.5, "account": "ACCT2", "tags": [], "at": .null],
                "k4": ["number": "4", "account": "acct2", "tags": "green"],
                "k5": ["account": .null],
            ]
            try await table.set(values)
            try await db.documents["other"].set(values)
            func expectKeys(
                _ keys: [String], _ what: String, _ condition: (Columns<Document>) -> Condition
            ) async throws {
                let found = try await table.where(condition).order { $0.key.ascending }.documentKeys()
                try expect(found, equals: keys, "the keys \(what)")
            }
            try await expectKeys(["k2"], "of two conditions") { $0["account"] == "ACCT's 1" && $0["number"] > 1 }
            try await expectKeys(["k1", "k2", "k3"], "of one or the other") {
                $0["account"] == "ACCT's 1" || $0["number"] == 3.5
            }
            try await expectKeys(["k1", "k2"], "of integers") { $0["number", as: Int.self] >= 1 }
            try await expectKeys(["k1", "k2", "k3"], "of numbers") { $0["number", as: Double.self] >= 1 }
            try await expectKeys(["k4"], "of a text that is a number") { $0["number"] == "4" }
            try await expectKeys(["k1"], "of a nested member") { $0["at.city"] == "Bonn" }
            try await expectKeys(["k1"], "of an element") { $0["tags[1]"] == "green" }
            try await expectKeys(["k1"], "of a truth value") { $0["open"] == true }
            try await expectKeys(["k1", "k3"], "of a list") { $0["number", as: Double.self].in([1, 3.5]) }
            try await expectKeys(["k1", "k2", "k3"], "of a prefix") { $0["account", as: String.self].hasPrefix("ACCT") }
            try await expectKeys([], "of what no document has") { $0["unknown.path[3]"] == 1 }
            try await expectKeys(["k5"], "of null") { $0["account", as: String.self] == nil && $0.has("account") }
            try await expectKeys(["k5"], "of what is missing") { !$0.has("number") }
            try expect(try await table.where { $0["number"] > 1 }.count(), equals: 1, "a count")
            try expect(try await table.where { $0["open"] == true }.exists(), equals: true, "whether one is there")
            let sets: [[Condition]] = [
                [Columns<Document>()["account"] == "ACCT2"], [Columns<Document>()["open"] == false],
            ]
            try await expectKeys(["k2", "k3"], "of sets of conditions") { _ in .sets(sets) }
            try expect(
                try await table.where { $0["number"] >= 2 }.update { $0.value.set(["changed": true]) }, equals: 1,
                "how many were updated")
            try expect(try await table.where { $0["changed"] == true }.delete(), equals: 1, "how many were deleted")
            try expect(try await db.documents["other"].keys().count, equals: 5, "the documents of another table")
        },
        ConformanceCase(
            "doc-2.orders", "DOC-2", "Documents are ordered by several paths, in pages and groups", level: .documents,
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            var generator = SplitMix64(state: environment.seed)
            var values: [String: JSON] = [:]
            var numbers: [String: (Int64?, String?)] = [:]
            for index in 0..<120 {
                let number = Bool.random(using: &generator) ? Int64.random(in: -3...3, using: &generator) : nil
                let word = ["a", "B", "b", "\u{e9}", nil].randomElement(using: &generator) ?? nil
                var value: JSON = [:]
                if let number { value["n"] = JSON(number) }
                if let word { value["w"] = JSON(string: word) }
                let key = "k\(index)"
                (values[key], numbers[key]) = (value, (number, word))
            }
            try await table.set(values)
            func precedes<Value>(_ left: Value?, _ right: Value?, _ isLess: (Value, Value) -> Bool) -> Bool? {
                switch (left, right) {
                case (nil, nil): nil
                case (nil, _): true
                case (_, nil): false
                case (let left?, let right?): isLess(left, right) ? true : isLess(right, left) ? false : nil
                }
            }
            // Nil comes first where an order ascends, and last where it descends.
            let expected = numbers.sorted { left, right in
                if let isFirst = precedes(right.value.0, left.value.0, <) { return isFirst }
                if let isFirst = precedes(left.value.1, right.value.1, { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                    return isFirst
                }
                return left.key < right.key
            }.map(\.key)
            let query = table.query.order {
                [$0["n", as: Int.self].descending, $0["w", as: String.self].ascending, $0.key.ascending]
            }
            try expect(try await query.documentKeys(), equals: expected, "the keys in order, with \(environment.seed)")
            var (paged, cursor): ([String], PageCursor?) = ([], nil)
            repeat {
                let page = try await query.page(size: 17, after: cursor)
                paged += page.objects.map(\.key)
                cursor = page.next
            } while cursor != nil
            try expect(paged, equals: expected, "the keys of pages, with \(environment.seed)")
            let decoded = try await query.limit(1).fetch(as: JSON.self)
            try expect(decoded.first, equals: values[expected[0]], "the first value")
        },
    ]
}
