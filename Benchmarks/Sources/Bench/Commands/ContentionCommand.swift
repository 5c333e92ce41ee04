import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres

/// Measures what becomes of transactions that meet on the same rows.
///
/// Each task moves an amount from one account to another, both chosen at random and fetched in the transaction. Told is
/// how many were committed, how many failed for good, and how much of what was committed is not in the accounts.
struct ContentionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contention", abstract: "Measures transactions that meet on the same rows of PostgreSQL.")

    @Option(help: "How many tasks there are.") var tasks = 8
    @Option(help: "How long each way is measured, in seconds.") var seconds = 3.0

    @Table("bench_account") final class Account {
        var id: Int64?
        var balance = 0
        var moves = 0
        init() {}
    }

    private struct Way: Sendable {
        let name: String
        let isolation: IsolationLevel
        let retries: Int?
    }

    func run() async throws {
        guard let url = ProcessInfo.processInfo.environment["HOLDFAST_POSTGRES_URL"] else {
            throw BenchError("HOLDFAST_POSTGRES_URL is not set.")
        }
        let db = try await Database.open(.postgres(url: url).with { $0.pool.maximumConnections = tasks })
        try await db.migrate(Account.self)
        let ways = [
            Way(name: "read committed, no retries", isolation: .readCommitted, retries: 0),
            Way(name: "serializable, no retries", isolation: .serializable, retries: 0),
            Way(name: "serializable, 3 retries", isolation: .serializable, retries: 3),
            Way(name: "serializable, 5 retries", isolation: .serializable, retries: 5),
            Way(name: "serializable, by itself", isolation: .serializable, retries: nil),
            Way(name: "serializable, 20 retries", isolation: .serializable, retries: 20),
        ]
        print("| Accounts | Transactions | committed a second | failed | moves lost |\n|---|---|---|---|---|")
        for count in [2, 10, 100, 1_000] {
            for way in ways {
                try await db.deleteAll(Account.self)
                let accounts = (0..<count).map { _ in Account() }
                try await db.save(accounts)
                let keys = accounts.compactMap(\.id)
                let end = ContinuousClock.now + .seconds(seconds)
                let (done, missed) = try await withThrowingTaskGroup(of: (done: Int, missed: Int).self) { group in
                    for _ in 0..<tasks { group.addTask { try await Self.moveAbout(keys, way, db, until: end) } }
                    return try await group.reduce((0, 0)) { ($0.0 + $1.done, $0.1 + $1.missed) }
                }
                let moves = try await db.query(Account.self).select { $0.moves.sum }.fetch().first ?? 0
                let share = Double(missed) / Double(max(1, done + missed)) * 100
                print(
                    "| \(count) | \(way.name) | \(Int(Double(done) / seconds)) | "
                        + "\(share.formatted(.number.precision(.fractionLength(2)))) % | \(Int64(2 * done) - (moves ?? 0)) |"
                )
            }
        }
        try await db.sql("DROP TABLE \(Account.self)").execute()
        try await db.close()
    }

    /// Moves amounts until a time.
    private static func moveAbout(
        _ keys: [Int64], _ way: Way, _ db: Database, until end: ContinuousClock.Instant
    ) async throws -> (done: Int, missed: Int) {
        var (done, missed) = (0, 0)
        while ContinuousClock.now < end {
            let pair = keys.shuffled().prefix(2)
            do {
                try await move(pair[0], pair[1], way, db)
                done += 1
            } catch let error as DatabaseError where error.code == .serializationFailure || error.code == .deadlock {
                missed += 1
            }
        }
        return (done, missed)
    }

    private static func move(_ from: Int64, _ to: Int64, _ way: Way, _ db: Database) async throws {
        try await db.transaction(isolation: way.isolation, maxRetries: way.retries) { tx in
            guard let from = try await tx.find(Account.self, key: from),
                let to = try await tx.find(Account.self, key: to)
            else { return }
            from.balance -= 1
            to.balance += 1
            from.moves += 1
            to.moves += 1
            try await tx.save([from, to])
        }
    }
}
