import Foundation
import Holdfast

/// A help desk as anybody would write it: nothing is said of what is loaded when.
enum HelpDesk {
    @Table("desk_organisation")
    final class Organisation {
        var id: Int64?
        var name: String
        var latest: Ticket?
        @Relation(inverse: \Ticket.organisation, deleteRule: .cascade) var tickets: [Ticket] = []
        @Relation(inverse: \Agent.organisation) var agents: [Agent] = []

        init(_ name: String) { self.name = name }
    }

    @Table("desk_agent")
    final class Agent {
        var id: Int64?
        var name: String
        var organisation: Organisation?

        init(_ name: String, of organisation: Organisation? = nil) {
            (self.name, self.organisation) = (name, organisation)
        }
    }

    @Table("desk_ticket")
    final class Ticket {
        var id: Int64?
        @Version var version = 0
        var title: String
        @Required var organisation: Organisation?
        var assignee: Agent?
        var labels: [String] = []
        var watchers: [Agent] = []
        @Relation(inverse: \Comment.ticket, deleteRule: .cascade) var comments: [Comment] = []

        init(_ title: String, of organisation: Organisation) { (self.title, self.organisation) = (title, organisation) }
    }

    @Table("desk_comment")
    final class Comment {
        var id: Int64?
        var text: String
        @Required var ticket: Ticket?
        var author: Agent?

        init(_ text: String, on ticket: Ticket? = nil) { (self.text, self.ticket) = (text, ticket) }
    }
    /// A file with columns that are read where they are asked for.
    @Table("desk_file")
    final class File {
        var id: Int64?
        var name: String
        @Column(loading: .onDemand) var content: Data?
        @Column("remark", loading: .onDemand) var note = ""
        var size = 0
        var previous: File?

        init(_ name: String, _ content: Data?, after previous: File? = nil) {
            (self.name, self.content, self.previous) = (name, content, previous)
        }
    }
}
