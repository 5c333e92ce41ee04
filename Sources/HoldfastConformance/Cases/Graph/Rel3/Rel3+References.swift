import Foundation
import Holdfast

extension ConformanceCase {
    static let rel3References: [ConformanceCase] = [
        graph(
            "rel-3.reference-to-itself", "REL-3",
            "An object that refers to itself and holds itself is one row and one instance"
        ) {
            environment in
            let db = try await environment.open(Employee.self, Vertex.self)
            let ann = Employee("Ann")
            ann.spouse = ann
            ann.mentor = ann
            ann.siblings = [ann, ann]
            try await db.save(ann)
            let key = try expect(some: ann.id, "the key")
            let rows = try await db.number("SELECT count(*) FROM employee WHERE spouse_id = id AND mentor_id = id")
            try expect(rows, equals: 1, "the number of rows that refer to themselves")
            let same = try expect(some: try await db.find(Employee.self, key: key), "the employee")
            try expect(same.spouse === same && same.mentor === same, "A reference leads to another instance.")
            try expect(
                same.siblings.count == 2 && same.siblings.allSatisfy { $0 === same }, "An element is another instance.")
            let vertex = Vertex("v")
            vertex.next = vertex
            vertex.edges = [vertex]
            try await db.save(vertex)
            let loop = try expect(some: try await db.find(Vertex.self, key: "v"), "the vertex")
            try expect(loop.next === loop && loop.edges.first === loop, "A vertex does not lead to itself.")
            try await db.delete(loop)
            try expect(try await db.number("SELECT count(*) FROM vertex_edges"), equals: 0, "the number of edges")
            for object in [same, ann] { (object.spouse, object.siblings) = (nil, []) }
            for object in [vertex, loop] { (object.next, object.edges) = (nil, []) }
        },
        graph(
            "rel-3.reference-to-itself-alone", "REL-3",
            "A new object with nothing but a reference to itself has that reference in its row"
        ) { environment in
            let db = try await environment.open(Employee.self, Vertex.self)
            let (saved, inserted, undone) = (Employee("Ann"), Employee("Ben"), Employee("Cid"))
            for object in [saved, inserted, undone] { object.spouse = object }
            try await db.save(saved)
            try await db.insert(inserted)
            try await db.transaction { tx in try await tx.save(undone) }
            let rows = try await db.number("SELECT count(*) FROM employee WHERE spouse_id = id AND mentor_id IS NULL")
            try expect(rows, equals: 3, "the number of employees that refer to themselves")
            try expect(saved.isDirty || inserted.isDirty, equals: false, "whether a saved employee is dirty")
            let vertex = Vertex("v")
            vertex.next = vertex
            try await db.save(vertex)
            let loops = try await db.number("SELECT count(*) FROM vertex WHERE next_name = name")
            try expect(loops, equals: 1, "the number of vertices that refer to themselves")
            for object in [saved, inserted, undone] { object.spouse = nil }
            vertex.next = nil
        },
        graph(
            "rel-3.keys-of-all-kinds", "REL-3",
            "References lead to keys of text, UUIDs, two values and the engine's, in classes and structs"
        ) {
            environment in
            let db = try await environment.open(Pass.self)
            let pass = Pass()
            pass.vertex = Vertex("é")
            pass.branch = Branch("b")
            pass.seat = Seat(row: "A", number: 7, isTaken: true)
            pass.basket = Basket("Ann", lines: [Line("Tea", 1)])
            pass.receipt = Receipt(total: Choice("12"))
            let empty = Pass()
            try await db.save([pass, empty])
            let all = try expect(try await db.fetch(Pass.self), count: 2, "passes")
            let same = all[0]
            try expect(same.vertex?.name, equals: "é", "the vertex")
            try expect(same.branch?.id, equals: pass.branch?.id, "the key of the branch")
            try expect(same.seat, equals: pass.seat, "the seat")
            try expect(same.basket, equals: pass.basket, "the basket, with the key that the engine made")
            try expect(same.receipt?.total, equals: pass.receipt?.total, "the struct of the class")
            let none = all[1]
            try expect(
                none.vertex == nil && none.branch == nil && none.seat == nil && none.basket == nil
                    && none.receipt == nil,
                "A reference that was nil is none.")
            let row = try await db.sql(
                "SELECT vertex_name, seat_row, seat_number FROM pass WHERE vertex_name IS NOT NULL"
            )
            .fetch(as: (String, String, Int).self)
            try expect(row.count == 1 && row[0] == ("é", "A", 7), "SQL sees other keys: \(row).")
        },
        graph("rel-3.weak", "REL-3", "A weak reference that nothing keeps in memory is kept in the database") {
            environment in
            let db = try await environment.open(Employee.self)
            let ann = Employee("Ann")
            try await saveWithMentor(ann, db)
            try expect(ann.mentor == nil, "Something keeps the mentor.")
            try expect(!ann.isDirty, "An object is dirty because another one is gone from memory.")
            ann.name = "Anna"
            try await db.save(ann)
            let held: SQLFragment = "SELECT count(*) FROM employee WHERE mentor_id IS NOT NULL"
            try expect(try await db.number(held), equals: 1, "the number of rows with a mentor")
            let everybody = try await db.fetch(Employee.self)
            try expect(everybody.compactMap { $0.mentor?.name }, equals: ["Mentor"], "the mentors, held by the others")
            let key = try expect(some: ann.id, "the key")
            let alone = try expect(some: try await db.find(Employee.self, key: key), "the employee")
            alone.name = "Annie"
            try await db.save(alone)
            try expect(try await db.number(held), equals: 1, "the number of rows with a mentor after a fetch of one")
        },
        graph("rel-3.marriages", "REL-3", "Marriages that lead both ways are made, ended and made anew in one save") {
            environment in
            let db = try await environment.open(Employee.self)
            let people = ["a", "b", "c", "d"].map { Employee($0) }
            func marry(_ one: Employee, _ other: Employee) { (one.spouse, other.spouse) = (other, one) }
            func spouses() async throws -> [String?] {
                try await db.texts(
                    "SELECT s.name FROM employee AS e LEFT JOIN employee AS s ON s.id = e.spouse_id ORDER BY e.name")
            }
            marry(people[0], people[1])
            marry(people[2], people[3])
            try await db.save(people)
            try expect(try await spouses(), equals: ["b", "a", "d", "c"], "the spouses")
            marry(people[0], people[3])
            (people[1].spouse, people[2].spouse) = (nil, nil)
            try await db.save(people)
            try expect(try await spouses(), equals: ["d", nil, nil, "a"], "the spouses after a change")
            let all = try await db.fetch(Employee.self)
            let ann = try expect(some: all.first { $0.name == "a" }, "the employee")
            try expect(ann.spouse?.name == "d" && ann.spouse?.spouse === ann, "The marriage does not lead both ways.")
            try await db.delete(people[3])
            try expect(try await spouses(), equals: [nil, nil, nil], "the spouses after a deletion")
            for person in people + all { person.spouse = nil }
        },
        graph(
            "rel-3.unique-reference", "REL-3",
            "A unique reference refuses a second one to the same object; any number may be nil"
        ) {
            environment in
            let db = try await environment.open(Locker.self)
            let ann = Employee("Ann")
            let first = Locker(ann)
            try await db.save([first, Locker(), Locker()])
            let second = Locker(ann)
            let error = try await expect(.uniqueViolation, from: "a second locker of one employee") {
                try await db.save(second)
            }
            try expect(error.properties, equals: ["owner"], "the property that the error names")
            try expect(second.isDirty && second.id == nil, "The object is not as before.")
            first.owner = nil
            try await db.save(first)
            try await db.save(second)
            try expect(
                try await db.fetch(Locker.self).map { $0.owner?.name }, equals: [nil, nil, nil, "Ann"], "the owners")
        },
    ]

    /// Saves somebody and a mentor, of whom nothing is left in memory afterwards.
    private static func saveWithMentor(_ employee: Employee, _ db: Database) async throws {
        let mentor = Employee("Mentor")
        employee.mentor = mentor
        try await db.save([employee, mentor])
        try expect(employee.mentor === mentor, "The mentor is gone while it is held.")
    }
}
