import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// Compares the database with the journals of the programs that have worked on it.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compare the database with journals of earlier runs.")

    @Option(help: "The database, without faults.") var db: String
    @Argument(help: "The journals.") var journals: [String]

    func run() async throws {
        var history = History()
        for path in journals {
            for line in try Journal.lines(of: path) { history.take(line.outcome, line.operation, line.comment) }
        }
        let (entries, counters) = try await Database.withDatabase(db, drivers: [.sqlite, .postgres]) { db in
            try await db.read { tx in
                (try await tx.fetch(Entry.self), try await tx.fetch(Counter.self))
            }
        }
        var problems = history.problems(
            entries: Set(entries.map(\.id)),
            counters: Dictionary(uniqueKeysWithValues: counters.map { ($0.id, $0.value) }))
        problems += Self.imbalances(entries, counters)
        print(history.summary)
        guard problems.isEmpty else { throw Failure(description: problems.joined(separator: "\n")) }
    }

    /// The accounts whose balance is not the sum of the transfers that are there.
    private static func imbalances(_ entries: [Entry], _ counters: [Counter]) -> [String] {
        var balances: [String: Int] = [:]
        for entry in entries {
            if let source = entry.source { balances[source, default: 0] -= entry.amount }
            if let target = entry.target { balances[target, default: 0] += entry.amount }
        }
        return counters.compactMap { counter in
            let expected = balances[counter.id, default: 0]
            guard Operation.accounts.contains(counter.id), counter.value != expected else { return nil }
            return "\(counter.id) holds \(counter.value), but its transfers come to \(expected)."
        }
    }
}
