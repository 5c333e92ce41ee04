import Foundation
@_spi(Driver) import Holdfast

/// Graphs of which a part is loaded, and the rest later.
extension ConformanceCase {
    static let rel4Partial: [ConformanceCase] = [
        graph("rel-4.depth", "REL-4", "A fetch follows as many levels as asked, and tells what was not loaded") {
            environment in
            let db = try await environment.open(Venture.self)
            let key = try await saveVenture(db)
            let none = try expect(some: try await db.find(Venture.self, key: key, depth: 0), "the venture")
            try expect(none.tags, equals: ["a", "b"], "the tags, which are its own")
            try expect(none.lead == nil && none.stages.isEmpty, "A relation was loaded at depth 0.")
            try expect(
                !none.isLoaded(\.lead) && !none.isLoaded(\.stages) && none.isLoaded(\.tags),
                "isLoaded tells something else.")
            let one = try expect(some: try await db.find(Venture.self, key: key, depth: 1), "the venture")
            let lead = try expect(some: one.lead, "the lead")
            try expect(one.isLoaded(\.lead) && one.isLoaded(\.stages), "isLoaded tells something else at depth 1.")
            try expect(one.gatherings.map(\.topic), equals: ["g", "g"], "the gatherings")
            try expect(
                one.gatherings[0].participants.isEmpty && !one.gatherings[0].isLoaded(\.participants), "Depth 1 is two."
            )
            try expect(lead.company == nil && !lead.isLoaded(\.company), "Depth 1 is two, by a reference.")
            let two = try expect(
                some: try await db.fetch(Venture.self, depth: 2).first { $0.name == "v" }, "the venture")
            try expect(two.gatherings.first?.participants.map(\.name), equals: ["p", "lead"], "the participants")
            try expect(two.lead?.company?.name, equals: "Acme", "the company")
            try expect(two.lead?.company?.isLoaded(\.staff), equals: false, "whether a third level was loaded")
            try await expect(.invalidValue, from: "a depth below zero") {
                _ = try await db.find(Venture.self, key: key, depth: -1)
            }
        },
        graph(
            "rel-4.including", "REL-4",
            "Paths are followed in any case: on demand, beyond the depth, and through cycles"
        ) {
            environment in
            let db = try await environment.open(Venture.self)
            let key = try await saveVenture(db)
            let whole = try expect(some: try await db.find(Venture.self, key: key), "the venture")
            try expect(whole.related.isEmpty && !whole.isLoaded(\.related), "What is loaded on demand was loaded.")
            let some = try expect(
                some: try await db.find(
                    Venture.self, key: key, including: ["related.lead", "gatherings.participants"], depth: 0),
                "the venture")
            try expect(some.related.map(\.name), equals: ["w", "v"], "the related ventures")
            try expect(some.related[1] === some, "One row came as two instances.")
            try expect(some.related[0].lead?.name, equals: "other", "the lead of a related venture")
            try expect(some.lead?.name, equals: "lead", "the lead, which is part of a path through a cycle")
            try expect(some.gatherings.last?.participants.map(\.name), equals: ["p", "lead"], "the participants")
            try expect(!some.isLoaded(\.stages) && some.isLoaded(\.related), "isLoaded tells something else.")
            let twice = try expect(
                some: try await db.find(Venture.self, key: key, including: ["related.related"], depth: 0), "the venture"
            )
            try expect(twice.related.first?.related.map(\.name), equals: ["v"], "what is related to a related venture")
            for path in ["name", "leads", "lead.name", "lead.", "", "related.tags"] {
                try await expect(.invalidValue, from: "the path \"\(path)\"") {
                    _ = try await db.find(Venture.self, key: key, including: RelationPaths([path]))
                }
            }
        },
        graph("rel-4.load-relation", "REL-4", "A relation is loaded later, for one or for many by one statement") {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Venture.self) { probe.attach(to: &$0) }
            let key = try await saveVenture(db)
            let venture = try expect(some: try await db.find(Venture.self, key: key), "the venture")
            try await db.loadRelation(\.related, of: venture)
            try expect(venture.isLoaded(\.related) && !venture.isDirty, "A loaded relation is no loaded one.")
            try expect(venture.related.map(\.name), equals: ["w", "v"], "the related ventures")
            try expect(venture.related[1] === venture, "What leads back leads to another instance.")
            let many = try await db.fetch(Venture.self, depth: 0)
            _ = probe.take()
            try await db.loadRelation(\.stages, of: many, depth: 1)
            try expect(probe.take().count, equals: 1, "the number of statements")
            try expect(many.map { $0.stages.map(\.title) }, equals: [["s", "t"], []], "the stages")
            try await db.loadRelation(\.lead, of: many + many, including: ["lead.company"], depth: 1)
            try expect(many.map { $0.lead?.name }, equals: ["lead", "other"], "the leads")
            try expect(many[0].lead?.company?.name, equals: "Acme", "the company, by a path")
            let chores = try await db.fetch(Stage.self, depth: 0)
            try await db.loadRelation(\.chores, of: chores)
            try expect(
                chores.map { $0.chores.map(\.title) }, equals: [["x", "y"], []], "the other side of a reference")
            try expect(chores[0].chores[0].stage === chores[0], "What leads back leads to another instance.")
            many[0].stages = []
            try await db.loadRelation(\.stages, of: many[0])
            try expect(many[0].stages.count == 2 && !many[0].isDirty, "A relation is not what the database has.")
            try await expect(.invalidValue, from: "loading what is no relation") {
                try await db.loadRelation(\.name, of: venture)
            }
            try await expect(.notFound, from: "loading a relation of a new object") {
                try await db.loadRelation(\.related, of: Venture("new"))
            }
            try await db.delete(many[1])
            try await expect(.notFound, from: "loading a relation of many, one of which is gone") {
                try await db.loadRelation(\.lead, of: try await db.fetch(Venture.self, depth: 0) + [many[1]])
            }
        },
        graph("rel-4.unloaded-stays", "REL-4", "Saving an object never empties what was not loaded of it") {
            environment in
            let db = try await environment.open(Venture.self)
            let key = try await saveVenture(db)
            let contents: SQLFragment =
                """
                SELECT (SELECT count(*) FROM venture_gatherings) * 1000 + (SELECT count(*) FROM venture_stages) * 100
                    + (SELECT count(*) FROM venture_related) * 10 + (SELECT count(*) FROM venture WHERE lead_id IS NOT NULL)
                """
            let before = try await db.number(contents)
            try expect(before, equals: 2_232, "the numbers of links")
            for depth in [0, 1] {
                for verb in 0..<3 {
                    let venture = try expect(
                        some: try await db.find(Venture.self, key: key, depth: depth), "the venture")
                    switch verb {
                    case 0:
                        venture.name = "changed"
                        try await db.save(venture)
                    case 1:
                        venture.makeDirty()
                        try await db.save([venture])
                    default:
                        venture.makeDirty()
                        try await db.update(venture)
                    }
                    try expect(!venture.isDirty, "A saved object is dirty.")
                    try expect(try await db.number(contents), equals: before, "the numbers of links after a save")
                }
            }
        },
        graph(
            "rel-4.unloaded-changed", "REL-4",
            "Changing what was not loaded and saving throws, and leaves everything as it was"
        ) {
            environment in
            let db = try await environment.open(Venture.self)
            let key = try await saveVenture(db)
            let venture = try expect(some: try await db.find(Venture.self, key: key, depth: 0), "the venture")
            venture.name = "changed"
            venture.stages = [Stage("mine")]
            venture.contracts = [Contract("mine")]
            let error = try await expect(.notLoaded, from: "saving relations that were not loaded") {
                try await db.save(venture)
            }
            try expect(
                error.properties.sorted(), equals: ["contracts", "stages"], "the properties that the error names")
            try expect(
                venture.isDirty && venture.stages[0].isDirty && venture.stages[0].id == nil,
                "An object is not as before.")
            try expect(try await db.count(Stage.self), equals: 2, "the number of stages")
            let names = try await db.texts("SELECT name FROM venture ORDER BY name")
            try expect(names, equals: ["v", "w"], "the names in the database")
            try await expect(.notLoaded, from: "inserting a copy of what was not loaded") {
                try await db.insert(venture)
            }
            try await db.loadRelation(\.stages, of: venture)
            try await db.loadRelation(\.contracts, of: venture)
            try expect(venture.stages.map(\.title), equals: ["s", "t"], "the stages")
            venture.stages.append(Stage("mine"))
            venture.lead = nil
            try await db.save(venture)
            let same = try expect(some: try await db.find(Venture.self, key: key), "the venture")
            try expect(same.stages.map(\.title), equals: ["s", "t", "mine"], "the stages after a save")
            try expect(same.name == "changed" && same.lead == nil, "The object is not what was saved.")
        },
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
