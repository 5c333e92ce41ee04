import Foundation
import Holdfast
import HoldfastDocuments

/// Queries for documents by what they say.
extension ConformanceCase {
    static let doc2: [ConformanceCase] = [
        ConformanceCase(
            "doc-2.conditions", "DOC-2", "Conditions ask for what is at a path, by its type", level: .documents,
            requires: [.documents]
        ) { environment in
            let db = try await openConditionSample(environment)
            let table = db.documents["t"]
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
            let sets: [[Condition]] = [
                [Columns<Document>()["account"] == "ACCT2"], [Columns<Document>()["open"] == false],
            ]
            try await expectKeys(["k2", "k3"], "of sets of conditions") { _ in .sets(sets) }
        },
        ConformanceCase(
            "doc-2.changes", "DOC-2",
            "Documents are counted, updated and deleted by conditions, those of other tables left alone",
            level: .documents, requires: [.documents]
        ) { environment in
            let db = try await openConditionSample(environment)
            let table = db.documents["t"]
            try expect(try await table.where { $0["number"] > 1 }.count(), equals: 1, "a count")
            try expect(try await table.where { $0["open"] == true }.exists(), equals: true, "whether one is there")
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
        ConformanceCase(
            "doc-2.elements", "DOC-2", "Conditions ask for elements of arrays, and updates change values at a path",
            level: .documents, requires: [.documents]
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            let values: [String: JSON] = [
                "k1": ["tags": ["red", "green"], "prices": [1.5, 2.5]], "k2": ["tags": ["green"], "prices": [2, 3]],
                "k3": ["tags": "green", "prices": []], "k4": ["numbers": [6, 10]],
            ]
            try await table.set(values)
            let green = table.where { $0.value.json("tags", contains: "green") }.order { $0.key.ascending }
            try expect(try await green.documentKeys(), equals: ["k1", "k2"], "the keys with a text")
            let half = table.where { $0.value.json("prices", contains: 2.5) }
            try expect(try await half.documentKeys(), equals: ["k1"], "the keys with a number")
            let ten = table.where { $0.value.json("numbers", contains: 10) }
            try expect(try await ten.documentKeys(), equals: ["k4"], "the keys with an integer")
            let date = Date(timeIntervalSince1970: 1_763_712_345.123456)
            for (key, offset) in [("d1", -0.000_001), ("d2", 0), ("d3", 5_000_000_000)] {
                try await table.set(["at": date.addingTimeInterval(offset)], for: key)
            }
            let sinceThen = table.where { $0.date("at") >= date }.order { [$0.date("at").descending] }
            try expect(try await sinceThen.documentKeys(), equals: ["d3", "d2"], "the keys since a date")
            let before = table.where { $0.date("at") < date || $0.date("at") == Date.distantPast }
            try expect(try await before.documentKeys(), equals: ["d1"], "the keys before it")
            try await green.limit(1).update { $0.value.setJSON("city", to: "Bonn") }
            try expect(
                try await table.get("k1", as: JSON.self),
                equals: ["tags": ["red", "green"], "prices": [1.5, 2.5], "city": "Bonn"], "the changed value")
        },
        ConformanceCase(
            "doc-2.indexes", "DOC-2", "Indexes of paths are made once, and serve conditions and orders",
            level: .documents, requires: [.documents, .documentIndexes, .describingSchemas, .maintenance]
        ) { environment in
            let db = try await environment.open()
            let indexes: [TableIndex] = [
                .path("city", as: String.self), .unique("table", .json("value", "number", as: Int.self)),
            ]
            try await db.documents.migrate(indexes: indexes)
            let schema = Schema(Document.self).indexing(Document.self, by: indexes)
            try expect(try await db.schemaPlan(for: schema).steps, equals: [], "the steps of a second time")
            try expect(try await db.migrate(Document.self).steps, equals: [], "the steps of who does not name them")
            try expect(try await db.drift(schema), equals: [], "the differences")
            let names = Set(try await db.schema().table("keyed_document")?.indexes.map(\.name) ?? [])
            let table = db.documents["t"]
            for start in stride(from: 0, to: 3_000, by: 1_000) {
                let values = (start..<start + 1_000).map { number in
                    ("k\(number)", ["city": JSON(string: "c\(number)"), "number": JSON(number)] as JSON)
                }
                try await table.set(Dictionary(uniqueKeysWithValues: values))
            }
            let query = table.where { $0["city"] == "c17" }
            try expect(try await query.documentKeys(), equals: ["k17"], "the keys")
            try await db.analyze(Document.self)
            for query in [query, table.where { $0["number", as: Int.self].in(2_990...2_995) }] {
                let plan = try await query.explain()
                try expect(names.contains(where: plan.contains), "No index serves it: \(plan)")
            }
            try await expect(.uniqueViolation, from: "a number that is there") {
                try await table.set(["number": 7] as JSON, for: "new")
            }
            try await expect(.uniqueViolation, from: "a patch to a number that is there") {
                try await table.merge(["number": 7], into: "new")
            }
            try await expect(.conflict, from: "an index of a type that is not in the schema") {
                try await db.migrate(Schema(Note.self).indexing(Document.self, by: .path("a", as: Int.self)))
            }
            try await db.documents.migrate(indexes: indexes + indexes)
            try await expect(.conflict, from: "an index of a property that there is not") {
                try await db.migrate(Schema(Document.self).indexing(Document.self, by: .index("city")))
            }
        },
        ConformanceCase(
            "doc-2.expiry", "DOC-2", "A document that has expired is gone, and lives if it is set again",
            level: .documents
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(Document.self) { clock.attach(to: &$0) }
            let table = db.documents["t"]
            let date = clock.now.addingTimeInterval(10)
            try await table.set(["a": 1], for: "short", expiresAt: date)
            try await table.set(["a": 2], for: "long", expiresAt: date.addingTimeInterval(10))
            try await table.set(["a": 3], for: "forever")
            let added = try await table.document("short")?.addedAt
            clock.now = date.addingTimeInterval(-0.000_001)
            try expect(try await table.keys(), equals: ["forever", "long", "short"], "the keys before")
            clock.now = date
            try expect(try await table.keys(), equals: ["forever", "long"], "the keys from then on")
            try expect(try await table.get("short", as: JSON.self), equals: nil, "the value")
            try expect(try await table.hasKey("short"), equals: false, "whether it is there")
            try expect(try await table.delete("short"), equals: false, "whether it was deleted")
            try await table.set(["b": 1], for: "short", expiresAt: date.addingTimeInterval(30))
            let document = try expect(some: try await table.document("short"), "what was set again")
            try expect(document.value, equals: ["b": 1], "its value")
            try expect(document.version, equals: 0, "its version")
            try expect(document.addedAt != added, "It was not added anew.")
            clock.now = date.addingTimeInterval(10)
            try await table.merge(["c": 1], into: "long")
            try expect(try await table.get("long", as: JSON.self), equals: ["c": 1], "a patch of what has expired")
            try await table.set(["d": 1], for: "short", expiresAt: date.addingTimeInterval(20))
            clock.now = date.addingTimeInterval(20)
            try expect(try await db.documents.tables(), equals: ["t"], "the tables")
            try expect(try await db.sweepExpired(Document.self), equals: 1, "the number of rows that are swept")
            try expect(try await table.keys(), equals: ["forever", "long"], "the keys at the end")
        },
    ]

    /// Opens a database with two tables of the same documents, `t` and `other`.
    private static func openConditionSample(_ environment: ConformanceEnvironment) async throws -> Database {
        let db = try await environment.open(Document.self)
        let values: [String: JSON] = [
            "k1": [
                "number": 1, "account": "ACCT's 1", "tags": ["red", "green"], "at": ["city": "Bonn"], "open": true,
            ],
            "k2": ["number": 2, "account": "ACCT's 1", "tags": ["green"], "at": ["city": "Köln"], "open": false],
            "k3": ["number": 3.5, "account": "ACCT2", "tags": [], "at": .null],
            "k4": ["number": "4", "account": "acct2", "tags": "green"],
            "k5": ["account": .null],
        ]
        try await db.documents["t"].set(values)
        try await db.documents["other"].set(values)
        return db
    }
}
