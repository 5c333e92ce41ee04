import EngineProvisions
import Foundation
import Holdfast
import HoldfastConformance
import Synchronization
import Testing

@Suite struct RunnerTests {
    private func outcome(
        _ requires: [Requirement] = [],
        knownIssues: [String] = [],
        timeLimit: Duration = .seconds(30),
        _ run: @escaping @Sendable (ConformanceEnvironment) async throws -> Void
    ) async -> ConformanceOutcome {
        let manifest = ConformanceManifest(
            driver: "x",
            claims: [.core],
            knownIssues: knownIssues.map { .init($0, "reason of \($0)") }
        )
        let runner = ConformanceRunner(Engines.sqlite.provision, manifest: manifest, timeLimit: timeLimit, seed: 1)
        return await runner.run(ConformanceCase("a.case", "A", "What a test says", requires: requires, run: run))
            .outcome
    }

    private static let missing = Requirement("flying") { _ in .missing }
    private static let emulated = Requirement("walking") { _ in .emulated }

    private struct Failure: Error {}

    // MARK: Outcomes

    @Test func `a case that throws nothing passes`() async {
        #expect(await outcome { _ in } == .passed)
    }

    @Test func `a case that throws fails, with what was thrown and where`() async {
        let failure = await outcome { _ in try expect(1, equals: 2, "the number") }
        #expect(failure.detail?.contains("the number: expected 2, found 1.") == true, "\(failure)")
        #expect(failure.detail?.contains("RunnerTests.swift") == true, "\(failure)")
        #expect(!failure.isAcceptable)
        let thrown = await outcome { _ in throw DatabaseError(.diskFull, "No room.") }
        #expect(thrown.detail?.contains("diskFull: No room.") == true, "\(thrown)")
    }

    @Test func `what an engine does by other means is emulated`() async {
        #expect(await outcome([Self.emulated]) { _ in } == .emulated(["walking"]))
        #expect(await !outcome([Self.emulated]) { _ in throw Failure() }.isAcceptable)
    }

    @Test func `what an engine can't do must be refused as unsupported`() async {
        let refused = await outcome([Self.missing]) { _ in throw DatabaseError(.unsupported, "No wings.") }
        #expect(refused == .unsupportedAndRefused(["flying"]))
        let nested = await outcome([Self.missing]) { _ in
            try await expect(.connectionLost, from: "flying") { throw DatabaseError(.unsupported, "No wings.") }
        }
        #expect(nested == .unsupportedAndRefused(["flying"]))
        #expect(await !outcome([Self.missing]) { _ in }.isAcceptable)
        #expect(await !outcome([Self.missing]) { _ in throw DatabaseError(.engine, "Crashed.") }.isAcceptable)
    }

    @Test func `what an engine claims must not be refused`() async {
        #expect(await !outcome { _ in throw DatabaseError(.unsupported, "No wings.") }.isAcceptable)
    }

    @Test func `a known issue is acceptable as long as it fails`() async {
        #expect(
            await outcome(knownIssues: ["a.case"]) { _ in throw Failure() } == .knownIssue(reason: "reason of a.case")
        )
        #expect(await !outcome(knownIssues: ["a.case"]) { _ in }.isAcceptable)
    }

    // MARK: Time

    @Test func `a case that hangs fails in time`() async {
        let start = ContinuousClock.now
        let hanging = await outcome(timeLimit: .milliseconds(200)) { _ in try await Task.sleep(for: .seconds(60)) }
        #expect(hanging.detail?.contains("did not end within") == true, "\(hanging)")
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `a case that hangs and can't be cancelled fails in time`() async {
        let start = ContinuousClock.now
        let hanging = await outcome(timeLimit: .milliseconds(200)) { _ in
            await withCheckedContinuation { continuation in
                Task.detached {
                    try? await Task.sleep(for: .seconds(40))
                    continuation.resume()
                }
            }
        }
        #expect(hanging.detail?.contains("did not end within") == true, "\(hanging)")
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `no more cases run at the same time than allowed`() async {
        let running = Mutex((now: 0, most: 0))
        let runner = ConformanceRunner(Engines.sqlite.provision, manifest: .sqlite, concurrency: 3)
        let cases = (0..<12).map { number in
            ConformanceCase("a.\(number)", "A", "What a test says") { _ in
                running.withLock { running in
                    running.now += 1
                    running.most = max(running.most, running.now)
                }
                try await Task.sleep(for: .milliseconds(20))
                running.withLock { $0.now -= 1 }
            }
        }
        let report = await runner.run(cases)
        #expect(report.results.map(\.behaviour.id) == cases.map(\.id))
        #expect(running.withLock { $0.most } <= 3)
        #expect(report.isAcceptable, "\(report)")
    }

    // MARK: Databases

    @Test func `each case has an empty database, which is gone afterwards`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("runner-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let runner = ConformanceRunner(SQLiteProvision(directory: directory.path), manifest: .sqlite)
        let cases = (0..<3).map { number in
            ConformanceCase("a.\(number)", "A", "What a test says") { environment in
                let db = try await environment.open()
                try await db.sql("CREATE TABLE mine (number bigint)").execute()
                if number == 1 { throw Failure() }
            }
        }
        let report = await runner.run(cases)
        #expect(report.counts == ["passed": 2, "failed": 1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test(arguments: ["qry-3.indexes", "qry-3.unique-indexes", "qry-3.renamed-indexes", "doc-2.indexes"])
    func `values inside documents are indexed where the schema is trusted, whatever the library`(
        _ id: String
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.path
        let runner = ConformanceRunner(
            SQLiteProvision(directory: directory, trustsSchema: true), manifest: .sqlite)
        let behaviour = try #require(ConformanceCase.all.first { $0.id == id })
        let result = await runner.run(behaviour)
        #expect(result.outcome == .passed, "\(result.outcome)")
    }

    @Test(arguments: ConformanceCase.all.filter { $0.id.hasPrefix("search-") })
    func `texts are searched where the schema is trusted, whatever the library`(_ behaviour: ConformanceCase) async {
        let directory = FileManager.default.temporaryDirectory.path
        let runner = ConformanceRunner(SQLiteProvision(directory: directory, trustsSchema: true), manifest: .sqlite)
        let result = await runner.run(behaviour)
        #expect(result.outcome == .passed, "\(result.outcome)")
    }

    @Test func `a provision that fails fails the case`() async {
        let runner = ConformanceRunner(SQLiteProvision(directory: "/nowhere"), manifest: .sqlite)
        let result = await runner.run(ConformanceCase("a.case", "A", "What a test says") { _ in })
        #expect(result.outcome.detail?.contains("No database could be made") == true, "\(result.outcome)")
    }
}
