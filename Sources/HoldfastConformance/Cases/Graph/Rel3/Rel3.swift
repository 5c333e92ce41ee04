import Foundation
import Holdfast

extension ConformanceCase {
    static let rel3: [ConformanceCase] = [
        graph("rel-3.everything-reachable", "REL-3", "Saving one object saves what it leads to, each object once") {
            environment in
            let db = try await environment.open(Venture.self)
            let venture = Venture("Apollo")
            let (ann, bob) = (Employee("Ann"), Employee("Bob"))
            venture.lead = ann
            venture.tags = ["a", "b", "a"]
            let gathering = Gathering("Kickoff")
            gathering.participants = [bob, ann, bob]
            venture.gatherings = [gathering, gathering]
            ann.spouse = bob
            bob.spouse = ann
            ann.company = Company("Acme")
            bob.company = ann.company
            try await db.save(venture)
            try expect(try await db.count(Employee.self), equals: 2, "the number of employees")
            try expect(try await db.count(Company.self), equals: 1, "the number of companies")
            try expect(try await db.count(Gathering.self), equals: 1, "the number of gatherings")
            try expect(ann.id != nil && bob.id != nil && gathering.id != nil, "An object has no key after the save.")
            for object in [ann, bob] { try expect(!object.isDirty, "A saved object is dirty.") }
            let same = try expect(some: try await db.fetch(Venture.self).first, "the venture")
            try expect(same.tags, equals: ["a", "b", "a"], "the tags")
            try expect(same.gatherings.map(\.topic), equals: ["Kickoff", "Kickoff"], "the gatherings")
            try expect(same.gatherings[0] === same.gatherings[1], "One row came as two instances.")
            let names = same.gatherings[0].participants.map(\.name)
            try expect(names, equals: ["Bob", "Ann", "Bob"], "the participants")
            let lead = try expect(some: same.lead, "the lead")
            try expect(lead === same.gatherings[0].participants[1], "One row came as two instances.")
            try expect(lead.spouse?.spouse === lead, "The cycle of spouses did not close.")
            try expect(lead.company?.staff.map(\.name) ?? [], equals: ["Ann", "Bob"], "the staff, by key")
        },
        graph("rel-3.once-each", "REL-3", "A save of a graph that did not change writes nothing") { environment in
            let db = try await environment.open(Employee.self)
            let ann = Employee("Ann")
            ann.siblings = [Employee("Bob"), Employee("Cleo")]
            try await db.save(ann)
            let modified = ann.siblings.map(\.modifiedAt)
            try await db.sql("UPDATE employee SET name = 'changed' WHERE name = 'Bob'").execute()
            try await db.save(ann)
            try expect(ann.siblings.map(\.modifiedAt), equals: modified, "the times of modification")
            ann.siblings[1].name = "Cleopatra"
            try await db.save(ann)
            let names = try await db.fetch(Employee.self).map(\.name)
            try expect(names, equals: ["Ann", "changed", "Cleopatra"], "the names")
        },
        graph("rel-3.long-list", "REL-3", "A list of 2,000 objects is saved and loaded, whatever its length") {
            environment in
            let db = try await environment.open(Vertex.self)
            let vertices = (0..<2_000).map { Vertex("v\($0)") }
            for index in 1..<vertices.count { vertices[index - 1].next = vertices[index] }
            vertices[vertices.count - 1].next = vertices[0]
            try await db.save(vertices[0])
            let first = try expect(some: try await db.find(Vertex.self, key: "v0"), "the first vertex")
            var (vertex, count) = (first.next, 1)
            while let now = vertex, now !== first {
                try expect(now.name, equals: "v\(count)", "the name")
                (vertex, count) = (now.next, count + 1)
            }
            try expect(count, equals: 2_000, "the length of the cycle")
            // Deep, but held by the test alone.
            for vertex in vertices { vertex.next = nil }
            vertex = first
            while let now = vertex { (vertex, now.next) = (now.next, nil) }
        },
        graph("rel-3.clique", "REL-3", "Objects that all lead to each other are saved and loaded") { environment in
            let db = try await environment.open(Vertex.self)
            let vertices = (0..<30).map { Vertex("v\($0)") }
            for vertex in vertices { vertex.edges = vertices.reversed() }
            try await db.save(vertices[7])
            let loaded = try await db.fetch(Vertex.self, keys: ["v3", "v29"])
            try expect(loaded.count, equals: 2, "the number of objects")
            for vertex in loaded[0].edges {
                try expect(
                    vertex.edges.map(\.name), equals: (0..<30).reversed().map { "v\($0)" }, "the edges")
            }
            try expect(loaded[0].edges[0] === loaded[1], "One row came as two instances.")
        },
        graph(
            "rel-3.failure-undoes-all", "REL-3",
            "Where one object of a graph can't be saved, nothing is, and all are as before"
        ) {
            environment in
            let db = try await environment.open(Venture.self)
            try await db.save(Contract("C-1"))
            let venture = Venture("Apollo")
            let lead = Employee("Ann")
            venture.lead = lead
            venture.stages = [Stage("One")]
            venture.contracts = [Contract("C-1")]
            try await expect(.uniqueViolation, from: "saving a contract whose key exists") {
                try await db.save(venture)
            }
            try expect(venture.id == nil && lead.id == nil && venture.stages[0].id == nil, "A key was left behind.")
            try expect(venture.isDirty && lead.isDirty && venture.stages[0].isDirty, "An object is no longer dirty.")
            try expect(try await db.count(Employee.self), equals: 0, "the number of employees")
            venture.contracts = [Contract("C-2")]
            try await db.save(venture)
            try expect(try await db.count(Contract.self), equals: 2, "the number of contracts")
        },
        graph(
            "rel-3.rollback-undoes-all", "REL-3",
            "A transaction that rolls back leaves every object of a graph as it was"
        ) {
            environment in
            let db = try await environment.open(Employee.self)
            let (ann, bob, cleo) = (Employee("Ann"), Employee("Bob"), Employee("Cleo"))
            try await db.save(ann)
            struct Stop: Error {}
            do {
                try await db.transaction { tx in
                    ann.name = "Anna"
                    ann.spouse = bob
                    try await tx.save(ann)
                    do {
                        try await tx.transaction { inner in
                            bob.siblings = [cleo]
                            try await inner.save(bob)
                            throw Stop()
                        }
                    } catch is Stop {}
                    try expect(bob.id != nil && cleo.id == nil, "The savepoint undid too little or too much.")
                    throw Stop()
                }
            } catch is Stop {}
            try expect(bob.id == nil && bob.isDirty && ann.isDirty, "An object is not as before.")
            try await db.save(ann)
            let same = try expect(some: try await db.find(Employee.self, key: ann.id ?? 0), "the employee")
            try expect(same.spouse?.siblings.map(\.name) ?? [], equals: ["Cleo"], "the siblings of the spouse")
        },
        graph("rel-3.scope", "REL-3", "A save without the graph, or with a part of it, leaves the rest alone") {
            environment in
            let db = try await environment.open(Employee.self)
            let (ann, bob, cleo) = (Employee("Ann"), Employee("Bob"), Employee("Cleo"))
            ann.spouse = bob
            bob.siblings = [cleo]
            let error = try await expect(.conflict, from: "saving a reference to a new object alone") {
                try await db.save(ann, scope: .object)
            }
            try expect(error.properties, equals: ["spouse"], "the property of the error")
            try expect(ann.isDirty && ann.id == nil, "The object is not as before.")
            try await db.save(bob, scope: .following(["siblings"]))
            try await db.save(ann, scope: .object)
            bob.name = "Robert"
            ann.name = "Anna"
            try await db.save(ann, scope: .object)
            try expect(bob.isDirty && !ann.isDirty, "The scope was not kept.")
            try expect(
                try await db.fetch(Employee.self).map(\.name), equals: ["Bob", "Cleo", "Anna"], "the names")
            try await expect(.invalidValue, from: "following what is no relation") {
                try await db.save(ann, scope: .following(["spouse.name"]))
            }
        },
        graph(
            "rel-3.two-instances", "REL-3", "Two instances of one row with different contents are refused in one graph"
        ) {
            environment in
            let db = try await environment.open(Employee.self)
            let ann = Employee("Ann")
            try await db.save(ann)
            let other = try expect(some: try await db.find(Employee.self, key: ann.id ?? 0), "the other instance")
            other.name = "Anna"
            ann.name = "Annie"
            let head = Employee("Head")
            head.siblings = [ann, other]
            var error = try await expect(.conflict, from: "saving two instances of one row") {
                try await db.save(head)
            }
            try expect(head.id == nil && ann.isDirty && other.isDirty, "An object is not as before.")
            try expect(
                error.message.hasPrefix("employee.siblings[0] and employee.siblings[1] are two instances"),
                "The error does not name both paths: \(error.message)")
            let boss = Employee("Boss")
            boss.spouse = other
            error = try await expect(.conflict, from: "saving two instances, of which one was given") {
                try await db.save([head, boss, ann])
            }
            try expect(
                error.message.hasPrefix("employee[1].spouse and employee[2] are two instances")
                    || error.message.hasPrefix("employee[2] and employee[0].siblings[1] are two instances"),
                "The error does not name both paths: \(error.message)")
            try expect(!error.message.contains("Ann"), "The error shows a value.")
            ann.name = "Anna"
            try await db.save(head)
            try expect(!ann.isDirty && !other.isDirty, "An instance with the same change is dirty.")
        },
        graph(
            "rel-3.older-instance", "REL-3",
            "An instance without changes contradicts no other of its row: it stays as it is, and what leads to it leads to the row"
        ) {
            environment in
            let db = try await environment.open(Company.self, Edition.self)
            let acme = Company("Acme")
            acme.staff = [Employee("Ann")]
            try await db.save(acme)
            // Each was fetched with a company of its own.
            let ann = try expect(some: try await db.fetch(Employee.self).first, "the employee")
            let older = try expect(some: ann.company, "the company of the employee")
            acme.name = "Acme Ltd"
            let bob = Employee("Bob")
            bob.company = older
            acme.staff = [ann, bob]
            try await db.save(acme)
            try expect(try await db.texts("SELECT name FROM company"), equals: ["Acme Ltd"], "the names of companies")
            try expect(
                try await db.number("SELECT count(*) FROM employee WHERE company_id = \(acme.id ?? 0)"), equals: 2,
                "the staff in the database")
            try expect(acme.staff.map(\.name), equals: ["Ann", "Bob"], "the staff in memory")
            try expect(older.name == "Acme" && !older.isDirty, "The older instance has changed.")
            try expect(ann.company === older && bob.company === older, "A reference leads to another instance.")
            // A reference that was changed shows in the arrays of the instance that it leads to, and stays in others.
            let cleo = Employee("Cleo")
            cleo.company = older
            try await db.save([acme, older] as [Company])
            try await db.save(cleo)
            try expect(acme.staff.map(\.name), equals: ["Ann", "Bob"], "the staff of an instance that was left alone")

            let edition = Edition("one")
            try await db.save(edition)
            let child = Edition("child")
            child.parent = try expect(some: try await db.find(Edition.self, key: edition.id ?? 0), "the older edition")
            edition.text = "two"
            edition.parent = child
            try await db.save(edition)
            try expect(
                try await db.texts("SELECT text FROM edition ORDER BY text"), equals: ["child", "two"], "the texts")
            try expect(
                try await db.number("SELECT parent_id FROM edition WHERE text = 'child'"), equals: Int(edition.id ?? 0),
                "the parent of the child")
            child.parent?.text = "three"
            try await expect(.staleVersion, from: "saving a change of the older instance") {
                try await db.save(child.parent ?? child)
            }
        },
        graph("rel-3.structs-in-structs", "REL-3", "Structs in structs come back with the keys that the engine made") {
            environment in
            let db = try await environment.open(Basket.self)
            let basket = try await db.save(
                Basket(
                    "Ann", lines: [Line("Tea", 2, options: [Choice("hot"), Choice("hot")]), Line("Tea", 2)],
                    gift: Choice("card")))
            try expect(basket.lines.allSatisfy { $0.id != nil }, "A line has no key.")
            try expect(basket.lines[0].options.allSatisfy { $0.id != nil }, "An option has no key.")
            try expect(basket.gift?.id != nil, "The gift has no key.")
            let same = try expect(some: try await db.fetch(Basket.self).first, "the basket")
            try expect(same, equals: basket, "the basket")
            var changed = same
            changed.lines.removeFirst()
            changed.gift = nil
            changed.lines.append(Line("Milk", 1))
            changed = try await db.save(changed)
            try expect(try await db.find(Basket.self, key: changed.id ?? 0), equals: changed, "the changed basket")
            try expect(try await db.count(Line.self), equals: 3, "the number of lines, of which one is held by nobody")
        },
        graph(
            "rel-3.structs-in-classes", "REL-3", "A class that holds structs gets their keys, and is not dirty for it"
        ) { environment in
            let db = try await environment.open(Receipt.self)
            let receipt = Receipt(total: Choice("12"), lines: [Line("Tea", 2)])
            receipt.customer = Reference(Employee("Ann"))
            receipt.witnesses = [Reference(Employee("Bob")), Reference(Employee("Cleo"))]
            try await db.save(receipt)
            try expect(receipt.total.id != nil && receipt.lines[0].id != nil, "A struct has no key.")
            try expect(!receipt.isDirty, "The receipt is dirty.")
            let same = try expect(some: try await db.fetch(Receipt.self).first, "the receipt")
            try expect(same.lines, equals: receipt.lines, "the lines")
            try expect(same.total, equals: receipt.total, "the total")
            try expect(same.customer == receipt.customer, "The reference to the customer differs.")
            let customer = try await same.customer?.load(from: db)
            try expect(customer?.name, equals: "Ann", "the customer")
            var witnesses: [String] = []
            for witness in same.witnesses { witnesses.append(try await witness.load(from: db)?.name ?? "nobody") }
            try expect(witnesses, equals: ["Bob", "Cleo"], "the witnesses")
        },
    ]
}
