import Foundation
import Holdfast

extension ConformanceCase {
    /// The longest times and the greatest numbers there are, which mean "for ever" and "all".
    static let extremes: [ConformanceCase] = [
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
                $0.startTimeout = .seconds(Int64.min)
                $0.idleTimeout = .seconds(Int64.min)
                $0.maximumConnectionLifetime = .seconds(Int64.min)
                $0.slowStatementThreshold = .seconds(Int64.min)
                $0.expirySweepInterval = .seconds(Int64.min)
                $0.maximumConnections = .max
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
            "qry-1.greatest-numbers", "QRY-1",
            "A query with the greatest limit there is finds all, and one with the greatest offset none"
        ) { environment in
            let db = try await environment.open(Note.self)
            try await db.save([Note("a"), Note("b")])
            let all = db.query(Note.self).order(\.title)
            try expect(try await all.limit(.max).fetch().count, equals: 2, "all")
            try expect(try await all.limit(.max).offset(1).fetch().count, equals: 1, "all but one")
            try expect(try await all.offset(.max).fetch().count, equals: 0, "none")
            try expect(try await all.depth(.max).fetch().count, equals: 2, "all, to any depth")
            try expect(try await all.page(size: .max - 1).objects.count, equals: 2, "a page")
            try await expect(.invalidValue, from: "a page of all numbers") { _ = try await all.page(size: .max) }
            try await expect(.invalidValue, from: "a page of fewer than none") { _ = try await all.page(size: .min) }
            try await expect(.invalidValue, from: "fewer than none") { _ = try await all.limit(.min).fetch() }
        },
        ConformanceCase(
            "txn-2.many-retries", "TXN-2", "A transaction may be retried more often than there are bits in a number"
        ) { environment in
            let db = try await environment.open(Note.self)
            var attempts = 0
            try await db.transaction(maxRetries: .max) { tx in
                attempts += 1
                if attempts < 70 { throw DatabaseError(.serializationFailure, "on purpose") }
                try await tx.save(Note())
            }
            try expect(attempts, equals: 70, "the attempts")
            try await expect(.deadlock, from: "one with fewer than no retries") {
                try await db.transaction(maxRetries: .min) { _ in throw DatabaseError(.deadlock, "on purpose") }
            }
        },
    ]

    private static func configure(_ configuration: inout DatabaseConfiguration, _ longest: Duration) {
        configuration.maximumConnections = 2
        configuration.connectTimeout = longest
        configuration.startTimeout = longest
        configuration.shutdownTimeout = longest
        configuration.checkoutTimeout = longest
        configuration.statementTimeout = longest
        configuration.logPollInterval = longest
        configuration.expirySweepInterval = longest
        configuration.lockTimeout = longest
        configuration.migrationLockTimeout = longest
        configuration.migrationRetryLimit = longest
        configuration.idleTimeout = longest
        configuration.maximumConnectionLifetime = longest
        configuration.slowStatementThreshold = longest
    }
}
