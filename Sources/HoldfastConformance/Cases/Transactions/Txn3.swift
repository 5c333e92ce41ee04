import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let txn3: [ConformanceCase] = [
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
            "txn-3.cancelled-transaction",
            "TXN-3",
            "A cancelled task rolls its transaction back, also if the closure ignores it"
        ) { environment in
            let db = try await environment.open(Note.self) { $0.pool.maximumConnections = 2 }
            let (saved, cancelled) = (Signal(), Signal())
            let task = Task {
                try await db.transaction { tx in
                    try await tx.save(Note("lost"))
                    saved.give()
                    await cancelled.wait()
                }
            }
            await saved.wait()
            task.cancel()
            cancelled.give()
            try await expect(.cancelled, from: "the transaction") { try await task.value }
            try expect(try await db.count(Note.self), equals: 0, "the number of rows")
            try await db.save(Note("after"))
            try expect(try await db.count(Note.self), equals: 1, "the number of rows afterwards")
        },
        ConformanceCase(
            "txn-3.cancelled-statement",
            "TXN-3",
            "Cancelling a task ends the statement that it waits for, and its connection lives on"
        ) { environment in
            let db = try await environment.open(Note.self) { $0.pool.maximumConnections = 1 }
            let started = Signal()
            let task = Task {
                try await db.transaction { tx in
                    try await tx.save(Note("lost"))
                    started.give()
                    _ = try await tx.sql(SlowStatement.fragment).fetch()
                }
            }
            await started.wait()
            try await Task.sleep(for: .milliseconds(200))
            task.cancel()
            try await expect(.cancelled, from: "the transaction") {
                try await expect(within: .seconds(10), "Cancelling a statement") { try await task.value }
            }
            try await db.save(Note("after"))
            try expect(try await db.fetch(Note.self).map(\.title), equals: ["after"], "the rows")
        },
        ConformanceCase(
            "txn-3.cancelled-before",
            "TXN-3",
            "Nothing is done for a task that was cancelled before"
        ) { environment in
            let db = try await environment.open(Note.self)
            let task = Task { [note = "never"] in
                withUnsafeCurrentTask { $0?.cancel() }
                try await db.save(Note(note))
            }
            try await expect(.cancelled, from: "saving in a cancelled task") { try await task.value }
            let transaction = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await db.transaction { tx in try await tx.save(Note("never")) }
            }
            try await expect(.cancelled, from: "a transaction in a cancelled task") { try await transaction.value }
            let reading = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await db.fetch(Note.self)
            }
            try await expect(.cancelled, from: "fetching in a cancelled task") { try await reading.value }
            try expect(try await db.count(Note.self), equals: 0, "the number of rows")
        },
        ConformanceCase(
            "txn-3.inside-the-closure",
            "TXN-3",
            "After its task was cancelled, a transaction runs no further statement"
        ) { environment in
            let db = try await environment.open(Note.self)
            let task = Task {
                try await db.transaction { tx in
                    try await tx.save(Note("first"))
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await expect(.cancelled, from: "a save after the cancellation") {
                        try await tx.save(Note("second"))
                    }
                }
            }
            try await expect(.cancelled, .transactionAborted, from: "the transaction") { try await task.value }
            try expect(try await db.count(Note.self), equals: 0, "the number of rows")
        },
        ConformanceCase(
            "txn-3.neighbours",
            "TXN-3",
            "Cancelling some of many concurrent tasks never touches a statement of another"
        ) { environment in
            let db = try await environment.open(Numbered.self) { $0.pool.maximumConnections = 4 }
            try await db.insert((0..<50).map { Numbered(Int64($0), "t\($0)") })
            try await withThrowingTaskGroup { group in
                for number in 0..<200 {
                    let task = Task {
                        try await db.find(Numbered.self, key: number % 50)?.title
                    }
                    let isCancelled = number % 3 == 0
                    if isCancelled {
                        group.addTask {
                            try await Task.sleep(for: .microseconds(number * 13 % 900))
                            task.cancel()
                        }
                    }
                    group.addTask {
                        do {
                            try expect(try await task.value, equals: "t\(number % 50)", "the title of \(number % 50)")
                        } catch let error as DatabaseError where error.code == .cancelled && isCancelled {}
                    }
                }
                try await group.waitForAll()
            }
            try expect(try await db.count(Numbered.self), equals: 50, "the number of rows")
        },
        ConformanceCase(
            "txn-3.storm",
            "TXN-3",
            "Transactions that are cancelled at any moment are kept whole or not at all"
        ) { environment in
            let db = try await environment.open(Tagged.self) { $0.pool.maximumConnections = 4 }
            try await withThrowingTaskGroup { group in
                for number in 0..<60 {
                    let task = Task {
                        try await db.transaction { tx in
                            try await tx.save(Tagged("\(number)", tags: ["a", "b", "c"]))
                            try await tx.save(Tagged("\(number)", tags: ["d"]))
                        }
                    }
                    group.addTask {
                        try await Task.sleep(for: .microseconds(number * 211 % 5_000))
                        task.cancel()
                    }
                    group.addTask {
                        do {
                            try await task.value
                        } catch let error as DatabaseError where error.code == .cancelled {}
                    }
                }
                try await group.waitForAll()
            }
            let pairs = Dictionary(grouping: try await db.fetch(Tagged.self), by: \.name)
            for (name, pair) in pairs {
                try expect(pair.map(\.tags), equals: [["a", "b", "c"], ["d"]], "what transaction \(name) left")
            }
        },
    ]
}
