import Foundation
import Holdfast
import HoldfastDocuments

extension ConformanceCase {
    static let doc4: [ConformanceCase] = [
        ConformanceCase(
            "doc-4.store", "DOC-4", "Texts of JSON are set and replaced", level: .documents
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
        },
        ConformanceCase(
            "doc-4.tables", "DOC-4", "Keys are there until they are deleted, or go with their table",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let rooms = db.documents["rooms"]
            for key in ["empty", "r1", "r2"] { try await rooms.set(["beds": 4], for: key) }
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
            let db = try await environment.open(Document.self) { $0.pool.idleTimeout = .milliseconds(20) }
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
        ConformanceCase(
            "doc-4.objects", "DOC-4", "Objects come back as they were, with parts, arrays, dates and what is nil",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            var receipt = Freight.Receipt(documentKey: "r1", notes: ["one", "two"], orders: [1, 2, 3])
            receipt.dates = [receipt.date, Date(timeIntervalSince1970: 1_763_712_345.123457)]
            try await db.documents.save(receipt)
            // To the microsecond, whatever the zone of the device.
            try expect(try await db.documents.load(Freight.Receipt.self, "r1"), equals: receipt, "a receipt")
            receipt.notes = nil
            receipt.isNew = false
            try await db.documents.save(receipt)
            let loaded = try expect(some: try await db.documents.load(Freight.Receipt.self, "r1"), "the receipt")
            try expect(loaded, equals: receipt, "the receipt with nil")
            try expect(
                try await db.documents["receipts"].get("r1", as: JSON.self)?["notes"], equals: nil,
                "a member for what is nil")
            var home = Freight.Household(
                documentKey: "h1", address: Freight.Address(street: "Main \"St\"", number: 12, residents: ["a", "b"]))
            try await db.documents.save(home)
            try expect(try await db.documents.load(Freight.Household.self, "h1"), equals: home, "a household")
            home.others = [home.address, Freight.Address(street: "", number: -1)]
            try await db.documents.save(home)
            try expect(
                try await db.documents.load(Freight.Household.self, "h1"), equals: home, "one with an array of parts")
            try expect(try await db.documents.load(Freight.Household.self, "none"), equals: nil, "what is not there")
            try expect(try await db.documents.delete(receipt), equals: true, "whether it was deleted")
            try expect(try await db.documents["receipts"].hasKey("r1"), equals: false, "whether it is there")
            try expect(try await db.documents.delete(receipt), equals: false, "whether it was deleted again")
        },
        ConformanceCase(
            "doc-4.paths", "DOC-4", "Parts of objects are found by their paths", level: .documents,
            requires: [.documents]
        ) { environment in
            let db = try await environment.open(Document.self)
            for number in 1...3 {
                let address = Freight.Address(street: "S\(number)", number: number, residents: ["r\(number)"])
                try await db.documents.save(
                    Freight.Household(documentKey: "h\(number)", address: address, others: [address]))
            }
            let homes = db.documents["households"]
            let street = homes.where { $0["address.street"] == "S2" && $0["others[0].number"] == 2 }
            try expect(try await street.documentKeys(), equals: ["h2"], "the keys by parts")
            let resident = homes.where { $0.value.json("address.residents", contains: "r3") }
            try expect(
                try await resident.fetch(as: Freight.Household.self).map(\.address.number), equals: [3], "values")
        },
        ConformanceCase(
            "doc-4.nested", "DOC-4", "An object is saved and loaded with those in it, and those in them",
            level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let keepers = ["Ann", "Bob"].map { Freight.Keeper(documentKey: "k-\($0)", name: $0) }
            let depots = (0..<4).map {
                Freight.Depot(documentKey: "d\($0)", keeper: DocumentReference(keepers[$0 / 3]))
            }
            let delivery = Freight.Delivery(
                documentKey: "x", start: DocumentReference(depots[0]),
                stops: depots.dropFirst().map { DocumentReference($0) })
            try await db.documents.save(delivery)
            try expect(try await db.documents.tables(), equals: ["deliveries", "depots", "keepers"], "the tables")
            try expect(
                try await db.documents["deliveries"].get("x", as: JSON.self)?["stops"], equals: ["d1", "d2", "d3"],
                "the keys of those in it")
            let loaded = try expect(some: try await db.documents.load(Freight.Delivery.self, "x"), "the delivery")
            try expect(loaded.costs, equals: delivery.costs, "its own values")
            try expect(loaded.start.object?.keeper.object, equals: keepers[0], "the keeper of the first")
            try expect(
                loaded.stops.map { $0.object?.keeper.object?.name }, equals: ["Ann", "Ann", "Bob"], "the others")
        },
        ConformanceCase(
            "doc-4.results", "DOC-4", "Results are keys, whose objects are read at their positions", level: .documents
        ) { environment in
            let db = try await environment.open(Document.self)
            let receipts = (1...3).map { Freight.Receipt(documentKey: "\($0)", account: "A\($0)") }
            try await db.documents.save(receipts)
            let given = try await db.documents.load(Freight.Receipt.self, ["2", "none", "1"])
            try expect(given.map { $0?.account }, equals: ["A2", nil, "A1"], "those of given keys, in their order")
            let results = try await db.documents["receipts"].query.order { $0.key.descending }.liveResults()
            try expect(results.count, equals: 3, "the number of keys")
            for (position, account) in ["A3", "A2", "A1"].enumerated() {
                let document = try expect(some: try await results.object(at: position), "the document at \(position)")
                try expect(try document.decode(Freight.Receipt.self).account, equals: account, "its account")
            }
            try expect(try await results.object(at: 3), equals: nil, "the document behind the last")
        },
        ConformanceCase(
            "doc-4.publishers", "DOC-4",
            "Those who observe get the first result, and each that their condition changes",
            level: .documents, requires: [.documents]
        ) { environment in
            let db = try await environment.open(Document.self)
            let receipts = (1...9).map { Freight.Receipt(documentKey: "k\($0)", account: $0 < 6 ? "A1" : "A2") }
            try await db.documents.save(receipts)
            let table = db.documents["receipts"]
            var all = table.query.observe().makeAsyncIterator()
            var first = table.where { $0["account"] == "A1" }.observe().makeAsyncIterator()
            var second = table.where { $0["account"] == "A2" }.observe().makeAsyncIterator()
            try expect(try await all.next()?.objects.count, equals: 9, "the first result of all")
            try expect(try await first.next()?.objects.count, equals: 5, "the first result of an account")
            try expect(try await second.next()?.objects.count, equals: 4, "the first result of another")
            var new = Freight.Receipt(documentKey: "k10")
            try await db.documents.save(new)
            try expect(try await all.next()?.objects.count, equals: 10, "all, after an insertion")
            try expect(try await first.next()?.objects.count, equals: 6, "the account, after an insertion")
            // Of that, the other account is told nothing: its next result is this one.
            try await db.documents.save(Freight.Receipt(documentKey: "k11", account: "A2"))
            try expect(try await second.next()?.objects.count, equals: 5, "the other account, after an insertion")
            new.amount = 99
            try await db.documents.save(new)
            let changed = try expect(some: try await first.next(), "the result after a value has changed")
            try expect(changed.difference.updated, equals: [Key("receipts", "k10")], "what has changed")
            try expect(
                try changed.objects.first { $0.key == "k10" }?.decode(Freight.Receipt.self).amount, equals: 99,
                "the new value")
            // It matches no more where it was, and matches elsewhere.
            new.account = "A2"
            try await db.documents.save(new)
            try expect(try await first.next()?.objects.count, equals: 5, "the account, after a move")
            try expect(try await second.next()?.objects.count, equals: 6, "the other account, after a move")
            try await table.delete("k10")
            try expect(try await second.next()?.objects.count, equals: 5, "the other account, after a deletion")
            try await db.documents.dropTable("receipts")
            try expect(try await first.next()?.objects.count, equals: 0, "the account, when the table is dropped")
        },
    ]
}
