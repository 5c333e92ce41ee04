import Foundation
import Holdfast

extension ConformanceCase {
    static let concurrency: [ConformanceCase] = [
        ConformanceCase(
            "op-pool.thousand-tasks",
            "OP-POOL",
            "A thousand tasks share four connections, and every one is served"
        ) { environment in
            let db = try await environment.open(Numbered.self) { $0.maximumConnections = 4 }
            try await withThrowingTaskGroup { group in
                for number in 0..<1_000 {
                    group.addTask {
                        if number % 10 == 0 {
                            try await db.transaction(isolation: .readCommitted) { tx in
                                try await tx.insert(Numbered(Int64(number), "t\(number)"))
                            }
                        } else {
                            try await db.insert(Numbered(Int64(number), "t\(number)"))
                        }
                        let title = try await db.find(Numbered.self, key: number)?.title
                        try expect(title, equals: "t\(number)", "the title of \(number)")
                    }
                }
                try await group.waitForAll()
            }
            try expect(try await db.count(Numbered.self), equals: 1_000, "the number of rows")
        },
        ConformanceCase(
            "op-pool.closed",
            "OP-POOL",
            "close waits for what is under way, and everything afterwards is refused"
        ) { environment in
            let db = try await environment.open(Note.self)
            let (started, enough) = (Signal(), Signal())
            let work = Task {
                try await db.transaction { tx in
                    try await tx.save(Note("under way"))
                    started.give()
                    await enough.wait()
                }
            }
            await started.wait()
            let closing = Task { try await db.close() }
            try await Task.sleep(for: .milliseconds(50))
            enough.give()
            try await work.value
            try await closing.value
            try await db.close()
            try await expect(.closed, from: "saving") { try await db.save(Note()) }
            try await expect(.closed, from: "counting") { _ = try await db.count(Note.self) }
            try await expect(.closed, from: "a transaction") { try await db.transaction { _ in } }
            let again = try await environment.open()
            try expect(try await again.fetch(Note.self).map(\.title), equals: ["under way"], "the rows")
        },
        ConformanceCase(
            "op-pool.withDatabase",
            "OP-POOL",
            "withDatabase closes whatever happens, and hands on what its closure gives"
        ) { environment in
            let db = try await environment.open(Note.self)
            var kept: Database?
            let count = try await Database.withDatabase(environment.configuration) { other in
                kept = other
                try await other.save(Note())
                return try await other.count(Note.self)
            }
            try expect(count, equals: 1, "what the closure gave")
            let closed = try expect(some: kept, "the database")
            try await expect(.closed, from: "using it afterwards") { try await closed.save(Note()) }
            try await expect(.notFound, from: "a closure that throws") {
                try await Database.withDatabase(environment.configuration) { try await $0.update(Note()) }
            }
            try expect(try await db.count(Note.self), equals: 1, "the number of rows")
        },
        ConformanceCase(
            "op-save.inserted-once",
            "OP-SAVE",
            "Two saves of one new object at the same time insert it once"
        ) { environment in
            let db = try await environment.open(Note.self, Tagged.self)
            for round in 0..<10 { try await saveTwice(db, round) }
            try expect(try await db.count(Note.self), equals: 10, "the number of notes")
            try expect(try await db.count(Tagged.self), equals: 10, "the number of tagged objects")
        },
        ConformanceCase(
            "op-save.changed-while-suspended",
            "OP-SAVE",
            "A property that is changed while its save is suspended stays dirty"
        ) { environment in
            let db = try await environment.open(Note.self)
            let other = try await environment.open()
            // Twice: the first time its statement has to be prepared.
            for _ in 0..<2 { try await changeWhileSaving(db, other) }
        },
        ConformanceCase(
            "op-pool.isolation",
            "OP-POOL",
            "Objects of an actor are saved, changed in a transaction and saved again on it"
        ) { environment in
            let db = try await environment.open(Note.self)
            let keeper = Keeper(db)
            try await keeper.work()
            try await workOnMainActor(db)
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["actor 2", "main 2"], "the rows")
        },
    ]

    @SuiteActor
    private static func saveTwice(_ db: Database, _ round: Int) async throws {
        let note = Note("note \(round)")
        let tagged = Tagged("tagged \(round)", tags: ["a"])
        let tasks = (0..<3).map { _ in
            Task { @SuiteActor in
                try await db.save(note)
                try await db.save([tagged])
            }
        }
        for task in tasks { try await task.value }
        try expect(note.id != nil && !note.isDirty, "An object that was saved twice is not a saved one.")
    }

    /// Saves an object while another transaction keeps the save waiting, and changes it meanwhile.
    @SuiteActor
    private static func changeWhileSaving(_ db: Database, _ other: Database) async throws {
        let note = Note("new", body: "old", rank: 1)
        try await db.save(note)
        let key = try expect(some: note.id, "the key")
        let (locked, enough) = (Signal(), Signal())
        let holder = Task {
            try await other.transaction(isolation: .readCommitted) { tx in
                try await tx.sql("UPDATE \(Note.self) SET code = \("locked \(key)") WHERE id = \(key)").execute()
                locked.give()
                await enough.wait()
            }
        }
        await locked.wait()
        note.title = "saved"
        note.body = "saved"
        let started = Signal()
        let saving = Task { @SuiteActor in
            started.give()
            try await db.save(note)
        }
        await started.wait()
        // The save gives this actor up only once everything is encoded.
        note.rank = 3
        note.body = "meanwhile"
        enough.give()
        try await saving.value
        try await holder.value
        try expect(note.isDirty, "What was changed while the save was suspended is no longer dirty.")
        let row = try expect(some: try await db.find(Note.self, key: key), "the row")
        try expect([row.title, row.body], equals: ["saved", "saved"], "the texts that were saved")
        try expect(row.rank, equals: 1, "the rank, which was not changed when the save began")
        try await db.save(note)
        let after = try expect(some: try await db.find(Note.self, key: key), "the row")
        try expect([after.title, after.body], equals: ["saved", "meanwhile"], "the texts after another save")
        try expect(after.rank, equals: 3, "the rank after another save")
        try expect(!note.isDirty, "A saved object is dirty.")
    }

    private actor Keeper {
        let db: Database
        let note = Note("actor 1")

        init(_ db: Database) { self.db = db }

        func work() async throws {
            try await db.save(note)
            try await db.transaction { tx in
                note.title = "actor 2"
                try await tx.save(note)
            }
        }
    }

    @MainActor
    private static func workOnMainActor(_ db: Database) async throws {
        let note = Note("main 1")
        try await db.save(note)
        try await db.transaction { tx in
            note.title = "main 2"
            try await tx.save(note)
        }
    }
}
