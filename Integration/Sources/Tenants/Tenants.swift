import Foundation
import Holdfast
import HoldfastPostgres

/// Two tenants behind one pooler: each saves, finds, changes and deletes in its own schema, at the same time as the
/// other, and looks at whose rows it sees.
///
/// Run by Integration/pooler: `tenants URL SCHEMA SCHEMA ROUNDS`.
@main struct Tenants {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let rounds = Int(arguments[4]) else {
            print("Usage: tenants URL SCHEMA SCHEMA ROUNDS")
            exit(2)
        }
        do {
            let start = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, schema) in arguments[2...3].enumerated() {
                    group.addTask {
                        try await Tenant(name: schema, lockTimeout: 3 + index).run(arguments[1], rounds: rounds)
                    }
                }
                try await group.waitForAll()
            }
            print("\(rounds) rounds of two tenants: neither met the other. \(ContinuousClock.now - start)")
        } catch {
            print(String(reflecting: error))
            exit(1)
        }
    }
}

private struct Tenant {
    var name: String
    /// In seconds; each tenant has another one.
    var lockTimeout: Int

    func run(_ url: String, rounds: Int) async throws {
        let parameters = ["pooler=transaction", "prepared_statements=off"]
        let configuration = DatabaseConfiguration.postgres(url: "\(url)?\(parameters[lockTimeout % 2])", schema: name)
            .with {
                $0.pool.maximumConnections = 3
                $0.timeouts.lock = .seconds(lockTimeout)
                $0.timeouts.statement = .seconds(lockTimeout * 20)
            }
        try await Database.withDatabase(configuration) { db in
            try await db.migrate(Invoice.self)
            for round in 0..<rounds { try await self.round(round, db) }
        }
    }

    /// What a program does: single statements, transactions, many rows, reads of several statements.
    private func round(_ number: Int, _ db: Database) async throws {
        let settings = try await db.sql(
            "SELECT current_setting('search_path') || ' ' || current_setting('lock_timeout')"
        ).fetch(as: String.self)
        guard settings == ["\"\(name)\" \(lockTimeout)s"] || settings == ["\(name) \(lockTimeout)s"] else {
            throw Met("the settings of a statement are \(settings)")
        }
        let invoice = Invoice(owner: name, lines: ["\(number)", name])
        try await db.save(invoice)
        try await db.transaction(isolation: .readCommitted) { tx in
            let more = (0..<(number % 100 == 0 ? 70 : 3)).map { _ in Invoice(owner: name, lines: []) }
            try await tx.save(more)
            let settings = try await tx.sql("SELECT current_setting('lock_timeout')").fetch(as: String.self)
            guard settings == ["\(lockTimeout)s"] else { throw Met("the settings of a transaction are \(settings)") }
        }
        let all = try await db.fetch(Invoice.self)
        let others = all.filter { $0.owner != name || ($0.lines.last.map { $0 != name } ?? false) }
        guard others.isEmpty, all.contains(where: { $0.id == invoice.id }) else {
            throw Met("\(others.count) of \(all.count) rows are another's")
        }
        invoice.lines.append(name)
        try await db.save(invoice)
        try await db.delete(all.filter { $0.id != invoice.id })
        try await db.delete(invoice)
    }

    private struct Met: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }
}

@Table
final class Invoice {
    var id: Int64?
    var owner: String
    var lines: [String] = []

    init(owner: String, lines: [String]) { (self.owner, self.lines) = (owner, lines) }
}
