// The examples of the article "Writing a driver".

@_spi(Driver) import HoldfastSQLite

// snippet.configuration
import Foundation
@_spi(Driver) import Holdfast
import HoldfastConformance

extension DatabaseConfiguration {
    public static func myEngine(path: String) -> DatabaseConfiguration {
        DatabaseConfiguration { configuration in MyDriver(path: path, configuration: configuration) }
    }
}
// snippet.end

func bindAll(_ parameters: ParameterBuffer, row: Int) throws {
    // snippet.parameters
    try parameters.withRow(row) { cells in
        for (index, cell) in cells.enumerated() { try bind(cell, at: index + 1) }  // valid during this call
    }
    // snippet.end
}

func runConformanceSuite() async {
    // snippet.conformance
    let manifest = ConformanceManifest(
        driver: "my-engine", claims: [.core],
        declines: [.graph: "It has no delete rules yet.", .live: "It has no change log yet."],
        knownIssues: [.init("val-6.sums", "Sums of decimals are rounded: https://…/issues/12")])
    let report = await ConformanceRunner(MyProvision(), manifest: manifest).run()
    print(report)
    exit(report.isAcceptable ? 0 : 1)
    // snippet.end
}

// What the article leaves to its readers.

struct MyDriver: Driver {
    let path: String
    let configuration: DatabaseConfiguration
    let sharing = ConnectionSharing.any
    var dialect: any Dialect { SQLiteDialect() }

    func connect(_ role: ConnectionRole) async throws -> any DriverConnection {
        throw DatabaseError(.cannotConnect, "There is no engine at \(path).")
    }
}

func bind(_ cell: Cell, at position: Int) throws {}

struct MyProvision: ConformanceProvision {
    var unreachable: DatabaseConfiguration { .myEngine(path: "absent/database") }

    func makeDatabase() async throws -> any ConformanceDatabase { MyDatabase() }
}

struct MyDatabase: ConformanceDatabase {
    var configuration: DatabaseConfiguration { .myEngine(path: "scratch") }

    func destroy() async throws {}
}
