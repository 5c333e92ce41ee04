// Runs the core level of the conformance suite against a driver that is none of Holdfast's own.

import Foundation
import Holdfast
import HoldfastConformance
import PlainSQLite

struct PlainProvision: ConformanceProvision {
    let directory = FileManager.default.temporaryDirectory

    var unreachable: DatabaseConfiguration {
        .plainSQLite(path: directory.appendingPathComponent("absent/\(UUID().uuidString)/database.db").path)
    }

    func makeDatabase() async throws -> any ConformanceDatabase {
        let home = directory.appendingPathComponent("plain-sqlite-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
        return PlainFile(home: home)
    }
}

struct PlainFile: ConformanceDatabase {
    let home: URL

    var configuration: DatabaseConfiguration { .plainSQLite(path: home.appendingPathComponent("database.db").path) }

    func destroy() async throws { try FileManager.default.removeItem(at: home) }
}

let manifest = ConformanceManifest(
    driver: "plain-sqlite", claims: [.core],
    declines: [.graph: "It has no delete rules.", .live: "It has no change log.", .documents: "It has no JSON."],
    knownIssues: knownIssues)
let cases = ConformanceCase.all.filter { CommandLine.arguments.count < 2 || $0.id.contains(CommandLine.arguments[1]) }
let report = await ConformanceRunner(PlainProvision(), manifest: manifest).run(cases)
print(report)
exit(report.isAcceptable ? 0 : 1)
