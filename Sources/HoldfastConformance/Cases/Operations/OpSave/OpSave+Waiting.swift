import Foundation
@_spi(Driver) import Holdfast

/// Whoever holds a connection or a lock must not wait for whoever waits for that.
extension ConformanceCase {
    static let opSaveWaiting: [ConformanceCase] = [
        ConformanceCase(
            "op-save.exhausted", "OP-SAVE",
            "A save inside a transaction does not wait for one that waits for the transaction's connection"
        ) { environment in
            let db = try await environment.open(Note.self, Tagged.self) {
                $0.pool.maximumConnections = 1
                $0.timeouts.lock = nil
                $0.pool.checkoutTimeout = .seconds(60)
            }
            try await saveWhileExhausted(db, Note("a"))
            try await saveWhileExhausted(db, Tagged("b", tags: ["x"]))
        },
        ConformanceCase(
            "op-save.for-each-other", "OP-SAVE",
            "A save inside a transaction does not wait without end for one that waits for the transaction"
        ) { environment in
            @Sendable func configure(_ configuration: inout DatabaseConfiguration) {
                configuration.timeouts.lock = nil
                configuration.pool.checkoutTimeout = .seconds(3_600)
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
