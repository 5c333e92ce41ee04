import Foundation
import Holdfast

extension ConformanceCase {
    static let txn2: [ConformanceCase] = [
        ConformanceCase("txn-2.rollback", "TXN-2", "A closure that throws leaves nothing behind, in rows or in objects")
        { environment in
            let db = try await environment.open(Note.self, Tagged.self)
            let old = Note("old", rank: 1)
            try await db.save(old)
            let new = Note("new")
            let tagged = Tagged(tags: ["a"])
            struct Unrelated: Error {}
            do {
                try await db.transaction { tx in
                    old.title = "changed"
                    old.rank = 2
                    try await tx.save([old, new])
                    try await tx.save(tagged)
                    try expect(try await tx.count(Note.self), equals: 2, "the number of rows inside the transaction")
                    throw Unrelated()
                }
                throw ExpectationFailure("The transaction succeeded although its closure threw.", #fileID, #line)
            } catch is Unrelated {}
            try expect(new.id, equals: nil, "the key of a new object")
            try expect(tagged.id, equals: nil, "the key of a new object with arrays")
            try expect(old.title, equals: "changed", "the title, which the closure itself had set")
            try expect(old.isDirty && new.isDirty && tagged.isDirty, "An object that was rolled back is not dirty.")
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["old"], "the rows")
            try await db.save([old, new])
            try await db.save(tagged)
            let notes = try await db.fetch(Note.self)
            try expect(notes.map(\.title), equals: ["changed", "new"], "the rows after all was saved again")
            try expect(notes.map(\.rank), equals: [2, 0], "the ranks after all was saved again")
            try expect(
                try await db.fetch(Tagged.self).map(\.tags),
                equals: [["a"]],
                "the tags after all was saved again"
            )
        },
        ConformanceCase(
            "txn-2.deletion-is-undone",
            "TXN-2",
            "An object whose deletion was rolled back is still a saved one"
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("a")
            try await db.save(note)
            try await expect(.conflict, from: "a transaction that fails") {
                try await db.transaction { tx in
                    try await tx.delete(note)
                    throw DatabaseError(.conflict, "on purpose")
                }
            }
            note.title = "b"
            try await db.save(note)
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["b"], "the rows")
        },
        ConformanceCase("txn-2.ended", "TXN-2", "A transaction that has ended refuses to be used") { environment in
            let db = try await environment.open(Note.self)
            let kept = try await db.transaction { tx in tx }
            try await expect(.closed, from: "saving through it") { try await kept.save(Note()) }
            try await expect(.closed, from: "reading through it") { _ = try await kept.count(Note.self) }
            try await expect(.closed, from: "nesting in it") { try await kept.transaction { _ in } }
            let nested = try await db.transaction { tx in try await tx.transaction { $0 } }
            try await expect(.closed, from: "saving through a nested one") { try await nested.save(Note()) }
            try expect(try await db.count(Note.self), equals: 0, "the number of rows")
        },
        ConformanceCase(
            "txn-2.counter",
            "TXN-2",
            "Many that read a number and write the next one lose none, if they are retried",
            requires: [.concurrentWriters]
        ) { environment in
            let db = try await environment.open(Named.self) { $0.pool.maximumConnections = 4 }
            _ = try await db.insert(Named(name: "counter", number: 0))
            try await withThrowingTaskGroup { group in
                for _ in 0..<30 {
                    group.addTask {
                        try await db.transaction(maxRetries: 200) { tx in
                            var counter = try expect(some: try await tx.find(Named.self, key: "counter"), "the counter")
                            counter.number += 1
                            _ = try await tx.update(counter)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expect(try await db.find(Named.self, key: "counter")?.number, equals: 30, "the number")
        },
        ConformanceCase(
            "txn-2.nested-read",
            "TXN-2",
            "A read transaction can be nested in, and stays read-only and of one moment"
        ) { environment in
            let db = try await environment.open(Named.self)
            let other = try await environment.open()
            _ = try await db.insert(Named(name: "a"))
            try await db.read { tx in
                try expect(try await tx.count(Named.self), equals: 1, "the number of rows")
                _ = try await other.insert(Named(name: "b"))
                try await tx.transaction { nested in
                    try expect(try await nested.count(Named.self), equals: 1, "the number of rows in the nested one")
                }
                try await expect(.readOnly, from: "writing in a nested one") {
                    try await tx.transaction { nested in _ = try await nested.save(Named(name: "c")) }
                }
                try expect(try await tx.count(Named.self), equals: 1, "the number of rows after a write was refused")
            }
            try expect(try await db.count(Named.self), equals: 2, "the number of rows afterwards")
        },
        ConformanceCase(
            "txn-2.context", "TXN-2", "A function of any context is atomic inside and outside a transaction"
        ) {
            environment in
            let db = try await environment.open(Note.self)
            func pair(_ name: String, in context: some DatabaseContext, fails: Bool) async throws {
                let count = try await context.transaction { tx in
                    try await tx.save(Note(name))
                    if fails { throw DatabaseError(.conflict, "on purpose") }
                    try await tx.save(Note(name + "2"))
                    return 2
                }
                try expect(count, equals: 2, "what the closure returned")
            }
            try await pair("a", in: db, fails: false)
            try await expect(.conflict, from: "the function outside") { try await pair("b", in: db, fails: true) }
            try await db.transaction { tx in
                try await pair("c", in: tx, fails: false)
                try await expect(.conflict, from: "the function inside") { try await pair("d", in: tx, fails: true) }
                try await tx.save(Note("e"))
            }
            let any: any DatabaseContext = db
            try await any.transaction { tx in _ = try await tx.save(Note("f")) }
            let titles = Set(try await db.fetch(Note.self).map(\.title))
            try expect(titles, equals: ["a", "a2", "c", "c2", "e", "f"], "the rows")
        },
        ConformanceCase(
            "txn-2.many-retries", "TXN-2", "A transaction may be retried more often than there are bits in a number"
        ) { environment in
            let db = try await environment.open(Note.self)
            var attempts = 0
            try await db.transaction(maxRetries: .max) { tx in
                attempts += 1
                if attempts < 70 { throw DatabaseError(.serializationFailure, "on purpose") }
                try await tx.save(Note())
            }
            try expect(attempts, equals: 70, "the attempts")
            try await expect(.deadlock, from: "one with fewer than no retries") {
                try await db.transaction(maxRetries: .min) { _ in throw DatabaseError(.deadlock, "on purpose") }
            }
        },
    ]
}
