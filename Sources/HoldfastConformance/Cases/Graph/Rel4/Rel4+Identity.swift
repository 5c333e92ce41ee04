import Holdfast

/// Loads of a transaction that give one instance for each row.
extension ConformanceCase {
    static let rel4Identity: [ConformanceCase] = [
        graph(
            "rel-4.identity-map", "REL-4",
            "With an identity map, a row is one instance in all loads of a transaction, which can be linked and saved"
        ) { environment in
            let db = try await environment.open(HelpDesk.Comment.self)
            let keys = try await saveDesk(db)
            try await db.transaction { tx in
                let objects = IdentityMap(tx)
                let ticket = try expect(
                    some: try await objects.find(HelpDesk.Ticket.self, key: keys.ticket), "the ticket")
                let ada = try expect(
                    some: try await objects.first(tx.query(HelpDesk.Agent.self).where { $0.name == "Ada" }), "Ada")
                let bob = try expect(
                    some: try await objects.fetch(tx.query(HelpDesk.Agent.self).where { $0.name == "Bob" }).first, "Bob"
                )
                try expect(ticket.assignee === ada, "An agent came as two instances.")
                try expect(bob.organisation === ticket.organisation, "An organisation came as two instances.")
                let again = try await objects.find(HelpDesk.Ticket.self, key: keys.ticket)
                try expect(again === ticket, "A ticket came as two instances.")
                // Load, load, link, save; with changes in both.
                (ada.name, bob.name, ticket.title, ticket.assignee) = ("Ada L.", "Bob M.", "new", bob)
                let same = try await objects.fetch(HelpDesk.Agent.self, keys: [bob.id ?? 0, ada.id ?? 0])
                try expect(same.map(\.name), equals: ["Bob M.", "Ada L."], "the names that are not saved yet")
                try await tx.save(ticket)
                try await tx.save(ada)
                release(ticket, [ada, bob])
            }
            try expect(
                try await db.texts("SELECT name FROM desk_agent ORDER BY name"), equals: ["Ada L.", "Bob M."],
                "the agents")
            let linked = try await db.number(
                "SELECT count(*) FROM desk_ticket JOIN desk_agent a ON a.id = assignee_id WHERE a.name = 'Bob M.'")
            try expect(linked, equals: 1, "the tickets of Bob")
            try await completes(db, keys)
            try await forgets(db, keys)
        }
    ]

    /// An object gets what it lacks, and keeps what was set.
    private static func completes(_ db: Database, _ keys: (ticket: Int64, organisation: Int64)) async throws {
        try await db.transaction { tx in
            let objects = IdentityMap(tx)
            let query = tx.query(HelpDesk.Ticket.self).properties(\.title).depth(0)
            let ticket = try expect(some: try await objects.first(query), "the ticket")
            try expect(ticket.isLoaded(\.labels), equals: false, "whether the labels were loaded")
            ticket.title = "mine"
            let owner = try await objects.find(
                HelpDesk.Organisation.self, key: keys.organisation, including: ["tickets"])
            let organisation = try expect(some: owner, "the organisation")
            try expect(try organisation.loaded(\.tickets).first === ticket, "A ticket came as two instances.")
            try expect(try ticket.loaded(\.labels), equals: ["l"], "the labels, which came later")
            try expect(try ticket.loaded(\.organisation) === organisation, "The ticket leads to another instance.")
            try expect(ticket.title, equals: "mine", "the title that was set")
            let whole = try await objects.find(HelpDesk.Ticket.self, key: keys.ticket, including: ["comments"])
            try expect(whole === ticket && ticket.isLoaded(\.comments), "The comments were not loaded.")
            try await tx.save(ticket)
            ticket.labels = []
            try await tx.save(ticket)
            release(ticket, [])
            organisation.tickets = []
        }
        try expect(
            try await db.texts("SELECT title FROM desk_ticket"), equals: ["mine"], "the title that was saved")
        try expect(try await db.number("SELECT count(*) FROM desk_ticket_labels"), equals: 0, "the labels")
    }

    /// An object that was deleted stands for no row any more; one that was saved does if it is added.
    private static func forgets(_ db: Database, _ keys: (ticket: Int64, organisation: Int64)) async throws {
        try await db.transaction { tx in
            let objects = IdentityMap(tx)
            let comment = HelpDesk.Comment(
                "c", on: try await objects.find(HelpDesk.Ticket.self, key: keys.ticket))
            try await expect(.notFound, from: "an object without a key") { try objects.add(comment) }
            try await tx.save(comment)
            try objects.add(comment)
            let key = comment.id ?? 0
            try expect(try await objects.find(HelpDesk.Comment.self, key: key) === comment, "A comment came twice.")
            try await expect(.conflict, from: "another instance") {
                if let other = try await tx.find(HelpDesk.Comment.self, key: key) { try objects.add(other) }
            }
            try await tx.delete(comment)
            try expect(
                try await objects.find(HelpDesk.Comment.self, key: key) == nil, "A comment that is gone was found.")
            _ = try await tx.sql("INSERT INTO desk_comment (id, text, ticket_id) VALUES (\(key), 'd', \(keys.ticket))")
                .execute()
            let new = try await objects.find(HelpDesk.Comment.self, key: key)
            try expect(new !== comment && new?.text == "d", "A deleted object stands for a new row.")
        }
    }

    private static func saveDesk(_ db: Database) async throws -> (ticket: Int64, organisation: Int64) {
        let organisation = HelpDesk.Organisation("o")
        let agents = ["Ada", "Bob"].map { HelpDesk.Agent($0, of: organisation) }
        let ticket = HelpDesk.Ticket("t", of: organisation)
        (ticket.assignee, ticket.labels) = (agents[0], ["l"])
        try await db.save(agents)
        try await db.save(ticket)
        return (ticket.id ?? 0, organisation.id ?? 0)
    }

    /// Breaks the cycles of references between objects.
    private static func release(_ ticket: HelpDesk.Ticket, _ agents: [HelpDesk.Agent]) {
        (ticket.organisation, ticket.assignee, ticket.comments) = (nil, nil, [])
        for agent in agents { agent.organisation = nil }
    }
}
