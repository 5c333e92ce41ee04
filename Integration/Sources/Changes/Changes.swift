import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Logging

/// Processes that write at random, and others that read the log and observe queries meanwhile.
///
/// Run by Integration/changes.
@main struct Changes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes", abstract: "Write at random, and watch.",
        subcommands: [Prepare.self, Write.self, Watch.self, Observe.self])

    struct Options: ParsableArguments {
        @Argument(help: "The database.") var url: String
        @Option(help: "The seconds that it takes.") var seconds = 10
        @Option(help: "The seed of all that is random.") var seed: UInt64 = 1

        func withDatabase<Output: Sendable>(
            connections: Int, logger: Logger? = nil, _ body: nonisolated(nonsending) (Database) async throws -> Output
        ) async throws -> Output {
            let db = try await Database.open(url, drivers: [.sqlite, .postgres]) {
                $0.pool.maximumConnections = connections
                if let logger { $0.telemetry.logger = logger }
            }
            let output: Output
            do { output = try await body(db) } catch {
                try? await db.close()  // The error is what went wrong before.
                throw error
            }
            try await db.close()
            return output
        }
    }
}

/// Makes the tables and the counters.
struct Prepare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make the tables.")

    @OptionGroup var options: Changes.Options
    @Option(help: "The number of counters.") var counters: Int64 = 64

    func run() async throws {
        try await options.withDatabase(connections: 2) { db in
            try await db.migrate(Counter.self, Item.self)
            _ = try await db.save((1...counters).map { Counter(id: $0, value: 0) })
        }
    }
}
