import Synchronization

/// Saves that wait until another save of the same object has ended.
final class SaveWaiters: Sendable {
    private let waiters = Mutex<[ObjectIdentifier: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits until ``finished(_:)`` is called for the object, which must be known to be in flight on this isolation.
    func wait(for object: ObjectIdentifier) async {
        await withCheckedContinuation { waiter in
            waiters.withLock { $0[object, default: []].append(waiter) }
        }
    }

    func finished(_ objects: some Sequence<ObjectIdentifier>) {
        let ready = waiters.withLock { waiters in
            waiters.isEmpty ? [] : objects.flatMap { waiters.removeValue(forKey: $0) ?? [] }
        }
        for waiter in ready { waiter.resume() }
    }
}
