import Foundation
import Holdfast

/// What reads find of objects that are outside of a scope.
extension ConformanceCase {
    static let scope1: [ConformanceCase] = [
        ConformanceCase("scope-1.reads", "SCOPE-1", "No operation reads or counts what is outside of a scope") {
            environment in
            let (db, bulletins) = try await openBulletins(environment)
            let all = db.query(Bulletin.self)
            try expect(try await db.find(Bulletin.self, key: try key(bulletins[0])) == nil, "A find gives a draft.")
            try expect(try await db.fetch(Bulletin.self).map(\.title), equals: ["3", "4", "5"], "a fetch")
            try expect(try await db.count(Bulletin.self), equals: 3, "a count of the type")
            try expect(
                try await db.fetch(Bulletin.self, keys: bulletins.map { try key($0) }).count, equals: 3,
                "a find of several")
            try expect(try await all.fetch().map(\.title), equals: ["3", "4", "5"], "a query")
            try expect(try await all.order { $0.rank.ascending }.limit(1).fetch().map(\.rank), equals: [3], "the first")
            try expect(try await all.where { $0.rank < 3 }.count(), equals: 0, "a count with a condition")
            try expect(try await !all.where { $0.rank == 1 }.exists(), "Something outside of a scope exists.")
            try expect(try await all.keys().count, equals: 3, "the keys")
            try expect(try await all.page(size: 2).objects.map(\.title), equals: ["3", "4"], "a page")
            var streamed: [String] = []
            for try await bulletin in all.stream() { streamed.append(bulletin.title) }
            try expect(streamed, equals: ["3", "4", "5"], "a stream")
            try await expect(.notFound, from: "a reload") { try await db.reload(bulletins[0]) }
            try expect(try await db.number("SELECT count(*) FROM bulletin"), equals: 6, "what SQL of one's own sees")
        },
        ConformanceCase("scope-1.values", "SCOPE-1", "No sum, selection or condition sees what is outside") {
            environment in
            let (db, _) = try await openBulletins(environment)
            let all = db.query(Bulletin.self)
            try expect(try await all.sum { $0.rank }, equals: 12, "a sum")
            try expect(try await all.select { $0.rank }.fetch(), equals: [3, 4, 5], "a selection")
            try expect(try await all.where { $0.tags.contains("t") }.count(), equals: 3, "a condition about an array")
            try expect(
                try await all.distinct { $0.tags.count }.fetch().map(\.title), equals: ["3"], "one of each group")
            try expect(
                try await all.where { $0.rank.in(db.query(Bulletin.self).select { $0.rank }) }.count(), equals: 3,
                "a query inside")
            try expect(
                try await all.ignoringScopes().where { $0.rank.in(db.query(Bulletin.self).select { $0.rank }) }.count(),
                equals: 3, "a query inside of one that ignores scopes")
            try expect(
                try await all.where { $0.rank < 4 }.union(all.where { $0.rank > 4 }).fetch().map(\.rank),
                equals: [3, 5], "a union")
            try await expect(.unsupported, from: "a union with what ignores a scope") {
                _ = try await all.union(all.ignoringScope("current")).count()
            }
            try expect(
                try await all.joined(to: Bulletin.self) { $0.tags.count == $1.tags.count }.fetch().count, equals: 9,
                "pairs")
        },
        ConformanceCase("scope-1.ignored", "SCOPE-1", "Queries ignore scopes by their names") { environment in
            let (db, _) = try await openBulletins(environment)
            let all = db.query(Bulletin.self)
            let drafts = all.ignoringScope("published")
            try expect(try await drafts.fetch().map(\.rank), equals: [0, 2, 3, 4, 5], "with drafts")
            try expect(try await drafts.fetch().first?.tags, equals: ["t"], "an array of a draft")
            try expect(try await all.ignoringScope("current").count(), equals: 4, "with what does not count")
            try expect(try await all.ignoringScopes().count(), equals: 6, "all")
            try expect(
                try await drafts.ignoringScope("current").fetch().map(\.rank), equals: [0, 1, 2, 3, 4, 5],
                "all, by the names")
            try expect(try await drafts.where { $0.publishedAt == nil }.count(), equals: 2, "drafts alone")
            try expect(try await drafts.page(size: 2).objects.map(\.rank), equals: [0, 2], "a page")
            try expect(try await drafts.sum { $0.rank }, equals: 14, "a sum")
            try expect(try await drafts.keys().count, equals: 5, "keys")
            try expect(try await drafts.distinct { $0.tags.count }.fetch().map(\.rank), equals: [0], "one of each")
            try expect(
                try await drafts.where { $0.rank < 3 }.union(drafts.where { $0.rank == 5 }).fetch().map(\.rank),
                equals: [0, 2, 5], "a union")
            var streamed: [Int] = []
            for try await bulletin in drafts.where({ $0.rank < 4 }).stream() { streamed.append(bulletin.rank) }
            try expect(streamed, equals: [0, 2, 3], "a stream")
            try await expect(.syntax, from: "a scope that there is not") {
                _ = try await all.ignoringScope("publishd").count()
            }
            try expect(try await db.query(Pinboard.self).ignoringScopes().count(), equals: 0, "a type without scopes")
        },
        ConformanceCase("scope-1.relations", "SCOPE-1", "Relations lead to nothing outside of a scope", level: .graph) {
            environment in
            let (db, draft) = try await openBoards(environment)
            let boards = db.query(Pinboard.self)
            let found = try await db.fetch(Pinboard.self)
            try expect(found.map { $0.main?.title }, equals: [nil, "new"], "references")
            try expect(found[0].others.map(\.title), equals: ["new"], "an array")
            try expect(found[0].own.map(\.title), equals: ["own"], "the other side of a reference")
            try expect(try await found[0].lazy?.load(from: db) == nil, "A lazy reference leads to a draft.")
            let shallow = try await boards.depth(0).fetch()
            try await db.loadRelation(\.main, of: shallow)
            try await db.loadRelation(\.others, of: shallow)
            try expect(shallow.map { $0.main?.title }, equals: [nil, "new"], "references that are loaded later")
            try expect(shallow[0].others.map(\.title), equals: ["new"], "an array that is loaded later")
            try expect(try await db.fetch(Remark.self).map(\.text), equals: ["b"], "what can't be without a bulletin")
            try expect(try await db.count(Remark.self), equals: 1, "how many there are")
            // Nothing is lost.
            found[0].name = "North"
            try await db.save(found[0])
            draft.publishedAt = Date()
            try await db.save(draft)
            let again = try await db.query(Pinboard.self).fetch()
            try expect(again.map { $0.main?.title }, equals: ["draft", "new"], "references, once it is published")
            try expect(again[0].others.map(\.title), equals: ["draft", "new"], "an array, once it is published")
            try expect(try await db.fetch(Remark.self).map(\.text), equals: ["a", "b"], "what needs it, afterwards")
        },
        ConformanceCase(
            "scope-1.relation-conditions", "SCOPE-1", "Conditions and counts along relations see nothing outside",
            level: .graph
        ) { environment in
            let (db, draft) = try await openBoards(environment)
            let boards = db.query(Pinboard.self)
            try expect(try await boards.where { $0.main.title == "draft" }.count(), equals: 0, "on a reference")
            try expect(try await boards.where { $0.main == nil }.count(), equals: 1, "boards without a bulletin")
            try expect(try await boards.where { $0.main != nil }.count(), equals: 1, "boards with a bulletin")
            try expect(try await boards.where { $0.main == draft }.count(), equals: 0, "boards of the draft itself")
            try expect(
                try await boards.where { $0.others.contains { $0.title == "draft" } }.count(), equals: 0, "on an array")
            try expect(try await boards.where { $0.others.count == 1 }.count(), equals: 1, "a count of elements")
            try expect(try await boards.where { $0.own.count == 1 }.count(), equals: 1, "a count of the other side")
            try expect(
                try await boards.order { $0.main.title.descending }.fetch().map(\.name), equals: ["south", "north"],
                "an order by a reference")
            let north = try expect(some: try await boards.where { $0.name == "north" }.one(), "a board")
            try expect(
                try await db.query(Bulletin.self).where { $0.board == north }.fetch().map(\.title), equals: ["own"],
                "bulletins of a board")
            try expect(
                try await db.query(Bulletin.self).ignoringScope("published").where { $0.board == north }.count(),
                equals: 2, "those with drafts")
        },
        ConformanceCase("scope-1.times", "SCOPE-1", "A scope compares with the time of the clock") { environment in
            let clock = SetClock()
            let db = try await environment.open(Season.self) { clock.attach(to: &$0) }
            let later = clock.now.addingTimeInterval(100)
            _ = try await db.insert([
                Season(code: "a", begins: clock.now), Season(code: "b", begins: later, rank: 1),
                Season(code: "c", begins: clock.now, rank: 2),
            ])
            let seasons = db.query(Season.self)
            try expect(try await db.fetch(Season.self).map(\.code), equals: ["a", "c"], "what has begun")
            try expect(try await seasons.where { $0.rank > 0 }.fetch().map(\.code), equals: ["c"], "a query")
            try expect(try await db.find(Season.self, key: "b") == nil, "A find gives what has not begun.")
            try expect(try await seasons.delete(), equals: 2, "a deletion")
            try expect(
                try await seasons.onlyDeleted().ignoringScope("begun").fetch().map(\.code), equals: ["a", "c"],
                "what is deleted")
            clock.now = later
            try expect(try await db.fetch(Season.self).map(\.code), equals: ["b"], "what begins later")
            try expect(try await seasons.includingDeleted().count(), equals: 3, "with what is deleted")
            try expect(try await db.deleteAll(Season.self, permanently: true), equals: 3, "a deletion for good")
        },
        ConformanceCase("scope-1.refused", "SCOPE-1", "Scopes are refused that ask for more than an object's values") {
            environment in
            let db = try await environment.open(Pinboard.self, Bulletin.self)
            try await expect(.conflict, from: "an unknown property") { try await db.migrate(MisnamedScope.self) }
            try await expect(.conflict, from: "a fetch of the type") { _ = try await db.fetch(MisnamedScope.self) }
            try await expect(.conflict, from: "a relation") { try await db.migrate(RelatedScope.self) }
            try await expect(.conflict, from: "an array") { try await db.migrate(TaggedScope.self) }
            try await expect(.conflict, from: "a value of another type") { try await db.migrate(MistypedScope.self) }
            try await expect(.conflict, from: "a struct that forgets") { try await db.migrate(ForgetfulPinboard.self) }
            do { _ = try await db.fetch(MisnamedScope.self) } catch let error as DatabaseError {
                try expect(
                    error.message.contains("\"published\" of MisnamedScope")
                        && error.message.contains("\"publishdAt\""),
                    "It is not said what is wrong: \(error.message)")
            }
        },
    ]

