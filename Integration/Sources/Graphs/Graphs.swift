import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// Saves and loads graphs of unusual shapes and sizes.
///
/// Run by Integration/graphs.
@main
struct Graphs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graphs",
        abstract: "Save and load graphs of unusual shapes and sizes.",
        subcommands: [ShapesCommand.self, ScaleCommand.self, InterruptedCommand.self]
    )
}

struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// Ends the program with a sentence if a condition does not hold.
func require(_ condition: Bool, _ sentence: @autoclosure () -> String) throws {
    if !condition { throw Failure(description: sentence()) }
}

func withEmptyDatabase(_ url: String, _ body: (Database) async throws -> Void) async throws {
    try await Database.withDatabase(url, drivers: [.sqlite, .postgres]) { db in
        try await db.migrate(Node.self, Leaf.self)
        try await db.deleteAll(Node.self)
        try await db.sql("DELETE FROM leaf").execute()
        try await body(db)
    }
}

/// How long something takes, in seconds.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let duration = try await clock.measure { try await body() }
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

/// The memory that the process has had at most, in MiB.
var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) / 1024
}
