import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// Databases that can't be reached yet when a program starts.
@Suite struct StartTests {
    @Test func `opening waits for a file's directory as long as it is told to`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-start-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let configuration = DatabaseConfiguration.sqlite(path: directory.appendingPathComponent("a.db").path)
        let start = ContinuousClock.now
        let error = await #expect(throws: DatabaseError.self) { _ = try await Database.open(configuration) }
        #expect(error?.code == .cannotConnect)
        let later = await #expect(throws: DatabaseError.self) {
            _ = try await Database.open(configuration.with { $0.timeouts.start = .milliseconds(300) })
        }
        #expect(later?.code == .cannotConnect)
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        async let db = Database.open(configuration.with { $0.timeouts.start = .seconds(60) })
        try await Task.sleep(for: .milliseconds(300))
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let opened = try await db
        #expect(await opened.isReady())
        try await opened.close()
    }

    @Test func `a task that is cancelled waits no longer`() async throws {
        let configuration = DatabaseConfiguration.sqlite(path: "/nowhere/at/all.db").with {
            $0.timeouts.start = .seconds(600)
        }
        let opening = Task { _ = try await Database.open(configuration) }
        try await Task.sleep(for: .milliseconds(50))
        opening.cancel()
        let error = await #expect(throws: DatabaseError.self) { try await opening.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `readiness ends with the database, and with its connections`() async throws {
        let db = try await Database.open(.sqlite(.inMemory).with { $0.pool.maximumConnections = 1 })
        #expect(await db.isReady())
        try await db.close()
        #expect(await !db.isReady())
    }
}
