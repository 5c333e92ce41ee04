import Foundation
import Holdfast
import Synchronization

extension ConformanceCase {
    static let live2: [ConformanceCase] = [
        ConformanceCase(
            "live-2.objects", "LIVE-2", "Who listens learns of each object that is saved or deleted, after the commit",
            level: .live
        ) { environment in
            let db = try await environment.open(Note.self, Tagged.self)
            var events = db.events(of: Note.self).makeAsyncIterator()
            let (one, two) = (Note("one", rank: 1), Note("two", rank: 2))
            try await db.save(one)
            try await db.save([two, Note("three", rank: 3)])
            one.title = "1"
            try await db.save(one)
            try await db.save(one)
            try? await db.transaction { tx in
                try await tx.save(Note("undone"))
                try await tx.delete(two)
                throw CancellationError()
            }
            try await db.transaction { tx in
                two.rank = 4
                try await tx.save(two)
                try? await tx.transaction { nested in
                    try await nested.save(Note("undone"))
                    throw CancellationError()
                }
                try await tx.delete(one)
            }
            let (first, second) = (try expect(some: one.id, "a key"), try expect(some: two.id, "a key"))
            try await events.expect(.inserted, Key(first))
            try await events.expect(.inserted, Key(second))
            try await events.expect(.inserted, nil)
            try await events.expect(.updated, Key(first), ["title"])
            try await events.expect(.updated, Key(second), ["rank"])
            try await events.expect(.deleted, Key(first))
            // Of other types there are none.
            try await db.save(Tagged("t"))
            try await db.query(Note.self).where { $0.rank == 4 }.update { $0.rank.set(5) }
            try await events.expect(.reload)
            try await db.sql("DELETE FROM note WHERE rank = 3").execute()
            try await events.expect(.reload)
        },
        ConformanceCase(
            "live-2.found", "LIVE-2", "An event finds its object, as an instance of whoever listens", level: .live
        ) { environment in
            let db = try await environment.open(Note.self)
            var events = db.events(of: Note.self).makeAsyncIterator()
            let note = Note("one")
            let commitGuard = db.beforeCommit(of: Note.self) { events, tx in
                for event in events where event.kind == .updated {
                    let inside = try await event.object(in: tx)
                    try expect(inside?.title, equals: "two", "what a check finds before the commit")
                }
            }
            try await db.save(note)
            note.title = "two"
            try await db.save(note)
            try await db.delete(note)
            try await db.sql("DELETE FROM note").execute()
            let inserted = try expect(some: try await events.next(), "the first event")
            try expect(try await inserted.object(in: db) == nil, "What was deleted meanwhile is found.")
            try await db.save(Note("three"))
            var last = inserted
            while last.kind != .reload { last = try expect(some: try await events.next(), "an event") }
            try expect(try await last.object(in: db) == nil, "An event of no object finds one.")
            let three = try expect(some: try await events.next(), "the last event")
            try expect(try await three.object(in: db)?.title, equals: "three", "the title of what is found")
            commitGuard.end()
        },
        ConformanceCase(
            "live-2.graphs", "LIVE-2", "Arrays, and objects that are saved and deleted with others, have events",
            level: .live
        ) { environment in
            let db = try await environment.open(Board.self)
            var boards = db.events(of: Board.self).makeAsyncIterator()
            var cards = db.events(of: Slip.self).makeAsyncIterator()
            let board = Board("plans")
            board.cards = [Slip("a")]
            try await db.save(board)
            let key = Key(try expect(some: board.id, "the key"))
            try await boards.expect(.inserted, key)
            try await cards.expect(.inserted, nil)
            board.tags = ["x"]
            try await db.save(board)
            try await boards.expect(.updated, key, ["tags"])
            board.tags = []
            try await db.save(board)
            try await boards.expect(.updated, key, ["tags"])
            board.cards.append(Slip("b"))
            try await db.save(board)
            try await boards.expect(.updated, key, ["cards"])
            try await cards.expect(.inserted, nil)
            try await db.delete(board)
            var kinds: Set<ObjectEventKind> = []
            while !kinds.contains(.deleted) { kinds.insert(try await boards.next()?.kind ?? .deleted) }
        },
        ConformanceCase(
            "live-2.one", "LIVE-2", "Who listens to one object learns of no other, whichever instance is saved",
            level: .live
        ) { environment in
            let db = try await environment.open(Note.self)
            let (one, two) = (Note("one"), Note("two"))
            _ = try await expect(.invalidValue, from: "listening to what has no key") { _ = try db.events(for: one) }
            try await db.save([one, two])
            var events = try db.events(for: one).makeAsyncIterator()
            two.title = "2"
            try await db.save(two)
            let other = try expect(
                some: try await db.find(Note.self, key: Key(one.id ?? 0)), "another instance")
            other.title = "by another instance"
            try await db.save(other)
            try await events.expect(.updated, Key(one.id ?? 0), ["title"])
            try await db.delete(one)
            try await events.expect(.deleted, Key(one.id ?? 0))
        },
        ConformanceCase(
            "live-2.instances", "LIVE-2", "An event says which instance was saved, deleted or fetched", level: .live
        ) { environment in
            let db = try await environment.open(Note.self, Ledger.self)
            var events = db.events(of: Note.self, includingFetches: true).makeAsyncIterator()
            func expectNext(_ kind: ObjectEventKind, _ instance: Note?, _ what: String) async throws {
                let event = try expect(some: try await events.next(), what)
                try expect(event.kind, equals: kind, "the kind of the event of \(what)")
                try expect(event.instance == instance.map(ObjectIdentifier.init), "The instance of \(what) is another.")
            }
            let (one, two) = (Note("one"), Note("two"))
            try await db.save(one)
            try await expectNext(.inserted, one, "an object that is saved alone")
            two.title = "2"
            one.title = "1"
            try await db.transaction { try await $0.save([two, one]) }
            try await expectNext(.inserted, two, "an object that is saved with others")
            try await expectNext(.updated, one, "an object that is updated with others")
            let found = try expect(
                some: try await db.find(Note.self, key: Key(one.id ?? 0)), "another instance of the row")
            try await expectNext(.fetched, found, "an object that is found")
            found.rank = 9
            try await db.save(found)
            try await expectNext(.updated, found, "another instance")
            let all = try await db.query(Note.self).fetch()
            for note in all { try await expectNext(.fetched, note, "an object of a query") }
            try await db.delete(one)
            try await expectNext(.deleted, one, "an object that is deleted")
            try await db.transaction { _ = try await $0.delete([two]) }
            try await expectNext(.deleted, two, "an object that is deleted in a transaction")

            var values = db.events(of: Ledger.self).makeAsyncIterator()
            let saved = try await db.insert(Ledger(id: 1))
            try await db.delete(saved)
            for _ in 0..<2 {
                try expect(try await values.next()?.instance == nil, "An event of a struct has an instance.")
            }
        },
        ConformanceCase(
            "live-2.bounded", "LIVE-2", "Too many events become one that says to load again; the end is told",
            level: .live
        ) { environment in
            let db = try await environment.open(Note.self)
            var events = db.events(of: Note.self, buffer: 2).makeAsyncIterator()
            try await db.save((0..<5).map { Note("n\($0)") })
            try await events.expect(.overflowed)
            try await events.expect(.inserted, nil)
            try await events.expect(.inserted, nil)
            let listening = db.events(of: Note.self)
            let task = Task {
                for try await _ in listening {}
            }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            try await task.value
            try await db.close()
            _ = try await expect(.closed, from: "events of a closed database") { _ = try await events.next() }
        },
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

extension ObjectEvents.Iterator {
    /// Expects an event; of any key where that is nil and the kind has one.
    fileprivate mutating func expect(
        _ kind: ObjectEventKind, _ key: Key? = nil, _ properties: [String] = [], line: Int = #line
    ) async throws {
        let event = try HoldfastConformance.expect(some: try await next(), "an event", line: line)
        try HoldfastConformance.expect(event.kind, equals: kind, "the kind of an event", line: line)
        if let key { try HoldfastConformance.expect(event.key, equals: key, "the key of an event", line: line) }
        try HoldfastConformance.expect(
            (event.key == nil) == (kind == .reload || kind == .overflowed),
            "The key of an event of kind \(kind) is \(event.key as Any).",
            line: line)
        try HoldfastConformance.expect(
            Set(event.properties).subtracting(["modified", "changed"]), equals: Set(properties),
            "the properties of an event", line: line)
    }
}
