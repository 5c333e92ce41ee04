import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres
import Synchronization

/// Measures what becomes of transactions that meet on the same rows.
///
/// Each task moves an amount from one account to another, both chosen at random and fetched in the transaction. Told is how
/// many were committed, how many failed for good, and how much of what was committed is not in the accounts.
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

    private struct Way {
        let name: String
        let isolation: IsolationLevel
        let retries: Int?
    }

    func run() async throws {
        guard let url = ProcessInfo.processInfo.environment["HOLDFAST_POSTGRES_URL"] else {
            throw BenchError("HOLDFAST_POSTGRES_URL is not set.")
        }
        let db = try await Database.open(.postgres(url: url).with { $0.maximumConnections = tasks })
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
                let (committed, failed) = (Atomic<Int>(0), Atomic<Int>(0))
                let end = ContinuousClock.now + .seconds(seconds)
                try await withThrowingTaskGroup { group in
                    for _ in 0..<tasks {
                        group.addTask {
                            while ContinuousClock.now < end {
                                let pair = keys.shuffled().prefix(2)
                                do {
                                    try await move(pair[0], pair[1], way, db)
                                    committed.add(1, ordering: .relaxed)
                                } catch let error as DatabaseError
                                    where error.code == .serializationFailure || error.code == .deadlock
                                {
                                    failed.add(1, ordering: .relaxed)
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let moves = try await db.query(Account.self).select { $0.moves.sum }.fetch().first ?? 0
                let (done, missed) = (committed.load(ordering: .relaxed), failed.load(ordering: .relaxed))
                let share = Double(missed) / Double(max(1, done + missed)) * 100
                print(
                    "| \(count) | \(way.name) | \(Int(Double(done) / seconds)) | "
                        + "\(share.formatted(.number.precision(.fractionLength(2)))) % | \(2 * done - (moves ?? 0)) |")
            }
        }
        try await db.sql("DROP TABLE \(Account.self)").execute()
        try await db.close()
    }

    private func move(_ from: Int64, _ to: Int64, _ way: Way, _ db: Database) async throws {
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
