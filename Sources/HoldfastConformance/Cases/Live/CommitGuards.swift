import Holdfast
import Synchronization

/// Checks before the commit, and events of what is fetched.
extension ConformanceCase {
    static let commitGuards: [ConformanceCase] = [
        ConformanceCase(
            "live-2.guards", "LIVE-2", "Who is asked before a commit sees all of it, can write more, and can refuse it",
            level: .live
        ) { environment in
            let db = try await environment.open(Note.self, Board.self)
            let seen = Seen()
            let commitGuard = db.beforeCommit(of: Note.self) { events, tx in
                seen.append(events.map { "\($0.kind)" })
                let titles = try await tx.query(Note.self).select(\.title).fetch()
                if titles.contains("refused") { throw Refusal() }
                if titles.contains("more") { try await tx.save(Board("by the guard")) }
            }
            let note = Note("one")
            try await db.save(note)
            try expect(seen.take(), equals: [["inserted"]], "what was seen of one save")
            note.title = "two"
            try await db.save(note)
            try await db.save((0..<3).map { Note("n\($0)", rank: 5) })
            try await db.query(Note.self).where { $0.rank == 5 }.update { $0.title.set("n") }
            try await db.sql("UPDATE note SET rank = 6 WHERE rank = 5").execute()
            try await db.query(Note.self).where { $0.rank == 6 }.delete()
            try expect(
                seen.take(),
                equals: [["updated"], ["inserted", "inserted", "inserted"], ["reload"], ["reload"], ["reload"]],
                "what was seen of writes outside of transactions")
            try await db.transaction { tx in
                try await tx.save(Note("three"))
                try await tx.undone { try await $0.save(Note("undone")) }
                note.title = "3"
                try await tx.save(note)
                try expect(seen.take().count, equals: 0, "what was seen before the end")
            }
            try expect(seen.take(), equals: [["inserted", "updated"]], "what was seen of a transaction")
            try await db.save(Board("of another type"))
            _ = try await db.query(Note.self).fetch()
            try expect(seen.take().count, equals: 0, "what was seen of others")

            try await db.save(Note("more"))
            try expect(try await db.query(Board.self).count(), equals: 2, "the boards, with that of the guard")
            try await db.query(Note.self).where { $0.title == "more" }.delete()

            let refused = Note("refused")
            try await expectRefusal("a save") { try await db.save(refused) }
            try await expectRefusal("a transaction") { try await db.transaction { try await $0.save(refused) } }
            try await expectRefusal("an update") { try await db.query(Note.self).update { $0.title.set("refused") } }
            try await expectRefusal("a statement") { try await db.sql("UPDATE note SET title = 'refused'").execute() }
            try await expectRefusal("many") { try await db.save((0..<10_000).map { _ in Note("refused") }) }
            try expect(
                try await db.query(Note.self).where { $0.title == "refused" }.count(), equals: 0, "what was refused")
            refused.title = "accepted"
            try await db.save(refused)
            try expect(
                try await db.query(Note.self).where { $0.title == "accepted" }.count(), equals: 1,
                "an object that was refused, saved again")

            _ = seen.take()
            try await db.transaction { tx in
                try await tx.delete(note)
                commitGuard.end()
            }
            try expect(seen.take().count, equals: 0, "what is seen after the end")
        },
        ConformanceCase(
            "live-2.deletions", "LIVE-2", "A deletion has events, and a reload for what refers to what was deleted",
            level: .live
        ) { environment in
            let db = try await environment.open(Note.self, Board.self)
            let board = Board("plans")
            board.cards = [Slip("a"), Slip("b")]
            board.cards[0].color = SlipColor("red")
            try await db.save(board)
            try await db.save(Note("n"))
            let (boards, slips, notes) = (db.events(of: Board.self), db.events(of: Slip.self), db.events(of: Note.self))
            try await db.query(Board.self).delete()
            try await db.save(Note("the end"))
            try await db.save(Slip("the end"))
            try await db.save(Board("the end"))
            // Links of other boards to the cards may be gone.
            try expect(try await kinds(boards), equals: ["deleted", "reload", "inserted"], "the events of boards")
            try expect(try await kinds(slips), equals: ["deleted", "deleted", "inserted"], "the events of cards")
            // Nothing leads from notes to boards.
            try expect(try await kinds(notes), equals: ["inserted"], "the events of notes")
            let others = db.events(of: Slip.self)
            try await db.query(SlipColor.self).delete()
            try await db.save(Slip("the end"))
            try expect(
                try await kinds(others), equals: ["reload", "inserted"], "the events of what referred to the deleted")
        },
        ConformanceCase(
            "live-2.fetched", "LIVE-2", "Who asks for it learns of each object that is fetched", level: .live
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save([Note("one"), Note("two")])
            let (events, others) = (db.events(of: Note.self, includingFetches: true), db.events(of: Note.self))
            let all = try await db.query(Note.self).fetch()
            let one = try expect(some: all.first, "an object")
            _ = try await db.find(Note.self, key: Key(one.id ?? 0))
            try await db.reload(one)
            for try await _ in db.query(Note.self).stream() {}
            _ = try await db.sql("SELECT * FROM note WHERE title = 'two'").fetch(Note.self)
            _ = try await db.query(Note.self).count()
            try await db.save(Note("the end"))
            try expect(
                try await kinds(events), equals: Array(repeating: "fetched", count: 7) + ["inserted"], "the events")
            try expect(try await kinds(others), equals: ["inserted"], "the events of who did not ask for fetches")
        },
    ]

    /// The kinds of events up to the first insertion.
    private static func kinds<Model: TableObject>(_ events: ObjectEvents<Model>) async throws -> [String] {
        var kinds: [String] = []
        for try await event in events {
            kinds.append("\(event.kind)")
            if event.kind == .inserted { break }
        }
        return kinds
    }

    private static func expectRefusal(
        _ what: String, _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch is Refusal {
            return
        }
        try expect(false, "The commit of \(what) was not refused.")
    }
}

private struct Refusal: Error {}

/// The kinds of events that a guard saw, each time.
private final class Seen: Sendable {
    private let kinds = Mutex<[[String]]>([])

    func append(_ more: [String]) { kinds.withLock { $0.append(more) } }

    func take() -> [[String]] {
        kinds.withLock { kinds in
            defer { kinds = [] }
            return kinds
        }
    }
}
