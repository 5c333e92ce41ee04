import Foundation
import Holdfast

/// Results that come one after the other, with few of them in memory.
extension ConformanceCase {
    static let opStream: [ConformanceCase] = [
        ConformanceCase(
            "op-stream.same", "OP-STREAM", "A stream gives what a fetch gives, in the same order, whatever the query"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let ids = engineers.compactMap(\.id)
            let queries: [(String, Query<Engineer>)] = [
                ("all", db.query(Engineer.self)),
                ("none", db.query(Engineer.self).where { $0.age > 1_000 }),
                ("some of a long list", db.query(Engineer.self).where { $0.id.in((0..<4_000).map { Int64($0) }) }),
                (
                    "an order, a limit",
                    db.query(Engineer.self).where { $0.tags.contains("swift") || $0.boss.age > 3 }
                        .order { [$0.name.descending] }.limit(9).offset(2)
                ),
            ]
            for (what, query) in queries {
                var streamed: [Engineer] = []
                for try await engineer in query.stream() { streamed.append(engineer) }
                let fetched = try await query.fetch()
                try expect(streamed.map(\.id), equals: fetched.map(\.id), "the ids of \(what)")
                try expect(streamed.map(\.salary), equals: fetched.map(\.salary), "the salaries of \(what)")
                try expect(streamed.map(\.tags), equals: fetched.map(\.tags), "the tags of \(what)")
                try expect(streamed.map(\.boss?.name), equals: fetched.map(\.boss?.name), "the bosses of \(what)")
                try expect(
                    streamed.map { $0.reviews.map(\.points) }, equals: fetched.map { $0.reviews.map(\.points) },
                    "the reviews of \(what)")
            }
            var pairs: [(Int64?, Int)] = []
            for try await pair in db.query(Engineer.self).order({ $0.id.descending }).select({ ($0.id, $0.age) })
                .stream()
            {
                pairs.append(pair)
            }
            try expect(pairs.map(\.0), equals: ids.reversed(), "the ids of tuples")
            try expect(pairs.map(\.1), equals: engineers.reversed().map(\.age), "the ages of tuples")
            var names: [String] = []
            for try await row in db.sql("SELECT name, id FROM \(Engineer.self) WHERE age > \(-1_000) ORDER BY id")
                .stream()
            {
                names.append(try row.decode(String.self, named: "name"))
            }
            try expect(names, equals: engineers.map(\.name), "the names of rows")
        },
        ConformanceCase(
            "op-stream.portions", "OP-STREAM",
            "A stream of many objects calls their hooks, and has each exactly once, with large values too"
        ) { environment in
            let db = try await environment.open(Note.self)
            let body = String(repeating: "x", count: 3_000)
            try await db.save((0..<3_000).map { Note("\($0)", body: $0 % 3 == 0 ? body : nil, rank: $0) })
            var ranks: [Int] = []
            for try await note in db.query(Note.self).stream() {
                try expect(note.body, equals: note.rank % 3 == 0 ? body : nil, "the body of \(note.rank)")
                ranks.append(note.rank)
            }
            try expect(ranks, equals: Array(0..<3_000), "the ranks")
            let stream = db.query(Note.self).where { $0.rank >= 1_000 }.stream()
            for _ in 0..<2 {
                var count = 0
                for try await _ in stream { count += 1 }
                try expect(count, equals: 2_000, "the number of elements, each time it is asked")
            }
            let hooked = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            try await hooked.save((0..<600).map { Hooked("h\($0)", log: log) })
            for try await object in hooked.query(Hooked.self).stream() {
                try expect(object.fetches, equals: 1, "the calls of the hook")
            }
        },
        ConformanceCase(
            "op-stream.snapshot", "OP-STREAM",
            "A stream is of one snapshot, and holds up nobody who writes meanwhile, not even whoever reads it"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save((0..<2_000).map { Note("\($0)", rank: $0) })
            var ranks: [Int] = []
            for try await note in db.query(Note.self).order({ $0.rank.ascending }).stream() {
                ranks.append(note.rank)
                guard note.rank % 400 == 0 else { continue }
                note.rank += 100_000
                try await db.save(note)
                try await db.query(Note.self).where { $0.rank == 1_999 }.update { $0.rank += 5_000 }
                try await db.save(Note("new", rank: ranks.count + 1))
            }
            try expect(ranks, equals: Array(0..<2_000), "the ranks as they were")
            try expect(try await db.count(Note.self), equals: 2_005, "the rows that there are now")
            try expect(
                try await db.query(Note.self).where { $0.rank >= 100_000 }.count(), equals: 5, "the rows that changed")
        },
        ConformanceCase(
            "op-stream.transaction", "OP-STREAM",
            "Inside a transaction a stream sees what was written before, and nothing that is written while it is read"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save((0..<1_500).map { Note("\($0)", rank: $0) })
            try await db.transaction { tx in
                try await tx.save(Note("earlier", rank: 1_500))
                var ranks: [Int] = []
                for try await note in tx.query(Note.self).order({ $0.rank.ascending }).stream() {
                    ranks.append(note.rank)
                    if note.rank == 3 { try await tx.query(Note.self).where { $0.rank >= 1_000 }.delete() }
                    if note.rank == 5 {
                        // What is updated moves to where the stream has not been.
                        try await tx.query(Note.self).where { $0.rank < 100 }.update { $0.rank += 10_000 }
                    }
                    if note.rank == 7 {
                        do {
                            try await tx.transaction { nested in
                                try await nested.query(Note.self).delete()
                                throw CancellationError()
                            }
                        } catch is CancellationError {}
                    }
                    if note.rank == 700 { try await tx.save(Note("late", rank: 20_000)) }
                }
                try expect(ranks, equals: Array(0...1_500), "the ranks as they were")
                try expect(try await tx.count(Note.self), equals: 1_001, "the rows that the transaction has left")
                for try await note in tx.query(Note.self).stream() where note.rank > 0 { break }
                try await tx.save(Note("after a loop that was left"))
            }
            try expect(try await db.count(Note.self), equals: 1_002, "the rows after the commit")
            try await db.read { tx in
                var count = 0
                for try await note in tx.query(Note.self).stream() {
                    count += 1
                    if count == 10 { try expect(try await tx.find(Note.self, key: note.id ?? 0) != nil, "It is gone.") }
                }
                try expect(count, equals: 1_002, "the rows that a read streams")
            }
        },
        ConformanceCase(
            "op-stream.ends", "OP-STREAM", "A stream that is used after its transaction, or its savepoint, is refused"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save((0..<1_500).map { Note("\($0)", rank: $0) })
            let kept = try await db.transaction { tx in
                var iterator = tx.query(Note.self).stream().makeAsyncIterator()
                try expect(try await iterator.next()?.rank, equals: 0, "the first")
                return iterator
            }
            var iterator = kept
            try await expect(.closed, from: "a stream of a transaction that has ended") {
                while try await iterator.next() != nil {}
            }
            try expect(try await iterator.next() == nil, "It goes on after an error.")
            try await db.transaction { tx in
                let kept = try await tx.transaction { nested in
                    var iterator = nested.query(Note.self).stream().makeAsyncIterator()
                    _ = try await iterator.next()
                    return iterator
                }
                var iterator = kept
                try await expect(.closed, from: "a stream of a savepoint that has ended") {
                    while try await iterator.next() != nil {}
                }
                try await tx.save(Note("the transaction goes on"))
            }
            try expect(try await db.count(Note.self), equals: 1_501, "the rows")
        },
        ConformanceCase(
            "op-stream.savepoints", "OP-STREAM", "A stream can be read inside savepoints that begin while it is read"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save((0..<1_500).map { Note("\($0)", rank: $0) })
            try await expect(within: .seconds(30), "Reading a stream inside savepoints") {
                try await db.transaction { tx in
                    var iterator = tx.query(Note.self).stream().makeAsyncIterator()
                    var ranks = [try await iterator.next()?.rank ?? -1]
                    while ranks.count < 1_500 {
                        ranks += try await tx.transaction { nested in
                            var some: [Int] = []
                            while some.count < 300, let note = try await iterator.next() {
                                some.append(note.rank)
                                if some.count == 7 {
                                    note.rank += 1_000_000
                                    try await nested.save(note)
                                }
                            }
                            return some
                        }
                    }
                    try expect(ranks, equals: Array(0..<1_500), "the ranks")
                    try expect(try await iterator.next() == nil, "There is more.")
                }
            }
            try expect(
                try await db.query(Note.self).where { $0.rank >= 1_000_000 }.count(), equals: 5, "the rows that changed"
            )
        },
        ConformanceCase(
            "op-stream.schema", "OP-STREAM", "A stream of raw SQL has the columns that the table has when it begins"
        ) { environment in
            let db = try await environment.open(Note.self)
            let other = try await environment.open()
            try await db.save((0..<300).map { Note("\($0)", rank: $0) })
            func columns() async throws -> Set<Int> {
                var counts: Set<Int> = []
                for try await row in db.sql("SELECT * FROM \(Note.self) ORDER BY id").stream() {
                    counts.insert(row.count)
                    try expect(try row.decode(String.self, named: "title").isEmpty, equals: false, "an empty title")
                }
                return counts
            }
            try expect(try await columns(), equals: [5], "the number of columns")
            try await other.sql("ALTER TABLE \(Note.self) ADD COLUMN more integer").execute()
            try expect(try await columns(), equals: [6], "the number of columns after one was added")
            try await other.sql("ALTER TABLE \(Note.self) DROP COLUMN more").execute()
            try expect(try await columns(), equals: [5], "the number of columns after it was dropped")
        },
        ConformanceCase(
            "op-stream.hooks", "OP-STREAM", "A hook can leave a loop over a stream"
        ) { environment in
            let db = try await environment.open(StreamingHook.self, Note.self)
            try await db.save((0..<1_500).map { Note("\($0)", rank: $0) })
            try await db.save((0..<20).map { StreamingHook($0) })
            try expect(
                try await db.fetch(StreamingHook.self).map(\.seen), equals: Array(repeating: 3, count: 20),
                "what the hooks have seen")
        },
        ConformanceCase(
            "op-stream.left", "OP-STREAM",
            "Leaving a loop, by whatever way, stops the statement and gives the connection back"
        ) { environment in
            let db = try await environment.open(Note.self) {
                $0.pool.maximumConnections = 2
                $0.pool.checkoutTimeout = .seconds(20)
            }
            try await db.save((0..<3_000).map { Note("\($0)", rank: $0) })
            for round in 0..<30 {
                for try await note in db.query(Note.self).stream() where note.rank == round * 60 { break }
                do {
                    for try await note in db.query(Note.self).stream() where note.rank == round {
                        throw CancellationError()
                    }
                } catch is CancellationError {}
            }
            try expect(try await db.count(Note.self), equals: 3_000, "the rows")
            let started = Signal()
            let task = Task {
                for try await note in db.query(Note.self).stream() where note.rank == 700 {
                    started.give()
                    while !Task.isCancelled { await Task.yield() }
                }
            }
            await started.wait()
            task.cancel()
            try await expect(.cancelled, from: "a stream in a cancelled task") { try await task.value }
            // A statement that has not come to its first row yet.
            let slow = Task { for try await _ in db.sql(SlowStatement.fragment).stream() {} }
            try await Task.sleep(for: .milliseconds(100))
            slow.cancel()
            try await expect(within: .seconds(20), "Stopping a slow statement") {
                try await expect(.cancelled, from: "a slow stream in a cancelled task") { try await slow.value }
            }
            try await db.save(Note("afterwards"))
            try await expect(within: .seconds(20), "Closing the database") { try await db.close() }
        },
        ConformanceCase(
            "op-stream.endless", "OP-STREAM",
            "Of a statement that gives some rows soon and then works on, those come, and leaving it stops it"
        ) { environment in
            let db = try await environment.open(Note.self) {
                $0.pool.maximumConnections = 1
                $0.pool.checkoutTimeout = .seconds(20)
            }
            let endless: SQLFragment = """
                WITH RECURSIVE counting (number) AS (
                    SELECT 1 UNION ALL SELECT number + 1 FROM counting WHERE number < 2000000000
                )
                SELECT number FROM counting WHERE number <= 1000 OR number < 0
                """
            try await expect(within: .seconds(60), "Leaving a statement that works on") {
                for count in [1, 129, 300, 500] {
                    var numbers: [Int] = []
                    for try await row in db.sql(endless).stream() {
                        numbers.append(try row.decode(Int.self, named: "number"))
                        if numbers.count == count { break }
                    }
                    try expect(numbers, equals: Array(1...count), "the numbers")
                    try expect(try await db.count(Note.self), equals: 0, "the rows, by the same connection")
                }
            }
            let task = Task {
                var count = 0
                for try await _ in db.sql(endless).stream() {
                    count += 1
                    while count == 500, !Task.isCancelled { await Task.yield() }
                }
            }
            try await Task.sleep(for: .milliseconds(300))
            task.cancel()
            try await expect(within: .seconds(20), "Cancelling a task whose stream works on") {
                try await expect(.cancelled, from: "a stream in a cancelled task") { try await task.value }
            }
            let hurried = try await environment.open(Note.self) { $0.timeouts.statement = .seconds(3) }
            try await expect(within: .seconds(20), "A stream whose statement takes too long") {
                try await expect(.statementTimeout, from: "a stream that works on") {
                    for try await _ in hurried.sql(endless).stream() {}
                }
                try expect(try await hurried.count(Note.self), equals: 0, "the rows, after a timeout")
            }
            try await db.save(Note("afterwards"))
        },
        ConformanceCase(
            "op-stream.slow-reader", "OP-STREAM",
            "How long whoever reads a stream takes for each element is no time of the statement, and loses no row"
        ) { environment in
            let db = try await environment.open(Note.self) { $0.timeouts.statement = .seconds(2) }
            // More than what a server can send while nobody reads.
            let body = String(repeating: "x", count: 30_000)
            try await db.transaction { tx in
                for first in stride(from: 0, to: 1_500, by: 300) {
                    try await tx.save(
                        (first..<first + 300).map { Note("\($0)", body: $0 < 400 ? nil : body, rank: $0) })
                }
            }
            var ranks: [Int] = []
            for try await note in db.query(Note.self).stream() {
                ranks.append(note.rank)
                try expect(note.body?.utf8.count, equals: note.rank < 400 ? nil : 30_000, "the length of a body")
                if note.rank == 10 || note.rank == 900 { try await Task.sleep(for: .seconds(4)) }
            }
            try expect(ranks, equalsEach: Array(0..<1_500), "the ranks")
        },
        ConformanceCase(
            "op-stream.errors", "OP-STREAM",
            "A stream gives what comes before a row that can't be had, then throws what a fetch throws, and ends"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save((0..<1_500).map { Note("\($0)", rank: $0) })
            let all = db.query(Note.self)
            // At a row in the middle, so that the engine finds out only when it has given others.
            let limit = Int.max - 1_200
            var values = all.order { $0.id.ascending }.select { $0.rank + limit }.stream().makeAsyncIterator()
            var count = 0
            try await expect(.invalidValue, from: "a value that overflows") {
                while try await values.next() != nil { count += 1 }
            }
            try expect(count > 0 && count <= 1_201, "\(count) values came before the one that overflows.")
            try expect(try await values.next() == nil, "It goes on after an error.")
            try await expect(.transactionAborted, .invalidValue, from: "a transaction whose stream failed") {
                try await db.transaction { tx in
                    do {
                        for try await _ in tx.query(Note.self).select({ $0.rank + limit }).stream() {}
                    } catch let error as DatabaseError where error.code == .invalidValue {}
                    try await tx.save(Note("not kept"))
                }
            }
            try await expect(.syntax, from: "text that is no condition") {
                for try await _ in all.where(Condition(parsing: "rank >")).stream() {}
            }
            try await expect(.syntax, from: "raw SQL that does not read") {
                for try await _ in db.sql("DELETE FROM \(Note.self)").stream() {}
            }
            try await expect(.conflict, from: "a query of no database") {
                for try await _ in Query<Note>().stream() {}
            }
            try expect(try await db.count(Note.self), equals: 1_500, "the rows")
        },
    ]
}
