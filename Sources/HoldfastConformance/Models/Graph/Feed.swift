import Holdfast

/// Channels with many posts, of which a part is asked for, and which are linked without being loaded.
enum Feed {
    @Table("feed_channel")
    final class Channel {
        var id: Int64?
        @Version var version = 0
        var name: String
        @Relation(inverse: \Post.channel) var posts: [Post] = []
        var pinned: [Post] = []
        @Relation(joinTable: .unordered) var topics: [Topic] = []

        init(_ name: String) { self.name = name }
    }

    @Table("feed_post")
    final class Post {
        var id: Int64?
        var title: String
        var rank: Int?
        var isPublic = true
        var channel: Channel?
        @Relation(inverse: \Remark.post, deleteRule: .cascade) var remarks: [Remark] = []
        @Relation(inverse: \Channel.pinned) var pinnedIn: [Channel] = []

        init(_ title: String, in channel: Channel? = nil, rank: Int? = nil) {
            (self.title, self.channel, self.rank) = (title, channel, rank)
        }
    }

    @Table("feed_remark")
    final class Remark {
        var id: Int64?
        var text: String
        @Required var post: Post?

        init(_ text: String, on post: Post) { (self.text, self.post) = (text, post) }
    }

    @Table("feed_topic")
    final class Topic {
        @PrimaryKey var name: String
        @Relation(inverse: \Channel.topics) var channels: [Channel] = []

        init(_ name: String) { self.name = name }
    }

    /// A struct, which can't remember what it lacks.
    @Table("feed_digest")
    struct Digest {
        var id: Int64?
        var topics: [Topic] = []
    }
}
