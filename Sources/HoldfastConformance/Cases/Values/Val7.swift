import Foundation
import Holdfast

extension ConformanceCase {
    static let val7: [ConformanceCase] = [
        ConformanceCase(
            "val-7.nil-by-save",
            "VAL-7",
            "nil is stored as NULL by insert, by save, by update and by a partial update"
        ) { environment in
            let db = try await environment.open(OptionalScalars.self, Note.self, Tagged.self)
            _ = try await db.insert(try Scalars.samples().map(OptionalScalars.init))
            for id in try Scalars.samples().map(\.id) {
                let saved = try await db.save(OptionalScalars(id: id))
                try expect(saved, equals: OptionalScalars(id: id), "the value that was saved over")
                try expect(try await db.find(OptionalScalars.self, key: id), equals: saved, "what was read back")
            }
            let note = Note("n", body: "body", code: "code")
            try await db.insert(note)
            note.body = nil
            try await db.save(note)
            note.code = nil
            try await db.update(note)
            let isNull = try await db.sql(
                "SELECT count(*) FROM \(Note.self) WHERE body IS NULL AND code IS NULL"
            ).fetch(as: Int.self)
            try expect(isNull, equals: [1], "the number of rows with NULL in both columns")
            let tagged = Tagged(scores: [1, 2])
            try await db.insert(tagged)
            tagged.scores = nil
            try await db.save(tagged)
            let same = try await db.find(Tagged.self, key: tagged.id ?? 0)
            try expect(same?.scores, equals: .some(nil), "the array that was set to nil")
        },
        graph(
            "val-7.reference-by-save", "VAL-7",
            "A nil assigned to a reference is NULL after a save, of new and of loaded objects"
        ) {
            environment in
            let db = try await environment.open(Employee.self)
            let (ann, bob) = (Employee("Ann"), Employee("Bob"))
            ann.spouse = bob
            ann.company = Company("Acme")
            ann.mentor = bob
            try await db.save(ann)
            ann.spouse = nil
            try await db.save(ann)
            let key = try expect(some: ann.id, "the key")
            let columns: SQLFragment = "SELECT count(*) FROM employee WHERE id = \(key) AND spouse_id IS NULL"
            try expect(try await db.number(columns), equals: 1, "the number of rows whose reference is NULL")
            let same = try expect(some: try await db.find(Employee.self, key: key), "the employee")
            try expect(same.spouse == nil && same.company?.name == "Acme", "The references are not as they were saved.")
            same.company = nil
            same.mentor = nil
            try await db.save(same)
            let all = try await db.number(
                "SELECT count(*) FROM employee WHERE company_id IS NULL AND mentor_id IS NULL AND spouse_id IS NULL")
            try expect(all, equals: 2, "the number of rows whose references are all NULL")
            try await db.reload(ann)
            try expect(ann.company == nil && ann.mentor == nil, "A reference came back.")
            try expect(try await db.count(Company.self), equals: 1, "the number of companies, which stay")
        },
        graph(
            "val-7.reference-by-update", "VAL-7",
            "A nil assigned to a reference is NULL after an update, of classes and structs"
        ) {
            environment in
            let db = try await environment.open(Employee.self, Basket.self, Ticket.self)
            let ann = Employee("Ann")
            ann.company = Company("Acme")
            try await db.save(ann)
            ann.company = nil
            try await db.update(ann)
            try expect(
                try await db.number("SELECT count(*) FROM employee WHERE company_id IS NULL"), equals: 1,
                "the rows with NULL")
            var basket = try await db.save(Basket("Ann", gift: Choice("card")))
            basket.gift = nil
            basket = try await db.update(basket)
            try expect(
                try await db.number("SELECT count(*) FROM basket WHERE gift_id IS NULL"), equals: 1,
                "the rows with NULL")
            let ticket = Ticket(Seat(row: "A", number: 1))
            try await db.save(ticket)
            ticket.seat = nil
            try await db.update(ticket)
            try expect(
                try await db.number("SELECT count(*) FROM ticket WHERE seat_row IS NULL AND seat_number IS NULL"),
                equals: 1,
                "the rows whose key of two values is NULL")
            try expect(try await db.fetch(Ticket.self).first?.seat, equals: nil, "the seat")
        },
        graph(
            "val-7.required-reference", "VAL-7",
            "A required reference without an object is refused, and all is as before"
        ) {
            environment in
            let db = try await environment.open(Stage.self)
            let error = try await expect(.notNullViolation, from: "saving a chore of no stage") {
                try await db.save(Chore("loose"))
            }
            try expect(error.properties, equals: ["stage"], "the property that the error names")
            let chore = Chore("wash")
            chore.stage = Stage("One")
            try await db.save(chore)
            chore.stage = nil
            chore.title = "rinse"
            try await expect(.notNullViolation, from: "taking the stage of a chore") { try await db.save(chore) }
            try expect(chore.isDirty && chore.stage == nil, "The object is not as before.")
            let same = try expect(some: try await db.fetch(Chore.self).first, "the chore")
            try expect(same.title, equals: "wash", "the title in the database")
            try expect(same.stage?.title, equals: "One", "the stage in the database")
            chore.stage = Stage("Two")
            try await db.save(chore)
            try expect(
                try await db.fetch(Chore.self).map(\.stage?.title), equals: ["Two"],
                "the stage after a save that succeeded")
        },
    ]
}
