import ArgumentParser
import Foundation

/// Keeps a ledger under faults, and checks that the database holds what the program was told.
///
/// Run by Integration/ledger.
@main
struct Ledger: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Keep a ledger under faults, and compare the database with what the program was told.",
        subcommands: [WorkCommand.self, CheckCommand.self, ProxyCommand.self]
    )
}

struct Failure: Error, CustomStringConvertible {
    let description: String
}
