import Synchronization

/// Saves that wait until another save of the same object has ended; and those that have yet to get a connection.
///
/// A save inside a transaction waits with a connection in its hands. Where the save it waits for has yet to get one,
/// and all connections are in such hands, neither would ever end.
///
/// There is one for the process: an object can be saved to several databases, and what is in flight to one is waited
/// for by saves to the others.
final class SaveWaiters: Sendable {
    static let shared = SaveWaiters()

    /// How long a save that holds a connection waits at most where neither locks nor checkouts have a timeout as
    /// short: the other may wait for a lock of its transaction, which nobody can find out.
    static let patience = Duration.seconds(10)

    /// A ticket of somebody who waits for an object: drawn without suspension, waited with later.
    struct Ticket {
        let object: ObjectIdentifier
        fileprivate let number: Int
    }

    private enum Waiter {
        /// A ticket was drawn, and the wait has yet to begin.
        case coming
        case waiting(CheckedContinuation<Void, any Error>)
    }

    private struct State {
        var waiters: [ObjectIdentifier: [Int: Waiter]] = [:]
        var lastNumber = 0
        /// The saves that ask for a connection, with their databases.
        var queued: [UInt32: DatabaseID] = [:]
        /// For each save that waits with a connection, the one that it waits for, and the database of the connection.
        var heldUp: [Int: (save: UInt32, database: DatabaseID)] = [:]

        /// Draws a ticket.
        mutating func draw(for object: ObjectIdentifier) -> Ticket {
            lastNumber += 1
            waiters[object, default: [:]][lastNumber] = .coming
            return Ticket(object: object, number: lastNumber)
        }

        mutating func remove(_ ticket: Ticket) -> Waiter? {
            let waiter = waiters[ticket.object]?.removeValue(forKey: ticket.number)
            if waiter != nil { heldUp[ticket.number] = nil }
            if waiters[ticket.object]?.isEmpty == true { waiters[ticket.object] = nil }
            return waiter
        }
    }

    private let state = Mutex(State())

    /// Draws a ticket to wait for an object, which must be known to be in flight on this isolation.
    ///
    /// Without suspension: so that ``finished(_:)`` can't come between what was found out of the object and the wait.
    func ticket(for object: ObjectIdentifier) -> Ticket { state.withLock { $0.draw(for: object) } }

    /// Draws a ticket for a save inside a transaction, which holds one of so many connections.
    ///
    /// - Parameters:
    ///   - inserter: The save that is waited for.
    ///   - database: The database of the transaction.
    ///   - connectionCount: How many connections there can be that write.
    /// - Returns: Nil if every connection would be held by a save that waits for one which needs a connection.
    func ticket(
        for object: ObjectIdentifier, heldUpBy inserter: UInt32, in database: DatabaseID, connectionCount: Int
    ) -> Ticket? {
        state.withLock { state in
            if state.queued[inserter] == database {
                let heldCount = state.heldUp.values.count {
                    $0.database == database && state.queued[$0.save] == database
                }
                if heldCount + 1 >= connectionCount { return nil }
            }
            let ticket = state.draw(for: object)
            state.heldUp[ticket.number] = (inserter, database)
            return ticket
        }
    }

    /// Waits as ``wait(with:)`` does, until a point in time.
    ///
    /// - Throws: ``DatabaseError/Code/lockTimeout`` if that comes first.
    func wait(with ticket: Ticket, until deadline: Duration) async throws {
        let timer = Task.detached { [self] in
            let latest = PoolClock.now + .seconds(86_400)
            var time = min(deadline, latest)
            // It may have yet to begin to wait.
            repeat {
                guard (try? await PoolClock.sleep(until: time)) != nil else { return }
                time = PoolClock.now + .milliseconds(10)
            } while !fail(ticket, Self.timedOut)
        }
        defer { timer.cancel() }
        try await wait(with: ticket)
    }

    /// Waits until ``finished(_:)`` is called for the object, or has been since the ticket was drawn.
    ///
    /// - Throws: ``DatabaseError/Code/cancelled`` if the task is cancelled.
    func wait(with ticket: Ticket) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    guard case .coming = state.waiters[ticket.object]?[ticket.number] else { return .success(()) }
                    // A cancellation that came before the lock found nobody who waits.
                    if Task.isCancelled {
                        _ = state.remove(ticket)
                        return .failure(Self.cancelled)
                    }
                    state.waiters[ticket.object]?[ticket.number] = .waiting(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            fail(ticket, Self.cancelled)
        }
    }

    /// Ends a wait.
    ///
    /// - Returns: Whether it had begun.
    @discardableResult
    private func fail(_ ticket: Ticket, _ error: DatabaseError) -> Bool {
        let waiter = state.withLock { state in
            guard case .waiting(let continuation) = state.waiters[ticket.object]?[ticket.number] else {
                return nil as CheckedContinuation<Void, any Error>?
            }
            _ = state.remove(ticket)
            return continuation
        }
        waiter?.resume(throwing: error)
        return waiter != nil
    }

    /// Whether any save waits.
    var hasWaiters: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Lets those go on who wait for one of the objects.
    func finished(_ objects: some Sequence<ObjectIdentifier>) {
        let ready = state.withLock { state in
            guard !state.waiters.isEmpty else { return [(key: Int, value: Waiter)]() }
            let ready = objects.flatMap { state.waiters.removeValue(forKey: $0) ?? [:] }
            if !state.heldUp.isEmpty { for (ticket, _) in ready { state.heldUp[ticket] = nil } }
            return ready
        }
        for case (_, .waiting(let continuation)) in ready.inOrder({ $0.key < $1.key }) { continuation.resume() }
    }

    // MARK: Saves in the queue for a connection

    /// Says that a save is about to ask for its connection.
    func enqueue(_ save: UInt32, in database: DatabaseID) { state.withLock { $0.queued[save] = database } }

    /// Says that a save has its connection, or needs none any more.
    func leaveQueue(_ save: UInt32) { state.withLock { $0.queued[save] = nil } }

    private static let timedOut = DatabaseError(
        .lockTimeout,
        "Another save of this object, which may wait for the transaction around this one, did not end in time. Save it in one place, or wait for the other save first."
    )
    private static let cancelled = DatabaseError(
        .cancelled, "The task was cancelled while it waited for another save of an object; nothing was done.")
}

/// An object in flight in another save, which has to end first.
struct AwaitedObject {
    let identity: ObjectIdentifier
    /// The number of the save that inserts it, or did.
    let insertingSaveID: UInt32
}
