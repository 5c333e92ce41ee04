import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// Measures how fast several workers claim jobs, next to the SQL that one would write by hand.
struct QueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "Measures the claims of a job queue.")

    @OptionGroup var location: DatabaseLocation
    @Option(help: "How many jobs there are.") var count = 20_000
    @Option(help: "How many are claimed at a time.") var portion = 10
    @Option(help: "How many workers there are.") var workers = 4
    @Option(help: "How many rounds there are.") var rounds = 5

    @Table("bench_job", indexes: [.index("state", "id")])
    struct Job {
        var id: Int64?
        var state = 0
        var payload: String
    }

    func run() async throws {
        let db = try await Database.open(location.configuration(connections: workers))
        try await db.migrate(Job.self)
        var ratios: [Double] = []
        var times: [(Double, Double)] = []
        for round in 0...rounds {
            var (hand, own) = (0.0, 0.0)
            for isOwn in round % 2 == 0 ? [false, true] : [true, false] {
                let time = try await claimAll(db, isOwn ? Self.claim : byHand)
                if isOwn { own = time } else { hand = time }
            }
            if round > 0 {
                ratios.append(own / hand)
                times.append((hand, own))
            }
        }
        func text(_ values: [Double]) -> String {
            values.sorted()[values.count / 2].formatted(.number.precision(.fractionLength(2)).grouping(.never))
        }
        print("| Claims of \(portion) by \(workers) workers | by hand, ms | Holdfast, ms | ratio |\n|---|---|---|---|")
        print(
            "| all of \(count) jobs | \(text(times.map(\.0))) | \(text(times.map(\.1))) | \(text(ratios)) |")
        try await db.close()
    }

    private static func claim(_ db: Database, _ portion: Int) async throws -> [Job] {
        try await db.query(Job.self).where { $0.state == 0 }.order(\.id).limit(portion).locked(.skipLocked)
            .updateReturning { $0.state.set(1) }
    }

    private func byHand(_ db: Database, _ portion: Int) async throws -> [Job] {
        let lock = location.engine == .postgres ? "FOR UPDATE SKIP LOCKED" : ""
        return try await db.sql(
            """
            UPDATE \(Job.self) SET state = 1 WHERE id IN (SELECT id FROM \(Job.self) WHERE state = 0 \
            ORDER BY id LIMIT \(portion) \(unsafe: lock)) RETURNING *
            """
        ).fetch(Job.self)
    }

    /// Fills the queue, and has all workers claim until it is empty.
    ///
    /// - Returns: The milliseconds that the claims took.
    private func claimAll(
        _ db: Database, _ claim: @escaping @Sendable (Database, Int) async throws -> [Job]
    ) async throws -> Double {
        try await db.deleteAll(Job.self)
        _ = try await db.insert((0..<count).map { Job(payload: "job \($0)") })
        try await db.analyze(Job.self)
        let start = ContinuousClock.now
        let claimed = try await withThrowingTaskGroup(of: Int.self) { [portion] group in
            for _ in 0..<workers {
                group.addTask {
                    var claimed = 0
                    while true {
                        let jobs = try await claim(db, portion)
                        if jobs.isEmpty { return claimed }
                        claimed += jobs.count
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        guard claimed == count else { throw BenchError("\(claimed) jobs of \(count) were claimed.") }
        return (ContinuousClock.now - start) / .milliseconds(1)
    }
}
