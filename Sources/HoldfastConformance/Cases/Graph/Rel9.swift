@_spi(Driver) import Holdfast

/// Links that are made and undone without what else there is.
extension ConformanceCase {
    static let rel9: [ConformanceCase] = [
        graph(
            "rel-9.link-in-order", "REL-9", "An object is appended to an array that is not loaded, unless it is there"
        ) {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self) { probe.attach(to: &$0) }
            let (channels, posts) = try await save(db)
            let channel = channels[0]
            channel.pinned = [posts[3], posts[1], posts[3]]
            try await db.save(channel)
            let version = channel.version
            _ = probe.take()
            try expect(try await db.link(channel, \.pinned, to: posts[0]), equals: 1, "the new links")
            try expect(probe.take().count, equals: 3, "the statements: of the channel, of the post, and of the link")
            try expect(
                try await db.link(channel, \.pinned, to: [posts[1], posts[2], posts[2], posts[0]]), equals: 1,
                "the new links among four")
            try expect(try await titles(db), equals: ["3", "1", "3", "0", "2"], "the array")
            try expect(!channel.isLoaded(\.pinned) && channel.pinned.count == 3, "The object does not know of it.")
            try expect(channel.version, equals: version, "the version of the channel")
            channel.name = "renamed"
            try await db.save(channel)
            try expect(try await titles(db), equals: ["3", "1", "3", "0", "2"], "the array after a save")
            channel.pinned = []
            try await expect(.notLoaded, from: "an array that others have changed") { try await db.save(channel) }
            try await db.reload(channel)
            try expect(
                try await db.unlink(channel, \.pinned, from: [posts[3], posts[0], posts[0]]), equals: 3, "links")
            try expect(try await titles(db), equals: ["1", "2"], "the array without two objects")
            try expect(try await db.unlink(channel, \.pinned, from: posts[3]), equals: 0, "links that are not there")
            try expect(try await db.link(channels[1], \.pinned, to: posts), equals: 4, "links of an array without any")
            try expect(
                try await db.link(Feed.Channel.self, key: 2, \.pinned, toKeys: [Int64]()), equals: 0, "links to nothing"
            )
            release(channels)
        },
        graph("rel-9.link-in-set", "REL-9", "Sets and arrays of the other side are linked, by objects and by keys") {
            environment in
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self)
            let (channels, posts) = try await save(db)
            let topics = ["x", "y"].map { Feed.Topic($0) }
            try await db.save(topics)
            try expect(try await db.link(channels[0], \.topics, to: topics), equals: 2, "the new links of a set")
            try expect(
                try await db.link(Feed.Channel.self, key: channels[0].id ?? 0, \.topics, toKeys: ["y"]), equals: 0,
                "the links that are there")
            try expect(try await db.link(topics[0], \.channels, to: channels), equals: 1, "those from the other side")
            try expect(
                !topics[0].isLoaded(\.channels) && !channels[1].isLoaded(\.topics), "Objects know nothing of it.")
            try expect(
                try await db.texts(
                    "SELECT feed_topic_name FROM feed_channel_topics ORDER BY feed_channel_id, feed_topic_name"),
                equals: ["x", "y", "x"], "the rows of the join table")
            try expect(
                try await db.unlink(Feed.Topic.self, key: "x", \.channels, fromKeys: channels.compactMap(\.id)),
                equals: 2, "the links that were undone")
            channels[1].pinned = [posts[1]]
            try await db.save(channels[1])
            try expect(
                try await db.link(posts[0], \.pinnedIn, to: channels), equals: 2, "the arrays of the other side")
            try expect(
                try await db.numbers(
                    "SELECT feed_post_id FROM feed_channel_pinned WHERE feed_channel_id = \(channels[1].id ?? 0) ORDER BY position"
                ).map(Int64.init), equals: [posts[1], posts[0]].compactMap(\.id), "the array of one of them, in order")
            release(channels)
        },
        graph("rel-9.link-by-reference", "REL-9", "Where the other side has a reference, a link sets it") {
            environment in
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self)
            let (channels, posts) = try await save(db)
            func owners() async throws -> [Int64?] {
                try await db.query(Feed.Post.self).order(\.title).select { $0.channel.id }.fetch()
            }
            let keys = channels.map(\.id)
            try expect(try await db.link(channels[0], \.posts, to: Array(posts[0...2])), equals: 3, "the new links")
            try expect(try await db.link(channels[0], \.posts, to: posts[1]), equals: 0, "the links that were there")
            try expect(try await db.link(channels[1], \.posts, to: posts[2]), equals: 1, "the links that were moved")
            try expect(try await owners(), equals: [keys[0], keys[0], keys[1], nil], "the channels of the posts")
            try expect(try await db.unlink(channels[0], \.posts, from: posts), equals: 2, "the links that were undone")
            try expect(try await owners(), equals: [nil, nil, keys[1], nil], "the channels that are left")
            let remark = Feed.Remark("r", on: posts[0])
            try await db.save(remark)
            try expect(try await db.link(posts[1], \.remarks, to: remark), equals: 1, "a reference that is required")
            try await expect(.invalidValue, from: "a required reference that is to be nil") {
                try await db.unlink(posts[1], \.remarks, from: remark)
            }
            release(channels)
            remark.post = nil
        },
        graph("rel-9.link-refused", "REL-9", "What is gone or no array is refused, and a rollback undoes links") {
            environment in
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self)
            let (channels, posts) = try await save(db)
            try await expect(.notFound, from: "an object that is not saved") {
                try await db.link(channels[0], \.pinned, to: Feed.Post("new"))
            }
            try await expect(.notFound, from: "an element that is gone") {
                try await db.link(
                    Feed.Channel.self, key: channels[0].id ?? 0, \.pinned, toKeys: [posts[0].id ?? 0, 99])
            }
            try await expect(.notFound, from: "an owner that is gone") {
                try await db.link(Feed.Channel.self, key: 99, \.posts, toKeys: [posts[0].id ?? 0])
            }
            try await expect(.notFound, from: "a reference of what is gone") {
                try await db.link(Feed.Channel.self, key: channels[0].id ?? 0, \.posts, toKeys: [99])
            }
            try await expect(.invalidValue, from: "a property that is no array") {
                try await db.link(Feed.Post.self, key: posts[0].id ?? 0, \.channel, toKeys: [1])
            }
            try await expect(.invalidValue, from: "a key of another type") {
                try await db.link(Feed.Channel.self, key: "x", \.pinned, toKeys: [1])
            }
            try expect(try await titles(db), equals: [], "the array that nothing was linked with")
            struct Undo: Error {}
            do {
                try await db.transaction { tx in
                    try await tx.link(channels[0], \.pinned, to: posts)
                    try expect(try await tx.unlink(channels[0], \.pinned, from: posts[0]), equals: 1, "undone links")
                    throw Undo()
                }
            } catch is Undo {}
            try expect(try await titles(db), equals: [], "the array after a rollback")
            release(channels)
        },
        graph("rel-9.link-told", "REL-9", "Observers of the owner are told of a link, once it has committed") {
            environment in
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self)
            let (channels, posts) = try await save(db)
            var events = db.events(of: Feed.Channel.self).makeAsyncIterator()
            try await db.link(channels[0], \.pinned, to: posts)
            try await db.link(channels[0], \.pinned, to: posts[0])
            try await db.unlink(posts[1], \.pinnedIn, from: channels[0])
            for _ in 0..<2 {
                let event = try expect(some: await events.next(), "an event")
                try expect(event.kind, equals: .updated, "its kind")
                try expect(event.key, equals: channels[0].id.map { Key($0) }, "its key")
                try expect(event.properties, equals: ["pinned"], "its properties")
            }
            channels[1].name = "later"
            try await db.save(channels[1])
            try expect(try await events.next().map(\.properties), equals: ["name"], "what came after that")
            release(channels)
        },
        graph("rel-9.link-at-once", "REL-9", "Links that many make at once are all there, each once") { environment in
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self)
            let (channels, posts) = try await save(db)
            let (key, keys) = (channels[0].id ?? 0, posts.compactMap(\.id))
            try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        try await db.link(Feed.Channel.self, key: key, \.pinned, toKeys: [keys[task % 4]])
                    }
                }
                var count = 0
                for try await new in group { count += new }
                try expect(count, equals: 4, "the new links of all")
            }
            try expect(try await titles(db).sorted(), equals: ["0", "1", "2", "3"], "the array")
            release(channels)
        },
    ]

    /// Two channels, and four posts of none.
    private static func save(_ db: Database) async throws -> ([Feed.Channel], [Feed.Post]) {
        let (channels, posts) = (["a", "b"].map { Feed.Channel($0) }, (0..<4).map { Feed.Post("\($0)") })
        try await db.save(channels)
        try await db.save(posts)
        return (channels, posts)
    }

    /// The titles of what the first channel has pinned.
    private static func titles(_ db: Database) async throws -> [String] {
        let channel = try await db.query(Feed.Channel.self).order(\.id).depth(1).first()
        return channel?.pinned.map(\.title) ?? []
    }

    private static func release(_ channels: [Feed.Channel]) {
        for channel in channels {
            for post in channel.posts + channel.pinned { (post.channel, post.pinnedIn) = (nil, []) }
            for topic in channel.topics { topic.channels = [] }
            (channel.posts, channel.pinned, channel.topics) = ([], [], [])
        }
    }
}
