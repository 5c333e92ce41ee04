import Foundation
import Holdfast

extension ConformanceCase {
    static let closing: [ConformanceCase] = [
        ConformanceCase(
            "op-pool.closed-in-a-stream", "OP-POOL",
            "Closing a database inside a loop over one of its streams throws immediately, and changes nothing"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save((0..<1_000).map { Note("\($0)") })
            var count = 0
            try await expect(within: .seconds(20), "Closing inside a stream") {
                for try await _ in db.query(Note.self).stream() {
                    count += 1
                    // With the last of its rows, a stream has given its connection back.
                    guard count == 1 || count == 301 else { continue }
                    try await expect(.nestedCheckout, from: "closing") { try await db.close() }
                    try await expect(.nestedCheckout, from: "closing in time") { try await db.close(within: .zero) }
                }
                for try await _ in db.query(Note.self).stream() { break }
                try await db.close()
            }
            try expect(count, equals: 1_000, "the rows that came")
        },
        ConformanceCase(
            "op-pool.closed-in-time", "OP-POOL",
            "Closing with a deadline ends what is under way then: statements, transactions, streams, and who waits"
        ) { environment in
            let db = try await environment.open(Note.self) { $0.maximumConnections = 3 }
            try await db.save((0..<10_000).map { Note("\($0)") })
            let (inTransaction, inStream, closed) = (Signal(), Signal(), Signal())
            let transaction = Task {
                try await db.transaction { tx in
                    try await tx.save(Note("lost"))
                    inTransaction.give()
                    await closed.wait()
                }
            }
            let stream = Task {
                for try await _ in db.query(Note.self).stream() {
                    inStream.give()
                    await closed.wait()
                }
            }
            await inTransaction.wait()
            await inStream.wait()
            let slow = Task { _ = try await db.sql(SlowStatement.fragment).fetch() }
            try await Task.sleep(for: .milliseconds(100))
            let waiting = Task { try await db.transaction { _ in } }
            try await Task.sleep(for: .milliseconds(100))
            let second = Task {
                try await Task.sleep(for: .milliseconds(50))
                try await db.close(within: .seconds(1))
            }
            try await expect(within: .seconds(20), "Closing in time") {
                try await db.close(within: .milliseconds(200))
                try await expect(.cancelled, .closed, from: "a statement under way") { try await slow.value }
                try await expect(.closed, from: "who waits") { try await waiting.value }
                try await expect(.closed, from: "a new one") { _ = try await db.count(Note.self) }
                closed.give()
                try await expect(.closed, from: "a transaction under way") { try await transaction.value }
                try await expect(.closed, .cancelled, from: "a stream under way") { try await stream.value }
                try await second.value
                try await db.close()
            }
            let again = try await environment.open()
            try expect(try await again.count(Note.self), equals: 10_000, "the rows")
        },
        ConformanceCase(
            "op-pool.closed-while-read", "OP-POOL",
            "Closing with a deadline ends the streams that are being read, however fast or slowly, and returns in time"
        ) { environment in
            let db = try await environment.open(Note.self, Tagged.self) { $0.maximumConnections = 6 }
            try await db.save((0..<10_000).map { Note("\($0)") })
            try await db.save((0..<500).map { Tagged("\($0)", tags: ["a", "b"]) })
            let readers: [@Sendable () async throws -> Void] = [
                { while true { for try await _ in db.query(Note.self).stream() {} } },
                { while true { for try await _ in db.query(Tagged.self).stream() {} } },
                {
                    for try await _ in db.query(Note.self).stream() {
                        do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
                    }
                },
                {
                    try await db.read { tx in
                        while true { for try await _ in tx.query(Note.self).stream() {} }
                    }
                },
                { while true { for try await _ in db.sql(SlowStatement.fragment).stream() {} } },
            ]
            let tasks = readers.map { reader in Task { try await reader() } }
            try await Task.sleep(for: .milliseconds(200))
            try await expect(within: .seconds(5), "Closing while streams are read") {
                try await db.close(within: .milliseconds(300))
            }
            // A slow one has rows that it was given before.
            try await expect(within: .seconds(30), "The end of what read") {
                for (number, task) in tasks.enumerated() {
                    try await expect(.closed, .cancelled, from: "stream \(number)") { try await task.value }
                }
            }
        },
        ConformanceCase(
            "op-pool.closed-before-its-time", "OP-POOL",
            "Closing with a deadline waits no longer than what is under way takes, and lets it end well"
        ) { environment in
            let db = try await environment.open(Note.self)
            let started = Signal()
            let work = Task {
                try await db.transaction { tx in
                    try await tx.save(Note("a"))
                    started.give()
                    try await Task.sleep(for: .milliseconds(200))
                    try await tx.save(Note("b"))
                }
            }
            await started.wait()
            try await expect(within: .seconds(20), "Closing") { try await db.close(within: .seconds(60)) }
            try await work.value
            let again = try await environment.open()
            try expect(try await again.count(Note.self), equals: 2, "the rows")
        },
    ]
}
