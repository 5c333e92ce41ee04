import ArgumentParser
import Foundation
import HoldfastSQLite

/// Has one contestant do one work once, and prints what it took, as one line of JSON.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Measures one contestant once.", shouldDisplay: false)

    @OptionGroup var location: DatabaseLocation
    @Option(help: "Who.") var contestant: ContestantName
    @Option(help: "What: an order, as JSON.") var order: String

    func run() async throws {
        if contestant == .holdfast, location.engine == .sqlite,
            ProcessInfo.processInfo.environment["HOLDFAST_FAST_SETTINGS"] != nil
        {
            try SQLiteProcess.applyFastSettings()
        }
        let order = try JSONDecoder().decode(Order.self, from: Data(order.utf8))
        let measurement = try await contestant.run(order, location)
        print(String(decoding: try JSONEncoder().encode(measurement), as: UTF8.self))
    }
}
