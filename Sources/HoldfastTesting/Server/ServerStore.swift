import Dispatch
import Foundation
import Holdfast
import Synchronization

/// Makes the databases of PostgreSQL: clones of one that was migrated once.
///
/// They are on the server of `HOLDFAST_TEST_POSTGRES_URL`, or on one of this process's own. Their names begin with
/// those of the process, so that several can work at one server, and what a crashed one has left is recognised.
final class ServerStore: DatabaseStore {
    static let shared = ServerStore()

    private struct Nothing: Hashable {}

    private let servers = OnceForKey<Nothing, TestServer>()
    private let templates = OnceForKey<DatabaseTemplate.Key, String>()

    /// The server, which is made ready at its first use.
    func server(_ engine: DriverType) async throws -> TestServer {
        try await servers.value(for: Nothing()) {
            if let url = ProcessInfo.processInfo.environment["HOLDFAST_TEST_POSTGRES_URL"], !url.isEmpty {
                let server = try await TestServer(url: url, engine, isOwn: false)
                try await server.dropAbandoned()
                atexit { ServerStore.shared.dropTemplates() }
                return server
            }
            return try await TestServer(url: ThrowawayServer.start().url, engine, isOwn: true)
        }
    }

    func gate(_ engine: DriverType) async throws -> Gate { try await server(engine).gate }

    func makeDatabase(_ template: DatabaseTemplate, _ engine: DriverType) async throws -> StoredDatabase {
        let server = try await server(engine)
        let source = try await templates.value(for: template.key) {
            let name = server.nextName("template")
            try await server.create(name)
            try await template.fill(engine.configure(server.url(of: name)))
            return name
        }
        let name = server.nextName("test")
        try await server.create(name, from: source)
        return StoredDatabase(url: server.url(of: name)) { try await server.drop(name) }
    }

    /// Drops the templates when the process exits, from a server that goes on.
    ///
    /// If that fails, the next process at the server does it.
    private func dropTemplates() {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached { [self] in
            if let server = await servers.made.first {
                for name in await templates.made { try? await server.drop(name) }
            }
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + 5)
    }
}
