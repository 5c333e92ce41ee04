import Foundation
import Holdfast
import HoldfastPostgres
import Testing

@testable import HoldfastTesting

@Suite(.enabled(if: DriverType.postgres.isTested, "HOLDFAST_TEST_ENGINES leaves PostgreSQL out."))
struct TestServerTests {
    @Test func `databases of processes that are gone are dropped, and no others`() async throws {
        let server = try await ServerStore.shared.server(.postgres)
        let mine = server.nextName("test")
        let abandoned = "holdfast_test_0123456789ab_test_1"
        let other = "holdfast_other"
        for name in [mine, abandoned, other] { try await server.create(name) }
        try await server.dropAbandoned()
        let names = try await Database.withDatabase(.postgres(url: server.url(of: mine))) { db in
            try await db.sql("SELECT datname::text FROM pg_database").fetch(as: String.self)
        }
        #expect(names.contains(mine))
        #expect(names.contains(other))
        #expect(!names.contains(abandoned))
        for name in [mine, other] { try await server.drop(name) }
    }

    @Test func `a server is stopped, and its files are removed, when its pipe ends`() async throws {
        let server = try await ThrowawayServer.start()
        let file = try String(contentsOfFile: "\(server.directory)/data/postmaster.pid", encoding: .utf8)
        let process = try #require(file.split(separator: "\n").first.flatMap { Int32($0) })
        try await Database.withDatabase(.postgres(url: server.url)) { db in
            let values = try await db.sql("SELECT 1").fetch(as: Int.self)
            #expect(values == [1])
        }
        #expect(kill(process, 0) == 0)
        // As the system closes it, however the process goes.
        close(server.lifeline)
        let patience = ContinuousClock.now + .seconds(20)
        while FileManager.default.fileExists(atPath: server.directory), .now < patience {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(!FileManager.default.fileExists(atPath: server.directory))
        // Its parent may take a moment to notice.
        while kill(process, 0) == 0, .now < patience { try await Task.sleep(for: .milliseconds(20)) }
        #expect(kill(process, 0) != 0)
    }

    @Test func `who waits at a gate enters in turn`() async {
        let gate = Gate(width: 2)
        await gate.enter()
        await gate.enter()
        async let third: Void = gate.enter()
        gate.leave()
        await third
        gate.leave()
        gate.leave()
        await gate.enter()
        gate.leave()
    }
}
