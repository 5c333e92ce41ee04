import Synchronization

/// The tasks that read streams with connections of their own, so that none of them waits for its own stream.
///
/// A stream's connection is held between two calls of its iterator, outside of any closure: so no task-local value can
/// say that its task holds one, as ``CurrentLease`` does for transactions.
final class StreamTasks: Sendable {
    private let tasks = Mutex<[ObjectIdentifier: Int]>([:])

    /// Notes that the current task reads a stream.
    func note(_ lease: Lease) {
        guard let task = Self.current else { return }
        tasks.withLock { $0[ObjectIdentifier(lease)] = task }
    }

    /// Forgets a stream, which is not read any more.
    func forget(_ lease: Lease) { _ = tasks.withLock { $0.removeValue(forKey: ObjectIdentifier(lease)) } }

    /// Refuses what would wait for a stream that the current task was the last to read.
    ///
    /// - Throws: ``DatabaseError/Code/nestedCheckout``.
    func check() throws {
        guard let task = Self.current, tasks.withLock({ $0.values.contains(task) }) else { return }
        throw DatabaseError(
            .nestedCheckout,
            "The database was closed inside a loop over one of its streams, which holds a connection. "
                + "Leave the loop first.")
    }

    private static var current: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