    /// Opens a database with six bulletins, of which the first three are outside of a scope.
    static func openBulletins(_ environment: ConformanceEnvironment) async throws -> (Database, [Bulletin]) {
        let db = try await environment.open(Bulletin.self, Pinboard.self)
        let bulletins = (0..<6).map { rank in
            Bulletin(
                "\(rank)", rank: rank, publishedAt: rank == 0 || rank == 2 ? nil : Date(),
                state: rank == 1 ? "closed" : rank == 3 ? "it's held" : "open", tags: ["t"])
        }
        try await db.save(bulletins)
        return (db, bulletins)
    }

    static func key(_ bulletin: Bulletin) throws -> Int64 { try expect(some: bulletin.id, "the key of a bulletin") }

    /// Opens a database with two boards, of which the first leads to a draft.
    static func openBoards(_ environment: ConformanceEnvironment) async throws -> (Database, draft: Bulletin) {
        let db = try await environment.open(Pinboard.self, Bulletin.self, Remark.self)
        let (board, other) = (Pinboard("north"), Pinboard("south"))
        let (draft, new) = (Bulletin("draft"), Bulletin("new", publishedAt: Date()))
        let (own, hidden) = (Bulletin("own", publishedAt: Date()), Bulletin("hidden"))
        (board.main, other.main) = (draft, new)
        board.others = [draft, new]
        board.own = [own, hidden]
        try await db.save([board, other])
        try await db.save([Remark("a", on: draft), Remark("b", on: new)])
        board.lazy = Reference(draft)
        try await db.save(board)
        return (db, draft)
    }
}
