import ArgumentParser
import Foundation

/// Runs the contestants against each other, and prints a table.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "compare", abstract: "Compares the contestants.")

    @Argument(help: "The engines: sqlite, and postgres by HOLDFAST_POSTGRES_URL.") var engines: [Engine] = [.sqlite]
    @Option(help: "How often everybody does everything.") var rounds = 5
    @Option(name: .customLong("work"), help: "The works, separated by commas; all if not given.") var works: String?
    @Option(name: .customLong("contestant"), help: "The contestants, separated by commas; all if not given.")
    var contestants: String?
    @Option(help: "Multiplies all sizes.") var scale = 1.0
    @Flag(help: "Instead, W1, W2, W4, W8, W9 and W10 at 1,000 rows, 10,000, and so on to 1,000,000.") var growth = false
    @Flag(help: "Print JSON.") var json = false
    @Option(help: "Also write the Markdown table to a file.") var table: String?
    @Option(help: "The library that counts allocations.") var counter: String?

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("There has to be a round.") }
        guard scale > 0 else { throw ValidationError("The scale has to be above 0.") }
    }

    func run() async throws {
        let server = ProcessInfo.processInfo.environment["HOLDFAST_POSTGRES_URL"]
        var results: [OrderResult] = []
        for engine in engines {
            if engine == .postgres, server == nil { throw BenchError("HOLDFAST_POSTGRES_URL is not set.") }
            let comparison = Comparison(
                engine: engine, orders: try orders(engine), contestants: try participants(engine), rounds: rounds,
                counter: counter, progress: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })
            let store = try DatabaseStore(engine, server: server ?? "")
            defer { try? store.close() }
            results += try comparison.run(store)
        }
        let machine = Machine(server: engines.contains(.postgres) ? server : nil)
        let report = Report(machine: machine, rounds: rounds, results: results)
        if let table { try Data(report.markdown.utf8).write(to: URL(filePath: table)) }
        print(json ? try encoded(report) : report.markdown)
        try requireEqualChecksums(results)
    }

    private func orders(_ engine: Engine) throws -> [Order] {
        var works: [Work] = try parsed(works) ?? Work.allCases
        guard growth else { return works.map { Order($0, on: engine, scale: scale) } }
        works.removeAll {
            ![.saveItems, .fetchItems, .saveGraph, .loadGraph, .streamItems, .saveWeb, .loadWeb, .saveCatalogue]
                .contains($0)
        }
        return works.flatMap { work in
            [1_000, 10_000, 100_000, 1_000_000].map { Order(work, on: engine, rows: $0) }
        }
    }

    private func participants(_ engine: Engine) throws -> [ContestantName] {
        guard let wanted: [ContestantName] = try parsed(contestants) else { return ContestantName.allCases }
        let works = Work.allCases
        guard wanted.contains(where: { name in works.contains { name.takesPart(in: $0, on: engine) } }) else {
            throw BenchError("None of the contestants works on \(engine).")
        }
        return wanted
    }

    private func parsed<Value: ExpressibleByArgument>(_ list: String?) throws -> [Value]? {
        try list?.split(separator: ",").map { name in
            guard let value = Value(argument: String(name)) else { throw ValidationError("There is no \(name).") }
            return value
        }
    }

    private func encoded(_ report: Report) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }

    private func requireEqualChecksums(_ results: [OrderResult]) throws {
        let different = results.filter { $0.checksums.count != 1 }.map {
            "\($0.order.work.rawValue) on \($0.order.engine)"
        }
        guard different.isEmpty else {
            throw BenchError("The contestants do not agree on the data of \(different.joined(separator: ", ")).")
        }
    }
}
