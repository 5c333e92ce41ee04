import Foundation
import Holdfast

/// Operations that are one transaction of the library's, which an engine ended since it and another one waited for
/// each other.
///
/// Where there is one writer at a time, they wait and go on.
extension ConformanceCase {
    static let txn2Deadlocks: [ConformanceCase] = [
        ConformanceCase(
            "txn-2.deadlock-of-saves", "TXN-2",
            "A save and a deletion that met a deadlock are run again by themselves, and do what they were to do"
        ) { environment in
            let (db, other) = (try await environment.open(Note.self, Named.self), try await environment.open())
            try await withThrowingTaskGroup { group in
                for operation in [saveTwo, deleteTwo, updateByQuery, deleteByQuery, upsertTwo] {
                    group.addTask { try await operation(db, other) }
                }
                try await group.waitForAll()
            }
        },
        graph(
            "txn-2.deadlock-of-graph", "TXN-2",
            "A save of objects that refer to each other is run again by itself after a deadlock"
        ) { environment in
            let db = try await environment.open(Device.self, Reading.self)
            try await saveGraph(db, try await environment.open())
        },
        ConformanceCase(
            "txn-2.deadlock-not-repeated", "TXN-2",
            "A save that met a deadlock is not run again if an object was set meanwhile, or a hook has run"
        ) { environment in
            let db = try await environment.open(Note.self, Attended.self)
            let other = try await environment.open()
            let hasConcurrentWriters = environment.capabilities.hasConcurrentWriters
            try await setMeanwhile(db, other, isRefused: hasConcurrentWriters)
            try await withHooks(db, other, isRefused: hasConcurrentWriters)
        },
    ]

    /// Has a transaction lock one row, then `operation` another one and wait for the first, then the transaction the
    /// other one.
    @SuiteActor
    private static func cross(
        _ other: Database, _ first: SQLFragment, _ second: SQLFragment,
        meanwhile: @SuiteActor () -> Void = {}, _ operation: @escaping @SuiteActor () async throws -> Void
    ) async throws {
        let (locked, goOn) = (Signal(), Signal())
        let holder = Task {
            try await other.transaction(isolation: .readCommitted, maxRetries: 3) { tx in
                try await tx.sql(first).execute()
                locked.give()
                await goOn.wait()
                try await tx.sql(second).execute()
            }
        }
        await locked.wait()
        let work = Task { @SuiteActor in try await operation() }
        // Who waited first finds out first, and is the one that has to give way; on a busy machine it may be the other.
        try await Task.sleep(for: .milliseconds(500))
        meanwhile()
        goOn.give()
        try await holder.value
        try await work.value
    }

    @SuiteActor
    private static func notes(_ db: Database, _ name: String) async throws -> (a: Note, b: Note, keys: [Int64]) {
        let (a, b) = (Note("\(name) a"), Note("\(name) b"))
        try await db.save([a, b])
        return (a, b, [a, b].compactMap(\.id))
    }

    @SuiteActor
    private static func saveTwo(_ db: Database, _ other: Database) async throws {
        let (a, b, keys) = try await notes(db, "saved")
        (a.rank, b.rank) = (1, 1)
        try await cross(
            other, "UPDATE note SET body = \("other") WHERE id = \(keys[1])",
            "UPDATE note SET body = \("other") WHERE id = \(keys[0])"
        ) { try await db.save([a, b]) }
        let rows = try await db.fetch(Note.self, keys: keys)
        try expect(rows.map(\.rank), equals: [1, 1], "the ranks that were saved")
        try expect(rows.map(\.body), equals: ["other", "other"], "the bodies that the other transaction wrote")
        try expect(!a.isDirty && !b.isDirty, "A saved object is dirty.")
    }

    @SuiteActor
    private static func deleteTwo(_ db: Database, _ other: Database) async throws {
        let (a, b, keys) = try await notes(db, "deleted")
        try await cross(
            other, "UPDATE note SET rank = 1 WHERE id = \(keys[1])", "UPDATE note SET rank = 1 WHERE id = \(keys[0])"
        ) { try expect(try await db.delete([a, b]), equals: 2, "the rows that were deleted") }
        try expect(try await db.fetch(Note.self, keys: keys).count, equals: 0, "the rows left")
    }

