import Foundation
import Holdfast
import HoldfastDocuments

/// What AgileDB's own tests ask for, of texts under keys, and of the keys that meet conditions.
extension ConformanceCase {
    static let agileDBStore: [ConformanceCase] = [
        ConformanceCase(
            "doc-4.store", "DOC-4", "Texts of JSON are set and replaced, and go with their table", level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let rooms = db.documents["rooms"]
            try await rooms.set(JSON(parsing: "{}"), for: "empty")
            try expect(try await rooms.get("empty", as: JSON.self), equals: [:], "an empty object")
            let text = #"{"beds":2,"booked":"2014-11-19T18:23:42.434-05:00","open":true,"rates":[80,75],"tags":["7"]}"#
            let json = try JSON(parsing: text)
            try await rooms.set(json, for: "r1")
            let room = try expect(some: try await rooms.get("r1", as: JSON.self), "the value")
            try expect(room, equals: json, "the value")
            try expect(room["open"]?.boolean, equals: true, "a truth value")
            try expect(room["rates"]?.array?.map(\.integer), equals: [80, 75], "numbers in their order")
            try expect(room["tags"]?.array?.map(\.string), equals: ["7"], "a text that is a number")
            // A date in a form of its own is the text that it is.
            try expect(room["booked"]?.string, equals: "2014-11-19T18:23:42.434-05:00", "a date")
            try await rooms.set(["beds": 3, "rates": [60]] as JSON, for: "r1")
            try expect(
                try await rooms.get("r1", as: JSON.self), equals: ["beds": 3, "rates": [60]], "what replaced it")
            try await rooms.set(["beds": 4], for: "r2")
            try expect(try await rooms.get("r2", as: [String: Int].self), equals: ["beds": 4], "a dictionary")
            try expect(try await rooms.keys(), equals: ["empty", "r1", "r2"], "the keys")
            try expect(try await rooms.hasAllKeys(["r1", "r2"]), equals: true, "whether both are there")
            try expect(try await rooms.delete("r1"), equals: true, "whether one was deleted")
            try expect(try await rooms.hasKey("r1"), equals: false, "whether it is there")
            try expect(try await rooms.hasAllKeys(["r1", "r2"]), equals: false, "whether both are there")
            try await db.documents["halls"].set(["beds": 0], for: "h1")
            try await db.documents["huts"].set(["beds": 1], for: "h2")
            try expect(try await db.documents.dropTable("rooms"), equals: 2, "the documents of a dropped table")
            try expect(try await db.documents.hasTable("rooms"), equals: false, "whether the table is there")
            // A table that is not there has no documents, which is no error.
            try expect(try await rooms.keys(), equals: [], "the keys of a table that is not there")
            try expect(try await db.query(Document.self).delete(), equals: 2, "the documents of all tables")
            try expect(try await db.documents.tables(), equals: [], "the tables at the end")
        },
        ConformanceCase(
            "doc-4.concurrent", "DOC-4", "Keys that are set and read at the same time have their own values",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            let keys = (1...20).map { "k\($0)" }
            try await table.set(Dictionary(uniqueKeysWithValues: keys.map { ($0, ["name": $0]) }))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for key in keys {
                    group.addTask { try await table.set(["name": key], for: key) }
                    group.addTask {
                        let value = try await table.get(key, as: [String: String].self)
                        try expect(value, equals: ["name": key], "the value meanwhile")
                    }
                }
                try await group.waitForAll()
            }
            for document in try await table.documents(keys) {
                try expect(document.value, equals: ["name": JSON(string: document.key)], "the value of a key")
                try expect(document.version, equals: 1, "how often it was set again")
            }
        },
        ConformanceCase(
            "doc-4.idle", "DOC-4", "Documents are there after connections were idle, and after a database was closed",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self) { $0.idleTimeout = .milliseconds(20) }
            try await db.documents["t"].set(["n": 1], for: "k")
            for _ in 0..<500 where db.poolStatistics.idle > 0 { try await Task.sleep(for: .milliseconds(10)) }
            try expect(db.poolStatistics.idle, equals: 0, "the connections that nobody uses")
            try expect(try await db.documents["t"].get("k", as: JSON.self), equals: ["n": 1], "the value afterwards")
            try await db.close()
            try await expect(.closed, from: "a database that is closed") { _ = try await db.documents["t"].keys() }
            let again = try await environment.open(Document.self)
            try expect(try await again.documents["t"].keys(), equals: ["k"], "the keys when it is opened again")
        },
        ConformanceCase(
            "doc-4.conditions", "DOC-4", "Keys are found by comparisons, lists, parts of texts and elements of arrays",
            level: .documents, requires: [.documents]
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["books"]
            let values: [String: JSON] = [
                "b1": ["n": 1, "by": "O'Hara 1", "cost": 1.5, "sizes": [1, 2, 3], "tags": ["red"], "lent": true],
                "b2": [
                    "n": 2, "by": "O'Hara 1", "cost": 2.5, "sizes": [6, 10], "tags": ["red", "blue"], "lent": false,
                ],
                "b3": ["n": 3, "by": "Ohm", "cost": 3.5, "sizes": [11], "prices": [1.5, 2.5], "lent": true],
                "b4": ["n": 4, "by": "100 %", "prices": [2.5, 4.0]],
                "b5": ["n": 5],
            ]
            try await table.set(values)
            func found(
                _ keys: [String], _ what: String, line: Int = #line, _ condition: (Columns<Document>) -> Condition
            ) async throws {
                let found = try await table.where(condition).order { $0.key.ascending }.documentKeys()
                try expect(found, equals: keys, "the keys \(what)", line: line)
            }
            try await found([], "of a path that no document has") { $0["account"] == "A1" }
            try await found([], "of a key that is not there") { $0.key == "A1" }
            try await found(["b2"], "of a text and a number") { $0["by"] == "O'Hara 1" && $0["n"] > 1 }
            try await found(["b1", "b2", "b3"], "of a part of a text, or an element") {
                $0["by", as: String.self].contains("Hara") || $0.value.json("sizes", contains: 11)
            }
            try await found([], "of a part in another case") { $0["by", as: String.self].contains("hara") }
            try await found(["b1", "b2"], "of a part in any case") {
                $0["by", as: String.self].contains("hara", caseSensitive: false)
            }
            try await found(["b4"], "of a part that a pattern would take for any") {
                $0["by", as: String.self].contains("%")
            }
            try await found(["b1", "b2", "b3", "b4", "b5"], "of no conditions") { _ in .sets([[Condition]]()) }
            try await found(["b1"], "of sets, one of which names what no document has") {
                .sets([[$0["by"] == "O'Hara 1", $0["n"] == 1], [$0["by"] == "O'Hara 1", $0["note"] == "x"]])
            }
            try await found(["b1", "b2", "b3"], "of a list of texts") {
                $0["by", as: String.self].in(["O'Hara 1", "Ohm"])
            }
            try await found(["b1", "b3", "b5"], "of a list of integers") { $0["n", as: Int.self].in([1, 3, 5]) }
            try await found(["b1", "b3"], "of a list of numbers") { $0["cost", as: Double.self].in([1.5, 3.5]) }
            try await found([], "of an empty list") { $0["n", as: Int.self].in([]) }
            try await found(["b1", "b2"], "of a text among elements") { $0.value.json("tags", contains: "red") }
            try await found(["b3", "b4"], "of a number among elements") { $0.value.json("prices", contains: 2.5) }
            try await found(["b2"], "of a truth value") { $0["lent"] == false }
            try await found(["b1", "b2"], "of less") { $0["n"] < 3 }
            try await found(["b1", "b2", "b3"], "of less or equal") { $0["n"] <= 3 }
            try await found(["b4", "b5"], "of greater or equal") { $0["n"] >= 4 }
            try await found(["b1", "b2", "b4", "b5"], "of unequal") { $0["n"] != 3 }
            // What is missing is unequal as well; who does not mean it says so.
            try await found(["b1", "b3", "b4", "b5"], "of unequal, or missing") { $0["cost"] != 2.5 }
            try await found(["b1", "b3"], "of unequal, and there") {
                $0["cost"] != 2.5 && $0["cost", as: Double.self] != nil
            }
            let dates = [1_000_000.0, 2_000_000, 3_000_000].map(Date.init(timeIntervalSince1970:))
            let loans = db.documents["loans"]
            try await loans.set(["l1": ["at": dates[0]], "l2": ["at": dates[2]]])
            let earlier = loans.where { $0.date("at") < dates[1] }
            try expect(try await earlier.documentKeys(), equals: ["l1"], "the keys of an earlier date")
            let later = loans.where { $0.date("at") > dates[1] }
            try expect(try await later.documentKeys(), equals: ["l2"], "the keys of a later date")
        },
        ConformanceCase(
            "doc-4.orders", "DOC-4", "Keys come in the order of several paths, each with its direction",
            level: .documents, requires: [.documents]
        ) { environment in
            let db = try await environment.open(Document.self)
            let table = db.documents["t"]
            try await table.set(
                [
                    "k1": ["a": 2, "b": 1], "k2": ["a": 3, "b": 1], "k3": ["a": 2, "b": 3], "k4": ["a": 1, "b": 1],
                    "k5": ["a": 2, "b": 2],
                ])
            let ascending = table.query.order { [$0["a", as: Int.self].ascending, $0["b", as: Int.self].ascending] }
            try expect(try await ascending.documentKeys(), equals: ["k4", "k1", "k5", "k3", "k2"], "the keys")
            let descending = table.query.order { [$0["a", as: Int.self].descending, $0["b", as: Int.self].descending] }
            try expect(
                try await descending.documentKeys(), equals: ["k2", "k3", "k5", "k1", "k4"], "from the greatest")
            let mixed = table.query.order { [$0["a", as: Int.self].descending, $0["b", as: Int.self].ascending] }
            try expect(try await mixed.documentKeys(), equals: ["k2", "k1", "k5", "k3", "k4"], "in both directions")
            // As one text, which AgileDB has, where the types are declared.
            let named = db.documents["t", ["a": .integer, "b": .integer]].query
                .order(by: [.ascending("value.a"), .descending("value.b")])
            try expect(try await named.documentKeys(), equals: ["k4", "k3", "k5", "k1", "k2"], "by names")
            let added = table.query.order { [$0.addedAt.ascending, $0.key.descending] }
            try expect(try await added.documentKeys().count, equals: 5, "the keys by the time at which they were added")
        },
    ]
}
