@_spi(Driver) import Holdfast

/// Objects that belong to exactly one of several others.
extension ConformanceCase {
    static let rel2Alternatives: [ConformanceCase] = [
        graph("rel-2.exactly-one", "REL-2", "An object belongs to exactly one of several others, whatever writes it") {
            environment in
            let db = try await environment.open(Clippings.Clip.self)
            let (ticket, comment) = (Clippings.Ticket("t"), Clippings.Comment(tenant: 1, number: 2))
            try await db.save(ticket)
            try await db.save(comment)
            let clips = [
                Clippings.Clip(tenant: 1, ticket: ticket), Clippings.Clip(tenant: 1, comment: comment),
                Clippings.Clip(tenant: 1, url: ""),
            ]
            try await db.save(clips)
            let none = try await expect(.checkViolation, from: "none") {
                try await db.save(Clippings.Clip(tenant: 1))
            }
            try expect(none.constraint, equals: "place", "the check that none breaks")
            try await expect(.checkViolation, from: "two") {
                try await db.save(Clippings.Clip(tenant: 1, ticket: ticket, comment: comment))
            }
            clips[2].ticket = ticket
            try await expect(.checkViolation, from: "a second one") { try await db.save(clips[2]) }
            clips[2].url = nil
            try await db.save(clips[2])
            (clips[2].ticket, clips[2].comment) = (nil, comment)
            try await db.save(clips[2])
            let count = try await db.query(Clippings.Clip.self).where { $0.comment == comment }.count()
            try expect(count, equals: 2, "the clips of a comment")
            try await expect(.checkViolation, from: "an update of all") {
                try await db.query(Clippings.Clip.self).update { $0.url.set("x") }
            }
            try await db.delete(comment)
            try expect(try await db.count(Clippings.Clip.self), equals: 1, "the clips after a comment is deleted")
            release(clips, [ticket], [comment])
        },
        graph(
            "rel-2.exactly-one-moved", "REL-2",
            "An object is moved from one owner to one of another type by one save, by its references or by arrays"
        ) { environment in
            let db = try await environment.open(Clippings.Clip.self)
            let (ticket, comment) = (Clippings.Ticket("t"), Clippings.Comment(tenant: 1, number: 2))
            let clips = [Clippings.Clip(tenant: 1), Clippings.Clip(tenant: 1)]
            ticket.clips = clips
            // Each is inserted first: the one with a choice is never without it.
            ticket.cover = clips[0]
            try await db.save(ticket)
            try await db.save(comment)
            try expect(clips.allSatisfy { $0.ticket === ticket }, "The clips don't show their ticket.")
            ticket.clips = [clips[1]]
            comment.clips = [clips[0]]
            clips[0].ticket = nil
            try await db.save(comment)
            try await db.save(ticket)
            let found = try await db.query(Clippings.Clip.self).order(\.id).including(\.ticket, \.comment).fetch()
            try expect(found.map { $0.ticket != nil }, equals: [false, true], "which clips are of a ticket")
            try expect(found.map { $0.comment != nil }, equals: [true, false], "which clips are of a comment")
            ticket.clips = []
            try await expect(.checkViolation, from: "a clip that is only taken out") { try await db.save(ticket) }
            try expect(try await db.query(Clippings.Clip.self).where { $0.ticket == ticket }.count(), equals: 1, "rest")
            release(clips + found, [ticket] + found.compactMap(\.ticket), [comment] + found.compactMap(\.comment))
        },
    ]

    private static func release(
        _ clips: [Clippings.Clip], _ tickets: [Clippings.Ticket], _ comments: [Clippings.Comment]
    ) {
        for ticket in tickets { (ticket.clips, ticket.cover) = ([], nil) }
        for comment in comments { comment.clips = [] }
        for clip in clips { (clip.ticket, clip.comment) = (nil, nil) }
    }
}
