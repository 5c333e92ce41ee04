import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// Runs workers until they are killed, and keeps a journal of what they were told.
struct WorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Run operations until the program is killed, and keep a journal of their outcomes.")

    @Option(help: "The database, without faults: it is migrated there.") var direct: String
    @Option(help: "The database as the workers reach it.") var db: String
    @Option(help: "The file for the journal.") var journal: String
    @Option(help: "A name that no other run has had.") var name: String
    @Option(help: "How many workers there are.") var workers = 6
    @Option(help: "The seed of what the workers do.") var seed: UInt64 = 1

    func run() async throws {
        let names = (0..<workers).map { "\(name).\($0)" }
        try await Database.withDatabase(direct, drivers: [.sqlite, .postgres]) { db in
            try await db.migrate(Entry.self, Counter.self)
            let accounts = Operation.accounts.map { Counter(id: $0) }
            for account in accounts { try await db.insertOrIgnore(account) }
            let counters = names.flatMap { [Operation.tally(of: $0), Operation.mark(of: $0)] }
            try await db.save(counters.map { Counter(id: $0) })
        }
        let journal = try Journal(path: journal)
        let db = try await open()
        print("ready")
        fflush(nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, name) in names.enumerated() {
                let seed = seed &* 1_000 &+ UInt64(index)
                group.addTask {
                    let worker = Worker(name: name, db: db, journal: journal, seed: seed)
                    while true { try await worker.work() }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Opens the database by the way that has faults, which the first connection may meet.
    private func open() async throws -> Database {
        for _ in 0..<20 {
            do {
                return try await Database.open(db, drivers: [.sqlite, .postgres]) { configuration in
                    // Short, so that locks and answers that don't come are part of what is tried.
                    configuration.timeouts.statement = .milliseconds(700)
                    configuration.timeouts.lock = .milliseconds(400)
                    configuration.pool.checkoutTimeout = .seconds(2)
                    configuration.timeouts.connect = .seconds(1)
                    configuration.pool.maximumConnections = 4
                }
            } catch let error as DatabaseError {
                FileHandle.standardError.write(Data("Not open yet: \(error)\n".utf8))
            }
        }
        throw Failure(description: "The database can't be opened.")
    }
}
