import Holdfast

/// Deletions of what refers to others by columns that are a part of its own key, as tenants are.
extension ConformanceCase {
    static let rel2Shared: [ConformanceCase] = [
        graph(
            "rel-2.shared-cascade", "REL-2",
            "What a reference that shares a column with the key leads to goes along, over two levels, with its hooks"
        ) { environment in
            let db = try await environment.open(Tenancy.Ticket.self, Note.self)
            let tickets = try await saveTickets(db)
            try expect(try await db.delete(tickets[0]), equals: 1, "the number of tickets deleted")
            try await expectLeft([2, 3, 4, 5, 6], "deleting one", db)
            try expect(tickets[0].project?.client?.isDirty == true, "What went along is not new.")
            try expect(tickets[0].assignee?.isDirty == false, "What stayed is new.")
            try expect(try await db.delete(Array(tickets[1...2])), equals: 2, "the number of tickets of a batch")
            try await expectLeft([4, 5, 6], "deleting a batch", db)
            try expect(
                try await db.fetch(Note.self).map(\.title).sorted(), equals: ["project 1", "project 2", "project 3"],
                "what the hooks of the projects saved")
        },
        graph(
            "rel-2.shared-cascade-by-queries", "REL-2",
            "What a reference that shares a column with the key leads to goes along by queries, without hooks, and by SQL"
        ) { environment in
            let db = try await environment.open(Tenancy.Ticket.self, Note.self)
            _ = try await saveTickets(db)
            let query = db.query(Tenancy.Ticket.self).where { $0.tenant == 7 && $0.id <= 4 }
            try expect(try await query.delete(), equals: 4, "the number of tickets of a query")
            try await expectLeft([5, 6], "deleting by a query", db)
            let rest = db.query(Tenancy.Ticket.self).where { $0.tenant == 7 && $0.id == 5 }
            try expect(try await rest.delete(callingHooks: false), equals: 1, "the number of tickets without hooks")
            try await expectLeft([6], "deleting by a query without hooks", db)
            try await db.sql("DELETE FROM tenancy_ticket WHERE tenant = 7").execute()
            try await expectLeft([], "deleting by SQL", db)
            try expect(try await db.deleteAll(Tenancy.Ticket.self), equals: 1, "the number of all tickets")
            try expect(try await db.count(Tenancy.Project.self), equals: 0, "the number of projects in the end")
        },
        graph(
            "rel-2.shared-held", "REL-2",
            "What a reference that shares a column leads to is not deleted while another row refers to it, nor if the relation denies it"
        ) { environment in
            let db = try await environment.open(Tenancy.Ticket.self, Note.self)
            let tickets = [1, 2].map { Tenancy.Ticket(7, $0) }
            tickets[0].project = Tenancy.Project(7, 1)
            tickets[1].project = tickets[0].project
            try await db.save(tickets)
            try await expect(.foreignKeyViolation, from: "deleting one of two that hold a project") {
                try await db.delete(tickets[0])
            }
            try expect(!tickets[0].isDirty && tickets[0].project?.isDirty == false, "Something counts as new.")
            try expect(try await db.delete(tickets[0], keeping: [\.project]), equals: 1, "the deletion that keeps it")
            try expect(try await db.count(Tenancy.Project.self), equals: 1, "the number of projects")
            tickets[1].payer = Tenancy.Client(7, 1)
            try await db.save(tickets[1])
            try await expect(.foreignKeyViolation, from: "deleting what a relation denies") {
                try await db.delete(tickets[1])
            }
            try await expect(.foreignKeyViolation, from: "deleting by a query what a relation denies") {
                try await db.query(Tenancy.Ticket.self).delete()
            }
            try expect(try await db.count(Tenancy.Project.self), equals: 1, "the number of projects after refusals")
            tickets[1].payer = nil
            try await db.save(tickets[1])
            try await db.delete(tickets[1])
            try expect(try await db.count(Tenancy.Project.self), equals: 0, "the number of projects in the end")
            try expect(try await db.count(Tenancy.Client.self), equals: 1, "the number of payers, which stay")
        },
        graph(
            "rel-2.shared-self", "REL-2",
            "Rows that refer to rows of their own table by a shared column go together, in whatever order they are given"
        ) { environment in
            let db = try await environment.open(Tenancy.Step.self, Tenancy.Folder.self)
            func steps(_ tenant: Int64, _ count: Int64) -> [Tenancy.Step] {
                var steps: [Tenancy.Step] = []
                for id in 1...count { steps.append(Tenancy.Step(tenant, id, next: steps.last)) }
                return steps
            }
            let chain = steps(1, 5)
            try await db.save(chain + steps(2, 5) + steps(3, 5))
            try await expect(.foreignKeyViolation, from: "deleting what another holds") {
                try await db.delete(chain[3])
            }
            try expect(try await db.delete(chain[4]), equals: 1, "the number of rows deleted")
            try expect(try await db.number("SELECT count(*) FROM tenancy_step"), equals: 10, "the steps left")
            let query = db.query(Tenancy.Step.self).where { $0.tenant == 2 && $0.id > 2 }
            try expect(try await query.delete(), equals: 3, "the number of rows of a query")
            try expect(try await db.deleteAll(Tenancy.Step.self), equals: 5, "the number of all")
            let circle = steps(4, 3)
            try await db.save(circle)
            circle[0].next = circle[2]
            try await db.save(circle[0])
            try expect(try await db.delete(circle[1]), equals: 1, "the number of rows deleted of a circle")
            try expect(try await db.count(Tenancy.Step.self), equals: 0, "the number of steps in the end")
            func saveFolders() async throws -> [Tenancy.Folder] {
                let top = Tenancy.Folder(1, 1)
                let folders = [top, Tenancy.Folder(1, 2, parent: top), Tenancy.Folder(1, 3, parent: top)]
                try await db.save(folders)
                return folders
            }
            let folders = try await saveFolders()
            try await expect(.foreignKeyViolation, from: "deleting what others hold") {
                try await db.delete(folders[0])
            }
            try expect(try await db.delete(folders[2]), equals: 1, "the number of rows of one that nothing holds")
            try expect(try await db.delete(Array(folders[0...1])), equals: 2, "the number of rows of a batch")
            _ = try await saveFolders()
            try expect(try await db.query(Tenancy.Folder.self).delete(), equals: 3, "the number of rows of a query")
            _ = try await saveFolders()
            try expect(try await db.deleteAll(Tenancy.Folder.self), equals: 3, "the number of all folders")
        },
        graph(
            "rel-2.required-hooks", "REL-2",
            "Hooks run for what a reference that can't be nil takes along"
        ) { environment in
            let db = try await environment.open(Tenancy.Order.self, Note.self)
            let orders = [1, 2, 3].map { Tenancy.Order(1, $0, offer: Tenancy.Offer("o\($0)")) }
            try await db.save(orders)
            try await db.delete(orders[0])
            try await db.query(Tenancy.Order.self).where { $0.id == 2 }.delete()
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["offer o1", "offer o2"], "the notes")
            try expect(try await db.fetch(Tenancy.Offer.self).map(\.text), equals: ["o3"], "the offers that are left")
        },
    ]

    /// Saves six tickets of a tenant, whose projects and assignees have keys with the same tenant, and one of another.
    private static func saveTickets(_ db: Database) async throws -> [Tenancy.Ticket] {
        let tickets = (1...6).map { (id: Int64) in
            let ticket = Tenancy.Ticket(7, id)
            ticket.project = Tenancy.Project(7, id, client: Tenancy.Client(7, id))
            ticket.assignee = Tenancy.Client(7, 100 + id)
            return ticket
        }
        // Another tenant's, which nothing here concerns.
        let other = Tenancy.Ticket(8, 1)
        other.project = Tenancy.Project(8, 1, client: Tenancy.Client(8, 1))
        try await db.save(tickets + [other])
        return tickets
    }

    /// Expects tickets of the tenant to be left, with their projects and clients, and nothing else to be gone.
    private static func expectLeft(_ ids: [Int], _ what: String, _ db: Database) async throws {
        for table in ["tenancy_ticket", "tenancy_project"] {
            try expect(
                try await db.numbers("SELECT id FROM \(identifier: table) WHERE tenant = 7 ORDER BY id"),
                equals: ids, "the rows of \(table) after \(what)")
        }
        try expect(
            try await db.numbers("SELECT id FROM tenancy_client WHERE tenant = 7 AND id < 100 ORDER BY id"),
            equals: ids, "the clients after \(what)")
        try expect(
            try await db.number("SELECT count(*) FROM tenancy_client WHERE id > 100"), equals: 6,
            "the assignees after \(what), which stay")
        try expect(
            try await db.number("SELECT count(*) FROM tenancy_project WHERE tenant = 8"), equals: 1,
            "the projects of the other tenant after \(what)")
    }
}
