import ArgumentParser
import EngineProvisions
import Foundation
import Holdfast
import HoldfastConformance

/// Runs the conformance suite: `holdfast conformance URL`.
struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Check that an engine does what every engine must.",
        discussion: """
            Runs each case of the conformance suite in a database of its own, and removes it afterwards:

              sqlite:DIRECTORY     a file for each case, in a directory that exists
              sqlite::memory:      the same, in the directory for temporary files
              postgres://…         a schema for each case, in the database that the URL names

            The exit status is 0 if the engine conforms, 1 if it does not, 64 if the command was misused, and 69 if no
            database can be made there: nothing is checked then, and nothing is said of the engine.

            EXAMPLES
              holdfast conformance sqlite::memory:
              holdfast conformance postgres://app@db/scratch --filter txn --filter err-1
              holdfast conformance postgres://app@db/scratch --json >report.json
            """
    )

    @Argument(help: "The database to make the cases' databases in.")
    var url: String?

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Flag(help: "List the cases, and run nothing.")
    var list = false

    @Option(help: ArgumentHelp("Run only cases whose id or clause begins with this; repeatable.", valueName: "prefix"))
    var filter: [String] = []

    @Option(help: ArgumentHelp("How many cases run at the same time.", valueName: "count"))
    var jobs = 4

    @Option(help: ArgumentHelp("How long a case may take before it has failed.", valueName: "seconds"))
    var timeout = 60

    @Option(help: ArgumentHelp("Repeat the random choices of an earlier run.", valueName: "number"))
    var seed: UInt64?

    func validate() throws {
        if url == nil, !list { throw ValidationError("Name the database to check, or give --list.") }
        if jobs < 1 { throw ValidationError("--jobs must be 1 or more.") }
        if timeout < 1 { throw ValidationError("--timeout must be 1 or more.") }
        if chosen.isEmpty {
            throw ValidationError("No case begins with \(filter.joined(separator: " or ")). See --list.")
        }
        if let url, !list {
            do {
                _ = try Engine(url: url)
            } catch let error as DatabaseError {
                throw ValidationError(error.message)
            }
        }
    }

    private var chosen: [ConformanceCase] {
        guard !filter.isEmpty else { return ConformanceCase.all }
        let prefixes = filter.map { $0.lowercased() }
        return ConformanceCase.all.filter { behaviour in
            prefixes.contains { behaviour.id.hasPrefix($0) || behaviour.clause.lowercased().hasPrefix($0) }
        }
    }

    func run() async throws {
        if list { return try printList() }
        let engine = try Engine(url: url ?? "")
        try await makeDatabase(engine.provision)
        let runner = ConformanceRunner(
            engine.provision,
            manifest: engine.manifest,
            concurrency: jobs,
            timeLimit: .seconds(timeout),
            seed: seed ?? .random(in: .min ... .max)
        )
        let showsProgress = !json && isatty(STDERR_FILENO) == 1
        let total = chosen.count
        let progress = Progress(total: total, isShown: showsProgress)
        let report = await runner.run(chosen) { progress.ended($0) }
        progress.clear()
        if json { try printJSON(report) } else { print(report) }
        if !report.isAcceptable { throw ExitCode.failure }
    }

    /// Makes a database, opens it and removes it again, so that a server that isn't there is reported once.
    ///
    /// - Throws: The exit status for a service that is not available, after saying why on standard error.
    private func makeDatabase(_ provision: any ConformanceProvision) async throws {
        do {
            let database = try await provision.makeDatabase()
            do {
                try await Database.withDatabase(database.configuration) { _ in }
            } catch {
                // Why it could not be opened matters more than what is left of it.
                try? await database.destroy()
                throw error
            }
            try await database.destroy()
        } catch {
            let reason = (error as? DatabaseError)?.description ?? "\(error)"
            FileHandle.standardError.write(Data("Nothing was checked: no database can be made.\n\(reason)\n".utf8))
            throw ExitCode(EX_UNAVAILABLE)
        }
    }

    private func printList() throws {
        if json {
            return try printJSON(
                chosen.map { ["id": $0.id, "clause": $0.clause, "level": $0.level.rawValue, "title": $0.title] }
            )
        }
        for behaviour in chosen { print("\(behaviour.id)\n    \(behaviour.title)") }
    }

    private func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
