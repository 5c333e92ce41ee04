import EngineProvisions
import Foundation
import HoldfastConformance
import Testing

@Suite struct ReportTests {
    private func report(
        _ manifest: ConformanceManifest = ConformanceManifest(driver: "toy", claims: [.core])
    ) async -> ConformanceReport {
        await ConformanceRunner(Engines.sqlite.provision, manifest: manifest, seed: 42).run([
            ConformanceCase("a.good", "A", "What is good passes") { _ in },
            ConformanceCase("b.bad", "B", "What is bad does not") { _ in try expect(false, "It is bad.") },
            ConformanceCase("b.later", "B", "What comes later is left out", level: .live) { _ in },
        ])
    }

    @Test func `for people it is a table by clause, and what failed`() async {
        let text = await report(ConformanceManifest(driver: "toy", claims: [.core], declines: [.live: "not yet"]))
            .description
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "clause  passed  emulated  unsupported  known issue  failed")
        #expect(lines[1] == "A            1         ·            ·            ·       ·")
        #expect(lines[2] == "B            ·         ·            ·            ·       1")
        #expect(lines[3] == "all          1         ·            ·            ·       1")
        #expect(text.contains("b.bad: failed\n    What is bad does not\n    It is bad. ("))
        #expect(text.hasSuffix("toy does not conform. Repeat with the seed 42."))
    }

    @Test func `for machines it is JSON`() async throws {
        let data = try JSONEncoder().encode(
            await report(
                ConformanceManifest(driver: "toy", claims: [.core, .graph], declines: [.live: "x", .documents: "x"]))
        )
        struct Read: Decodable {
            struct Case: Decodable {
                var id, clause, level, title, outcome: String
                var detail: String?
                var seconds: Double
            }

            var driver: String
            var seed: UInt64
            var conforms: Bool
            var counts: [String: Int]
            var problems: [String]
            var cases: [Case]
        }
        let read = try JSONDecoder().decode(Read.self, from: data)
        #expect(read.driver == "toy")
        #expect(read.seed == 42)
        #expect(!read.conforms)
        #expect(read.counts == ["passed": 1, "failed": 1])
        #expect(read.problems == [])
        #expect(read.cases.map(\.id) == ["a.good", "b.bad"])
        #expect(read.cases.map(\.outcome) == ["passed", "failed"])
        #expect(read.cases[0].detail == nil)
        #expect(read.cases[1].detail?.hasPrefix("It is bad.") == true)
        #expect(read.cases.allSatisfy { $0.level == "Core" && $0.seconds >= 0 })
    }

    @Test func `a problem of the manifest makes the report unacceptable`() async {
        let manifest = ConformanceManifest(driver: "toy", claims: [.core], knownIssues: [.init("no.such", "x")])
        let report = await ConformanceRunner(Engines.sqlite.provision, manifest: manifest).run([
            ConformanceCase("a.good", "A", "What is good passes") { _ in }
        ])
        #expect(!report.isAcceptable)
        #expect(report.description.contains("no.such"))
    }

    @Test func `a run of nothing is not acceptable`() async {
        let report = await ConformanceRunner(Engines.sqlite.provision, manifest: .sqlite).run([])
        #expect(!report.isAcceptable)
    }
}
