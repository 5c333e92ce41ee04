import Foundation
@_spi(Driver) import Holdfast
import Synchronization

/// Observed queries that let commits pass which can't change them: never one too many.
extension ConformanceCase {
    static let live1LastStates: [ConformanceCase] = [
        ConformanceCase(
            "live-1.last-states", "LIVE-1", "After random writes, each observer has what the database has, unasked",
            level: .graph
        ) { environment in
            let db = try await environment.open(Note.self, Board.self)
            let queries: [Query<Note>] = [
                db.query(Note.self).where { $0.rank == 1 },
                db.query(Note.self).where { $0.rank.in([2, 3]) && $0.title != "x" },
                db.query(Note.self).where { $0.rank > 0 }.order { $0.title.descending }.limit(3),
                db.query(Note.self).order { $0.body.ascending }.limit(4),
                db.query(Note.self).where { $0.rank < 4 }.order { $0.title.ascending }.offset(1).limit(2),
                db.query(Note.self).where { $0.rank > 0 }.distinct {
                    $0.rank
                } keeping: {
                    [$0.title.descending]
                },
                db.query(Note.self).where("rank < 3"),
                db.query(Note.self).where { $0.id == 3 },
            ]
            let observers = queries.enumerated().map { index, query in
                LastState(query: query, keepsInstances: index % 2 == 1)
            }
            let count = LastCount()
            try await withThrowingTaskGroup { group in
                for observer in observers { group.addTask { try await observer.run() } }
                let counted = db.query(Note.self).where { $0.rank == 2 }
                group.addTask {
                    for try await number in counted.observe(delay: .zero, { try await $0.count() }) {
                        count.set(number)
                    }
                }
                for observer in observers { try await observer.waitUntilSame() }
                var random = SplitMix64(state: environment.seed)
                for round in 0..<60 {
                    for _ in 0..<Int.random(in: 1...2, using: &random) { try await write(db, round, &random) }
                    for (index, observer) in observers.enumerated() {
                        try await observer.waitUntilSame("of query \(index) in round \(round)")
                    }
                    try await count.waitUntil(try await counted.count(), "the count in round \(round)")
                }
                group.cancelAll()
            }
        },
        ConformanceCase(
            "live-1.passes", "LIVE-1", "Commits that can't change a result do not have it read again", level: .graph
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Note.self, Board.self) { probe.attach(to: &$0) }
            let (one, two) = (Note("one", rank: 1), Note("two", rank: 2))
            try await db.save([one, two])
            let observer = LastState(query: db.query(Note.self).where { $0.rank == 1 }, keepsInstances: false)
            try await withThrowingTaskGroup { group in
                group.addTask { try await observer.run() }
                try await observer.waitUntilSame()
                _ = probe.take()
                try await db.save(Note("other", rank: 3))
                try await db.save((0..<5).map { Note("others \($0)", rank: 4) })
                two.title = "2"
                try await db.save(two)
                try await db.transaction { tx in
                    try await tx.save(Note("another", rank: 2))
                    try await tx.save(Board("b"))
                }
                try await db.delete(two)
                try await Task.sleep(for: .milliseconds(100))
                let asked = probe.take().filter { $0.hasPrefix("SELECT") && $0.contains("note") }
                try expect(asked.count, equals: 0, "the statements that read notes, \(asked)")
                one.title = "1"
                try await db.save(one)
                try await observer.waitUntilSame()
                one.rank = 2
                try await db.save(one)
                try await observer.waitUntilSame()
                one.rank = 1
                try await db.save(one)
                try await observer.waitUntilSame()
                group.cancelAll()
            }
        },
        ConformanceCase(
            "live-1.instances", "LIVE-1", "Kept instances are those of the result before, unless something has changed",
            level: .graph
        ) { environment in
            let db = try await environment.open(Board.self)
            let boards = [Board("a"), Board("b"), Board("c")]
            boards[0].cards = [Slip("in a")]
            boards[1].cards = [Slip("in b")]
            try await db.save(boards)
            var results = db.query(Board.self).observe(keepingInstances: true).makeAsyncIterator()
            let first = try expect(some: try await results.next(), "the first result").objects
            boards[2].title = "C"
            try await db.save(boards[2])
            var next = try expect(some: try await results.next(), "a result").objects
            try expect(zip(first, next).map { $0 === $1 }, equals: [true, true, false], "instances after an update")
            let before = next
            boards[0].cards[0].text = "changed"
            try await db.save(boards[0].cards[0])
            next = try expect(some: try await results.next(), "a result").objects
            try expect(
                zip(before, next).map { $0 === $1 }, equals: [false, true, true],
                "instances after a related object has changed")
            try expect(next[0].cards.first?.text, equals: "changed", "what the new instance holds")
        },
        ConformanceCase(
            "live-1.lists", "LIVE-1", "Long results are lists of keys, of which what is looked at is loaded and kept",
            level: .graph
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Note.self) { probe.attach(to: &$0) }
            let notes = (0..<100).map { Note("n\($0)", rank: $0) }
            try await db.save(notes)
            let list = try await db.query(Note.self).where { $0.rank < 200 }.order { $0.rank.ascending }
                .liveResults(batch: 10)
            try expect(list.count, equals: 100, "the number of keys")
            _ = probe.take()
            let object = try expect(some: try await list.object(at: 42), "an object")
            try expect(object.title, equals: "n42", "the object at a position")
            try expect(try await list.object(at: 45)?.title, equals: "n45", "one beside it")
            try expect(try await list.object(at: 42) === object, equals: true, "whether it is the same instance again")
            try expect(probe.take().count, equals: 1, "the number of statements")
            try expect(try await list.object(at: 100) == nil, equals: true, "whether there is none behind the last")

