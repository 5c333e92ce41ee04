import Foundation
import Holdfast
import HoldfastDocuments

/// What AgileDB's own tests ask for, of objects, lists of them, and those who are told of changes.
extension ConformanceCase {
    static let agileDBObjects: [ConformanceCase] = [
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
