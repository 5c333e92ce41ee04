import Holdfast
import Synchronization

/// The databases of one test while it runs: one for each engine that it asks for.
final class TestScope: Sendable {
    @TaskLocal static var current: TestScope?

    private struct Opened: Sendable {
        let database: TestDatabase
        /// Left when the database is gone.
        let gate: Gate?
    }

    private let settings: TestSettings
    /// Whether another scope is around this one, so that its test has come through a gate already: if it waited at one
    /// again, it could wait for tests that wait as it does.
    private let isNested: Bool
    private let databases = OnceForKey<[String], Opened>()
    private let lastOpened = Mutex<TestDatabase?>(nil)

    init(_ settings: TestSettings) {
        self.settings = settings
        isNested = Self.current != nil
    }

    static var absent: DatabaseError {
        DatabaseError(
            .notFound,
            "No test with a database runs here. Give it the trait .database(…), and use Database.current in the test's own tasks, not in detached ones."
        )
    }

    /// The database of an engine, which is made when it is first asked for.
    func database(on engine: DriverType) async throws -> TestDatabase {
        let (settings, isNested) = (settings, isNested)
        let opened = try await databases.value(for: engine.schemes) {
            let store = try engine.store
            let gate = isNested ? nil : try await store.gate(engine)
            await gate?.enter()
            do {
                let stored = try await store.makeDatabase(settings.template, engine)
                return Opened(database: try await TestDatabase(stored, engine, settings), gate: gate)
            } catch {
                gate?.leave()
                throw error
            }
        }
        lastOpened.withLock { $0 = opened.database }
        return opened.database
    }

    /// The database that was asked for last.
    var latest: TestDatabase {
        get throws {
            guard let database = lastOpened.withLock({ $0 }) else {
                throw DatabaseError(
                    .notFound,
                    "The trait .database(…) of this test names no engine. Call Database.current(on:) before Database.current."
                )
            }
            return database
        }
    }

    /// Runs `body` as the test of this scope, and removes its databases.
    func run<Output>(_ body: nonisolated(nonsending) (TestScope) async throws -> Output) async throws -> Output {
        let output: Output
        do {
            output = try await Self.$current.binding(self) { try await body(self) }
        } catch {
            // What the test failed of says more than what went wrong afterwards.
            try? await removeDatabases()
            throw error
        }
        try await removeDatabases()
        return output
    }

    private func removeDatabases() async throws {
        // In a task of its own: what a cancelled test has made is removed, too.
        try await Task.detached { [self] in
            var failure: (any Error)?
            for opened in await databases.made {
                do { try await opened.database.remove() } catch { failure = failure ?? error }
                opened.gate?.leave()
            }
            if let failure { throw failure }
        }.value
    }
}
