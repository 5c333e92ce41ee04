@_spi(Driver) import Holdfast

/// How far a save goes: to what was given, what that owns, and what these refer to.
extension ConformanceCase {
    static let rel3Reach: [ConformanceCase] = [
        graph("rel-3.siblings-stay", "REL-3", "A save of one object leaves those alone that an unchanged array holds") {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(HelpDesk.Comment.self) { probe.attach(to: &$0) }
            let (organisation, tickets) = try await desk(db)
            let other = try expect(some: try await db.find(HelpDesk.Ticket.self, key: tickets[1].id ?? 0), "the ticket")
            other.title = "changed elsewhere"
            try await db.save(other)
            // Stale, and changed: it would fail the save of any that leads to it.
            tickets[1].title = "stale"
            organisation.name = "renamed"
            tickets[0].title = "first"
            _ = probe.take()
            try await db.save(tickets[0])
            let sent = probe.take().filter { $0.hasPrefix("UPDATE") }
            try expect(sent.count, equals: 2, "the updates: of the ticket, and of the organisation that it refers to")
            try expect(tickets[1].isDirty, "The change of a ticket that was not saved is lost.")
            try await db.save(organisation, scope: .object)
            try await expect(.staleVersion, from: "a save of an organisation with what it owns") {
                organisation.name = "again"
                try await db.save(organisation)
            }
            try expect(organisation.name, equals: "again", "the name that was not saved")
            release(organisation, tickets)
        },
        graph("rel-3.owned-by-the-given", "REL-3", "A save comes to what the object owns, on any level") {
            environment in
            let db = try await environment.open(HelpDesk.Comment.self)
            let (organisation, tickets) = try await desk(db)
            tickets[0].comments = [HelpDesk.Comment("c")]
            try await db.save(organisation)
            try expect(tickets[0].comments[0].id != nil, "A comment of a ticket of an organisation was not saved.")
            // No array was changed, but the organisation owns its tickets, and those their comments.
            tickets[0].comments[0].text = "d"
            tickets[2].title = "third"
            organisation.agents[0].name = "not owned"
            try await db.save(organisation)
            try expect(
                try await db.number("SELECT count(*) FROM desk_comment WHERE text = 'd'"), equals: 1, "the comments")
            try expect(
                try await db.number("SELECT count(*) FROM desk_ticket WHERE title = 'third'"), equals: 1, "the tickets")
            try expect(
                try await db.number("SELECT count(*) FROM desk_agent WHERE name = 'not owned'"), equals: 0,
                "the agents that were saved, which the organisation does not own")
            try expect(organisation.agents[0].isDirty, "The change of an agent is lost.")
            try await db.save(organisation, scope: .following(["agents"]))
            try expect(organisation.agents[0].isDirty, equals: false, "whether an agent that a path names is dirty")
            // A ticket that is reached first as one that is referred to is owned all the same.
            organisation.latest = tickets[0]
            tickets[0].comments[0].text = "e"
            try await db.save(organisation)
            try expect(
                try await db.number("SELECT count(*) FROM desk_comment WHERE text = 'e'"), equals: 1, "the comments")
            release(organisation, tickets)
        },
        graph("rel-3.deleted-stays-deleted", "REL-3", "A save brings back no object that was deleted, but the given") {
            environment in
            let db = try await environment.open(HelpDesk.Comment.self)
            let (organisation, tickets) = try await desk(db)
            let agent = organisation.agents[0]
            try await db.delete(agent)
            // One that is new, and one that was deleted itself, refer to nobody any more.
            let ticket = HelpDesk.Ticket("new", of: organisation)
            ticket.assignee = agent
            try await db.save(ticket)
            try expect(ticket.assignee == nil, "A new ticket has an agent that was deleted.")
            try await db.delete(ticket)
            ticket.assignee = agent
            try await db.save(ticket)
            try expect(ticket.assignee == nil, "A ticket that is inserted again has an agent that was deleted.")
            try expect(
                try await db.number("SELECT count(*) FROM desk_agent WHERE name = 'x'"), equals: 0, "deleted agents")
            try await db.delete(organisation)
            tickets[0].title = "gone with its organisation"
            _ = try await expect(.notNullViolation, from: "a ticket whose organisation is needed, and deleted") {
                try await db.save(tickets[0])
            }
            try expect(tickets[0].organisation === organisation, "A save that failed has taken the organisation away.")
            try expect(
                try await db.number("SELECT count(*) FROM desk_organisation"), equals: 0, "deleted organisations")
            // What it owns comes back with it.
            try await db.save(organisation)
            try expect(
                try await db.number("SELECT count(*) FROM desk_ticket"), equals: organisation.tickets.count,
                "the tickets that it owns")
            try expect(organisation.tickets.count >= 3, "The organisation has lost tickets.")
            release(organisation, tickets)
        },
        graph("rel-3.changed-inverse", "REL-3", "A save goes through an array that was changed, whoever owns it") {
            environment in
            let db = try await environment.open(HelpDesk.Comment.self)
            let (organisation, tickets) = try await desk(db)
            let agent = HelpDesk.Agent("new")
            organisation.agents.append(agent)
            organisation.agents[0].name = "renamed"
            tickets[0].title = "first"
            // Not given, but its array was changed.
            try await db.save(tickets[0])
            try expect(agent.organisation === organisation && agent.id != nil, "An agent that was added is not saved.")
            try expect(organisation.agents[0].isDirty, equals: false, "whether an agent of the array is dirty")
            release(organisation, tickets)
        },
        graph("rel-3.shown-among-others", "REL-3", "The other side shows what came and went among what was not saved") {
            environment in
            let db = try await environment.open(HelpDesk.Comment.self)
            let (organisation, tickets) = try await desk(db)
            let other = HelpDesk.Organisation("other")
            try await db.save(other)
            let new = HelpDesk.Ticket("new", of: organisation)
            try await db.save(new)
            try expect(organisation.tickets.map(\.title), equals: ["a", "b", "c", "new"], "the tickets with a new one")
            tickets[1].organisation = other
            try await db.save([tickets[1]])
            try expect(other.tickets.map(\.title), equals: ["b"], "the tickets of the new organisation")
            // The organisation that it left was not part of the save. A change of its array is none of that ticket.
            organisation.tickets.append(HelpDesk.Ticket("e", of: organisation))
            try await db.save(organisation)
            let moved = try await db.number(
                "SELECT count(*) FROM desk_ticket WHERE title = 'b' AND organisation_id = \(other.id ?? 0)")
            try expect(moved, equals: 1, "the tickets that were moved and stay so")
            // The organisation is part of the next save, and that ticket is not.
            (tickets[0].organisation, tickets[0].assignee) = (other, organisation.agents[0])
            try await db.save(tickets[0])
            try expect(organisation.tickets.contains { $0 === tickets[0] }, equals: false, "whether it is still there")
            try expect(other.tickets.map(\.title), equals: ["b", "a"], "the tickets of the new organisation")
            try expect(organisation.isDirty || other.isDirty, equals: false, "whether an organisation is dirty")
            // It was part of no save that knew of the organisation which it left, so that shows it still, and once.
            tickets[1].organisation = organisation
            try await db.save(tickets[1])
            try expect(organisation.tickets.count { $0 === tickets[1] }, equals: 1, "how often the array has a ticket")
            // What is taken out is known to be in the database.
            organisation.tickets.removeAll { $0 === tickets[2] }
            try await expect(.notNullViolation, from: "a ticket without an organisation") {
                try await db.save(organisation)
            }
            organisation.tickets.append(tickets[2])
            let agent = HelpDesk.Agent("z", of: organisation)
            try await db.save(agent)
            try expect(organisation.agents.map(\.name), equals: ["x", "y", "z"], "the agents with a new one")
            organisation.agents.removeLast()
            try await db.save(organisation)
            try expect(
                try await db.number("SELECT count(*) FROM desk_agent WHERE organisation_id IS NULL"), equals: 1,
                "the agents without an organisation")
            try await undone(db, organisation)
            release(organisation, tickets + [new])
            release(other, [])
        },
    ]

