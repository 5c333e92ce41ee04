import Foundation
import Holdfast

extension ConformanceCase {
    static let sch7: [ConformanceCase] = [
        ConformanceCase(
            "sch-7.vacuum", "SCH-7", "Tables are vacuumed and analyzed, after which the number of rows is estimated",
            requires: [.vacuuming]
        ) { environment in
            let db = try await environment.open(Note.self, Tagged.self)
            try await db.save((0..<100).map { Note("n", code: "c\($0)") })
            try await db.save(Tagged("a", tags: ["x", "y"]))
            try await db.vacuum(Note.self, Tagged.self)
            try await db.analyze(Note.self, Tagged.self)
            let schema = try await db.schema(includingSizes: true)
            try expect(schema.table("note")?.rowEstimate, equals: 100, "the estimate")
            try expect(schema.table("tagged_tags")?.rowEstimate, equals: 2, "the estimate of a join table")
            try expect(schema.table("note")?.bytes ?? 1 > 0, "The size is \(schema.table("note")?.bytes ?? 0).")
            try expect(try await db.count(Note.self), equals: 100, "the rows")
        },
        ConformanceCase(
            "sch-7.drop-table", "SCH-7", "The table of a type is dropped with its join tables, and can be made again"
        ) { environment in
            let db = try await environment.open(Tagged.self, Migrated.First.self)
            try await db.save(Tagged("a", tags: ["x"]))
            _ = try await db.insert(Migrated.First(id: 1, title: "a"))
            try await db.dropTable(Tagged.self)
            try await expect(.notMigrated, from: "a table that was dropped") { _ = try await db.count(Tagged.self) }
            try await expect(.notMigrated, from: "dropping it again") { try await db.dropTable(Tagged.self) }
            try await db.migrate(Tagged.self)
            try expect(
                try await db.fetch(Tagged.self).map(\.tags), equals: [], "the rows of the table that was made again")
            try await db.save(Tagged("b", tags: ["y"]))
            try expect(try await db.fetch(Tagged.self).map(\.tags), equals: [["y"]], "the new rows")

            // The journal has forgotten what the column held.
            try await db.dropTable(Migrated.First.self)
            try await db.migrate(Migrated.Contradicting.self)
            try expect(try await db.count(Migrated.Contradicting.self), equals: 0, "the rows of another type")
        },
        ConformanceCase(
            "sch-7.drop-referenced", "SCH-7", "A table to which another refers is dropped only if that is meant",
            level: .graph
        ) { environment in
            let db = try await environment.open(Company.self, Employee.self)
            let employee = Employee("e")
            employee.company = Company("c")
            employee.siblings = [employee]
            try await db.save(employee)
            let error = try await expect(.conflict, from: "dropping a table that another refers to") {
                try await db.dropTable(Company.self)
            }
            try expect(error.message.contains("\"employee\""), "The error does not name the table: \(error)")
            try expect(try await db.count(Company.self), equals: 1, "the rows of the table that was kept")
            do {
                try await db.dropTable(Company.self, droppingReferences: true)
                try expect(try await db.numbers("SELECT company_id FROM employee").count, equals: 1, "the other's rows")
                try await db.sql("UPDATE employee SET company_id = 77").execute()
            } catch let error as DatabaseError where error.code == .unsupported {
                try expect(try await db.count(Company.self), equals: 1, "the rows where no foreign key can be dropped")
            }
            // A table that refers to itself, and join tables that do, are in nobody's way.
            try await db.dropTable(Employee.self)
            try await db.migrate(Company.self, Employee.self)
            try expect(try await db.count(Employee.self), equals: 0, "the rows of a table that was made again")
        },
        ConformanceCase(
            "sch-7.drop-rules", "SCH-7", "A table with delete rules is dropped with them", level: .graph
        ) { environment in
            let db = try await environment.open(Renamed.Chapter.self)
            let chapter = Renamed.Chapter("a")
            chapter.notes = [Renamed.Remark("n")]
            chapter.next = chapter
            try await db.save(chapter)
            try await expect(.conflict, from: "dropping what a join table refers to") {
                try await db.dropTable(Renamed.Remark.self)
            }
            try await db.dropTable(Renamed.Chapter.self)
            try expect(try await db.count(Renamed.Remark.self), equals: 1, "the rows that the dropped ones held")
            try await db.dropTable(Renamed.Remark.self)
            try await db.migrate(Renamed.Chapter.self)
            try await db.save(Renamed.Chapter("b"))
            try expect(try await db.fetch(Renamed.Chapter.self).map(\.title), equals: ["b"], "the new rows")
        },
        ConformanceCase(
            "sch-7.drop-index", "SCH-7", "An index is dropped by its properties or its name, and migrate makes it again"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save(Note("a", code: "c"))
            try await db.dropIndex(on: Note.self, of: "code")
            try await db.save(Note("b", code: "c"))
            try await expect(.notFound, from: "an index that is gone") {
                try await db.dropIndex(on: Note.self, of: "code")
            }
            try await expect(.syntax, from: "an unknown property") { try await db.dropIndex(on: Note.self, of: "coda") }
            try await db.sql("UPDATE note SET code = title").execute()
            try await db.migrate(Note.self)
            try await expect(.uniqueViolation, from: "the index that was made again") {
                try await db.save(Note("c", code: "a"))
            }
            try await db.sql("CREATE INDEX by_lower_title ON note (lower(title))").execute()
            try await db.dropIndex(named: "by_lower_title", on: Note.self)
            try await expect(.notFound, from: "a name that no index has") {
                try await db.dropIndex(named: "by_lower_title", on: Note.self)
            }
        },
        ConformanceCase(
            "sch-7.delete-database", "SCH-7", "A database is not deleted under another name",
            requires: [.maintenance]
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save(Note("a"))
            try await expect(.conflict, from: "deleting a database by a wrong name") {
                try await Database.deleteDatabase(environment.configuration, confirmingName: "nobody calls it so")
            }
            try expect(try await db.count(Note.self), equals: 1, "the rows")
        },
    ]
}
