import Foundation
import Holdfast

extension ConformanceCase {
    static let sch3: [ConformanceCase] = [
        ConformanceCase("sch-3.long-names", "SCH-3", "Names over 63 bytes are kept apart, in every operation") {
            environment in
            let db = try await environment.open(LongNamed.self)
            var value = LongNamed(
                id: 1,
                aPropertyWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInOne: 1,
                aPropertyWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInTwo: 2,
                anArrayWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInOne: [1, 2],
                anArrayWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInTwo: ["x"]
            )
            _ = try await db.insert(value)
            try expect(try await db.fetch(LongNamed.self), equals: [value], "the rows")
            value.anArrayWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInTwo = nil
            value.aPropertyWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInTwo = 3
            _ = try await db.save(value)
            try expect(try await db.find(LongNamed.self, key: 1), equals: value, "the row after a save")
            let clash = try await expect(.uniqueViolation, from: "a unique property with a long name") { [value] in
                _ = try await db.insert(
                    LongNamed(
                        id: 2,
                        aPropertyWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInOne: 1,
                        aPropertyWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInTwo:
                            value.aPropertyWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInTwo,
                        anArrayWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInOne: []
                    )
                )
            }
            try expect(
                clash.properties,
                equals: ["aPropertyWhoseNameIsLongerThanTheSixtyThreeBytesThatOneEngineKeepsOfItEndingInTwo"],
                "the property that the error names"
            )
            try expect(try await db.migrate(LongNamed.self).steps, equals: [], "the steps of a second migration")
        },
        ConformanceCase(
            "sch-3.same-names",
            "SCH-3",
            "A shortened name is the same on every engine: its beginning, and a hash of the whole"
        ) { environment in
            let db = try await environment.open(LongNamed.self)
            let plan = try await db.schemaPlan(for: Note.self, LongNamed.self)
            try expect(plan.steps.count, equals: 2, "the number of steps that are left: a table and its unique key")
            let name = LongNamed.tableMapping.description.table
            try expect(name.utf8.count, equals: 63, "the length of the shortened name")
            try expect(
                name,
                equals: "a_table_with_a_name_that_is_longer_than_the_si_12c36f51db665585",
                "the shortened name"
            )
            let count = try await db.sql("SELECT count(*) FROM \(identifier: name)").fetch(as: Int.self)
            try expect(count, equals: [0], "the rows of the table with that name")
        },
        ConformanceCase(
            "sch-3.reserved-words",
            "SCH-3",
            "Reserved words are names of tables and columns like any other"
        ) { environment in
            let db = try await environment.open(Reserved.self)
            let reserved = Reserved()
            reserved.from = ["a"]
            reserved.references = "r"
            try await db.save(reserved)
            reserved.table = 5
            reserved.`where` = false
            try await db.save(reserved)
            let same = try expect(some: try await db.fetch(Reserved.self).first, "the row")
            try expect(same.table, equals: 5, "the property table")
            try expect(same.`where`, equals: false, "the property where")
            try expect([same.group, same.user, same.`default`], equals: ["g", "u", "d"], "other properties")
            try expect(same.from, equals: ["a"], "the array from")
            let other = Reserved()
            other.references = "r"
            let clash = try await expect(.uniqueViolation, from: "a unique reserved word") { try await db.save(other) }
            try expect(clash.properties, equals: ["references"], "the property that the error names")
            try expect(try await db.delete(reserved), equals: 1, "the rows deleted")
        },
        ConformanceCase(
            "sch-3.collisions",
            "SCH-3",
            "Names that collide, but for case too, are refused, and nothing is done"
        ) { environment in
            let db = try await environment.open()
            let collisions: [(String, [any TableObject.Type])] = [
                ("two columns of one table", [Colliding.Columns.self]),
                ("a column named rowid", [Colliding.RowID.self]),
                ("a column named ctid", [Colliding.Hidden.self]), ("a table of SQLite's", [Colliding.Own.self]),
                ("a table of PostgreSQL's", [Colliding.Catalogue.self]),
                ("a table of this library's", [Colliding.Journal.self]),
                ("a join table and a table", [Tagged.self, Colliding.JoinTable.self]),
                ("two tables but for case", [Note.self, Colliding.Twin.self]),
            ]
            for (name, types) in collisions {
                try await expect(.conflict, from: "migrating \(name)") { try await db.migrate(types) }
            }
            try await expect(.notMigrated, from: "a type that was to be migrated with another") {
                _ = try await db.count(Note.self)
            }
        },
        ConformanceCase(
            "sch-3.unusual-names",
            "SCH-3",
            "Names with quotes, spaces, dots and other alphabets are kept as they are"
        ) {
            environment in
            let db = try await environment.open(UnusuallyNamed.self)
            let value = UnusuallyNamed(id: 1, quoted: 2, dotted: "x", 名前: ["あ"])
            _ = try await db.insert(value)
            _ = try await db.save(value)
            try expect(try await db.fetch(UnusuallyNamed.self), equals: [value], "the rows")
            let clash = try await expect(.uniqueViolation, from: "a unique column with dots") {
                _ = try await db.insert(UnusuallyNamed(id: 2, quoted: 2, dotted: "x"))
            }
            try expect(clash.properties, equals: ["dotted"], "the property that the error names")
            try expect(try await db.migrate(UnusuallyNamed.self).steps, equals: [], "the steps of a second migration")
        },
        ConformanceCase("sch-3.hundred-columns", "SCH-3", "A table of a hundred columns is saved whole and in part") {
            environment in
            let db = try await environment.open(Wide.self)
            let wide = Wide()
            try await db.save(wide)
            wide.p1 = -1
            wide.p63 = -63
            wide.p64 = -64
            wide.p65 = -65
            wide.p99 = -99
            try await db.sql("UPDATE \(Wide.self) SET p62 = 0, p66 = 0, p98 = 0").execute()
            try await db.save(wide)
            let same = try expect(some: try await db.fetch(Wide.self).first, "the row")
            try expect(
                [same.p1, same.p63, same.p64, same.p65, same.p99],
                equals: [-1, -63, -64, -65, -99],
                "what was changed"
            )
            try expect([same.p62, same.p66, same.p98], equals: [0, 0, 0], "what another program changed")
            try expect([same.p2, same.p50, same.p97], equals: [2, 50, 97], "what nobody changed")
        },
    ]
}
