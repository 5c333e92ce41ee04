import Logging
import Synchronization

/// Deletes what has expired in the background, once a type is used whose objects do.
final class ExpirySweeper: Sendable {
    private typealias Sweep = @Sendable (DatabaseCore) async throws -> (count: Int, refusal: DatabaseError?)

    private struct State {
        var sweeps: [ObjectIdentifier: (table: String, sweep: Sweep)] = [:]
        var task: Task<Void, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a type, and begins with the first.
    func add<Model: TableObject>(_ type: Model.Type, to core: DatabaseCore) {
        let description = type.ownDescription
        guard !description.isReadOnly else { return }
        state.withLock { state in
            guard !state.isClosed else { return }
            state.sweeps[ObjectIdentifier(type)] = (
                description.table, { core in try await ExpirySweep<Model>(core: core).run() }
            )
            guard state.task == nil, let interval = core.configuration.expirySweepInterval else { return }
            // Detached from whoever uses the type first. The database is kept only while it is swept.
            state.task = Task.detached(priority: .utility) { [weak core] in
                var pause = max(interval, .milliseconds(1)) * Double.random(in: 0...1)
                // Sleep throws when the sweeper is closed, which is the end.
                while (try? await Task.sleep(for: pause)) != nil, let core {
                    await core.sweeper.sweep(core)
                    pause = max(interval, .milliseconds(1))
                }
            }
        }
    }

    /// Deletes what has expired of each type; what fails is logged.
    private func sweep(_ core: DatabaseCore) async {
        for (table, sweep) in state.withLock({ Array($0.sweeps.values) }) where !Task.isCancelled {
            do {
                if let error = try await sweep(core).refusal { log(error, table, core) }
            } catch {
                if !Task.isCancelled, !core.isClosing { log(error as? DatabaseError, table, core) }
            }
        }
    }

    private func log(_ error: DatabaseError?, _ table: String, _ core: DatabaseCore) {
        core.configuration.logger.warning(
            "Objects that have expired could not be deleted; it is tried again.",
            metadata: ["table": "\(table)", "code": "\(error.map { "\($0.code)" } ?? "unknown")"])
    }

    /// Ends for good, after what is under way has been rolled back.
    func close() async {
        let task = state.withLock { state in
            state.isClosed = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }
}