    @SuiteActor
    private static func updateByQuery(_ db: Database, _ other: Database) async throws {
        let (_, _, keys) = try await notes(db, "updated")
        try await cross(
            other, "UPDATE note SET rank = 1 WHERE id = \(keys[1])", "UPDATE note SET rank = 1 WHERE id = \(keys[0])"
        ) {
            let count = try await db.query(Note.self).where { $0.title.hasPrefix("updated") }.update { $0.rank += 1 }
            try expect(count, equals: 2, "the rows that were updated")
        }
        try expect(try await db.fetch(Note.self, keys: keys).map(\.rank), equals: [2, 2], "the ranks")
    }

    @SuiteActor
    private static func deleteByQuery(_ db: Database, _ other: Database) async throws {
        let (_, _, keys) = try await notes(db, "gone")
        try await cross(
            other, "UPDATE note SET rank = 1 WHERE id = \(keys[1])", "UPDATE note SET rank = 1 WHERE id = \(keys[0])"
        ) {
            let count = try await db.query(Note.self).where { $0.title.hasPrefix("gone") }.delete()
            try expect(count, equals: 2, "the rows that were deleted")
        }
    }

    @SuiteActor
    private static func upsertTwo(_ db: Database, _ other: Database) async throws {
        _ = try await db.save([Named(name: "a"), Named(name: "b")])
        try await cross(
            other, "UPDATE named SET number = 1 WHERE name = \("b")", "UPDATE named SET number = 1 WHERE name = \("a")"
        ) { try await db.upsertWithoutReturning([Named(name: "a", number: 2), Named(name: "b", number: 2)]) }
        try expect(try await db.fetch(Named.self).map(\.number), equals: [2, 2], "the numbers")
    }

    @SuiteActor
    private static func saveGraph(_ db: Database, _ other: Database) async throws {
        let device = Device("s", name: "new")
        let reading = Reading(device, 1)
        try await db.save(reading)
        (device.name, reading.value) = ("saved", 2)
        try await cross(
            other, "UPDATE device SET serial = \("other")", "UPDATE reading SET value = value"
        ) { try await db.save(reading) }
        let row = try expect(some: try await db.fetch(Reading.self).first, "the row")
        try expect(row.value, equals: 2, "the value")
        try expect([row.device.name, row.device.serial], equals: ["saved", "other"], "the texts of the device")
        try expect(!device.isDirty && !reading.isDirty, "A saved object is dirty.")
    }

    @SuiteActor
    private static func setMeanwhile(_ db: Database, _ other: Database, isRefused: Bool) async throws {
        let (a, b, keys) = try await notes(db, "set")
        (a.rank, b.rank) = (1, 1)
        try await cross(
            other, "UPDATE note SET body = \("other") WHERE id = \(keys[1])",
            "UPDATE note SET body = \("other") WHERE id = \(keys[0])", meanwhile: { a.title = "meanwhile" }
        ) {
            if isRefused {
                try await expect(.deadlock, from: "a save of what was set meanwhile") { try await db.save([a, b]) }
            } else {
                try await db.save([a, b])
            }
        }
        try expect(a.isDirty, "What was set meanwhile is lost.")
        try expect(b.isDirty, equals: isRefused, "whether what was not saved is dirty")
        try await db.save([a, b])
        let rows = try await db.fetch(Note.self, keys: keys)
        try expect(rows.map(\.rank), equals: [1, 1], "the ranks after another save")
        try expect(rows.first?.title, equals: "meanwhile", "the title after another save")
    }

    @SuiteActor
    private static func withHooks(_ db: Database, _ other: Database, isRefused: Bool) async throws {
        let (a, b) = (Attended("a"), Attended("b"))
        try await db.save([a, b])
        (a.rank, b.rank) = (1, 1)
        let visitsBefore = a.visits
        try await cross(
            other, "UPDATE attended SET name = name WHERE rank = 0 AND name = \("b")",
            "UPDATE attended SET name = name WHERE name = \("a")"
        ) {
            if isRefused {
                try await expect(.deadlock, from: "a save with hooks") { try await db.save([a, b]) }
            } else {
                try await db.save([a, b])
            }
        }
        try expect(a.visits - visitsBefore, equals: 1, "how often the hook has run")
    }
}

/// An object whose hook counts how often it runs.
@Table
final class Attended {
    var id: Int64?
    var name: String
    var rank = 0
    @Transient var visits = 0

    init(_ name: String) { self.name = name }
}

extension Attended: TableHooks {
    func willSave() { visits += 1 }
}
