import Foundation
import Holdfast

extension ConformanceCase {
    static let rel4Missing: [ConformanceCase] = [
        graph(
            "rel-4.missing-element", "REL-4",
            "An array with a key that leads to no row throws, or leaves it out if asked"
        ) {
            environment in
            let db = try await environment.open(Panel.self)
            let people = ["a", "b", "c"].map { Employee($0) }
            let panels = [Panel("p"), Panel("q")]
            panels[0].members = [people[0], people[1], people[0], people[2]]
            panels[0].deputies = [people[1]]
            panels[1].members = [people[2]]
            try await db.save(panels)
            for table in ["panel_members", "panel_deputies"] { try await dropConstraints(of: table, db) }
            try await db.delete(people[1])
            let error = try await expect(.notFound, from: "fetching an array with a key that leads nowhere") {
                _ = try await db.fetch(Panel.self)
            }
            try expect(error.table, equals: "panel", "the table that the error names")
            try expect(
                ["members", "deputies"].contains(error.properties.first), "The error names \(error.properties).")
            for choice in [MissingTarget.nil, .skip] {
                let all = try await db.fetch(Panel.self, missingTarget: choice)
                try expect(
                    all.map { $0.members.map(\.name).joined() }, equals: ["aac", "c"],
                    "the members, without what is not there")
                try expect(all[0].deputies?.count, equals: 0, "the number of deputies")
                try expect(!all[0].isDirty, "An object is dirty for what is not there.")
                let one = try await db.find(Panel.self, key: panels[0].id ?? 0, missingTarget: choice)
                try expect(one?.members.map(\.name).joined(), equals: "aac", "the members of one")
            }
            let flat = try await db.fetch(Panel.self, depth: 0)
            try expect(flat.count, equals: 2, "the number of panels without their members")
            try await expect(.notFound, from: "loading an array with a key that leads nowhere") {
                try await db.loadRelation(\.members, of: flat)
            }
            try await db.loadRelation(\.members, of: flat, missingTarget: .skip)
            try expect(flat[0].members.map(\.name).joined(), equals: "aac", "the members that were loaded later")
        },
        graph(
            "rel-4.missing-reference", "REL-4",
            "A reference that leads to no row throws, is nil, or leaves its object out, as asked"
        ) {
            environment in
            let db = try await environment.open(Card.self)
            let (ann, bob) = (Employee("Ann"), Employee("Bob"))
            try await db.save([Card("one", ann), Card("two", bob), Card("three")])
            try await dropConstraints(of: "card", db)
            try await db.delete(bob)
            let error = try await expect(.notFound, from: "fetching a reference that leads nowhere") {
                _ = try await db.fetch(Card.self)
            }
            try expect(error.properties, equals: ["holder"], "the property that the error names")
            let all = try await db.fetch(Card.self, missingTarget: .nil)
            try expect(all.map { $0.holder?.name }, equals: ["Ann", nil, nil], "the holders, nil where there is none")
            try expect(!all[1].isDirty, "An object is dirty for what is not there.")
            all[1].text = "changed"
            try await db.save(all[1])
            let keys = try await db.number("SELECT count(*) FROM card WHERE holder_id IS NOT NULL AND text = 'changed'")
            try expect(keys, equals: 1, "the number of keys that lead nowhere, after a save of something else")
            let some = try await db.fetch(Card.self, missingTarget: .skip)
            try expect(some.map(\.text), equals: ["one", "three"], "the cards whose holder is there")
            try expect(
                try await db.fetch(Card.self, depth: 0).count, equals: 3, "the number of cards without their holders")
            let key = try await db.number("SELECT id FROM card WHERE text = 'changed'")
            let skipped = try await db.find(Card.self, key: key, missingTarget: .skip)
            try expect(skipped == nil, "An object came that was to be left out.")
        },
        graph(
            "rel-4.missing-needed", "REL-4",
            "An object that needs a row that is not there throws, or is left out if asked"
        ) {
            environment in
            let db = try await environment.open(Badge.self)
            let (ann, bob) = (Employee("Ann"), Employee("Bob"))
            try await db.save([Badge(ann), Badge(bob)])
            try await dropConstraints(of: "badge", db)
            try await db.delete(bob)
            for choice in [MissingTarget.throw, .nil] {
                let error = try await expect(.notFound, from: "fetching an object without what it needs") {
                    _ = try await db.fetch(Badge.self, missingTarget: choice)
                }
                try expect(error.properties, equals: ["holder"], "the property that the error names")
            }
            let some = try await db.fetch(Badge.self, missingTarget: .skip)
            try expect(some.map(\.holder.name), equals: ["Ann"], "the holders that are there")
        },
    ]

    /// Replaces a table, to which no other refers, by a copy without constraints: as databases have that were not ours.
    private static func dropConstraints(of table: String, _ db: Database) async throws {
        try await db.transaction { tx in
            try await tx.sql("CREATE TABLE loose AS SELECT * FROM \(identifier: table)").execute()
            try await tx.sql("DROP TABLE \(identifier: table)").execute()
            try await tx.sql("ALTER TABLE loose RENAME TO \(identifier: table)").execute()
        }
    }
}
