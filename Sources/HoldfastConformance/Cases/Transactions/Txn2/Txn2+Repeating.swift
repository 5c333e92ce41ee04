import Foundation
import Holdfast

extension ConformanceCase {
    static let txn2Repeating: [ConformanceCase] = [
        ConformanceCase(
            "txn-2.repeated-by-itself", "TXN-2",
            "A transaction that lost a race is run again by itself, where what it writes is its own"
        ) { environment in
            let db = try await environment.open(Note.self, Named.self)
            let note = Note("counter")
            try await db.save(note)
            _ = try await db.save([Named(name: "a"), Named(name: "b")])
            let key = note.id ?? 0
            try await expect(attempts: 3, "changes an object that it fetched", in: db) { tx in
                let own = try expect(some: try await tx.find(Note.self, key: key), "the object")
                own.rank += 1
                try await tx.save(own)
            }
            try expect(try await db.find(Note.self, key: key)?.rank, equals: 1, "the number after three attempts")
            try await expect(attempts: 3, "changes an object that it reloaded", in: db) { tx in
                try await tx.reload(note)
                note.rank += 1
                try await tx.save(note)
            }
            try expect(note.rank, equals: 2, "the number in the object")
            try await expect(attempts: 3, "saves an object that it made", in: db) { try await $0.save(Note("new")) }
            try await expect(attempts: 3, "changes a struct that it fetched", in: db) { tx in
                var own = try expect(some: try await tx.find(Named.self, key: "a"), "the struct")
                own.number += 1
                try await tx.save(&own)
            }
            try expect(try await db.find(Named.self, key: "a")?.number, equals: 1, "the number in the struct")
            try await expect(attempts: 3, "changes rows by a query", in: db) { tx in
                try await tx.query(Note.self).where { $0.title == "new" }.update { $0.rank += 1 }
            }
            try await expect(attempts: 3, "deletes an object", in: db) { try await $0.delete(note) }
            try expect(try await db.find(Note.self, key: key) == nil, "The object is not deleted.")
            try await expect(attempts: 3, "is that of any context", in: db) { tx in
                try await tx.transaction { try await $0.save(Note("in a savepoint")) }
            }
            try expect(try await db.count(Note.self), equals: 2, "the objects in the end")
        },
        ConformanceCase(
            "txn-2.not-repeated", "TXN-2",
            "A transaction that saves what is older than itself is not run again by itself"
        ) { environment in
            let db = try await environment.open(Note.self, Named.self, Member.self)
            let note = Note("counter")
            try await db.save(note)
            var value = Named(name: "a")
            try await db.save(&value)
            try await expect(attempts: 1, "changes an object from outside", in: db) { tx in
                note.rank += 1
                try await tx.save(note)
            }
            try expect(note.rank, equals: 1, "the number that was counted up once")
            try expect(note.isDirty, "The change is lost.")
            try await db.save(note)
            try expect(try await db.find(Note.self, key: note.id ?? 0)?.rank, equals: 1, "the number in the row")
            let new = Note("new")
            try await expect(attempts: 1, "saves a new object from outside", in: db) { tx in
                new.rank += 1
                try await tx.save(new)
            }
            try await expect(attempts: 1, "saves several, in a savepoint", in: db) { tx in
                try await tx.transaction { nested in
                    note.rank += 1
                    try await nested.save([Note("own"), note])
                }
            }
            try await expect(attempts: 1, "changes a struct from outside", in: db) { tx in
                value.number += 1
                try await tx.save(&value)
            }
            let sponsor = Member(nil, login: "sponsor")
            try await db.save(sponsor)
            try await expect(attempts: 1, "reaches an object from outside", in: db) { tx in
                sponsor.visits += 1
                let own = Member(nil, login: "own")
                own.sponsor = sponsor
                try await tx.save(own)
            }
            // Changed by an attempt that did not come to save it: the next one would save the change of both.
            var attempts = 0
            try await db.reload(note)
            let before = note.rank
            let error = try await expect(.serializationFailure, from: "one that fails before it saves") {
                try await db.transaction { tx in
                    attempts += 1
                    note.rank += 1
                    if attempts == 1 { throw DatabaseError(.serializationFailure, "on purpose") }
                    try await tx.save(note)
                }
            }
            try expect(error.message.contains("reload them"), "The error says: \(error.message)")
            try expect(attempts, equals: 2, "the attempts before it is refused")
            try expect(
                try await db.find(Note.self, key: note.id ?? 0)?.rank, equals: before, "the number in the row")
        },
        ConformanceCase(
            "txn-2.repeated-as-told", "TXN-2",
            "A transaction is run again as often as is said, and up to twenty times where nothing is said"
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("counter")
            try await db.save(note)
            var attempts = 0
            // Whoever says how often answers for what the closure does.
            try await db.transaction(maxRetries: 5) { tx in
                attempts += 1
                note.rank = 7
                try await tx.save(note)
                if attempts < 3 { throw DatabaseError(.serializationFailure, "on purpose") }
            }
            try expect(attempts, equals: 3, "the attempts that were asked for")
            attempts = 0
            try await expect(.deadlock, from: "a transaction that is never to be repeated") {
                try await db.transaction(maxRetries: 0) { _ in
                    attempts += 1
                    throw DatabaseError(.deadlock, "on purpose")
                }
            }
            try expect(attempts, equals: 1, "the only attempt")
            attempts = 0
            try await expect(.deadlock, from: "a transaction that always fails") {
                try await db.transaction { _ in
                    attempts += 1
                    throw DatabaseError(.deadlock, "on purpose")
                }
            }
            try expect(attempts, equals: 21, "the attempts in the end")
        },
        ConformanceCase(
            "txn-2.counting-together", "TXN-2",
            "Tasks that each count one row up in a transaction of their own lose no count, and meet no error"
        ) { environment in
            let db = try await environment.open(Note.self)
            let note = Note("counter")
            try await db.save(note)
            let key = note.id ?? 0
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<10 {
                            try await db.transaction { tx in
                                guard let own = try await tx.find(Note.self, key: key) else { return }
                                own.rank += 1
                                try await tx.save(own)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expect(try await db.find(Note.self, key: key)?.rank, equals: 40, "the number that all have counted up")
        },
    ]
}

/// Runs a transaction which fails in its first two attempts, and expects so many of them.
private func expect(
    attempts expected: Int, _ name: String, in db: Database,
    _ body: nonisolated(nonsending) (Transaction) async throws -> Void
) async throws {
    var attempts = 0
    do {
        try await db.transaction { tx in
            attempts += 1
            try await body(tx)
            if attempts < 3 { throw DatabaseError(.serializationFailure, "on purpose") }
        }
        try expect(expected == 3, "A transaction that \(name) was run again.")
    } catch let error as DatabaseError where error.code == .serializationFailure {
        try expect(error.message.contains("reload them"), "The error of one that \(name) says: \(error.message)")
    }
    try expect(attempts, equals: expected, "the attempts at a transaction that \(name)")
}
