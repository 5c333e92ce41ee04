import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    /// Whoever holds a connection or a lock must not wait for whoever waits for that.
    static let waiting: [ConformanceCase] = [
        graph(
            "txn-3.hook-with-callers-transaction", "TXN-3",
            "A hook may use its caller's transaction, which it got otherwise, as it may use the one that it is lent"
        ) { environment in
            let db = try await environment.open(Bystander.self, Note.self)
            let bystander = Bystander("b")
            try await expect(within: .seconds(20), "Hooks that use their caller's transaction") {
                try await db.transaction { tx in
                    try await Bystander.Caller.$transaction.withValue(tx) {
                        try await tx.save(bystander)
                        _ = try await tx.transaction { nested in try await nested.save(Bystander("n++")) }
                        try await tx.delete(bystander)
                    }
                }
            }
            let titles = try await db.texts("SELECT title FROM note ORDER BY title")
            try expect(titles.count, equals: 6 * 4, "the notes: \(titles)")
            try expect(try await db.count(Bystander.self), equals: 3, "the number of bystanders")
        },
        ConformanceCase(
            "txn-3.cancelled-in-the-queue", "TXN-3",
            "Who waits for another operation of a transaction is let go when its task is cancelled"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await expect(within: .seconds(20), "Cancelling an operation that waits") {
                try await db.transaction { tx in
                    try await tx.transaction { nested in
                        // Detached, it does not know that it is inside of the savepoint, and waits for its end.
                        let lost = Task.detached { try await tx.save(Note("lost")) }
                        try await Task.sleep(for: .milliseconds(50))
                        lost.cancel()
                        try await expect(.cancelled, from: "an operation that waits") { try await lost.value }
                        try await nested.save(Note("nested"))
                    }
                    try await tx.save(Note("outer"))
                }
            }
            try expect(
                try await db.texts("SELECT title FROM note ORDER BY title"), equals: ["nested", "outer"], "the rows")
        },
        ConformanceCase(
            "txn-3.two-databases", "TXN-3",
            "An outer transaction can be used inside savepoints of two databases"
        ) { environment in
            let (db, other) = (try await environment.open(Note.self), try await environment.open())
            try await expect(within: .seconds(20), "Using the outer transaction") {
                try await db.transaction { outer in
                    try await outer.transaction { _ in
                        try await other.read { inner in
                            try await inner.transaction { _ in
                                _ = try await inner.count(Note.self)
                                try await outer.save(Note("outer"))
                            }
                        }
                    }
                }
            }
            try expect(try await db.count(Note.self), equals: 1, "the number of rows")
        },
        ConformanceCase(
            "op-save.exhausted", "OP-SAVE",
            "A save inside a transaction does not wait for one that waits for the transaction's connection"
        ) { environment in
            let db = try await environment.open(Note.self, Tagged.self) {
                $0.maximumConnections = 1
                $0.lockTimeout = nil
                $0.checkoutTimeout = .seconds(60)
            }
            try await saveWhileExhausted(db, Note("a"))
            try await saveWhileExhausted(db, Tagged("b", tags: ["x"]))
        },
        ConformanceCase(
            "op-save.for-each-other", "OP-SAVE",
            "A save inside a transaction does not wait without end for one that waits for the transaction"
        ) { environment in
            @Sendable func configure(_ configuration: inout DatabaseConfiguration) {
                configuration.lockTimeout = nil
                configuration.checkoutTimeout = .seconds(3_600)
            }
            let db = try await environment.open(Note.self, configure: configure)
            let other = try await environment.open(configure: configure)
            try await Meeting(2).run { _, member in
                // By another database of the process, its connection waits where there is one writer at a time.
                try await saveForEachOther(db, outside: member == 0 ? db : other, "\(member)")
            }
        },
        ConformanceCase(
            "op-save.in-two-databases", "OP-SAVE",
            "A save waits for one of the same object to another database, and goes on when that has ended"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open(Tagged.self)
            let other = try await environment.open { probe.attach(to: &$0) }
            try await saveInTwo(db, other, probe)
        },
        ConformanceCase(
            "sch-1.takes-turns", "SCH-1",
            "A migration waits for another one for longer than the lock timeout and the statement timeout"
        ) { environment in
            let probe = StatementProbe()
            let db = try await environment.open { probe.attach(to: &$0) }
            let others = [try await impatient(environment), try await impatient(environment)]
            let (reached, enough) = (Signal(), Signal())
            // Whatever fails: a migration that is held would keep the database from being closed.
            defer { enough.give() }
            probe.hold("CREATE TABLE \"note\"", reached: reached, until: enough)
            let first = Task { try await db.migrate(Note.self) }
            await reached.wait()
            let tasks = others.map { other in Task { try await other.migrate(Note.self) } }
            let cancelled = Task { try await others[0].migrate(Note.self) }
            let alsoCancelled = Task { try await (try await impatient(environment)).migrate(Note.self) }
            try await Task.sleep(for: .milliseconds(900))
            for task in [cancelled, alsoCancelled] {
                task.cancel()
                try await expect(within: .seconds(10), "Cancelling a migration that waits") {
                    try await expect(.cancelled, from: "a migration that waits") { _ = try await task.value }
                }
            }
            enough.give()
            try expect(try await first.value.steps.isEmpty, equals: false, "whether the first did nothing")
            for task in tasks {
                try expect(try await task.value.steps.isEmpty, equals: true, "whether a later one did nothing")
            }
            try await others[0].save(Note("afterwards"))
        },
    ]

    @SuiteActor
    private static func saveForEachOther(_ db: Database, outside: Database, _ code: String) async throws {
        let note = Note("outside", code: code)
        let lent = Transfer(value: note)
        let work = try await db.transaction { @SuiteActor tx in
            try await tx.sql("INSERT INTO note (title, rank, code) VALUES ('inside', 0, \(code))").execute()
            // Not of the transaction, so that it may use the database.
            let work = detached { try await save(lent, in: outside) }
            try await Task.sleep(for: .milliseconds(300))
            try await expect(within: .seconds(25), "A save that waits for one that waits for it") { @SuiteActor in
                try await expect(.lockTimeout, .conflict, from: "the save inside") { @SuiteActor in
                    try await tx.save(note)
                }
            }
            return work
        }
        try await expect(.uniqueViolation, from: "the save outside") { try await work.value }
        note.code = nil
        try await outside.save(note)
        try expect(note.id != nil && !note.isDirty, "The object is not saved in the end.")
    }

    /// Begins work that is no part of a transaction in which it begins.
    private static func detached(_ work: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        Task.detached { try await work() }
    }

    @SuiteActor
    private static func save(_ note: Transfer<Note>, in db: Database) async throws { try await db.save(note.value) }

    @SuiteActor
    private static func saveInTwo(_ db: Database, _ other: Database, _ probe: StatementProbe) async throws {
        let lent = Transfer(value: Tagged("both", tags: ["x"]))
        let (reached, enough) = (Signal(), Signal())
        probe.hold("INSERT INTO \"tagged\"", reached: reached, until: enough)
        let first = Task { @SuiteActor in try await other.save(lent.value) }
        await reached.wait()
        let second = Task { @SuiteActor in try await db.save(lent.value) }
        try await Task.sleep(for: .milliseconds(100))
        enough.give()
        try await first.value
        try await expect(within: .seconds(10), "A save that waits for one to another database") {
            try await second.value
        }
        try expect(try await db.count(Tagged.self), equals: 1, "the number of rows")
    }

    private static func impatient(_ environment: ConformanceEnvironment) async throws -> Database {
        try await environment.open {
            $0.lockTimeout = .milliseconds(200)
            $0.statementTimeout = .milliseconds(400)
        }
    }

    @SuiteActor
    private static func saveWhileExhausted<Model: TableObject & AnyObject>(
        _ db: Database, _ object: sending Model
    ) async throws {
        let lent = Transfer(value: object)
        let (started, goOn, done) = (Signal(), Signal(), Signal())
        let outside = Task { @SuiteActor in
            await goOn.wait()
            started.give()
            try await db.save(lent.value)
        }
        let inside = Task { @SuiteActor in
            defer { done.give() }
            try await db.transaction { @SuiteActor tx in
                _ = try await tx.count(Note.self)
                goOn.give()
                await started.wait()
                try await Task.sleep(for: .milliseconds(200))
                try await expect(.conflict, from: "the save inside") { @SuiteActor in try await tx.save(lent.value) }
            }
        }
        try await expect(within: .seconds(20), "Saving an object inside and outside of a transaction") {
            await done.wait()
        }
        try await inside.value
        try await outside.value
        try expect(!lent.value.isDirty, "The save outside did not save.")
    }
}

/// Hands an object to a task of the same isolation.
// Sendable: it is only unwrapped on the isolation on which it was made.
private struct Transfer<Value>: @unchecked Sendable { let value: Value }
