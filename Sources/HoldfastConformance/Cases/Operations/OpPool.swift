import Foundation
@_spi(Driver) import Holdfast

extension ConformanceCase {
    static let opPool: [ConformanceCase] = [
        ConformanceCase(
            "op-pool.thousand-tasks",
            "OP-POOL",
            "A thousand tasks share four connections, and every one is served"
        ) { environment in
            let db = try await environment.open(Numbered.self) { $0.pool.maximumConnections = 4 }
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
            let db = try await environment.open(Note.self) { $0.pool.maximumConnections = 3 }
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
            let db = try await environment.open(Note.self, Tagged.self) { $0.pool.maximumConnections = 6 }
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
        ConformanceCase(
            "op-pool.longest-times", "OP-POOL",
            "Times of a configuration may be as long as there are, in both directions, and end nothing too early"
        ) { environment in
            for longest in [Duration.seconds(Int64.max), .seconds(Int64.max) * 16] {
                let db = try await environment.open(Note.self) { configure(&$0, longest) }
                try await Meeting(8).run { _, number in
                    try await db.save(Note("\(number)"))
                    try await db.transaction { tx in
                        try await tx.save(Note("in a transaction \(number)"))
                        try await Task.sleep(for: .milliseconds(5))
                    }
                    _ = try await db.query(Note.self).count()
                }
                try expect(await db.isReady(within: longest), "It is not ready.")
                try expect(db.poolStatistics.maximum >= 2, "The connections: \(db.poolStatistics)")
                try await db.migrate(Note.self)
                try await db.close(within: longest)
            }
            let db = try await environment.open(Note.self) {
                $0.timeouts.start = .seconds(Int64.min)
                $0.pool.idleTimeout = .seconds(Int64.min)
                $0.pool.maximumConnectionLifetime = .seconds(Int64.min)
                $0.telemetry.slowStatementThreshold = .seconds(Int64.min)
                $0.expiry.sweepInterval = .seconds(Int64.min)
                $0.pool.maximumConnections = .max
            }
            try expect(try await db.count(Note.self), equals: 32, "the number of notes")
            _ = await db.isReady(within: .seconds(Int64.min))
            try expect(db.poolStatistics.maximum, equals: .max, "the greatest number of connections")
            try await db.close(within: .seconds(Int64.min))
        },
        ConformanceCase(
            "op-pool.longest-waits", "OP-POOL",
            "Observing and trimming take the longest times and the greatest numbers there are", level: .live
        ) { environment in
            let db = try await environment.open(LoggedPage.self)
            try await db.save(LoggedPage("a"))
            for longest in [Duration.seconds(Int64.max), .seconds(Int64.max) * 16] {
                for duration in [longest, .zero - longest] {
                    var results = db.query(LoggedPage.self).observe(delay: .zero - longest, interval: longest)
                        .makeAsyncIterator()
                    try expect(try await results.next()?.objects.count, equals: 1, "the objects that are observed")
                    let title = "\(UUID())"
                    try await db.query(LoggedPage.self).update { $0.title.set(title) }
                    try expect(try await results.next()?.objects.first?.title, equals: title, "the title")
                    let live = try await db.query(LoggedPage.self).liveResults(
                        batch: .max, delay: duration, interval: longest)
                    try expect(try await live.object(at: 0)?.title, equals: title, "the title in live results")
                    try expect(try await live.object(at: .max) == nil, "There is an object behind all.")
                    let token = try await db.changeToken()
                    try await db.trimChanges(olderThan: longest, keeping: .max)
                    _ = try await db.changes(after: token, limit: .max).fetch()
                    try await db.trimChanges(olderThan: duration, keeping: duration > .zero ? .max : .min)
                }
            }
            _ = db.events(of: LoggedPage.self, buffer: .max)
            _ = db.events(of: LoggedPage.self, buffer: .min)
        },
        ConformanceCase(
            "op-pool.statistics", "OP-POOL",
            "The state of the connections tells who uses them, since when, from where, and how many wait"
        ) { environment in
            let db = try await environment.open(Note.self) {
                $0.pool.maximumConnections = 1
                $0.pool.checkoutTimeout = .milliseconds(300)
            }
            _ = try await db.count(Note.self)
            let idle = db.poolStatistics
            try expect(idle.inUse, equals: 0, "the connections in use")
            try expect(idle.idle >= 1 && idle.idle <= idle.maximum, "The idle connections are \(idle.idle).")
            let held = await HeldConnection(of: db)
            let busy = db.poolStatistics
            try expect(busy.inUse, equals: 1, "the connections in use by a transaction")
            let holder = try expect(some: busy.holders.first, "who uses it")
            try expect(holder.operation, equals: "read", "what it is used for")
            try expect(
                holder.callSite?.hasPrefix("HoldfastConformance/HeldConnection.swift:") == true,
                "It is used at \(holder.callSite ?? "no place").")
            let waiting = Task { _ = try await db.fetch(Note.self) }
            while db.poolStatistics.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
            try expect("\(db.poolStatistics)".contains("read at HoldfastConformance/"), "\(db.poolStatistics)")
            let error = try await expect(.poolTimeout, from: "who waits") { try await waiting.value }
            try expect(
                error.message.contains("read at HoldfastConformance/HeldConnection.swift:"),
                "The error does not say who holds the connection: \(error.message)")
            try await expect(.poolTimeout, from: "a ping without a connection") { try await db.ping() }
            try await held.release()
            try expect(db.poolStatistics.waiting, equals: 0, "how many wait in the end")
        },
        ConformanceCase("op-pool.ping", "OP-POOL", "A ping tells whether the database answers") { environment in
            let db = try await environment.open(Note.self)
            let duration = try await db.ping()
            try expect(duration > .zero && duration < .seconds(10), "It took \(duration).")
            try await db.close()
            try await expect(.closed, from: "a ping after closing") { try await db.ping() }
        },
    ]

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

    private static func configure(_ configuration: inout DatabaseConfiguration, _ longest: Duration) {
        configuration.pool.maximumConnections = 2
        configuration.timeouts.connect = longest
        configuration.timeouts.start = longest
        configuration.timeouts.shutdown = longest
        configuration.pool.checkoutTimeout = longest
        configuration.timeouts.statement = longest
        configuration.changeLog.pollInterval = longest
        configuration.expiry.sweepInterval = longest
        configuration.timeouts.lock = longest
        configuration.migrations.lockTimeout = longest
        configuration.migrations.retryLimit = longest
        configuration.pool.idleTimeout = longest
        configuration.pool.maximumConnectionLifetime = longest
        configuration.telemetry.slowStatementThreshold = longest
    }
}
