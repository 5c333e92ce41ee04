import Holdfast

/// Objects that belong to one of several types.
enum Clippings {
    @Table("clip_ticket")
    final class Ticket {
        var id: Int64?
        var title: String
        @Relation(inverse: \Clip.ticket, deleteRule: .cascade) var clips: [Clip] = []
        var cover: Clip?

        init(_ title: String) { self.title = title }
    }

    /// Has a key of two parts, one of which its clips share with others.
    @Table("clip_comment")
    final class Comment {
        @PrimaryKey let tenant: Int64
        @PrimaryKey let number: Int64
        @Relation(inverse: \Clip.comment, deleteRule: .cascade) var clips: [Clip] = []

        init(tenant: Int64, number: Int64) { (self.tenant, self.number) = (tenant, number) }
    }

    @Table("clip", checks: [.exactlyOne("ticket", "comment", "url", named: "place")])
    final class Clip {
        var id: Int64?
        var tenant: Int64
        var ticket: Ticket?
        @Column(["tenant", "comment_number"]) var comment: Comment?
        var url: String?

        init(tenant: Int64, ticket: Ticket? = nil, comment: Comment? = nil, url: String? = nil) {
            (self.tenant, self.ticket, self.comment, self.url) = (tenant, ticket, comment, url)
        }
    }

    @Table("clip_required", checks: [.exactlyOne("ticket", "url")])
    struct RequiredClip {
        var id: Int64?
        @Required var ticket: Reference<Ticket>?
        var url: String?
    }
}
