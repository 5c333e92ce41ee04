import Foundation
import Holdfast

/// Locks of rows, and queues that are built on them.
extension ConformanceCase {
    static let opQueryLocks: [ConformanceCase] = [
        ConformanceCase(
            "op-query.locks", "OP-QUERY",
            "A query locks its rows in a transaction that writes, and is refused elsewhere"
        ) { environment in
            let (db, engineers) = try await openSample(environment)
            let query = db.query(Engineer.self).where { $0.boss.name == "Ada" }.order { $0.name.ascending }
            let expected = try await query.fetch().map(\.id)
            try await db.transaction { tx in
                for lock in [RowLock.waiting, .skipLocked, .noWait] {
                    let found = try await query.on(tx).locked(lock).fetch()
                    try expect(found.map(\.id), equals: expected, "the objects that are locked")
                    let name = try await query.on(tx).locked(lock).limit(1).select { $0.name }.fetch()
                    try expect(name.count, equals: 1, "a value of a row that is locked")
                }
                try expect(try await query.on(tx).locked().first()?.id, equals: expected.first, "the first object")
                try expect(try await query.on(tx).locked().keys().count, equals: expected.count, "the number of keys")
                let page = try await query.on(tx).locked().page(size: 1)
                try expect(page.objects.map(\.id), equals: [expected[0]], "a page")
                let locked = tx.query(Engineer.self).locked()
                try await expect(.unsupported, from: "a count") { _ = try await locked.count() }
                try await expect(.unsupported, from: "whether there is one") { _ = try await locked.exists() }
                try await expect(.unsupported, from: "a sum") { _ = try await locked.sum { $0.age } }
                try await expect(.unsupported, from: "groups") {
                    _ = try await locked.group { $0.age }.select { $0.age }.fetch()
                }
                try await expect(.unsupported, from: "one of several") {
                    _ = try await locked.distinct(by: \.age).fetch()
                }
                try await expect(.unsupported, from: "a stream") { for try await _ in locked.stream() {} }
            }
            try await expect(.unsupported, from: "a lock outside of a transaction") {
                _ = try await query.locked().fetch()
            }
            try await expect(.readOnly, from: "a lock in a transaction that only reads") {
                _ = try await db.read { try await query.on($0).locked(.skipLocked).fetch() }
            }
            // A change by a query locks what it changes, wherever it is.
            let count = try await db.query(Engineer.self).locked(.noWait).update { $0.age += 1 }
            try expect(count, equals: engineers.count, "the number of rows changed")
        },
        ConformanceCase(
            "op-query.skip-locked", "OP-QUERY",
            "Rows that others have locked are passed over, or refused, or waited for"
        ) { environment in
            let db = try await environment.open(Note.self)
            guard environment.capabilities.hasConcurrentWriters else {
                // A transaction that writes has all rows to itself.
                let other = try await environment.open { $0.timeouts.lock = .milliseconds(100) }
                try await db.save(Note("n", rank: 1))
                try await db.transaction { tx in
                    try expect(try await tx.query(Note.self).locked(.skipLocked).fetch().count, equals: 1, "the notes")
                    try await expect(.lockTimeout, from: "a change beside a transaction that writes") {
                        try await other.query(Note.self).locked(.skipLocked).update { $0.rank += 1 }
                    }
                }
                return
            }
            let (other, third) = (try await environment.open(), try await environment.open())
            try await db.save((0..<6).map { Note("n\($0)", rank: $0) })
            let query = other.query(Note.self).order { $0.rank.ascending }
            try await db.transaction { first in
                let taken = try await query.on(first).limit(2).locked().fetch()
                try expect(taken.map(\.rank), equals: [0, 1], "what is taken first")
                try await other.transaction { second in
                    let next = try await query.on(second).limit(2).locked(.skipLocked).fetch()
                    try expect(next.map(\.rank), equals: [2, 3], "what is taken next")
                    let changed = try await third.query(Note.self).order(\.rank).limit(1).locked(.skipLocked).update(
                        returning: { $0.rank }) {
                            $0.body.set("x")
                        }
                    try expect(changed, equals: [4], "what is changed meanwhile")
                    let all = try await third.query(Note.self).locked(.skipLocked).update { $0.body.set("y") }
                    try expect(all, equals: 2, "the number of all that are free")
                    let free = try await third.query(Note.self).where { $0.rank < 5 }.locked(.skipLocked)
                        .deleteReturning()
                    try expect(free.map(\.rank), equals: [4], "what is deleted of those that are free")
                }
                try await expect(.lockTimeout, from: "a row that is locked") {
                    _ = try await other.transaction { try await query.on($0).locked(.noWait).fetch() }
                }
                try await expect(.lockTimeout, from: "a change of a row that is locked") {
                    try await other.query(Note.self).where { $0.rank == 0 }.locked(.noWait).update { $0.rank += 1 }
                }
            }
            // Whoever waits sees what the other has left.
            let started = Signal()
            async let waited: [Int] = other.transaction { tx in
                await started.wait()
                return try await tx.query(Note.self).where { $0.rank == 0 }.locked().fetch().map(\.rank)
            }
            try await db.transaction { tx in
                _ = try await tx.query(Note.self).where { $0.rank == 0 }.locked().fetch()
                started.give()
                try await Task.sleep(for: .milliseconds(100))
                try await tx.query(Note.self).where { $0.rank == 0 }.update { $0.rank.set(50) }
            }
            try expect(try await waited, equals: [], "what is left for whoever has waited")
        },
        ConformanceCase(
            "op-query.queue", "OP-QUERY",
            "Workers that claim jobs by an update get each job once, and as many as they ask for"
        ) { environment in
            let db = try await environment.open(Note.self)
            let count = 120
            try await db.save((0..<count).map { Note("n\($0)", rank: $0) })
            let query = db.query(Note.self).where { $0.body == nil }.order { $0.rank.ascending }
            let claims = try await withThrowingTaskGroup(of: [[Int]].self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        var claims: [[Int]] = []
                        while true {
                            let claim = try await query.limit(3).locked(.skipLocked)
                                .updateReturning { $0.body.set("\(worker)") }
                            if claim.isEmpty { return claims }
                            claims.append(claim.map(\.rank))
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try expect(claims.flatMap(\.self).sorted(), equals: Array(0..<count), "the jobs that were claimed")
            try expect(claims.allSatisfy { $0.count <= 3 }, "A worker got more than it asked for.")
            let popped = try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var ranks: [Int] = []
                        while let note = try await db.query(Note.self).order(\.rank).limit(1).locked(.skipLocked)
                            .deleteReturning().first
                        {
                            ranks.append(note.rank)
                        }
                        return ranks
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try expect(popped.sorted(), equals: Array(0..<count), "the jobs that were taken off")
        },
    ]
}
