import Foundation
import Holdfast

extension ConformanceCase {
    static let hooks: [ConformanceCase] = [
        ConformanceCase(
            "op-hooks.order",
            "OP-HOOKS",
            "Hooks run in order, for one object and for each of a batch, inside the transaction"
        ) { environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            let one = Hooked("ONE", log: log)
            try await db.save(one)
            try expect(
                log.take(),
                equals: ["willSave one", "didSave one", "afterCommit one"],
                "the hooks of an insert"
            )
            try expect(try await db.fetch(Hooked.self).map(\.name), equals: ["one"], "the name that willSave changed")
            let batch = [Hooked("two", log: log), Hooked("three", log: log)]
            try await db.save(batch)
            try expect(
                log.take(),
                equals: [
                    "willSave two", "willSave three", "didSave two", "didSave three", "afterCommit two",
                    "afterCommit three",
                ],
                "the hooks of a batch"
            )
            try await db.delete(batch)
            try expect(
                log.take(),
                equals: [
                    "willDelete two", "willDelete three", "didDelete two", "didDelete three", "afterCommit two",
                    "afterCommit three",
                ],
                "the hooks of a deletion"
            )
            let titles = try await db.fetch(Note.self).map(\.title)
            try expect(
                titles,
                equals: ["saved one", "saved two", "saved three", "deleted two", "deleted three"],
                "what hooks saved in the transactions"
            )
        },
        ConformanceCase(
            "op-hooks.fetch",
            "OP-HOOKS",
            "didFetch runs for every object that is fetched or reloaded; what it changes is a change"
        ) { environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let hooked = Hooked("a", log: HookLog())
            try await db.save(hooked)
            let same = try expect(some: try await db.find(Hooked.self, key: hooked.id ?? 0), "the object")
            try expect(same.fetches, equals: 1, "the number of calls")
            try expect(same.isDirty, "A change by didFetch does not count.")
            try await db.reload(hooked)
            try expect(hooked.fetches, equals: 1, "the number of calls by a reload")
            try expect(
                try await db.fetch(Hooked.self).map(\.fetches),
                equals: [1],
                "the number of calls by a fetch of all"
            )
            try await db.sql("UPDATE \(Hooked.self) SET name = 'unreadable'").execute()
            do {
                _ = try await db.fetch(Hooked.self)
                throw ExpectationFailure("A fetch succeeded although didFetch threw.", #fileID, #line)
            } catch let failure as HookFailure {
                try expect(failure, equals: HookFailure(hook: "didFetch"), "the error")
            }
        },
        ConformanceCase(
            "op-hooks.failure",
            "OP-HOOKS",
            "A hook that throws rolls back: database and object are as before"
        ) { environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            for hook in ["willSave", "didSave"] {
                let hooked = Hooked("a", log: log)
                hooked.failing = hook
                try await expectFailure(of: hook) { try await db.save(hooked) }
                try expect(hooked.id, equals: nil, "the key of an object that was not saved")
                try expect(hooked.isDirty, "An object that was not saved is not dirty.")
            }
            try expect(try await db.count(Hooked.self), equals: 0, "the number of rows")
            let kept = Hooked("kept", log: log)
            try await db.save(kept)
            for hook in ["willDelete", "didDelete"] {
                kept.failing = hook
                try await expectFailure(of: hook) { try await db.delete(kept) }
                try expect(!kept.isDirty, "An object that was not deleted counts as new.")
            }
            try expect(try await db.count(Hooked.self), equals: 1, "the number of rows after deletions that failed")
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["saved kept"], "what hooks saved")
            try expect(
                log.entries.filter { $0.hasPrefix("afterCommit") },
                equals: ["afterCommit kept"],
                "the calls after commits"
            )
        },
        ConformanceCase(
            "op-hooks.failure-inside",
            "OP-HOOKS",
            "After a hook that throws inside a transaction that goes on, the object is as before, and can be saved"
        ) { environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            let (saved, new) = (Hooked("saved", log: log), Hooked("new", log: log))
            try await db.save(saved)
            saved.name = "changed"
            saved.failing = "didSave"
            new.failing = "didSave"
            try await db.transaction { tx in
                for hooked in [saved, new] {
                    try await expectFailure(of: "didSave") { try await tx.save(hooked) }
                }
            }
            try expect(saved.isDirty, "What was taken back counts as saved.")
            try expect(new.id == nil && new.isDirty, "The new object has a row.")
            try expect(try await db.fetch(Hooked.self).map(\.name), equals: ["saved"], "what was committed")
            (saved.failing, new.failing) = (nil, nil)
            try await db.save([saved, new])
            try expect(try await db.fetch(Hooked.self).map(\.name), equals: ["changed", "new"], "what was saved then")
        },
        ConformanceCase(
            "txn-4.once-after-commit",
            "TXN-4",
            "afterCommit runs after COMMIT of the outermost transaction"
        ) { environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            try await db.transaction { tx in
                try await tx.save(Hooked("a", log: log))
                try await tx.transaction { nested in try await nested.save(Hooked("b", log: log)) }
                try expect(
                    log.entries.filter { $0.hasPrefix("afterCommit") },
                    equals: [],
                    "the calls before the transaction ended"
                )
            }
            try expect(
                log.entries.filter { $0.hasPrefix("afterCommit") },
                equals: ["afterCommit a", "afterCommit b"],
                "the calls after COMMIT"
            )
        },
        ConformanceCase(
            "txn-4.once-for-each-object",
            "TXN-4",
            "afterCommit runs once for each object of a transaction, however often it was saved or deleted"
        ) { environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            let (one, two, batch) = (Hooked("one", log: log), Hooked("two", log: log), Hooked("three", log: log))
            try await db.transaction { tx in
                try await tx.save(one)
                one.name = "one again"
                try await tx.save(one)
                try await tx.transaction { nested in
                    one.name = "one nested"
                    try await nested.save([one, two])
                }
                try await expect(.conflict, from: "a savepoint that fails") {
                    try await tx.transaction { nested in
                        try await nested.save(batch)
                        throw DatabaseError(.conflict, "on purpose")
                    }
                }
                try await tx.save([two, batch])
                try await tx.delete(two)
            }
            try expect(
                log.entries.filter { $0.hasPrefix("afterCommit") },
                equals: ["afterCommit one nested", "afterCommit two", "afterCommit three"],
                "the calls after COMMIT"
            )
        },
        ConformanceCase("txn-4.never-after-rollback", "TXN-4", "afterCommit never runs for what was rolled back") {
            environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            try await expect(.conflict, from: "a transaction that fails") {
                try await db.transaction { tx in
                    try await tx.save(Hooked("a", log: log))
                    throw DatabaseError(.conflict, "on purpose")
                }
            }
            try await db.transaction { tx in
                try await expect(.conflict, from: "a savepoint that fails") {
                    try await tx.transaction { nested in
                        try await nested.save(Hooked("b", log: log))
                        throw DatabaseError(.conflict, "on purpose")
                    }
                }
                try await tx.save(Hooked("c", log: log))
            }
            try expect(log.entries.filter { $0.hasPrefix("afterCommit") }, equals: ["afterCommit c"], "the calls")
        },
        ConformanceCase("txn-4.once-after-retries", "TXN-4", "A transaction that was retried has its effects once") {
            environment in
            let db = try await environment.open(Hooked.self, Note.self)
            let log = HookLog()
            let hooked = Hooked("a", log: log)
            var attempts = 0
            try await db.transaction(maxRetries: 3) { tx in
                attempts += 1
                try await tx.save(hooked)
                if attempts < 3 { throw DatabaseError(.serializationFailure, "on purpose") }
            }
            try expect(attempts, equals: 3, "the number of attempts")
            try expect(log.entries.filter { $0.hasPrefix("afterCommit") }, equals: ["afterCommit a"], "the calls")
            try expect(try await db.count(Hooked.self), equals: 1, "the number of rows")
        },
    ]

    private static func expectFailure(
        of hook: String,
        file: StaticString = #fileID,
        line: Int = #line,
        _ operation: () async throws -> Void
    ) async throws {
        do {
            try await operation()
        } catch let failure as HookFailure {
            return try expect(failure, equals: HookFailure(hook: hook), "the error", file: file, line: line)
        }
        throw ExpectationFailure("It succeeded although \(hook) threw.", file, line)
    }
}