    /// A transaction that is rolled back takes what it has shown out again.
    private static func undone(_ db: Database, _ organisation: HelpDesk.Organisation) async throws {
        let titles = organisation.tickets.map(\.title)
        let late = HelpDesk.Ticket("late", of: organisation)
        try await db.transaction { tx in
            try await tx.undone { nested in
                try await nested.save(late)
                try expect(organisation.tickets.map(\.title), equals: titles + ["late"], "the tickets meanwhile")
            }
        }
        try expect(organisation.tickets.map(\.title), equals: titles, "the tickets after the rollback")
        late.organisation = nil
    }

    /// An organisation with three tickets and two agents, loaded whole.
    private static func desk(_ db: Database) async throws -> (HelpDesk.Organisation, [HelpDesk.Ticket]) {
        let new = HelpDesk.Organisation("o")
        new.tickets = ["a", "b", "c"].map { HelpDesk.Ticket($0, of: new) }
        new.agents = ["x", "y"].map { HelpDesk.Agent($0, of: new) }
        try await db.save(new)
        let organisation = try await db.find(
            HelpDesk.Organisation.self, key: new.id ?? 0, including: ["tickets.comments", "agents"])
        release(new, new.tickets)
        let found = try expect(some: organisation, "the organisation")
        try expect(found.tickets.map(\.title), equals: ["a", "b", "c"], "the tickets")
        return (found, found.tickets)
    }

    /// Breaks the cycles of references between objects.
    private static func release(_ organisation: HelpDesk.Organisation, _ tickets: [HelpDesk.Ticket]) {
        organisation.latest = nil
        for ticket in tickets { (ticket.comments, ticket.organisation, ticket.assignee) = ([], nil, nil) }
        for agent in organisation.agents { agent.organisation = nil }
        (organisation.tickets, organisation.agents) = ([], [])
    }
}