            notes[42].title = "changed"
            try await db.save(notes[42])
            let neighbour = try await list.object(at: 45)
            let change = try expect(some: try await list.nextChange(), "a change")
            try expect(change.updated, equals: [Key(notes[42].id ?? 0)], "what was updated")
            try expect(try await list.object(at: 42)?.title, equals: "changed", "the object that was updated")
            try expect(try await list.object(at: 45) === neighbour, equals: true, "whether others are the same")
        },
        ConformanceCase(
            "live-1.changed-lists", "LIVE-1",
            "A list of keys follows what comes, goes and moves, and keeps what is looked at",
            level: .graph
        ) { environment in
            let db = try await environment.open(Note.self)
            let notes = (0..<100).map { Note("n\($0)", rank: $0) }
            try await db.save(notes)
            let list = try await db.query(Note.self).where { $0.rank < 200 }.order { $0.rank.ascending }
                .liveResults(batch: 10)
            _ = try await list.object(at: 42)
            try await db.transaction { tx in
                try await tx.delete(notes[45])
                try await tx.save(Note("first", rank: -1))
                notes[99].rank = 300
                try await tx.save(notes[99])
            }
            let change = try expect(some: try await list.nextChange(), "a change")
            try expect(
                Set(change.removed), equals: [Key(notes[45].id ?? 0), Key(notes[99].id ?? 0)], "what was removed")
            try expect(change.inserted.count, equals: 1, "what was inserted")
            try expect(list.count, equals: 99, "the number of keys afterwards")
            try expect(try await list.object(at: 0)?.title, equals: "first", "the first object")
            try expect(try await list.object(at: 43)?.title, equals: "n42", "the object that has moved on")
            // What is deleted before anybody waits for it is no object.
            try await db.query(Note.self).where { $0.rank == 70 }.delete()
            try expect(try await list.object(at: 70) == nil, equals: true, "whether an object is gone")
        },
        ConformanceCase(
            "live-1.dates", "LIVE-1", "Lists and listeners know objects by keys that are dates", level: .live
        ) { environment in
            let db = try await environment.open(Beat.self)
            let beats = (1...3).map { Beat(id: Date(timeIntervalSince1970: Double($0) + 0.25), number: $0) }
            _ = try await db.save(beats)
            let list = try await db.query(Beat.self).liveResults(batch: 2)
            for (position, beat) in beats.enumerated() {
                try expect(try await list.object(at: position), equals: beat, "the object at \(position)")
            }
            var events = try db.events(for: beats[1]).makeAsyncIterator()
            var changed = beats[1]
            changed.number = 7
            _ = try await db.save(changed)
            try expect(try await events.next()?.key, equals: Key(beats[1].id), "the key of an event")
            let difference = try expect(some: try await list.nextChange(), "a change")
            try expect(difference.updated, equals: [Key(beats[1].id)], "what was updated")
            try expect(try await list.object(at: 1)?.number, equals: 7, "the object that was updated")
        },
    ]

    @SuiteActor
    private static func write(_ db: Database, _ round: Int, _ random: inout some RandomNumberGenerator) async throws {
        let notes = try await db.query(Note.self).fetch()
        let rank = Int.random(in: 0..<5, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: try await db.save(Note("n\(round)", body: "b\(rank)", rank: rank))
        case 2: try await db.save((0..<3).map { Note("m\(round)", body: "\($0)", rank: ($0 + round) % 5) })
        case 3, 4:
            guard let note = notes.randomElement(using: &random) else { return }
            switch rank {
            case 0: note.title = "t\(round)"
            case 1: note.body = "c\(round)"
            default: note.rank = rank
            }
            try await db.save(note)
        case 5: if let note = notes.randomElement(using: &random) { try await db.delete(note) }
        case 6: try await db.query(Note.self).where { $0.rank == rank }.update { $0.title.set("u\(round)") }
        case 7: try await db.sql("UPDATE note SET rank = rank + 1 WHERE rank = \(rank)").execute()
        case 8:
            try await db.transaction { tx in
                try await tx.save(Note("x", rank: rank))
                try await tx.undone { try await $0.save(Note("undone", rank: rank)) }
                if let note = notes.randomElement(using: &random) {
                    note.rank = rank
                    try await tx.save(note)
                }
            }
        default: try await db.query(Note.self).where { $0.rank == rank && $0.title == "x" }.delete()
        }
    }
}

