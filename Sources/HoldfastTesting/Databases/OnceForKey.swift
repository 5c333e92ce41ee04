import Synchronization

/// Values that are made at their first use, each once.
///
/// A failure is kept as well: the other tests fail of the same reason, and don't wait for it again.
final class OnceForKey<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let tasks = Mutex<[Key: Task<Value, any Error>]>([:])

    /// The value of a key.
    ///
    /// - Parameter make: Makes it, in a task that outlives the one of the first caller.
    func value(for key: Key, make: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = tasks.withLock { tasks in
            if let task = tasks[key] { return task }
            let task = Task.detached { try await make() }
            tasks[key] = task
            return task
        }
        return try await task.value
    }

    /// The values that were made so far, or are being made.
    var made: [Value] {
        get async {
            var values: [Value] = []
            for task in tasks.withLock({ Array($0.values) }) {
                if case .success(let value) = await task.result { values.append(value) }
            }
            return values
        }
    }
}
