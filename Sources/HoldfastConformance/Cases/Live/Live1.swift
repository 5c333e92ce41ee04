import Foundation
import Holdfast

/// Observed queries: a result after each commit that changes it, and none besides.
extension ConformanceCase {
    static let live1: [ConformanceCase] = [
        ConformanceCase(
            "live-1.rows", "LIVE-1", "An observed query returns what it finds, and then each other result by key",
            level: .graph
        ) { environment in
            let db = try await environment.open(Note.self)
            let (one, two) = (Note("one", rank: 1), Note("two", rank: 2))
            try await db.save([one, two])
            var results = db.query(Note.self).where { $0.rank < 10 }.order { $0.rank.ascending }.observe()
                .makeAsyncIterator()
            var result = try expect(some: try await results.next(), "the first result")
            try expect(result.objects.map(\.title), equals: ["one", "two"], "the first objects")
            try expect(result.difference, equals: .of(inserted: [one, two]), "the first difference")
            let three = Note("three", rank: 3)
            try await db.save(three)
            result = try expect(some: try await results.next(), "the result after an insertion")
            try expect(result.difference, equals: .of(inserted: [three]), "the difference by an insertion")
            // What does not match is no change.
            try await db.save(Note("eleven", rank: 11))
            two.title = "2"
            try await db.save(two)
            result = try expect(some: try await results.next(), "the result after an update")
            try expect(result.objects.map(\.title), equals: ["one", "2", "three"], "the objects after an update")
            try expect(result.difference, equals: .of(updated: [two]), "the difference by an update")
            one.rank = 4
            try await db.save(one)
            result = try expect(some: try await results.next(), "the result in another order")
            try expect(
                result.difference, equals: .of(moved: [one], updated: [one]), "the difference by another order")
            three.rank = 20
            try await db.save(three)
            result = try expect(some: try await results.next(), "the result without what matches no more")
            try expect(result.difference, equals: .of(removed: [three]), "the difference by a condition")
            let gone = ResultDifference.of(removed: [two])
            try await db.delete(two)
            result = try expect(some: try await results.next(), "the result after a deletion")
            try expect(result.difference, equals: gone, "the difference by a deletion")
        },
        ConformanceCase(
            "live-1.graphs", "LIVE-1", "Arrays, links and related objects of observed results count", level: .graph
        ) { environment in
            let db = try await environment.open(Board.self)
            let (board, card, red) = (Board("plans"), Slip("a"), SlipColor("red"))
            (card.color, board.cards) = (red, [card])
            try await db.save(board)
            var results = db.query(Board.self).observe().makeAsyncIterator()
            _ = try await results.next()
            board.tags = ["x"]
            try await db.save(board)
            var result = try expect(some: try await results.next(), "the result after an array has changed")
            try expect(result.difference, equals: .of(updated: [board]), "the difference by an array")
            board.cards.append(Slip("b"))
            try await db.save(board)
            result = try expect(some: try await results.next(), "the result after a link was added")
            try expect(result.objects.first?.cards.count, equals: 2, "the number of links")
            try expect(result.difference, equals: .of(updated: [board]), "the difference by a link")
            red.code = 7
            try await db.save(red)
            result = try expect(some: try await results.next(), "the result after a related object has changed")
            try expect(result.objects.first?.cards.first?.color?.code, equals: 7, "the related object")
            try expect(result.difference.isEmpty, equals: true, "whether the results themselves are the same")
            var cards = db.query(Slip.self).observe().makeAsyncIterator()
            _ = try await cards.next()
            try await db.query(Board.self).delete()
            result = try expect(some: try await results.next(), "the result after all were deleted")
            try expect(result.objects.count, equals: 0, "the boards")
            let left = try expect(some: try await cards.next(), "the result of what is deleted with others")
            try expect(left.objects.count, equals: 0, "the cards")
        },
        ConformanceCase(
            "live-1.statements", "LIVE-1", "Bulk updates, raw SQL and transactions count once they are committed",
            level: .graph
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save((1...3).map { Note("n\($0)", rank: $0) })
            var counts = db.query(Note.self).where { $0.rank == 0 }.observe { try await $0.count() }
                .makeAsyncIterator()
            try expect(try await counts.next(), equals: 0, "the first count")
            try await db.query(Note.self).where { $0.rank == 1 }.update { $0.rank.set(0) }
            try expect(try await counts.next(), equals: 1, "the count after an update by query")
            try await db.sql("UPDATE note SET rank = 0 WHERE rank = 2").execute()
            try expect(try await counts.next(), equals: 2, "the count after raw SQL")
            // Thrown to roll back: what is undone must not show.
            try? await db.transaction { tx in
                try await tx.query(Note.self).update { $0.rank.set(0) }
                throw CancellationError()
            }
            try await db.transaction { tx in
                try await tx.save(Note("four"))
                try? await tx.transaction { inner in
                    try await inner.query(Note.self).update { $0.rank.set(0) }
                    throw CancellationError()
                }
                try await tx.save(Note("five"))
            }
            try expect(try await counts.next(), equals: 4, "the count after transactions")
        },
        ConformanceCase(
            "live-1.begins-within", "LIVE-1",
            "What was written before somebody observed, and is committed then, counts",
            level: .graph
        ) { environment in
            let db = try await environment.open(Note.self)
            var counts = db.query(Note.self).observe { try await $0.count() }.makeAsyncIterator()
            let (written, write) = AsyncStream<Void>.makeStream()
            let (observed, observe) = AsyncStream<Void>.makeStream()
            async let transaction: Void = db.transaction { tx in
                try await tx.save(Note("early"))
                write.finish()
                for await _ in observed {}
            }
            for await _ in written {}
            try expect(try await counts.next(), equals: 0, "the count before the commit")
            observe.finish()
            try await transaction
            try expect(try await counts.next(), equals: 1, "the count after the commit")
        },
        ConformanceCase(
            "live-1.date-keys", "LIVE-1", "Differences have keys as callers have them", level: .graph
        ) { environment in
            let db = try await environment.open(Shift.self)
            var results = db.query(Shift.self).observe().makeAsyncIterator()
            _ = try await results.next()
            let start = Date(timeIntervalSince1970: 1_000)
            try await db.save(Shift(start, "early"))
            try expect(try await results.next()?.difference.inserted, equals: [Key(start)], "the inserted keys")
        },
        ConformanceCase(
            "live-1.interval", "LIVE-1", "With an interval, what other programs commit is noticed too", level: .graph
        ) { environment in
            let db = try await environment.open(Note.self)
            let other = try await environment.open()
            var counts = db.query(Note.self).observe(interval: .milliseconds(20)) { try await $0.count() }
                .makeAsyncIterator()
            var results = db.query(Note.self).observe(interval: .milliseconds(20)).makeAsyncIterator()
            try expect(try await counts.next(), equals: 0, "the first count")
            _ = try await results.next()
            try await other.save(Note("by another"))
            try expect(try await counts.next(), equals: 1, "the count after another program's commit")
            try expect(try await results.next()?.objects.map(\.title), equals: ["by another"], "the objects")
        },
        ConformanceCase(
            "live-1.ends", "LIVE-1",
            "An observation ends with its task, with an error, and with the database; in a transaction there is none",
            level: .graph
        ) { environment in
            let db = try await environment.open(Note.self)
            let task = Task {
                var count = 0
                for try await _ in db.query(Note.self).observe() { count += 1 }
                return count
            }
            try await Task.sleep(for: .milliseconds(50))
            task.cancel()
            _ = try await task.value
            try await db.transaction { tx in
                try await expect(.unsupported, from: "an observation in a transaction") {
                    var results = tx.query(Note.self).observe().makeAsyncIterator()
                    _ = try await results.next()
                }
            }
            try await expect(.syntax, from: "an unknown property") {
                var results = db.query(Note.self).where("nonsense > 1").observe().makeAsyncIterator()
                _ = try await results.next()
            }
            let other = try await environment.open()
            var results = other.query(Note.self).observe().makeAsyncIterator()
            _ = try await results.next()
            try await other.close()
            try await expect(.closed, from: "an observation of a closed database") { _ = try await results.next() }
            try expect(try await results.next() == nil, equals: true, "whether it has ended")
        },
        ConformanceCase(
            "live-1.random", "LIVE-1", "Whatever is written at random, the last result is what the database has",
            level: .graph
        ) { environment in
            let db = try await environment.open(Board.self, SlipColor.self)
            var random = SplitMix64(state: environment.seed)
            var results = db.query(Board.self).where { $0.rank >= 0 }.order { $0.rank.descending }.observe(delay: .zero)
                .makeAsyncIterator()
            var known = try expect(some: try await results.next(), "the first result").objects.compactMap(\.id)
            for round in 0..<60 {
                try await writeAtRandom(db, round, &random)
                // A marker makes sure that there is a next result, whether or not the round changed something.
                try await db.save(Board("marker", rank: 1_000 + round))
                while true {
                    let result = try expect(some: try await results.next(), "a result")
                    known = known.filter { id in !result.difference.removed.contains(Key(id)) }
                    known += try result.difference.inserted.map { try $0.value(as: Int64.self) }
                    let ids = result.objects.compactMap(\.id)
                    try expect(Set(known), equals: Set(ids), "the keys that the differences make")
                    if result.objects.first?.rank == 1_000 + round {
                        let stored = try await db.query(Board.self).where { $0.rank >= 0 }
                            .order { $0.rank.descending }.fetch()
                        try expect(result.objects.map(\.summary), equals: stored.map(\.summary), "the last result")
                        break
                    }
                }
            }
        },
    ]

