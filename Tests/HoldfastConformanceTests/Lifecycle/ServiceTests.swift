import Holdfast
import HoldfastConformance
import HoldfastServiceLifecycle
import Logging
import ServiceLifecycle
import Synchronization
import Testing

/// A database as one of the services of a program.
@Suite struct ServiceTests {
    /// Uses a database until it is told to end, and then for a while longer.
    private struct Worker: Service {
        let db: Database
        let begins: AsyncStream<Void>.Continuation
        let count = Count()

        func run() async throws {
            try await withGracefulShutdownHandler {
                while !count.isOver.load(ordering: .relaxed) {
                    try await db.transaction { tx in
                        _ = try await tx.sql("SELECT 1").fetch(as: Int.self)
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    count.transactions.add(1, ordering: .relaxed)
                    begins.yield()
                }
            } onGracefulShutdown: {
                count.isOver.store(true, ordering: .relaxed)
            }
        }
    }

    private final class Count: Sendable {
        let transactions = Atomic(0)
        let isOver = Atomic(false)
    }

    @Test(arguments: SchemaEngine.available) func `a database closes after the services that use it`(
        engine: SchemaEngine
    ) async throws {
        let home = try await engine.provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let worker = Worker(db: db, begins: begins)
        let group = ServiceGroup(services: [db, worker], logger: Logger(label: "test"))
        let running = Task { try await group.run() }
        for await _ in begun { break }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(worker.count.transactions.load(ordering: .relaxed) > 0)
        let error = await #expect(throws: DatabaseError.self) { try await db.ping() }
        #expect(error?.code == .closed)
        #expect(db.poolStatistics.idle + db.poolStatistics.inUse == 0)
        try await home.destroy()
    }

    @Test(arguments: SchemaEngine.available) func `what does not end in time is stopped`(
        engine: SchemaEngine
    ) async throws {
        let home = try await engine.provision.makeDatabase()
        let db = try await Database.open(home.configuration.with { $0.timeouts.shutdown = .milliseconds(200) })
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let endless = Task {
            try await db.transaction { tx in
                begins.yield()
                while true {
                    _ = try await tx.sql("SELECT 1").fetch(as: Int.self)
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
        }
        for await _ in begun { break }
        let group = ServiceGroup(services: [db], logger: Logger(label: "test"))
        let running = Task { try await group.run() }
        try await Task.sleep(for: .milliseconds(50))
        let duration = try await ContinuousClock().measure {
            await group.triggerGracefulShutdown()
            try await running.value
        }
        #expect(duration >= .milliseconds(200) && duration < .seconds(10))
        let error = await #expect(throws: DatabaseError.self) { try await endless.value }
        #expect(error?.code == .closed || error?.code == .cancelled)
        try await home.destroy()
    }

    @Test func `a cancelled service closes the database`() async throws {
        let home = try await SchemaEngine.sqlite.provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        let running = Task { try await db.run() }
        try await Task.sleep(for: .milliseconds(20))
        running.cancel()
        try await running.value
        #expect(await !db.isReady())
        try await home.destroy()
    }
}
