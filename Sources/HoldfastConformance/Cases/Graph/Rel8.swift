import Foundation
import Holdfast

/// References whose objects were not loaded: their keys, and what is put in their place.
extension ConformanceCase {
    static let rel8: [ConformanceCase] = [
        graph(
            "rel-8.keys", "REL-8", "The key of a reference is known whenever its row is loaded, and no statement is run"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Venture.self) { probe.attach(to: &$0) }
            let key = try await saveVenture(db)
            let whole = try expect(some: try await db.find(Venture.self, key: key), "the venture")
            let lead = try expect(some: whole.lead?.id, "the key of the lead")
            let bare = try expect(some: try await db.find(Venture.self, key: key, depth: 0), "the venture alone")
            let listed = try await db.fetch(Venture.self, depth: 0).first { $0.id == key }
            var streamed: Venture?
            for try await venture in db.query(Venture.self).depth(0).where({ $0.name == "v" }).stream() {
                streamed = venture
            }
            _ = probe.take()
            for venture in [bare, listed, streamed, whole] {
                let venture = try expect(some: venture, "a venture")
                try expect(try venture.key(of: \.lead), equals: Key(lead), "the key of the lead")
                try expect(!venture.isDirty, "To ask for a key is a change.")
            }
            try expect(bare.lead == nil && !bare.isLoaded(\.lead), "The lead was loaded.")
            try expect(probe.take(), equals: [], "the statements")

            // What is in memory alone.
            let new = Venture("new")
            try expect(try new.key(of: \.lead) == nil, "A new object has a lead.")
            new.lead = whole.lead
            try expect(try new.key(of: \.lead)?.int64, equals: lead, "the key of what was put in")
            new.lead = Employee("nobody")
            try await expect(.notFound, from: "the key of a new object") { _ = try new.key(of: \.lead) }
            try await db.save(new)
            try expect(try new.key(of: \.lead), equals: new.lead?.id.map { Key($0) }, "the key once it is saved")
        },
        graph(
            "rel-8.no-keys", "REL-8",
            "Where a reference leads nowhere its key is nil, and where that is not known it is an error"
        ) { environment in
            let db = try await environment.open(Venture.self, Citizen.self, Passport.self)
            let key = try await saveVenture(db)
            let bare = try expect(some: try await db.find(Venture.self, key: key, depth: 0), "the venture alone")
            try await db.sql("UPDATE venture SET lead_id = NULL").execute()
            let none = try expect(some: try await db.find(Venture.self, key: key, depth: 0), "the venture")
            try expect(try none.key(of: \.lead) == nil, "There is a key of nobody.")
            try await db.reload(bare)
            try expect(try bare.key(of: \.lead) == nil, "A key has survived the reload.")
            let sparse = try await db.query(Venture.self).properties(\.name).where { $0.id == key }.one()
            try await expect(.notLoaded, from: "the key of what the query left out") {
                _ = try sparse.key(of: \.lead)
            }
            let (citizen, passport) = (Citizen("c"), Passport("p"))
            citizen.passport = passport
            try await db.save(citizen)
            try expect(try citizen.key(of: \.passport), equals: Key("p"), "the key on the other side")
            let alone = try await db.query(Citizen.self).depth(0).one()
            try await expect(.notLoaded, from: "a key that another table has") { _ = try alone.key(of: \.passport) }
            let holder = try await db.query(Passport.self).depth(0).one()
            try expect(try holder.key(of: \.holder), equals: citizen.id.map { Key($0) }, "the key of the holder")
        },
        graph(
            "rel-8.kinds", "REL-8", "The keys of references of every kind are known, in structs and hierarchies too"
        ) { environment in
            let db = try await environment.open(
                Ticket.self, Vertex.self, Branch.self, Town.self, Mammal.self, Basket.self)
            let ticket = Ticket(Seat(row: "é", number: 7))
            try await db.save(ticket)
            let found = try await db.query(Ticket.self).depth(0).one()
            try expect(found.seat == nil, "The seat was loaded.")
            try expect(try found.key(of: \.seat)?.values(as: String.self, Int.self).0, equals: "é", "a part of a key")
            try expect(try found.key(of: \.seat), equals: Key("é", 7), "a key with two parts")
            try expect(try ticket.key(of: \.seat), equals: Key("é", 7), "the key of a value in memory")

            let vertex = Vertex("a")
            vertex.next = Vertex("b")
            try await db.save(vertex)
            let alone = try expect(some: try await db.find(Vertex.self, key: "a", depth: 0), "the vertex")
            try expect(try alone.key(of: \.next)?.string, equals: "b", "a text")

            let (branch, parent) = (Branch("branch"), Branch("parent"))
            branch.parent = parent
            try await db.save([parent, branch])
            let leaf = try expect(some: try await db.find(Branch.self, key: branch.id, depth: 0), "the branch")
            try expect(try leaf.key(of: \.parent)?.uuid, equals: parent.id, "the key of a weak reference")

            let (land, town) = (Land("pe"), Town("Tacna"))
            town.land = land
            try await db.save(town)
            let bare = try await db.query(Town.self).depth(0).one()
            try expect(try bare.key(of: \.land), equals: land.id.map { Key($0) }, "the key of what a code leads to")
            try expect(try bare.key(of: \.twin) == nil, "A key of nothing.")

            let mammal = Mammal("m")
            let ancestor = Animal("a")
            mammal.keeper = Employee("keeper")
            mammal.parent = ancestor
            try await db.save(mammal)
            let again = try await db.query(Mammal.self).depth(0).one()
            try expect(try again.key(of: \.keeper), equals: mammal.keeper?.id.map { Key($0) }, "a subclass's own")
            try expect(try again.key(of: \.parent), equals: ancestor.id.map { Key($0) }, "an inherited one")
            let animal: Animal = again
            try expect(try animal.key(of: \.parent), equals: ancestor.id.map { Key($0) }, "seen as an animal")

            let basket = try await db.save(Basket("b", gift: Choice("g")))
            try expect(try basket.key(of: \.gift), equals: basket.gift?.id.map { Key($0) }, "the key in a struct")
            try await expect(.notFound, from: "the key of a new value") {
                _ = try Basket("b", gift: Choice("g")).key(of: \.gift)
            }
        },
        graph(
            "rel-8.shared-columns", "REL-8", "The key of a reference in columns of other properties follows those"
        ) { environment in
            let db = try await environment.open(Northwind.Employee.self, Northwind.TenantInvoice.self)
            let boss = Northwind.Employee(id: 1, lastName: "Fuller")
            let other = Northwind.Employee(id: 2, lastName: "Davolio")
            let employee = Northwind.Employee(id: 3, lastName: "King", superior: boss)
            try await db.save([boss, other, employee])
            let found = try expect(some: try await db.find(Northwind.Employee.self, key: 3, depth: 0), "the employee")
            try expect(try found.key(of: \.superior), equals: Key(1), "the key of the superior")
            found.superiorID = 2
            try expect(try found.key(of: \.superior), equals: Key(2), "the key after its column was set")
            try await db.save(found)
            found.superior = boss
            try await db.save(found)
            try expect(found.superiorID, equals: 1, "the property that follows")
            let ids = try await db.sql("SELECT reports_to FROM employees WHERE employee_id = 3").fetch(as: Int64?.self)
            try expect(ids, equals: [1], "the column")

            let customer = Northwind.TenantCustomer(tenant: 5, id: 7, name: "c")
            let invoice = Northwind.TenantInvoice(tenant: 5, number: 1, customer: customer)
            try await db.save([invoice, Northwind.TenantInvoice(tenant: 5, number: 2)])
            let bare = try await db.query(Northwind.TenantInvoice.self).depth(0).order { $0.number.ascending }.fetch()
            try expect(try bare[0].key(of: \.customer), equals: Key(5, 7), "a key that shares a part")
            try expect(try bare[1].key(of: \.customer) == nil, "There is a key of nobody.")
            try expect(try bare[0].json()["customer"], equals: [5, 7], "the key as JSON")
            try expect(try invoice.json()["customer"], equals: [5, 7], "the key of what is loaded, as JSON")
            try expect(
                try invoice.json(including: ["customer"])["customer"]?["name"]?.string, equals: "c", "the customer")
            bare[0].customer = nil
            bare[1].customer = customer
            try await db.save(bare)
            let numbers = try await db.sql("SELECT customer_id FROM tenant_invoice ORDER BY number").fetch(
                as: Int64?.self)
            try expect(numbers, equals: [nil, 7], "the customers")
        },
        graph(
            "rel-8.replaced", "REL-8",
            "A reference that was not loaded is replaced without a load, by an UPDATE of its columns"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Venture.self) { probe.attach(to: &$0) }
            let (key, lead, another) = try await saveLeads(db)
            for (new, what) in [(another, "another"), (nil, "nobody"), (lead, "the first again")]
                as [(Employee?, String)]
            {
                let venture = try await bareVenture(key, db)
                venture.name = "mine"
                try await db.save(venture)
                _ = probe.take()
                venture.lead = new
                try expect(venture.isDirty && venture.isLoaded(\.lead), "\(what) is no change.")
                try expect(try venture.key(of: \.lead), equals: new?.id.map { Key($0) }, "the key of \(what)")
                try await db.save(venture)
                let statements = probe.take()
                try expect(statements.count, equals: 1, "the number of statements for \(what)")
                try expect(
                    statements[0].hasPrefix("UPDATE \"venture\" SET \"lead_id\"") && !statements[0].contains("name"),
                    "Another statement is sent: \(statements[0])")
                try expect(!venture.isDirty && venture.isLoaded(\.lead), "It is not saved.")
                try expect(try await storedLead(key, db), equals: new?.id, "the key in the row")
            }
        },
        graph(
            "rel-8.same", "REL-8",
            "What equals the key that is stored is no change, though the reference was not loaded"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Venture.self) { probe.attach(to: &$0) }
            let (key, lead, another) = try await saveLeads(db)
            let same = try await bareVenture(key, db)
            same.lead = try await db.find(Employee.self, key: lead.id ?? 0)
            try expect(!same.isDirty && same.isLoaded(\.lead), "The same is a change.")
            same.lead = lead
            _ = probe.take()
            try await db.save(same)
            try expect(probe.take(), equals: [], "the statements for the same")
            same.lead = another
            same.lead = lead
            try expect(!same.isDirty, "There and back is a change.")
            same.lead = nil
            try expect(same.isDirty, "Nobody is no change.")
            try await db.save(same)
            let none = try await bareVenture(key, db)
            none.lead = nil
            try expect(!none.isDirty, "Nobody in place of nobody is a change.")
            none.lead = Employee("new")
            try await db.update(none, only: \.lead)
            try expect(try await storedLead(key, db), equals: none.lead?.id, "the key of a new object")
        },
        graph(
            "rel-8.replaced-later", "REL-8",
            "A reference is replaced where the query left it out, and after it was loaded later"
        ) { environment in
            let db = try await environment.open(Venture.self)
            let (key, _, another) = try await saveLeads(db)
            let sparse = try await db.query(Venture.self).properties(\.name).where { $0.id == key }.one()
            sparse.lead = another
            try await db.save(sparse)
            try expect(try await storedLead(key, db), equals: another.id, "the key where the query left it out")
            try expect(try sparse.key(of: \.lead), equals: another.id.map { Key($0) }, "the key of what was put in")

            // What was loaded after all.
            let late = try await bareVenture(key, db)
            late.lead = nil
            try await db.loadRelation(\.lead, of: late)
            try expect(late.lead?.name == "another" && !late.isDirty, "It is not what the database has.")
            late.lead = nil
            try await db.save(late)
            try expect(try await storedLead(key, db) == nil, "There is a key of nobody.")
        },
        graph(
            "rel-8.replaced-kinds", "REL-8", "References of every kind are replaced without a load"
        ) { environment in
            let db = try await environment.open(
                Ticket.self, Branch.self, Town.self, Mammal.self, Errand.self, Company.self)
            try await db.save(Ticket(Seat(row: "a", number: 1)))
            let ticket = try await db.query(Ticket.self).depth(0).one()
            ticket.seat = Seat(row: "a", number: 1)
            try expect(!ticket.isDirty, "An equal value is a change.")
            ticket.seat = Seat(row: "b", number: 2)
            try await db.save(ticket)
            let seat = try await db.query(Ticket.self).one().seat
            try expect(seat, equals: Seat(row: "b", number: 2), "the seat")

            let (branch, parent, other) = (Branch("branch"), Branch("parent"), Branch("other"))
            branch.parent = parent
            try await db.save([parent, other, branch])
            let leaf = try expect(some: try await db.find(Branch.self, key: branch.id, depth: 0), "the branch")
            leaf.parent = parent
            try expect(!leaf.isDirty, "The same in a weak property is a change.")
            leaf.parent = nil
            try expect(leaf.isDirty, "Nobody in a weak property is no change.")
            leaf.parent = other
            try await db.save(leaf)
            let branches = try await db.query(Branch.self).where { $0.parent.label == "other" }.fetch()
            try expect(branches.map(\.label), equals: ["branch"], "the branches of the other")

            let (chile, peru, town) = (Land("cl"), Land("pe"), Town("Tacna"))
            town.land = chile
            try await db.save([peru, chile])
            try await db.save(town)
            let bare = try await db.query(Town.self).depth(0).one()
            bare.land = chile
            try expect(!bare.isDirty, "The same by a code is a change.")
            bare.land = peru
            try await db.save(bare)
            try expect(try await db.texts("SELECT land_code FROM town"), equals: ["pe"], "the code")

            let mammal = Mammal("m")
            mammal.keeper = Employee("keeper")
            try await db.save(mammal)
            let again = try await db.query(Mammal.self).depth(0).one()
            again.keeper = nil
            try await db.save(again)
            try expect(try await db.query(Mammal.self).one().keeper == nil, "The keeper is still there.")

            // What an object owned stays, as where it was loaded; what it owns goes with it.
            try await db.save(Errand("e", Memo("first")))
            let errand = try await db.query(Errand.self).depth(0).one()
            errand.memo = Memo("second")
            try await db.save(errand)
            try expect(try await db.texts("SELECT text FROM memo ORDER BY text").count, equals: 2, "the memos")
            try await db.delete(errand)
            try expect(try await db.texts("SELECT text FROM memo"), equals: ["first"], "what the errand did not own")

            // The other side shows it, and sets it.
            let (acme, zeta, ann) = (Company("Acme"), Company("Zeta"), Employee("ann"))
            ann.company = acme
            try await db.save([ann])
            try await db.save(zeta)
            let free = try await db.query(Employee.self).depth(0).where { $0.name == "ann" }.one()
            free.company = zeta
            try await db.save(free)
            try expect(zeta.staff.first === free, "The other side does not show it.")
            let moved = try await db.query(Employee.self).depth(0).where { $0.name == "ann" }.one()
            let firm = try expect(
                some: try await db.find(Company.self, key: acme.id ?? 0, including: ["staff"]), "Acme")
            firm.staff = [moved]
            try await db.save(firm)
            try expect(moved.company === firm && !moved.isDirty, "The reference does not lead back.")
            try expect(try moved.key(of: \.company), equals: acme.id.map { Key($0) }, "the key of the company")
        },
        graph(
            "rel-8.guards", "REL-8",
            "Where a reference was replaced without a load, a stale version, a failure and a rollback leave all as it was"
        ) { environment in
            let (db, other) = (try await environment.open(Letter.self), try await environment.open())
            let letter = Letter("one")
            letter.author = Correspondent("ann")
            let bob = Correspondent("bob")
            try await db.save(letter)
            try await db.save(bob)
            let ann = try expect(some: letter.author?.id, "the author's key")
            let key = try expect(some: letter.id, "the key")
            let mine = try expect(some: try await db.find(Letter.self, key: key, depth: 0), "the letter")
            let theirs = try expect(some: try await other.find(Letter.self, key: key, depth: 0), "the letter")
            theirs.subject = "theirs"
            try await other.save(theirs)
            mine.author = bob
            let error = try await expect(.staleVersion, from: "a save of an older version") { try await db.save(mine) }
            try expect(mine.isDirty && mine.author === bob, "The object is not as before.")
            let current = try expect(some: try error.currentObject(Letter.self), "the current object")
            try expect(try current.key(of: \.author), equals: Key(ann), "the key in the current row")
            mine.version = current.version
            try await db.save(mine)
            let both = try expect(some: try await db.find(Letter.self, key: key), "the letter")
            try expect(both.subject == "theirs" && both.author?.name == "bob", "A change is lost.")

            let again = try expect(some: try await db.find(Letter.self, key: key, depth: 0), "the letter")
            let carl = Correspondent("carl")
            for replacement in [carl, nil] {
                try await expect(.conflict, from: "a rollback on purpose") {
                    try await db.transaction { tx in
                        again.author = replacement
                        try await tx.save(again)
                        throw DatabaseError(.conflict, "On purpose.")
                    }
                }
                try expect(again.isDirty && again.author === replacement, "What was set is lost by a rollback.")
                again.author = bob
                try expect(!again.isDirty, "What the row has is a change after a rollback.")
            }
        },
        graph(
            "rel-8.guards-of-reloads", "REL-8",
            "A reference that was replaced without a load stays in a refused save, and goes in a reload"
        ) { environment in
            let db = try await environment.open(Venture.self)
            let venture = Venture("v")
            venture.lead = Employee("lead")
            try await db.save(venture)
            let bare = try await db.query(Venture.self).depth(0).one()
            bare.lead = nil
            bare.stages = [Stage("s")]
            let refused = try await expect(.notLoaded, from: "an array that was not loaded") { try await db.save(bare) }
            try expect(refused.properties, equals: ["stages"], "the properties of the error")
            try await db.reload(bare)
            try expect(!bare.isDirty && bare.lead?.name == "lead", "A reload leaves a mark.")
            try expect(try bare.key(of: \.lead), equals: venture.lead?.id.map { Key($0) }, "the key after a reload")
        },
        graph("rel-8.required", "REL-8", "What has to be loaded is read, or it is told what and where") { environment in
            let db = try await environment.open(Venture.self)
            let key = try await saveVenture(db)
            let venture = try expect(some: try await db.find(Venture.self, key: key, depth: 1), "the venture")
            try expect(try venture.loaded(\.lead)?.name, equals: "lead", "the lead")
            try expect(try venture.loaded(\.stages).count, equals: 2, "the stages")
            try expect(try venture.loaded(\.name), equals: "v", "the name")
            let error = try await expect(.notLoaded, from: "what is loaded on demand") {
                _ = try venture.loaded(\.related)
            }
            try expect(error.properties, equals: ["related"], "the property")
            try expect(error.message.contains("Rel8.swift:"), "The error does not say where.")
            try await db.loadRelation(\.related, of: venture)
            try expect(try venture.loaded(\.related).count, equals: 2, "what was loaded")
            try expect(try Venture("new").loaded(\.related).count, equals: 0, "what a new object has")
        },
    ]

    /// Saves a venture with its lead, and another employee.
    private static func saveLeads(_ db: Database) async throws -> (key: Int64, lead: Employee, another: Employee) {
        let key = try await saveVenture(db)
        let whole = try expect(some: try await db.find(Venture.self, key: key), "the venture")
        let lead = try expect(some: whole.lead, "the lead")
        let another = Employee("another")
        try await db.save(another)
        return (key, lead, another)
    }

    private static func bareVenture(_ key: Int64, _ db: Database) async throws -> Venture {
        try expect(some: try await db.find(Venture.self, key: key, depth: 0), "the venture alone")
    }

    private static func storedLead(_ key: Int64, _ db: Database) async throws -> Int64? {
        try await db.sql("SELECT lead_id FROM venture WHERE id = \(key)").fetch(as: Int64?.self).first ?? nil
    }
}
