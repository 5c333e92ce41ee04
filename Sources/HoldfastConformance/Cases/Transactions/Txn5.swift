import Foundation
import Holdfast

extension ConformanceCase {
    static let txn5: [ConformanceCase] = [
        ConformanceCase(
            "txn-5.nested-checkout",
            "TXN-5",
            "Using the database inside its own transaction throws immediately, whatever is done"
        ) { environment in
            let db = try await environment.open(Note.self) { $0.pool.checkoutTimeout = .seconds(5) }
            let uses: [(String, @Sendable (Database) async throws -> Void)] = [
                ("saving", { try await $0.save(Note()) }), ("counting", { _ = try await $0.count(Note.self) }),
                ("SQL", { _ = try await $0.sql("SELECT 1").fetch() }),
                ("a transaction", { try await $0.transaction { _ in } }),
                ("reading", { try await $0.read { _ in } }), ("migrating", { try await $0.migrate(Note.self) }),
                ("closing", { try await $0.close() }),
            ]
            try await expect(within: .seconds(4), "Refusing nested uses") {
                try await db.transaction { tx in
                    for (name, use) in uses {
                        try await expect(.nestedCheckout, from: "\(name) inside a transaction") { try await use(db) }
                    }
                    _ = try await tx.transaction { _ in
                        try await expect(.nestedCheckout, from: "saving inside a savepoint") {
                            try await db.save(Note())
                        }
                    }
                    try await tx.save(Note("kept"))
                }
                _ = try await db.read { _ in
                    try await expect(.nestedCheckout, from: "saving inside a read") { try await db.save(Note()) }
                }
            }
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["kept"], "the rows")
        },
        ConformanceCase(
            "txn-5.child-tasks",
            "TXN-5",
            "A child task inside a transaction is refused the database too, and may use the transaction"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.transaction { tx in
                async let refused = expect(.nestedCheckout, from: "saving in a child task") {
                    try await db.save(Note())
                }
                async let kept: Void = tx.save(Note("kept"))
                _ = try await (refused, kept)
            }
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["kept"], "the rows")
        },
        ConformanceCase(
            "txn-5.task-that-outlives",
            "TXN-5",
            "A task that was started inside a transaction may use the database once the transaction has ended"
        ) { environment in
            let db = try await environment.open(Note.self)
            let ended = Signal()
            let task = try await db.transaction { tx in
                try await tx.save(Note("inside"))
                let task = Task {
                    try await expect(.nestedCheckout, from: "saving while the transaction is open") {
                        try await db.save(Note())
                    }
                    ended.give()
                }
                try await task.value
                return Task {
                    await ended.wait()
                    while true {
                        do {
                            return try await db.save(Note("afterwards"))
                        } catch let error as DatabaseError where error.code == .nestedCheckout {
                            try await Task.sleep(for: .milliseconds(5))
                        }
                    }
                }
            }
            try await task.value
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["inside", "afterwards"], "the rows")
        },
        ConformanceCase(
            "txn-5.detached",
            "TXN-5",
            "A detached task inside a transaction waits for its turn like any other"
        ) {
            environment in
            let db = try await environment.open(Note.self)
            let started = Signal()
            let task = try await db.transaction { tx in
                try await tx.save(Note("inside"))
                let task = Task.detached {
                    started.give()
                    try await db.save(Note("detached"))
                }
                await started.wait()
                return task
            }
            try await task.value
            try expect(try await db.count(Note.self), equals: 2, "the number of rows")
        },
        ConformanceCase("txn-5.another-database", "TXN-5", "Another database is free inside a transaction") {
            environment in
            let db = try await environment.open(Note.self, Named.self)
            _ = try await db.insert(Named(name: "a", number: 1))
            let other = try await environment.open()
            try await db.transaction { tx in
                try await tx.save(Note("kept"))
                try expect(try await other.find(Named.self, key: "a")?.number, equals: 1, "what the other one reads")
                try expect(try await other.count(Note.self), equals: 0, "the rows that the other one sees")
            }
            try await other.transaction { tx in
                try expect(try await tx.count(Note.self), equals: 1, "the rows that the other one sees now")
            }
        },
        ConformanceCase(
            "txn-5.checkout-timeout",
            "TXN-5",
            "Whoever finds no free connection in time is told who holds them"
        ) { environment in
            let db = try await environment.open(Note.self) {
                $0.pool.maximumConnections = 1
                $0.pool.checkoutTimeout = .seconds(2)
            }
            let (held, enough) = (Signal(), Signal())
            let holder = Task {
                try await db.transaction { tx in
                    try await tx.save(Note("held"))
                    held.give()
                    await enough.wait()
                }
            }
            await held.wait()
            let error = try await expect(.poolTimeout, from: "saving while the only connection is held") {
                try await expect(within: .seconds(10), "The checkout timeout") { try await db.save(Note()) }
            }
            enough.give()
            try await holder.value
            try expect(error.message.contains("transaction"), "The error does not name the holder: \(error)")
            try await db.save(Note("afterwards"))
            try expect(try await db.count(Note.self), equals: 2, "the number of rows")
        },
        ConformanceCase(
            "txn-5.stream", "TXN-5",
            "A stream holds a connection, as whoever finds none is told; inside a transaction its own is used"
        ) { environment in
            let db = try await environment.open(Note.self) {
                $0.pool.maximumConnections = 1
                $0.pool.checkoutTimeout = .seconds(1)
            }
            try await db.save((0..<1_500).map { Note("\($0)", rank: $0) })
            var iterator = db.query(Note.self).stream().makeAsyncIterator()
            try expect(try await iterator.next() != nil, "There is no first element.")
            let error = try await expect(.poolTimeout, from: "reading while a stream has the only connection") {
                _ = try await db.read { try await $0.count(Note.self) }
            }
            try expect(error.message.contains("stream"), "The error does not name the holder: \(error)")
            while try await iterator.next() != nil {}
            try expect(try await db.count(Note.self), equals: 1_500, "the rows")
            try await db.transaction { _ in
                try await expect(.nestedCheckout, from: "a stream of the database inside a transaction") {
                    for try await _ in db.query(Note.self).stream() {}
                }
            }
        },
    ]
}