    @SuiteActor
    private static func writeAtRandom(
        _ db: Database, _ round: Int, _ random: inout some RandomNumberGenerator
    ) async throws {
        let boards = try await db.query(Board.self).where { $0.rank < 1_000 }.fetch()
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            let board = Board("b\(round)", rank: Int.random(in: -2..<5, using: &random))
            board.cards = [Slip("c\(round)")]
            try await db.save(board)
        case 2:
            guard let board = boards.randomElement(using: &random) else { return }
            board.rank = Int.random(in: -2..<5, using: &random)
            board.tags.append("t\(round)")
            try await db.save(board)
        case 3: if let board = boards.randomElement(using: &random) { try await db.delete(board) }
        case 4: try await db.query(Board.self).where { $0.rank == 2 }.update { $0.title.set("two \(round)") }
        case 5: try await db.query(Board.self).where { $0.rank == 3 }.delete()
        case 6: try await db.sql("UPDATE board SET rank = rank + 1 WHERE rank < 4").execute()
        default:
            guard let card = boards.flatMap(\.cards).randomElement(using: &random) else { return }
            card.text += "!"
            try await db.save(card)
        }
    }
}

extension Board {
    /// Everything that it holds, to be compared.
    fileprivate var summary: String {
        let texts = cards.map(\.text).joined(separator: ",")
        return "\(id ?? 0) \(title) \(rank) \(tags) \(texts)"
    }
}

extension ResultDifference {
    /// A difference of notes or boards, by their keys.
    fileprivate static func of(
        inserted: [some Observed] = [Note](), removed: [some Observed] = [Note](),
        moved: [some Observed] = [Note](), updated: [some Observed] = [Note]()
    ) -> ResultDifference {
        ResultDifference(
            inserted: inserted.map(\.key), removed: removed.map(\.key), moved: moved.map(\.key),
            updated: updated.map(\.key))
    }
}

private protocol Observed { var id: Int64? { get } }

extension Observed { fileprivate var key: Key { Key(id ?? 0) } }

extension Note: Observed {}

extension Board: Observed {}
