/// Reads something again whenever a commit may have changed it, on the isolation of whoever iterates.
final class ObservationLoop {
    private let core: DatabaseCore
    private let observation: Observation
    private let delay: Duration
    private var hasRead = false
    private var hasEnded = false

    /// How long it waits before it asks a server again that is not there.
    private static let pauses = (first: Duration.milliseconds(50), last: Duration.seconds(2))

    /// - Parameters:
    ///   - tables: The names of the tables that are read; nil for all.
    ///   - delay: How long further commits are waited for after one.
    /// - Throws: ``DatabaseError/Code/unsupported`` in a transaction.
    init(_ access: DatabaseAccess, tables: Set<String>?, delay: Duration) throws {
        guard case .database(let core) = access.kind else {
            throw DatabaseError(
                .unsupported,
                "A transaction sees one state of the database, so there is nothing to observe. Observe through the database."
            )
        }
        self.core = core
        self.delay = delay
        observation = core.observations.observe(tables)
    }

    /// Reads at first, and then after each commit that may have changed something, until `read` returns a value.
    ///
    /// - Returns: nil once the task was cancelled.
    func next<Value>(_ read: () async throws -> Value?) async throws -> Value? {
        guard !hasEnded else { return nil }
        do {
            while true {
                if hasRead {
                    try await observation.signal.wait()
                    try await Task.sleep(for: delay)
                }
                observation.signal.reset()
                let value = try await hasRead ? readPatiently(read) : read()
                hasRead = true
                if let value { return value }
            }
        } catch {
            hasEnded = true
            if Task.isCancelled { return nil }
            throw error
        }
    }

    /// Reads, and goes on to try while the server is not there.
    private func readPatiently<Value>(_ read: () async throws -> Value?) async throws -> Value? {
        var pause = Self.pauses.first
        while true {
            do {
                return try await read()
            } catch let error as DatabaseError where Self.isOutage(error) && !core.isClosing {
                try await Task.sleep(for: pause)
                pause = min(pause * 2, Self.pauses.last)
            }
        }
    }

    private static func isOutage(_ error: DatabaseError) -> Bool {
        switch error.code {
        case .connectionLost, .cannotConnect, .poolTimeout: true
        default: false
        }
    }
}
