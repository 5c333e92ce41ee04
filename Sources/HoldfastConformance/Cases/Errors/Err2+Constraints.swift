import Foundation
import Holdfast

/// What a constraint refuses: unique values, and the sides of foreign keys.
extension ConformanceCase {
    static let err2Constraints: [ConformanceCase] = [
        graph(
            "err-2.references", "ERR-2",
            "An error of a foreign key says which side it is about, and which relations may be concerned"
        ) { environment in
            let db = try await environment.open(Badge.self, Receipt.self)
            let receipt = Receipt(total: Choice("12"))
            receipt.customer = Reference(key: 12)
            let missing = try await expect(.foreignKeyViolation, from: "a key that leads to no row") {
                try await db.save(receipt)
            }
            try expect(missing.message.contains("refers to one that does not exist"), "Which side? \(missing)")
            try expect(missing.message.contains("\"customer\" of Receipt"), "Which relation? \(missing)")
            try expect(missing.table, equals: "receipt", "the table of a key that leads to no row")
            try expect(missing.properties.contains("customer"), "Which properties? \(missing.properties)")
            (receipt.customer, receipt.witnesses) = (nil, [Reference(key: 12)])
            let element = try await expect(.foreignKeyViolation, from: "an element that leads to no row") {
                try await db.save(receipt)
            }
            try expect(element.message.contains("refers to one that does not exist"), "Which side? \(element)")
            try expect(element.message.contains("\"witnesses\" of Receipt"), "Which relation? \(element)")
            let ann = Employee("Ann")
            try await db.save(Badge(ann))
            let operations: [(String, (Database) async throws -> Void)] = [
                ("deleting what is required", { try await $0.delete(ann) }),
                ("deleting all", { try await $0.deleteAll(Employee.self) }),
                ("deleting by a query", { try await $0.query(Employee.self).delete() }),
            ]
            for (name, operation) in operations {
                let error = try await expect(.foreignKeyViolation, from: name) { try await operation(db) }
                try expect(error.message.contains("is still referred to"), "Which side is \(name)? \(error)")
                try expect(error.message.contains("\"holder\" of Badge"), "Which relation is \(name)? \(error)")
                try expect(error.table, equals: "badge", "the table in the error of \(name)")
                try expect(error.properties, equals: ["holder"], "the properties in the error of \(name)")
            }
        },
        graph(
            "err-2.references-sql", "ERR-2",
            "An error of a foreign key of the program's SQL says which side it is about"
        ) { environment in
            let db = try await environment.open(Badge.self)
            try await db.save(Badge(Employee("Ann")))
            let deletion = try await expect(.foreignKeyViolation, from: "a DELETE") {
                try await db.sql("DELETE FROM employee").execute()
            }
            try expect(deletion.message.contains("is still referred to"), "Which side is a DELETE? \(deletion)")
            let insertion = try await expect(.foreignKeyViolation, from: "an INSERT") {
                try await db.sql("INSERT INTO badge (holder_id, is_valid) SELECT 99, is_valid FROM badge").execute()
            }
            try expect(
                insertion.message.contains("refers to one that does not exist"), "Which side is an INSERT? \(insertion)"
            )
        },
        ConformanceCase(
            "err-2.unique", "ERR-2", "An error about a value that is there already reads the same on every engine"
        ) { environment in
            let db = try await environment.open(Note.self, Place.self)
            try await db.save(Note("a", code: "c"))
            let note = try await expect(.uniqueViolation, from: "a unique property") {
                try await db.save(Note("b", code: "c"))
            }
            try expect(
                note.message,
                equals: "Another row of \"note\" has that value of \"code\". Update it, or choose another value.",
                "the message about a unique property")
            let batch = try await expect(.uniqueViolation, from: "one of several") {
                try await db.save([Note("d", code: "d"), Note("e", code: "c")])
            }
            try expect(batch.message, equals: note.message, "the message about one of several")
            try expect(batch.properties, equals: ["code"], "the properties of one of several")
            let raw = try await expect(.uniqueViolation, from: "an INSERT") {
                try await db.sql("INSERT INTO \(Note.self) (title, rank, code) VALUES ('f', 1, 'c')").execute()
            }
            try expect(raw.message, equals: note.message, "the message about an INSERT")
            let token = UUID()
            try await db.insert(Place("a", 1, token, name: "p"))
            let place = try await expect(.uniqueViolation, from: "a composite key") {
                try await db.insert(Place("a", 1, token, name: "q"))
            }
            try expect(
                place.message,
                equals:
                    "Another row of \"place\" has that value of \"country\", \"number\", \"token\". Update it, or choose "
                    + "another value.",
                "the message about a composite key")
        },
    ]
}
