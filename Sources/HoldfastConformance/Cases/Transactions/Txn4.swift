import Foundation
import Holdfast

extension ConformanceCase {
    static let txn4: [ConformanceCase] = [
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
        graph(
            "txn-4.graph-after-commit", "TXN-4",
            "afterCommit of a graph runs once, after COMMIT, and never for what was rolled back"
        ) {
            environment in
            let db = try await environment.open(Watched.self, Note.self)
            let log = HookLog()
            func commits() -> [String] { log.entries.filter { $0.hasPrefix("afterCommit") } }
            func family(_ name: String) -> Watched {
                let head = Watched(name, log: log)
                head.parts = [Watched(name + "1", log: log)]
                return head
            }
            struct Stop: Error {}
            let lost = family("lost")
            do {
                try await db.transaction { tx in
                    try await tx.save(lost)
                    throw Stop()
                }
            } catch is Stop {}
            try expect(commits(), equals: [], "the calls after a rollback")
            try expect(
                lost.id == nil && lost.parts[0].id == nil && lost.parts[0].isDirty, "An object is not as before.")
            try await db.transaction { tx in
                try await tx.save(family("a"))
                do {
                    try await tx.transaction { nested in
                        try await nested.save(lost)
                        throw Stop()
                    }
                } catch is Stop {}
                try await tx.transaction { nested in try await nested.save(family("b")) }
                try expect(commits(), equals: [], "the calls before COMMIT")
            }
            try expect(
                commits().sorted(), equals: ["a", "a1", "b", "b1"].map { "afterCommit \($0)" }, "the calls after COMMIT"
            )
            try expect(
                try await db.texts("SELECT name FROM watched ORDER BY name"), equals: ["a", "a1", "b", "b1"],
                "the names")
            _ = log.take()
            try await db.save(lost)
            try expect(
                commits(), equals: ["afterCommit lost", "afterCommit lost1"], "the calls of what was saved in the end")
        },
    ]
}
