import Logging
import Synchronization

/// Deletes what has expired in the background, once a type is used whose objects do.
final class ExpirySweeper: DatabaseService {
    /// Returns the error about the first object that could not be deleted, and how many there were.
    private typealias Sweep = @Sendable (DatabaseCore) async throws -> (refusal: DatabaseError?, refusedCount: Int)

    private struct State {
        var sweeps: [ObjectIdentifier: (table: String, sweep: Sweep)] = [:]
        var task: Task<Void, Never>?
        var isClosed = false
        /// For each type that a sweep did not come to the end of, the key of the last row that it passed over.
        var places: [ObjectIdentifier: Key] = [:]
    }

    private let state = Mutex(State())

    /// Adds a type, and begins with the first.
    func add<Model: TableObject>(_ type: Model.Type, to core: DatabaseCore) {
        let description = type.ownDescription
        guard !description.isReadOnly else { return }
        state.withLock { state in
            // A database that is closed before any type expires has nothing that would close this.
            guard !state.isClosed, !core.isClosing else { return }
            state.sweeps[ObjectIdentifier(type)] = (
                description.table,
                { core in
                    let outcome = try await ExpirySweep<Model>(core: core).run()
                    return (outcome.refusal, outcome.refusedCount)
                }
            )
            guard state.task == nil, let interval = core.configuration.expiry.sweepInterval else { return }
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
                let (refusal, count) = try await sweep(core)
                if let refusal { log(refusal, table, core, count) }
            } catch {
                if !Task.isCancelled, !core.isClosing { log(error as? DatabaseError, table, core) }
            }
        }
    }

    private func log(_ error: DatabaseError?, _ table: String, _ core: DatabaseCore, _ count: Int? = nil) {
        var metadata: Logger.Metadata = ["table": "\(table)", "code": "\(error.map { "\($0.code)" } ?? "unknown")"]
        if let count { metadata["objects"] = "\(count)" }
        core.configuration.telemetry.logger.warning(
            "Objects that have expired could not be deleted; it is tried again.", metadata: metadata)
    }

    // MARK: Where sweeps go on

    /// The key of the row behind which the next sweep of a type begins; nil for the first row.
    func place(in type: any TableObject.Type) -> Key? { state.withLock { $0.places[ObjectIdentifier(type)] } }

    /// Notes how far a sweep of a type has come.
    func setPlace(_ key: Key?, in type: any TableObject.Type) {
        state.withLock { $0.places[ObjectIdentifier(type)] = key }
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

extension DatabaseCore {
    /// Deletes what has expired.
    var sweeper: ExpirySweeper { services.service(ExpirySweeper.self) }
}
