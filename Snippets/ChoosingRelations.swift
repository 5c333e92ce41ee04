// The examples of the article "Which relation do I want".

import Foundation
import Holdfast

// snippet.reference
@Table
final class Ticket {
    var id: Int64?
    var title: String
    @Required var customer: Customer?  // "customer_id" NOT NULL: each ticket has one
    var assignee: Reference<Agent>?  // "assignee_id": the key alone comes with the ticket
    var labels: [String] = []  // ticket_labels: values, in their order, with duplicates
    var watchers: [Agent] = []  // ticket_watchers: other tickets may hold them, too
    @Relation(deleteRule: .cascade) var attachments: [Attachment] = []  // ticket_attachments: its own, in an order
    @Relation(inverse: \Comment.ticket, deleteRule: .cascade) var comments: [Comment] = []
    var parent: Ticket?  // "parent_id": a tree
    @Relation(inverse: \Ticket.parent) var children: [Ticket] = []

    init(_ title: String, of customer: Customer) {
        self.title = title
        self.customer = customer
    }
}
// snippet.end

// snippet.others
@Table
final class Customer {
    var id: Int64?
    var name: String
    @Relation(inverse: \Ticket.customer) var tickets: [Ticket] = []  // the tickets hold the key
    init(_ name: String) { self.name = name }
}

@Table
final class Agent {
    var id: Int64?
    var name: String
    init(_ name: String) { self.name = name }
}

@Table
final class Attachment {
    var id: Int64?
    var name: String
    @Column(loading: .onDemand) var content: Data?  // megabytes: in no SELECT that does not ask for it
    init(_ name: String) { self.name = name }
}

@Table
final class Comment {
    var id: Int64?
    var text: String
    @Required var ticket: Ticket?
    init(_ text: String, on ticket: Ticket) {
        self.text = text
        self.ticket = ticket
    }
}
// snippet.end

// snippet.membership
@Table(indexes: [.unique("team", "agent")])
final class Membership {
    var id: Int64?
    @Required var team: Team?
    @Required var agent: Agent?
    var role = "member"
    @Timestamp(.created) var since: Date?

    init(_ agent: Agent, in team: Team) {
        self.agent = agent
        self.team = team
    }
}

@Table
final class Team {
    var id: Int64?
    var name: String
    @Relation(inverse: \Membership.team, deleteRule: .cascade) var memberships: [Membership] = []
    @Relation(inverse: \Membership.team, through: \Membership.agent) var agents: [Agent] = []
    init(_ name: String) { self.name = name }
}
// snippet.end

func showTicket(db: Database, id: Int64) async throws {
    // snippet.page
    // The ticket with its customer, labels, watchers, attachments, comments and parents; not the customer's others.
    guard let ticket = try await db.find(Ticket.self, key: id, including: ["comments"]) else { return }
    print(ticket.title, ticket.customer?.name ?? "", ticket.comments.count)
    let assignee = try await ticket.assignee?.load(from: db)
    print(assignee?.name ?? "nobody")
    // snippet.end
}

func addComment(db: Database, ticket: Ticket) async throws {
    // snippet.adding
    try await db.save(Comment("Thanks", on: ticket), scope: .object)  // one INSERT; the other comments are not needed
    // snippet.end
}

func readAttachment(db: Database, ticket: Ticket) async throws {
    // snippet.attachment
    if let attachment = ticket.attachments.first {
        try await db.loadColumn(\.content, of: attachment)  // SELECT t0."id", …, t0."content" FROM "attachment" …
        print(attachment.content?.count ?? 0)
    }
    // snippet.end
}

func listTickets(db: Database) async throws {
    // snippet.list
    let open = try await db.query(Ticket.self)
        .where { $0.customer.name.hasPrefix("A") && $0.comments.count > 3 }
        .order { [$0.title.ascending] }
        .depth(0)  // the tickets and their labels: two statements
        .fetch()
    print(open.map(\.title))
    // snippet.end
}