extension Note {
    /// Everything that it holds, to be compared.
    fileprivate var summary: String { "\(id ?? 0) \(title) \(body ?? "-") \(rank)" }
}

/// The last result of an observed query.
private final class LastState: Sendable {
    private let query: Query<Note>
    private let keepsInstances: Bool
    private let latest = Mutex<[String]?>(nil)

    init(query: Query<Note>, keepsInstances: Bool) {
        (self.query, self.keepsInstances) = (query, keepsInstances)
    }

    func run() async throws {
        for try await result in query.observe(delay: .zero, keepingInstances: keepsInstances) {
            let summaries = result.objects.map(\.summary)
            latest.withLock { $0 = summaries }
        }
    }

    /// Waits until the result is that of the query, however long after the last commit.
    func waitUntilSame(_ what: String = "", line: Int = #line) async throws {
        let expected = try await query.fetch().map(\.summary)
        for _ in 0..<1_000 {
            if latest.withLock({ $0 }) == expected { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        try expect(latest.withLock { $0 } ?? [], equals: expected, "the last result \(what)", line: line)
    }
}

/// The last value of an observed count.
private final class LastCount: Sendable {
    private let latest = Mutex(-1)

    func set(_ count: Int) { latest.withLock { $0 = count } }

    func waitUntil(_ expected: Int, _ what: String, line: Int = #line) async throws {
        for _ in 0..<1_000 {
            if latest.withLock({ $0 }) == expected { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        try expect(latest.withLock { $0 }, equals: expected, what, line: line)
    }
}
