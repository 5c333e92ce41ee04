import Foundation
import Holdfast
import Synchronization

extension ConformanceCase {
    static let txn2Isolation: [ConformanceCase] =
        IsolationLevel.allCases.map { level in
            ConformanceCase(
                "txn-2.isolation-\(level)",
                "TXN-2",
                "A transaction can ask for \(level) isolation",
                requires: [.isolation(level)]
            ) { environment in
                let db = try await environment.open(Note.self)
                try await db.transaction(isolation: level) { tx in
                    try await tx.save(Note("a"))
                    try expect(try await tx.count(Note.self), equals: 1, "the number of rows inside")
                }
                try expect(try await db.count(Note.self), equals: 1, "the number of rows")
            }
        } + [
            ConformanceCase(
                "txn-2.read-is-a-snapshot",
                "TXN-2",
                "Everything that a read transaction reads is of one moment"
            ) { environment in
                let db = try await environment.open(Numbered.self)
                let other = try await environment.open()
                try await db.insert(Numbered(1, "before"))
                try await db.read { tx in
                    try expect(try await tx.count(Numbered.self), equals: 1, "the number of rows at first")
                    try await other.insert(Numbered(2))
                    try await other.sql("UPDATE \(Numbered.self) SET title = 'after'").execute()
                    try expect(try await tx.count(Numbered.self), equals: 1, "the number of rows later")
                    try expect(try await tx.find(Numbered.self, key: 1)?.title, equals: "before", "the title later")
                    try await other.delete(Numbered(1))
                    try expect(try await tx.fetch(Numbered.self).map(\.title), equals: ["before"], "the rows at last")
                }
                try expect(try await db.fetch(Numbered.self).map(\.title), equals: ["after"], "the rows afterwards")
            },
            ConformanceCase(
                "txn-2.read-blocks-no-one",
                "TXN-2",
                "A read transaction neither waits for a writer nor makes one wait"
            ) { environment in
                let db = try await environment.open(Numbered.self) { $0.timeouts.lock = .seconds(2) }
                try await db.insert(Numbered(1, "before"))
                let other = try await environment.open { $0.timeouts.lock = .seconds(2) }
                try await db.transaction { tx in
                    try await tx.sql("UPDATE \(Numbered.self) SET title = 'after'").execute()
                    try await other.read { reading in
                        try expect(try await reading.fetch(Numbered.self).map(\.title), equals: ["before"], "the rows")
                    }
                    try expect(try await other.fetch(Numbered.self).map(\.title), equals: ["before"], "the rows")
                }
                try await other.read { reading in
                    try expect(try await reading.count(Numbered.self), equals: 1, "the number of rows")
                    try await db.insert(Numbered(2))
                    try await db.deleteAll(Numbered.self)
                }
            },
            ConformanceCase("txn-2.read-only", "TXN-2", "A read transaction refuses every way to write") {
                environment in
                let db = try await environment.open(Note.self)
                let note = Note("a")
                try await db.save(note)
                note.title = "b"
                let writes: [(String, (Transaction) async throws -> Void)] = [
                    ("save", { try await $0.save(note) }), ("insert", { try await $0.insert(Note()) }),
                    ("delete", { try await $0.delete(note) }), ("deleteAll", { try await $0.deleteAll(Note.self) }),
                    ("SQL", { try await $0.sql("UPDATE \(Note.self) SET title = 'c'").execute() }),
                    (
                        "SQL with rows",
                        { _ = try await $0.sql("UPDATE \(Note.self) SET title = 'c' RETURNING title").fetch() }
                    ),
                ]
                for (name, write) in writes {
                    try await expect(.readOnly, from: "writing by \(name)") {
                        try await db.read { try await write($0) }
                    }
                }
                try expect(try await db.fetch(Note.self).map(\.title), equals: ["a"], "the rows")
                try await db.save(note)
            },
            ConformanceCase(
                "txn-2.serializable-by-default",
                "TXN-2",
                "Two transactions that each read what the other writes end as if one had run after the other",
                requires: [.concurrentWriters]
            ) { environment in
                let db = try await environment.open(Numbered.self)
                try await db.insert([Numbered(1, "on duty"), Numbered(2, "on duty")])
                // Each goes off duty if another stays: together they must leave one.
                try await Meeting(2).run { meeting, member in
                    try await db.transaction(maxRetries: 10) { tx in
                        let onDuty = try await tx.fetch(Numbered.self).filter { $0.title == "on duty" }
                        await meeting.arrive()
                        guard onDuty.count > 1 else { return }
                        let mine = try expect(some: onDuty.first { $0.number == Int64(member + 1) }, "the member")
                        mine.title = "off"
                        try await tx.save(mine)
                    }
                }
                let titles = try await db.fetch(Numbered.self).map(\.title)
                try expect(titles.filter { $0 == "on duty" }.count, equals: 1, "the members that stay on duty")
            },
            ConformanceCase(
                "txn-2.retries",
                "TXN-2",
                "Serialization failures and deadlocks run the closure again, as often as asked"
            ) {
                environment in
                let db = try await environment.open(Note.self)
                for code in [DatabaseError.Code.serializationFailure, .deadlock] {
                    var attempts = 0
                    try await db.transaction(maxRetries: 4) { tx in
                        attempts += 1
                        try await tx.save(Note("attempt"))
                        if attempts < 4 { throw DatabaseError(code, "on purpose") }
                    }
                    try expect(attempts, equals: 4, "the number of attempts")
                    attempts = 0
                    try await expect(code, from: "a transaction that always fails") {
                        try await db.transaction(maxRetries: 2) { _ in
                            attempts += 1
                            throw DatabaseError(code, "on purpose")
                        }
                    }
                    try expect(attempts, equals: 3, "the number of attempts")
                }
                var attempts = 0
                try await expect(.uniqueViolation, from: "a transaction with another error") {
                    try await db.transaction(maxRetries: 5) { _ in
                        attempts += 1
                        throw DatabaseError(.uniqueViolation, "on purpose")
                    }
                }
                try expect(attempts, equals: 1, "the number of attempts for another error")
                try expect(try await db.count(Note.self), equals: 2, "the number of rows")
            },
            ConformanceCase(
                "txn-2.deadlock",
                "TXN-2",
                "Two transactions that lock two rows in opposite orders both end, by retries",
                requires: [.concurrentWriters]
            ) { environment in
                let db = try await environment.open(Numbered.self)
                try await db.insert([Numbered(0), Numbered(1)])
                let codes = Mutex<[DatabaseError.Code]>([])
                try await Meeting(2).run { meeting, member in
                    try await db.transaction(isolation: .readCommitted, maxRetries: 10) { tx in
                        do {
                            for number in [member, 1 - member] {
                                try await tx.sql(
                                    "UPDATE \(Numbered.self) SET title = title || \("\(member)") WHERE number = \(number)"
                                ).execute()
                                await meeting.arrive()
                            }
                        } catch let error as DatabaseError {
                            codes.withLock { $0.append(error.code) }
                            throw error
                        }
                    }
                }
                let titles = try await db.fetch(Numbered.self).map { $0.title.sorted() }
                try expect(titles, equals: [["0", "1"], ["0", "1"]], "the titles, to which each added its number")
                if environment.capabilities.hasConcurrentWriters {
                    try expect(codes.withLock { $0 }.contains(.deadlock), "No deadlock was told, though there was one.")
                }
            },
        ]
}
