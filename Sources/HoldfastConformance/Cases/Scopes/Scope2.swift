import Foundation
import Holdfast

/// What writes do to objects that are outside of a scope.
extension ConformanceCase {
    static let scope2: [ConformanceCase] = [
        ConformanceCase("scope-2.bulk", "SCOPE-2", "Bulk updates and deletions change what their query finds") {
            environment in
            let (db, _) = try await openBulletins(environment)
            let all = db.query(Bulletin.self)
            try expect(try await all.update { $0.rank += 10 }, equals: 3, "an update")
            try expect(try await all.where { $0.rank > 13 }.update { $0.rank += 10 }, equals: 2, "one with a condition")
            try expect(
                try await all.ignoringScope("published").where { $0.rank < 10 }.update { $0.rank += 100 }, equals: 2,
                "an update of drafts")
            let ranks = try await all.ignoringScopes().order(\.id).fetch().map(\.rank)
            try expect(ranks, equals: [100, 1, 102, 13, 24, 25], "the ranks")
            try expect(try await all.where { $0.rank == 100 }.delete(), equals: 0, "a deletion of a draft")
            try expect(try await all.where { $0.rank == 13 }.delete(), equals: 1, "a deletion")
            try expect(try await all.order(\.rank, .descending).limit(1).delete(), equals: 1, "one of the last")
            try expect(
                try await all.ignoringScope("published").where { $0.rank == 100 }.deleteReturning().map(\.tags),
                equals: [["t"]], "a deletion that returns a draft")
            try expect(try await db.deleteAll(Bulletin.self), equals: 1, "a deletion of all")
            try expect(try await db.number("SELECT count(*) FROM bulletin"), equals: 2, "the rows that stay")
            try expect(try await all.ignoringScopes().delete(), equals: 2, "a deletion of what is outside")
            try expect(try await db.number("SELECT count(*) FROM bulletin_tags"), equals: 0, "what belonged to them")
        },
        ConformanceCase("scope-2.saves", "SCOPE-2", "Objects are saved and deleted by key, whatever scope they are in")
        {
            environment in
            let (db, bulletins) = try await openBulletins(environment)
            bulletins[0].rank = 10
            try await db.save(bulletins[0])
            let draft = try await db.query(Bulletin.self).ignoringScope("published").where { $0.rank == 10 }.one()
            draft.tags.append("u")
            (draft.rank, draft.publishedAt) = (11, Date())
            try await db.save(draft)
            try expect(try await db.count(Bulletin.self), equals: 4, "what is there, with one that was published")
            draft.publishedAt = nil
            try await db.save(draft)
            draft.rank = 12
            try await db.save(draft)
            try expect(try await db.count(Bulletin.self), equals: 3, "what is there without it")
            try await expect(.staleVersion, from: "a save of an older copy") {
                bulletins[0].rank = 13
                try await db.save(bulletins[0])
            }
            try await expect(.uniqueViolation, from: "a title that a draft has") { try await db.save(Bulletin("2")) }
            try expect(try await db.delete(draft), equals: 1, "a deletion")
            try expect(try await db.delete(bulletins[1...2].map { $0 }), equals: 2, "a deletion of several")
            try expect(try await db.number("SELECT count(*) FROM bulletin"), equals: 3, "the rows that stay")

            let seasons = try await environment.open(Season.self)
            let next = Season(code: "a", begins: Date().addingTimeInterval(1_000))
            _ = try await seasons.insert(next)
            try expect(try await seasons.insertOrIgnore(next), equals: nil, "an insertion of its key")
            _ = try await seasons.upsert(Season(code: "a", begins: next.begins, rank: 2))
            _ = try await seasons.save(Season(code: "a", begins: next.begins, rank: 3))
            try expect(
                try await seasons.query(Season.self).ignoringScopes().fetch().map(\.rank), equals: [3], "the rank")
            try expect(try await seasons.delete(next), equals: 1, "a mark")
            try expect(try await seasons.restore(next), equals: 1, "a restoration")
        },
        ConformanceCase(
            "scope-2.holders", "SCOPE-2", "A save of an object loses nothing that it holds outside of a scope",
            level: .graph
        ) { environment in
            let (db, draft) = try await openBoards(environment)
            let north = try await db.query(Pinboard.self).where { $0.name == "north" }.one()
            north.name = "North"
            north.own.append(Bulletin("third", publishedAt: Date()))
            try await db.save(north)
            try expect(
                try await db.number("SELECT count(*) FROM bulletin WHERE board_id IS NOT NULL"), equals: 3,
                "what the board owns")
            north.own = []
            try await db.save(north)
            try expect(
                try await db.query(Bulletin.self).ignoringScopes().where { $0.board == north }.fetch().map(\.title),
                equals: ["hidden"], "what it owns unseen")
            north.others.append(Bulletin("fourth", publishedAt: Date()))
            try await expect(.unsupported, from: "an array with a draft that is not seen") { try await db.save(north) }
            try expect(try await db.number("SELECT count(*) FROM pinboard_others"), equals: 2, "the links")
            let again = try await db.query(Pinboard.self).where { $0.name == "North" }.one()
            let fifth = Bulletin("fifth", publishedAt: Date())
            try await db.save(fifth)
            try await db.link(again, \.others, to: [fifth])
            try await db.unlink(again, \.others, from: [draft])
            let linked = try await db.query(Pinboard.self).where { $0.name == "North" }.one()
            linked.others.removeFirst()
            try await db.save(linked)
            try expect(
                try await db.fetch(Pinboard.self)[0].others.map(\.title), equals: ["fifth"], "the array, unlinked")
            try expect(
                try await db.number("SELECT count(*) FROM pinboard WHERE main_id IS NOT NULL"), equals: 2, "references")
            // What an object owns goes with it, whether it is seen or not.
            try expect(try await db.delete(again), equals: 1, "a deletion")
            try expect(
                try await db.query(Bulletin.self).ignoringScopes().where { $0.title == "hidden" }.count(), equals: 0,
                "what was owned unseen")
        },
        ConformanceCase("scope-2.observed", "SCOPE-2", "Observed queries learn of what comes into a scope, and leaves")
        {
            environment in
            let (db, bulletins) = try await openBulletins(environment)
            let query = db.query(Bulletin.self).where { $0.rank < 4 }
            var steps = 0
            for try await titles in query.observe(delay: .zero, { try await $0.fetch().map(\.title) }) {
                switch steps {
                case 0:
                    try expect(titles, equals: ["3"], "at first")
                    bulletins[0].publishedAt = Date()
                    try await db.save(bulletins[0])
                case 1:
                    try expect(titles, equals: ["0", "3"], "with what was published")
                    try await query.ignoringScope("current").where { $0.rank == 1 }.update { $0.state.set("open") }
                case 2:
                    try expect(titles, equals: ["0", "1", "3"], "with what is open again")
                    bulletins[3].state = "closed"
                    try await db.save(bulletins[3])
                default: try expect(titles, equals: ["0", "1"], "without what is closed")
                }
                if steps == 3 { break }
                steps += 1
            }
            try expect(steps, equals: 3, "the results")
        },
    ]
}
