import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let graphLazyReferences: [ConformanceCase] = [
        graph(
            "rel-4.lazy-references", "REL-4",
            "A lazy reference holds a key, alone, optional and in arrays, and loads when asked"
        ) {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Receipt.self) { probe.attach(to: &$0) }
            let people = ["Ann", "Bob", "Cleo"].map { Employee($0) }
            people[0].siblings = [people[1]]
            try await db.save(people)
            let receipt = Receipt(total: Choice("12"))
            receipt.customer = Reference(key: people[0].id ?? 0)
            receipt.witnesses = [people[2], people[1], people[2]].map { Reference($0) }
            try await db.save(receipt)
            _ = probe.take()
            let same = try expect(some: try await db.fetch(Receipt.self).first, "the receipt")
            let statements = probe.take()
            try expect(
                !statements.contains { $0.contains("\"employee\" ") }, "A fetch reads what is lazy: \(statements)")
            try expect(same.customer?.key == people[0].id.map { Key($0) }, "The key of the customer differs.")
            let customer = try await same.customer?.load(from: db)
            try expect(customer?.siblings.map(\.name), equals: ["Bob"], "what the customer leads to")
            var names: [String?] = []
            for witness in same.witnesses { names.append(try await witness.load(from: db)?.name) }
            try expect(names, equals: ["Cleo", "Bob", "Cleo"], "the witnesses")
            same.customer = nil
            same.witnesses.remove(at: 0)
            try await db.save(same)
            try await db.reload(receipt)
            try expect(receipt.customer == nil, "A reference came back.")
            try expect(receipt.witnesses == same.witnesses, "The witnesses are not what was saved.")
        },
        graph(
            "rel-4.lazy-missing", "REL-4",
            "A lazy reference whose row is gone loads nil; one to no row is refused by a save"
        ) {
            environment in
            let db = try await environment.open(Receipt.self)
            let missing = try await Reference<Employee>(key: 12).load(from: db)
            try expect(missing == nil, "There is an object without a row.")
            try await expect(.notFound, from: "loading an object that was never saved") {
                _ = try await Reference(Employee("Ann")).load(from: db)
            }
            let receipt = Receipt(total: Choice("12"))
            receipt.customer = Reference(key: 12)
            try await expect(.foreignKeyViolation, from: "saving a key that leads to no row") {
                try await db.save(receipt)
            }
            try expect(receipt.id == nil && receipt.isDirty, "The receipt is not as before.")
            try expect(try await db.count(Choice.self), equals: 0, "the number of totals")
            receipt.customer = nil
            receipt.witnesses = [Reference(key: 12)]
            try await expect(.foreignKeyViolation, from: "saving an array with a key that leads to no row") {
                try await db.save(receipt)
            }
            try expect(try await db.count(Receipt.self), equals: 0, "the number of receipts")
        },
        graph(
            "rel-4.lazy-new", "REL-4",
            "A new object in a lazy reference is saved with its holder, and with what it leads to"
        ) {
            environment in
            let db = try await environment.open(Receipt.self)
            let ann = Employee("Ann")
            ann.company = Company("Acme")
            let receipt = Receipt(total: Choice("12"))
            receipt.customer = Reference(ann)
            receipt.witnesses = [Reference(ann), Reference(Employee("Bob")), Reference(ann)]
            try expect(receipt.customer?.key == nil, "A new object has a key.")
            try await db.save(receipt)
            try expect(receipt.customer?.key == ann.id.map { Key($0) } && ann.id != nil, "The reference has no key.")
            try expect(try await db.count(Employee.self), equals: 2, "the number of employees")
            try expect(try await db.count(Company.self), equals: 1, "the number of companies")
            ann.name = "Anna"
            try await db.save(receipt)
            let customer = try await receipt.customer?.load(from: db)
            try expect(customer?.name, equals: "Anna", "the name of an object that changed")
            try await db.delete(ann)
            try await db.reload(receipt)
            try expect(
                receipt.customer == nil && receipt.witnesses.count == 1, "A reference to what was deleted is left.")
        },
    ]
}
