import Foundation
import Holdfast

/// References that hold a unique property of their target in place of its key.
extension ConformanceCase {
    static let graphUniqueReferences: [ConformanceCase] = [
        graph(
            "rel-6.unique-property", "REL-6",
            "A reference holds a unique property of its target, and is written, loaded and deleted as any other"
        ) { environment in
            let db = try await environment.open(Hamlet.self)
            _ = try await db.insert(Hamlet(id: nil, name: "before"))
            try await db.migrate(Land.self)
            _ = try await db.query(Hamlet.self).delete()
            try expect(try await db.migrate(Town.self).steps, equals: [], "the steps of a second time")
            let key = try await db.schema().table("town")?.foreignKeys.first { $0.columns == ["land_code"] }
            try expect(key?.targetColumns, equals: ["code"], "the columns of the foreign key")
            try expect(try await db.drift(Town.self), equals: [], "the drift")

            let (chile, peru) = (Land("cl", "Chile"), Land("pe", "Peru"))
            let towns = [Town("Arica", chile), Town("Tacna", peru), Town("Iquique", chile), Town("Nowhere")]
            towns[0].twin = towns[1]
            towns[3].twin = towns[0]
            try await db.save(towns)
            let held = try await db.sql("SELECT land_code FROM town ORDER BY name").fetch(as: String?.self)
            try expect(held, equals: ["cl", "cl", nil, "pe"], "what the references hold")

            let found = try await db.query(Town.self).order(\.name).fetch()
            try expect(found.map { $0.land?.name }, equals: ["Chile", "Chile", nil, "Peru"], "the lands")
            try expect(found[0].land === found[1].land, "One row is two instances.")
            try expect(found[0].land?.towns.map(\.name).sorted(), equals: ["Arica", "Iquique"], "the other side")
            try expect(found[0].twin === found[3] && found[2].twin === found[0], "A reference of the table to itself.")
            let one = try expect(some: try await db.find(Town.self, key: towns[0].id ?? 0), "a town")
            try expect(one.land?.towns.contains { $0 === one } == true, "The other side leads to another instance.")
            let land = try expect(some: try await db.find(Land.self, key: chile.id ?? 0), "a land")
            try expect(land.towns.allSatisfy { $0.land === land }, "A town of the land leads to another instance.")

            // From the other side.
            let gone = try expect(some: land.towns.first { $0.name == "Iquique" }, "a town")
            land.towns.removeAll { $0 === gone }
            land.towns.append(Town("Calama"))
            try await db.save(land)
            try await db.reload(gone)
            try expect(gone.land == nil, "The town that was let go still leads there.")
            let after = try await db.sql("SELECT name FROM town WHERE land_code = 'cl' ORDER BY name").fetch(
                as: String.self)
            try expect(after, equals: ["Arica", "Calama"], "the towns of the land")
            found[1].land = found[3].land
            try await db.save(found[1])
            try await db.reload(found[1])
            try expect(found[1].land?.code, equals: "pe", "the other land")

            try await expect(.foreignKeyViolation, from: "another value of what references hold") {
                land.code = "ch"
                try await db.save(land)
            }
            try await db.delete(peru)
            try expect(
                try await db.query(Town.self).where { $0.land == nil }.count(), equals: 3, "the towns without one")
            try await expect(.unsupported, from: "objects of a statement that does not translate") {
                _ = try await db.sql("SELECT * FROM town").fetch(Town.self)
            }
            let (left, right) = (Town("left"), Town("right"))
            (left.twin, right.twin) = (right, left)
            try await expect(.conflict, from: "a cycle of new objects") { try await db.save(left) }
        },
        graph(
            "rel-6.unique-property-queries", "REL-6", "Conditions, orders, updates and pages follow such a reference"
        ) { environment in
            let db = try await environment.open(Land.self)
            let lands = ["a", "b", "c"].map { Land($0, "land \($0)") }
            let towns = (0..<6).map { Town("t\($0)", $0 == 5 ? nil : lands[$0 % 2]) }
            towns[1].twin = towns[0]
            try await db.save(towns)
            try await db.save(lands[2])
            func count(_ condition: @escaping (Columns<Town>) -> Condition) async throws -> Int {
                try await db.query(Town.self).where { condition($0) }.count()
            }
            let counts = [
                try await count { $0.land == lands[0] }, try await count { $0.land != lands[0] },
                try await count { $0.land.hasKey(lands[1].id ?? 0) },
                try await count { $0.land.in([lands[0], lands[2]]) },
                try await count { $0.land.code == "b" }, try await count { $0.land.name == "land a" },
                try await count { $0.land == nil }, try await count { $0.twin.land.code == "a" },
            ]
            try expect(counts, equals: [3, 3, 2, 3, 2, 3, 1, 1], "the numbers of towns that meet conditions")
            let some = [
                try await db.query(Land.self).where { $0.towns.contains { $0.name == "t1" } }.fetch().map(\.code),
                try await db.query(Land.self).where { $0.towns.count > 2 }.fetch().map(\.code),
                try await db.query(Land.self).where { $0.towns.isEmpty }.fetch().map(\.code),
                try await db.query(Land.self).unreferenced(by: \Town.land).fetch().map(\.code),
            ]
            try expect(some, equals: [["b"], ["a"], ["c"], ["c"]], "the lands whose towns meet conditions")
            let ordered = try await db.query(Town.self).order { [$0.land.name.descending, $0.name.ascending] }.fetch()
            try expect(ordered.map(\.name), equals: ["t1", "t3", "t0", "t2", "t4", "t5"], "the towns in order")
            let page = try await db.query(Town.self).order { [$0.land.code.descending] }.page(size: 3)
            try expect(page.objects.map { $0.land?.code }, equals: ["b", "b", "a"], "the lands of a page")
            let (a, c) = (lands[0], lands[2])
            let updated = try await db.query(Town.self).where { $0.land == a }.update { $0.land.set(c) }
            try expect(updated, equals: 3, "the updated towns")
            try expect(try await count { $0.land.code == "c" }, equals: 3, "the towns that were given another land")
            let gone = try await db.query(Town.self).where { $0.land.name == "land c" }.delete()
            try expect(gone, equals: 3, "the deleted towns")
            let rest = Town("t1", lands[1])
            try await db.upsert(rest, on: \.name)
            try expect(rest.id, equals: towns[1].id, "the row of an upsert")
            try expect(try await db.count(Town.self), equals: 3, "the towns that are left")
        },
        graph(
            "rel-6.unique-property-rules", "REL-6", "Delete rules follow such a reference, from both sides"
        ) { environment in
            let db = try await environment.open(Flag.self)
            let lands = ["a", "b", "c", "d"].map { Land($0) }
            let flags = lands.dropLast().map { Flag($0) }
            lands[0].towns = [Town("t")]
            try await db.save(flags)
            try await db.save(lands[3])
            try await db.delete(flags[0])
            try await db.sql("DELETE FROM flag WHERE land_code = 'b'").execute()
            let left = try await db.query(Land.self).order(\.code).fetch().map(\.code)
            try expect(left, equals: ["c", "d"], "the lands whose flags were not deleted")
            let town = try expect(some: try await db.fetch(Town.self).first, "the town")
            try expect(town.land == nil, "The town leads to a land that is gone.")
            town.land = try expect(some: try await db.query(Land.self).where { $0.code == "d" }.first(), "a land")
            try await db.save(town)
            try await db.delete(town, including: ["land"])
            try expect(try await db.fetch(Land.self).map(\.code), equals: ["c"], "the lands that are left")
            try await db.delete(flags[2], keeping: [\.land])
            try expect(try await db.fetch(Land.self).map(\.code), equals: ["c"], "the land that was to be kept")
            for type in [Misplaced.ByName.self, Misplaced.ByReference.self, Misplaced.Unchecked.self]
                as [any TableObject.Type]
            {
                let error = try await expect(.conflict, from: "\(type)") { try await db.migrate(type) }
                try expect(error.properties, equals: ["land"], "the property that the error names")
            }
        },
    ]
}
