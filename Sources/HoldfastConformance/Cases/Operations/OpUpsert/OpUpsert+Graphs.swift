import Foundation
import Holdfast

/// Upserts of objects with arrays and relations, and of graphs that are made anew.
extension ConformanceCase {
    static let opUpsertGraphs: [ConformanceCase] = [
        graph(
            "op-upsert.graph", "OP-UPSERT",
            "A graph of new instances replaces the rows with their keys, and takes out what it does not hold"
        ) { environment in
            let db = try await environment.open(Purchase.self)
            let first = purchase(note: "n", wares: ["a", "b", "c"], parcels: ["p", "q"])
            first.tags = ["x", "y"]
            try await db.upsert(first, scope: .graph)  // inserts
            let created = try expect(some: first.createdAt, "the creation time")
            let second = purchase(note: nil, wares: ["c", "a", "a", "d"], parcels: ["q", "r"])
            second.buyer?.name = "changed"
            second.tags = ["y"]
            try await expect(.uniqueViolation, from: "saving new instances") { try await db.save(second) }
            try await db.upsert(second, scope: .graph)
            try expect(!second.isDirty && !second.wares[0].isDirty, "A saved object is dirty.")
            try expect(second.createdAt, equals: created, "the creation time of the new instance")
            let same = try expect(some: try await db.find(Purchase.self, key: "1"), "the purchase")
            try expect(same.note, equals: nil, "the note")
            try expect(same.tags, equals: ["y"], "the tags")
            try expect(same.createdAt, equals: created, "the creation time")
            try expect(same.wares.map(\.code), equals: ["c", "a", "a", "d"], "the wares")
            try expect(same.buyer?.name, equals: "changed", "the name of the buyer")
            try expect(same.parcels.map(\.code).sorted(), equals: ["q", "r"], "the parcels")
            try expect(
                try await db.fetch(Ware.self).map(\.code), equals: ["a", "b", "c", "d"],
                "the wares, of which one was taken out")
            let parcels = try await db.fetch(Parcel.self)
            try expect(
                parcels.map { "\($0.code)\($0.purchase?.number ?? "-")" }, equals: ["p-", "q1", "r1"], "the parcels")
        },
        graph(
            "op-upsert.graph-again", "OP-UPSERT",
            "Objects of a graph that replaced rows are then saved as if they had been fetched"
        ) { environment in
            let db = try await environment.open(Purchase.self)
            try await db.upsert(purchase(note: "n", wares: ["a", "b", "c"], parcels: ["p", "q"]), scope: .graph)
            let second = purchase(note: nil, wares: ["c", "a", "a", "d"], parcels: ["q", "r"])
            try await db.upsert(second, scope: .graph)
            second.note = "again"
            second.wares.removeLast()
            try await db.save(second)
            let again = try expect(some: try await db.find(Purchase.self, key: "1"), "the purchase, saved again")
            try expect(again.note, equals: "again", "the note, saved again")
            try expect(again.wares.count, equals: 3, "the number of wares, saved again")
        },
        graph(
            "op-upsert.graph-instances", "OP-UPSERT",
            "Equal instances of one row are written once, and different ones are refused"
        ) { environment in
            let db = try await environment.open(Purchase.self)
            for name in ["Ann", "Anna"] {
                let purchase = Purchase("1")
                purchase.buyer = Buyer("a@b", name)
                purchase.payer = Buyer("a@b", name)
                purchase.wares = [Ware("w", 5), Ware("w", 5)]
                try await db.upsert([purchase], scope: .graph)
                try expect(purchase.payer?.isDirty, equals: false, "whether the second instance is dirty")
            }
            try expect(try await db.fetch(Buyer.self).map(\.name), equals: ["Anna"], "the names of buyers")
            let wrong = Purchase("1", note: "no")
            wrong.buyer = Buyer("a@b", "Bea")
            wrong.payer = Buyer("a@b", "Cleo")
            wrong.wares = [Ware("v")]
            try await expect(.conflict, from: "different instances of one row") {
                try await db.upsert(wrong, scope: .graph)
            }
            try expect(wrong.isDirty && wrong.wares[0].isDirty, "An object is not new after a refusal.")
            let same = try expect(some: try await db.find(Purchase.self, key: "1"), "the purchase")
            try expect(same.note == nil && same.buyer?.name == "Anna", "A refusal has changed a row.")
            try expect(same.wares.map(\.code), equals: ["w", "w"], "the wares after a refusal")
        },
        graph(
            "op-upsert.graph-cycle", "OP-UPSERT",
            "A cycle of new instances replaces its rows, with objects that were fetched among them"
        ) { environment in
            let db = try await environment.open(Vertex.self)
            for round in 1...2 {
                let vertices = (0..<20).map { Vertex("v\($0)") }
                for index in vertices.indices {
                    vertices[index].next = vertices[(index + round) % 20]
                    vertices[index].edges = [vertices[(index + 5) % 20]]
                }
                if round == 2 {
                    vertices[0].edges.append(
                        try expect(some: try await db.find(Vertex.self, key: "v7", depth: 0), "v7"))
                    vertices[0].edges.removeLast()
                }
                try await db.upsert(vertices[0], scope: .graph)
                let found = try await db.fetch(Vertex.self)
                try expect(found.count, equals: 20, "the number of vertices")
                for vertex in found {
                    let number = Int(vertex.name.dropFirst()) ?? 0
                    try expect(vertex.next?.name, equals: "v\((number + round) % 20)", "the next of \(vertex.name)")
                    try expect(vertex.edges.map(\.name), equals: ["v\((number + 5) % 20)"], "the edges")
                    vertex.next = nil
                }
                for vertex in vertices { vertex.next = nil }
            }
        },
        graph(
            "op-upsert.graph-keys", "OP-UPSERT",
            "Of objects whose keys the engine makes, those with a key replace its row, and the others are inserted"
        ) { environment in
            let db = try await environment.open(Gathering.self)
            let old = Gathering("Kickoff")
            old.participants = [Employee("Ann"), Employee("Bob")]
            try await db.save(old)
            let new = Gathering("Review")
            (new.id, new.minutes) = (old.id, 60)
            new.participants = [Employee("Cleo"), Employee("Robert")]
            new.participants[1].id = old.participants[1].id
            try await db.upsert(new, scope: .graph)
            let same = try expect(try await db.fetch(Gathering.self), count: 1, "gatherings")[0]
            try expect(same.topic, equals: "Review", "the topic")
            try expect(same.participants.map(\.name), equals: ["Cleo", "Robert"], "the participants")
            try expect(
                try await db.fetch(Employee.self).map(\.name), equals: ["Ann", "Robert", "Cleo"], "the employees")
            try expect(new.participants[0].id != nil, "An inserted object has no key.")
            let further = Employee("Dora")
            try await db.save(further)  // the engine's keys go on after those that were given
            try await db.upsert([further], scope: .object)
        },
        graph(
            "op-upsert.graph-required", "OP-UPSERT",
            "An object that can't be without its owner is not let go, and nothing is changed"
        ) { environment in
            let db = try await environment.open(Album.self)
            try await db.save(Album("a", [Song("x"), Song("y")]))
            let new = Album("a", [Song("y"), Song("z")])
            try await expect(.notNullViolation, from: "letting a song go") { try await db.upsert(new, scope: .graph) }
            try expect(new.isDirty && new.songs[1].isDirty, "An object is not new after a refusal.")
            try expect(try await db.fetch(Song.self).map(\.name), equals: ["x", "y"], "the songs after a refusal")
            new.songs.append(Song("x"))
            try await db.transaction { tx in try await tx.upsert(new, scope: .graph) }
            try expect(
                try await db.fetch(Album.self).first?.songs.map(\.name).sorted(), equals: ["x", "y", "z"], "the songs")
        },
        ConformanceCase(
            "op-upsert.unique-reference", "OP-UPSERT",
            "A unique key can be made of references, of classes and of structs"
        ) { environment in
            let db = try await environment.open(Seating.self, SeatingValue.self)
            let device = Device("s", name: "d")
            try await db.save(device)
            try await db.upsert(Seating(device, 1, "a"), on: \.device, \.row)
            let again = Seating(device, 1, "b")
            try await db.upsert(again, on: \.device, \.row)
            try expect(try await db.query(Seating.self).one().guest, equals: "b", "the guest")
            let first = try await db.upsert(SeatingValue(device: device, row: 2, guest: "c"), on: \.device, \.row)
            let second = try await db.upsert(
                SeatingValue(device: device, row: 2, guest: "d"), on: \.device, \.row, updating: [\.guest])
            try expect(second.id, equals: first.id, "the row of the struct")
            try expect(try await db.query(SeatingValue.self).one().guest, equals: "d", "its guest")
        },
        ConformanceCase(
            "op-upsert.arrays", "OP-UPSERT",
            "An upsert replaces the arrays that it writes; one that it does not write is left alone, and must be empty"
        ) { environment in
            let db = try await environment.open(Member.self)
            let first = Member("a@x")
            first.labels = ["x", "y"]
            try await db.upsert(first, on: \.email)
            let second = Member("a@x", visits: 2)
            second.labels = ["y", "z", "z"]
            try await db.upsert(second, on: \.email)
            try expect(try await db.query(Member.self).one().labels, equals: ["y", "z", "z"], "the labels")
            let third = Member("a@x", visits: 3)
            third.labels = ["lost"]
            try await expect(.unsupported, from: "an upsert that would lose labels") {
                try await db.upsert(third, on: \.email, updating: [\.visits])
            }
            third.labels = []
            try await db.upsert(third, on: \.email, updating: [\.visits])
            try expect(
                try await db.query(Member.self).one().labels, equals: ["y", "z", "z"], "labels that are not written")
            third.note = "more"
            try await db.save(third)
            try expect(
                try await db.query(Member.self).one().labels, equals: ["y", "z", "z"],
                "labels after a save of what did not know them")
            try await db.reload(third)
            try expect(third.labels, equals: ["y", "z", "z"], "labels that were loaded")
            let lost = try await db.query(Member.self).one()
            try await db.sql("DELETE FROM \(Member.self)").execute()
            try await db.upsert(lost, on: \.email, updating: [\.note])
            try expect(try await db.query(Member.self).one().labels, equals: [], "the labels of a row that was gone")
            lost.note = "known"
            try await db.save(lost)
            try await db.reload(lost)
            try expect(lost.labels, equals: [], "labels that were reloaded")
            let fetched = try await db.query(Member.self).one()
            try await db.upsert(fetched, on: \.email, updating: [\.note])
            fetched.labels = ["w"]
            try await expect(.unsupported, from: "an upsert that would lose a change of labels") {
                try await db.upsert(fetched, on: \.email, updating: [\.note])
            }
            try await expect(.notLoaded, from: "an upsert of labels that are not known any more") {
                try await db.upsert(fetched, on: \.email, updating: [\.labels])
            }
            try await db.reload(fetched)
            fetched.labels = ["w"]
            try await db.upsert(fetched, on: \.email, updating: [\.labels])
            try expect(try await db.query(Member.self).one().labels, equals: ["w"], "labels that were chosen")
        },
        ConformanceCase(
            "op-upsert.references", "OP-UPSERT",
            "An upsert saves new objects that it refers to; a reference that the row has to another counts as not loaded"
        ) { environment in
            let db = try await environment.open(Member.self)
            let (ann, bob) = (Member("ann@x"), Member("bob@x"))
            let first = Member("a@x")
            first.sponsor = ann
            try await db.upsert(first, on: \.email)
            try expect(ann.id != nil && !ann.isDirty, "What it refers to was not saved.")
            let second = Member("a@x", visits: 2)
            second.sponsor = bob
            try await db.upsert(second, on: \.email, updating: [\.visits])
            try expect(
                try await db.query(Member.self).where { $0.email == "a@x" }.one().sponsor?.email, equals: "ann@x",
                "a reference that is not updated")
            second.note = "saved"
            try await db.save(second)
            let stored = try await db.query(Member.self).where { $0.email == "a@x" }.one()
            try expect(stored.sponsor?.email, equals: "ann@x", "the reference after a save")
            try expect(stored.note, equals: "saved", "the note")
            try expect(bob.sponsored.isEmpty, "The other side shows an object that is not there.")
            try await db.reload(second)
            try expect(second.sponsor?.email, equals: "ann@x", "the reference after a reload")
            second.sponsor = bob
            try await db.upsert(second, on: \.email)
            try expect(
                try await db.query(Member.self).where { $0.email == "a@x" }.one().sponsor?.email, equals: "bob@x",
                "a reference that is updated")
            let third = Member("c@x")
            third.sponsored = [bob]
            try await expect(.unsupported, from: "an upsert of what the other side keeps") {
                try await db.upsert(third, on: \.email)
            }
            let (one, other) = (Member("d@x"), Member("e@x"))
            (one.sponsor, other.sponsor) = (other, one)
            try await expect(.unsupported, from: "an upsert in a cycle of new objects") {
                try await db.upsert([one, other], on: \.email)
            }
            let (child, parent) = (Member("f@x"), Member("bob@x", visits: 9))
            child.sponsor = parent
            try await db.upsert([child, parent], on: \.email, updating: [\.visits, \.sponsor])
            try expect(parent.id, equals: bob.id, "the row of the one that is referred to")
            try expect(
                try await db.query(Member.self).where { $0.email == "f@x" }.one().sponsor?.id, equals: bob.id,
                "the reference between two that were given")
        },
    ]

    private static func purchase(note: String?, wares: [String], parcels: [String]) -> Purchase {
        let purchase = Purchase("1", note: note)
        purchase.buyer = Buyer("a@b", "Ann")
        let known = Dictionary(uniqueKeysWithValues: Set(wares).map { ($0, Ware($0)) })
        purchase.wares = wares.compactMap { known[$0] }
        purchase.parcels = parcels.map { Parcel($0) }
        return purchase
    }
}
