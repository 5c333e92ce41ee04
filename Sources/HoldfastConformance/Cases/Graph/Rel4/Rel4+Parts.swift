@_spi(Driver) import Holdfast

/// Arrays of which a part is loaded with their owners.
extension ConformanceCase {
    static let rel4Parts: [ConformanceCase] = [
        graph(
            "rel-4.part-of-inverse", "REL-4",
            "Of an array that the other side keeps, the first of each owner come by one statement"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self) { probe.attach(to: &$0) }
            try await saveFeed(db)
            let query = db.query(Feed.Channel.self).order(\.name)
            _ = try await query.fetch()
            _ = probe.take()
            let all = query.depth(0)
            let first = try await all.including(\.posts) { $0.order(\.rank, .descending).limit(2) }.fetch()
            try expect(
                first.map { $0.posts.map(\.title) }, equals: [["a3", "a2"], ["b1", "b0"], []],
                "the highest ranks of each channel, where nil comes last")
            try expect(probe.take().count, equals: 2, "the statements for channels and their posts")
            try expect(first.allSatisfy { !$0.isLoaded(\.posts) && $0.isLoaded(\.name) }, "A part counts as loaded.")
            let some = try await all.including(\.posts) { $0.where { $0.isPublic }.order(\.title).limit(2).offset(1) }
                .fetch()
            try expect(some.map { $0.posts.map(\.title) }, equals: [["a1", "a2"], [], []], "the second and third")
            let rest = try await all.including(\.posts) { $0.order(\.title).offset(3) }.fetch()
            try expect(rest.map { $0.posts.map(\.title) }, equals: [["a3"], [], []], "what comes after three")
            let none = try await all.including(\.posts) { $0.limit(0) }.fetch()
            try expect(none.allSatisfy { $0.posts.isEmpty && !$0.isLoaded(\.posts) }, "None is not a part.")
            let filtered = try await all.where { $0.name == "a" }.including(\.posts) { $0.where { $0.rank == nil } }
                .fetch()
            try expect(filtered.map { $0.posts.map(\.title) }, equals: [["a0"]], "those without a rank")
            let computed = try await all.including(\.posts) {
                $0.where("title LIKE \("a%") OR title = \("b1")").order {
                    [$0.title.length.ascending, $0.title.descending]
                }
                .limit(Int.max).offset(1)
            }.fetch()
            try expect(
                computed.map { $0.posts.map(\.title) }, equals: [["a2", "a1", "a0"], [], []],
                "all but the first, by an order with values")
            release(first + some + rest + none + filtered + computed)
        },
        graph(
            "rel-4.part-of-joined", "REL-4",
            "Of an array in a join table, the first of each owner come in its order, from either side"
        ) { environment in
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self)
            let posts = try await saveFeed(db)
            let channels = try await db.query(Feed.Channel.self).order(\.name).depth(1).fetch()
            channels[0].pinned = [posts[2], posts[0], posts[2], posts[1]]
            channels[2].pinned = [posts[1]]
            (channels[0].topics, channels[1].topics) = (["x", "z", "y"].map { Feed.Topic($0) }, [Feed.Topic("w")])
            try await db.save(channels)
            let all = db.query(Feed.Channel.self).order(\.name).depth(0)
            let found = try await all.including(\.pinned) { $0.limit(3) }.including(\.topics) { $0.limit(2) }.fetch()
            try expect(
                found.map { $0.pinned.map(\.title) }, equals: [["a2", "a0", "a2"], [], ["a1"]], "the first three pinned"
            )
            try expect(
                found.map { $0.topics.map(\.name) }, equals: [["x", "y"], ["w"], []], "two topics, by their keys")
            try expect(found[0].pinned[0] === found[0].pinned[2], "One row came as two instances.")
            let ranked = try await all.including(\.pinned) { $0.where { $0.title != "a0" }.order(\.title).limit(2) }
                .fetch()
            try expect(
                ranked.map { $0.pinned.map(\.title) }, equals: [["a1", "a2"], [], ["a1"]],
                "those of a condition, by title")
            let reversed = try await db.query(Feed.Post.self).where { $0.title.hasPrefix("a") }.order(\.title).depth(0)
                .including(\.pinnedIn) { $0.order(\.name, .descending).limit(1) }.fetch()
            try expect(
                reversed.map { $0.pinnedIn.map(\.name) }, equals: [["a"], ["c"], ["a"], []], "the last channel of each")
            release(found + ranked + channels + reversed.flatMap(\.pinnedIn))
        },
        graph(
            "rel-4.part-of-parts", "REL-4", "Parts of parts are chosen for each of their owners, beside other paths"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self) { probe.attach(to: &$0) }
            let posts = try await saveFeed(db)
            for post in posts { try await db.save((0..<3).map { Feed.Remark("\(post.title).\($0)", on: post) }) }
            let query = db.query(Feed.Channel.self).where { $0.name != "z" }.order(\.name).depth(0)
                .including(\.posts) {
                    $0.order(\.title, .descending).limit(2)
                        .including(\.remarks) { $0.order(\.text, .descending).limit(1) }
                }
                .including(["topics"])
            _ = try await query.fetch()
            _ = probe.take()
            let found = try await query.fetch()
            try expect(probe.take().count, equals: 4, "the statements: channels, posts, remarks, topics")
            try expect(
                found.map { $0.posts.map { $0.remarks.map(\.text) } },
                equals: [[["a3.2"], ["a2.2"]], [["b1.2"], ["b0.2"]], []], "the last remark of each of the last posts")
            try expect(found.allSatisfy { $0.isLoaded(\.topics) }, "A path beside a part was not followed.")
            let page = try await query.page(size: 1).objects
            try expect(page.map { $0.posts.map(\.title) }, equals: [["a3", "a2"]], "the posts of a page")
            let first = try expect(some: try await query.first(), "the first")
            try expect(first.posts.map(\.title), equals: ["a3", "a2"], "the posts of the first")
            var streamed: [[String]] = []
            for try await channel in query.stream() {
                streamed.append(channel.posts.map(\.title))
                release([channel])
            }
            try expect(streamed, equals: [["a3", "a2"], ["b1", "b0"], []], "the posts of a stream")
            release(found + page + [first])
        },
        graph(
            "rel-4.part-saved", "REL-4",
            "A save leaves alone what was loaded in part, refuses what was changed there, and the whole can be loaded"
        ) { environment in
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self)
            let posts = try await saveFeed(db)
            let saved = try await db.query(Feed.Channel.self).where { $0.name == "a" }.fetch()
            saved[0].pinned = Array(posts[0..<3])
            try await db.save(saved)
            let query = db.query(Feed.Channel.self).where { $0.name == "a" }.depth(0)
                .including(\.posts) { $0.limit(1) }.including(\.pinned) { $0.limit(1) }
            let channel = try await query.one()
            channel.name = "renamed"
            try await db.save(channel)
            try expect(try await db.number("SELECT count(*) FROM feed_channel_pinned"), equals: 3, "what is pinned")
            try expect(
                try await db.number("SELECT count(*) FROM feed_post WHERE channel_id IS NOT NULL"), equals: 6,
                "the posts of channels")
            channel.pinned.append(posts[3])
            try await expect(.notLoaded, from: "a change of a part") { try await db.save(channel) }
            let other = try await db.query(Feed.Channel.self).where { $0.name == "renamed" }.depth(0)
                .including(\.posts) { $0.limit(1) }.one()
            other.posts = []
            try await expect(.notLoaded, from: "a change of a part that the other side keeps") {
                try await db.save(other)
            }
            try expect(
                try await db.number("SELECT count(*) FROM feed_post WHERE channel_id IS NOT NULL"), equals: 6,
                "the posts of channels after a change that was refused")
            try await db.loadRelation(\.pinned, of: [channel, other], depth: 1)
            try expect(channel.isLoaded(\.pinned) && channel.pinned.count == 3, "The whole array was not loaded.")
            release(saved + [channel, other])
        },
        graph("rel-4.part-refused", "REL-4", "What no part can be loaded of is refused before anything is sent") {
            environment in
            let probe = StatementProbe()
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self, Feed.Digest.self) {
                probe.attach(to: &$0)
            }
            _ = try await db.query(Feed.Channel.self).fetch()
            _ = try await db.query(Feed.Digest.self).fetch()
            _ = probe.take()
            let query = db.query(Feed.Channel.self)
            try await expect(.invalidValue, from: "a limit below zero") {
                _ = try await query.including(\.posts) { $0.limit(-1) }.fetch()
            }
            try await expect(.syntax, from: "a condition of another type") {
                _ = try await query.including(\.posts) { $0.where("nothing = \(1)") }.fetch()
            }
            try await expect(.unsupported, from: "a part of what is distinct") {
                _ = try await query.including(\.posts) { $0.distinct(by: ["title"]) }.fetch()
            }
            try await expect(.unsupported, from: "a depth of a part") {
                _ = try await query.including(\.posts) { $0.depth(1) }.fetch()
            }
            try await expect(.unsupported, from: "a part of what a struct holds") {
                _ = try await db.query(Feed.Digest.self).including(\.topics) { $0.limit(1) }.fetch()
            }
            try expect(probe.take(), equals: [], "the statements that were sent")
        },
        graph("rel-4.part-differential", "REL-4", "Random parts of arrays are those that Swift chooses") {
            environment in
            let db = try await environment.open(Feed.Channel.self, Feed.Remark.self)
            var random = SplitMix64(state: 7)
            let channels = (0..<6).map { Feed.Channel("\($0)") }
            let posts = (0..<60).map { index in
                let rank = Int.random(in: -3...3, using: &random)
                return Feed.Post(
                    "\(index)", in: index % 11 == 0 ? nil : channels[Int.random(in: 0..<5, using: &random)],
                    rank: rank == 3 ? nil : rank)
            }
            for channel in channels {
                channel.pinned = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                    posts[Int.random(in: 0..<60, using: &random)]
                }
            }
            try await db.save(posts)
            try await db.save(channels)
            let byKey = posts.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
            func isBefore(_ left: Feed.Post, _ right: Feed.Post) -> Bool {
                (left.rank.map { -$0 } ?? .max) < (right.rank.map { -$0 } ?? .max)
            }
            for _ in 0..<12 {
                let limit = Int.random(in: 0..<6, using: &random)
                let offset = Int.random(in: 0..<3, using: &random)
                let least = Int.random(in: -3...1, using: &random)
                func isWanted(_ post: Feed.Post) -> Bool { post.rank.map { $0 >= least } ?? false }
                let found = try await db.query(Feed.Channel.self).depth(0)
                    .including(\.posts) {
                        $0.where { $0.rank >= least }.order(\.rank, .descending).limit(limit).offset(offset)
                    }
                    .including(\.pinned) {
                        $0.where { $0.rank >= least }.order(\.rank, .descending).limit(limit).offset(offset)
                    }
                    .fetch()
                for channel in found {
                    let model = try expect(some: channels.first { $0.id == channel.id }, "the channel")
                    let own = byKey.filter { $0.channel === model && isWanted($0) }.stablySorted(by: isBefore)
                    let pinned = model.pinned.filter(isWanted).stablySorted(by: isBefore)
                    try expect(
                        channel.posts.map(\.title), equals: own.dropFirst(offset).prefix(limit).map(\.title),
                        "posts \(offset)+\(limit) of rank \(least)")
                    try expect(
                        channel.pinned.map(\.title), equals: pinned.dropFirst(offset).prefix(limit).map(\.title),
                        "pinned \(offset)+\(limit) of rank \(least)")
                }
                release(found)
            }
            release(channels)
            for post in posts { post.channel = nil }
        },
    ]

    /// Three channels, with four posts, two, and none.
    @discardableResult
    private static func saveFeed(_ db: Database) async throws -> [Feed.Post] {
        let channels = ["a", "b", "c"].map { Feed.Channel($0) }
        var posts = (0..<4).map { (rank: Int) -> Feed.Post in
            Feed.Post("a\(rank)", in: channels[0], rank: rank == 0 ? nil : rank)
        }
        posts += (0..<2).map { (rank: Int) -> Feed.Post in Feed.Post("b\(rank)", in: channels[1], rank: rank) }
        posts[5].isPublic = false
        try await db.save(channels)
        try await db.save(posts)
        for post in posts { post.channel = nil }
        return try await db.query(Feed.Post.self).order(\.title).depth(0).fetch()
    }

    /// Breaks the cycles of references between objects.
    private static func release(_ channels: [Feed.Channel]) {
        for channel in channels {
            for post in channel.posts + channel.pinned {
                for remark in post.remarks { remark.post = nil }
                (post.channel, post.pinnedIn, post.remarks) = (nil, [], [])
            }
            for topic in channel.topics { topic.channels = [] }
            (channel.posts, channel.pinned, channel.topics) = ([], [], [])
        }
    }
}

extension Array {
    /// Sorts, and leaves what is the same in its order.
    fileprivate func stablySorted(by isBefore: (Element, Element) -> Bool) -> [Element] {
        enumerated().sorted {
            isBefore($0.element, $1.element) || !isBefore($1.element, $0.element) && $0.offset < $1.offset
        }.map(\.element)
    }
}
