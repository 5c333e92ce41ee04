import Foundation
import Holdfast

/// Objects in another layout, which become objects of other types.
extension ConformanceCase {
    static let opImport: [ConformanceCase] = [
        ConformanceCase(
            "op-import.graph", "OP-IMPORT",
            "Objects in another layout are copied with their keys, times, arrays and references"
        ) { environment in
            let (_, db, report) = try await importCompanies(environment)
            try expect(report.counts, equals: ["Person": 11, "Company": 2], "the counts")
            try expect(report.description, equals: "Company: 2, Person: 11", "the report")
            let people = try await db.fetch(Imported.Person.self)
            let mentors: [Int64?] = [nil, 5, 6, 7, 8, 9, 10, 11, 1, 2, 3]
            for (index, person) in people.enumerated() {
                let id = Int64(index + 1)
                try expect(person.id, equals: id, "a key")
                try expect(person.name, equals: "P\(id)", "a name")
                try expect(person.mentor?.id, equals: mentors[index], "a mentor")
                try expect(person.tags, equals: index == 1 ? ["b", "a", "b"] : [], "an array")
            }
            try expect(people.count, equals: 11, "the number of people")
            try expect(people[1].born, equals: Date(timeIntervalSinceReferenceDate: 1.25), "a date")
            let time = Date(timeIntervalSinceReferenceDate: 700_000_000)
            try expect(people.filter { $0.changed == time }.count, equals: 10, "the times that stay")
            try expect(people.allSatisfy { $0.changed != nil && $0.created != nil }, "A time is missing.")
        },
        ConformanceCase(
            "op-import.relations", "OP-IMPORT",
            "Arrays of objects, references and lazy ones lead to the objects that were made"
        ) { environment in
            let (_, db, _) = try await importCompanies(environment)
            let companies = try await db.fetch(Imported.Company.self)
            try expect(companies.map(\.id), equals: [7, 9], "the keys of the companies")
            try expect(companies[0].staff.map(\.id), equals: [5, 2, 5], "the array, with its order and duplicates")
            try expect(companies[0].staff[0] === companies[0].staff[2], "An object came twice.")
            try expect(companies.map { $0.boss?.id }, equals: [2, 3], "the references")
            try expect(companies[1].owner?.key, equals: Key(1), "the lazy reference")
        },
        ConformanceCase(
            "op-import.afterwards", "OP-IMPORT",
            "A new object has a key of its own after an import, which is refused a second time"
        ) { environment in
            let (old, db, _) = try await importCompanies(environment)
            let next = Imported.Person("Next")
            try await db.save(next)
            try expect(next.id, equals: 12, "the key after those that were imported")
            try expect(try await old.count(Imported.OldPerson.self), equals: 11, "the source")
            let error = try await expect(.uniqueViolation, from: "importing twice") {
                try await db.importObjects(
                    from: old,
                    [
                        ObjectImport(
                            Imported.OldPerson.self, as: Imported.Person.self, renaming: ["firstName": "name"],
                            leavingOut: ["shoeSize", "mentor"])
                    ])
            }
            try expect(error.table, equals: "new_person", "the table of the error")
            try expect(try await db.count(Imported.Person.self), equals: 12, "the rows after a refusal")
        },
        ConformanceCase(
            "op-import.values", "OP-IMPORT", "An import can choose objects, set values, and be a part of a transaction"
        ) { environment in
            let db = try await environment.open(Imported.Firm.self)
            try await Imported.makeOld(db, count: 5)
            let firms = ObjectImport(
                Imported.OldCompany.self, as: Imported.Firm.self, where: { $0.title != "One" },
                leavingOut: ["number", "staff", "boss", "owner"]
            ) { old, values in
                values["code"] = "C\(old.number)"
                values["length"] = old.title.count
            }
            struct Refusal: Error {}
            do {
                try await db.transaction { transaction in
                    try await transaction.importObjects(from: transaction, [firms])
                    try expect(try await transaction.count(Imported.Firm.self), equals: 1, "the rows within")
                    throw Refusal()
                }
            } catch is Refusal {}
            try expect(try await db.count(Imported.Firm.self), equals: 0, "the rows after a rollback")
            try await db.importObjects(from: db, [firms])
            try expect(
                try await db.fetch(Imported.Firm.self), equals: [Imported.Firm(code: "C9", title: "Two", length: 3)],
                "the objects")
            let many = ObjectImport(
                Imported.OldPerson.self, as: Imported.Firm.self, renaming: ["firstName": "title"],
                leavingOut: ["id", "mentor", "tags", "born", "changed", "shoeSize"]
            ) { old, values in
                values["code"] = old.firstName
                values["length"] = old.id == 4 ? 1000 : 1
            }
            let error = try await expect(.invalidValue, from: "a value that does not fit") {
                try await db.importObjects(from: db, [many], batchSize: 2)
            }
            try expect(error.properties, equals: ["length"], "the property of the error")
            try expect(error.objectIndex, equals: 3, "the position of the object")
            try expect(try await db.count(Imported.Firm.self), equals: 1, "the rows after a refusal")
        },
        ConformanceCase(
            "op-import.date-keys", "OP-IMPORT",
            "Relations to objects whose keys are dates are imported, in another storage"
        ) { environment in
            let db = try await environment.open(OldShift.self, Shift.self)
            let (early, late) = (
                OldShift(Date(timeIntervalSince1970: 1_000), "early"),
                OldShift(Date(timeIntervalSince1970: 2_000), "late")
            )
            (early.next, early.reserve, early.guests) = (late, Reference(late), [late, early])
            try await db.save(early)
            try await db.importObjects(from: db, [ObjectImport(OldShift.self, as: Shift.self)])
            let shift = try expect(some: try await db.find(Shift.self, key: early.start), "the shift")
            try expect(shift.next?.start, equals: late.start, "the reference")
            try expect(shift.reserve?.key, equals: Key(late.start), "the lazy reference")
            try expect(shift.guests.map(\.name), equals: ["late", "early"], "the array")
        },
        ConformanceCase(
            "op-import.refused", "OP-IMPORT", "What an import has no place for is refused before anything is read"
        ) { environment in
            let db = try await environment.open(Imported.Company.self)
            try await Imported.makeOld(db, count: 5)
            let people = ObjectImport(
                Imported.OldPerson.self, as: Imported.Person.self, renaming: ["firstName": "name"],
                leavingOut: ["shoeSize"])
            let companies = ObjectImport(
                Imported.OldCompany.self, as: Imported.Company.self, renaming: ["number": "id"])
            func refusal(
                _ code: DatabaseError.Code, _ imports: [ObjectImport], _ what: String
            ) async throws -> [String] {
                let error = try await expect(code, from: what) { try await db.importObjects(from: db, imports) }
                try expect(try await db.count(Imported.Person.self), equals: 0, "the rows after a refusal of \(what)")
                return error.properties
            }
            try expect(
                try await refusal(
                    .conflict,
                    [ObjectImport(Imported.OldPerson.self, as: Imported.Person.self, leavingOut: ["shoeSize"])],
                    "a property without a counterpart"), equals: ["firstName"], "the property")
            try expect(
                try await refusal(.conflict, [companies], "a relation to what is not imported"), equals: ["staff"],
                "the relation")
            try expect(
                try await refusal(.conflict, [companies, people], "what is required and comes later"), equals: ["boss"],
                "the relation that is required")
            try expect(
                try await refusal(
                    .syntax,
                    [
                        ObjectImport(
                            Imported.OldPerson.self, as: Imported.Person.self, renaming: ["firstname": "name"])
                    ], "an unknown name"), equals: ["firstname"], "the unknown name")
            let batch = try await expect(.invalidValue, from: "a batch of nothing") {
                try await db.importObjects(from: db, [people], batchSize: 0)
            }
            try expect(batch.properties, equals: [], "the properties of the last error")
        },
    ]

    /// Imports eleven people and two companies of another layout.
    private static func importCompanies(
        _ environment: ConformanceEnvironment
    ) async throws -> (old: Database, db: Database, report: ImportReport) {
        let old = try await environment.open()
        try await Imported.makeOld(old, count: 11)
        let db = try await environment.open(Imported.Company.self)
        let report = try await db.importObjects(
            from: old,
            [
                ObjectImport(
                    Imported.OldPerson.self, as: Imported.Person.self, renaming: ["firstName": "name"],
                    leavingOut: ["shoeSize"]),
                ObjectImport(
                    Imported.OldCompany.self, as: Imported.Company.self, renaming: ["number": "id"]),
            ], batchSize: 3)
        return (old, db, report)
    }
}
