import Synchronization

/// The observations of a database, which are told what this process has committed.
final class Observations: Sendable {
    private struct State {
        var signals: [Int: ObservationSignal] = [:]
        var listeners: [Int: ObjectListener] = [:]
        var lastNumber = 0

        var isEmpty: Bool { signals.isEmpty && listeners.isEmpty }
    }

    private let state = Mutex(State())
    /// The number of times that there came to be observations, or to be none: odd while there are some.
    private let activity = Atomic<Int>(0)

    private let listenerCount = Atomic<Int>(0)

    /// Whether somebody listens to objects: all that a save asks.
    var hasListeners: Bool { listenerCount.load(ordering: .acquiring) > 0 }

    /// Whether somebody observes: all that a statement asks.
    var isActive: Bool { activity.load(ordering: .acquiring) & 1 == 1 }

    /// A number that stays the same for as long as somebody observes, or nobody does.
    var period: Int { activity.load(ordering: .acquiring) }

    /// Begins to observe tables, until the result is released.
    ///
    /// - Parameter tables: The names of the tables; nil for all.
    func observe(_ tables: Set<String>?) -> Observation {
        let signal = ObservationSignal(tables)
        let number = state.withLock { state in
            state.lastNumber += 1
            if state.isEmpty { activity.add(1, ordering: .acquiringAndReleasing) }
            state.signals[state.lastNumber] = signal
            return state.lastNumber
        }
        return Observation(signal: signal, number: number, observations: self)
    }

    /// Adds a listener, until the number is ended.
    func add(_ listener: ObjectListener) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            if state.isEmpty { activity.add(1, ordering: .acquiringAndReleasing) }
            state.listeners[state.lastNumber] = listener
            listenerCount.store(state.listeners.count, ordering: .releasing)
            return state.lastNumber
        }
    }

    /// Tells listeners of committed changes to the objects of a table.
    func publish(_ changes: [ObjectChange], of table: String) {
        for listener in state.withLock({ Array($0.listeners.values) }) where listener.table == table {
            for change in changes { listener.receive(change) }
        }
    }

    /// Ends all listeners, when the database is closed.
    func close() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.consumer.close() }
    }

    func end(_ number: Int) {
        state.withLock { state in
            let known: (any Sendable)? =
                state.signals.removeValue(forKey: number) ?? state.listeners.removeValue(forKey: number)
            listenerCount.store(state.listeners.count, ordering: .releasing)
            if known != nil, state.isEmpty { activity.add(1, ordering: .acquiringAndReleasing) }
        }
    }

    /// Tells of a statement that has committed by itself.
    func publish(_ statement: Statement, since period: Int) {
        guard isActive else { return }
        var touched = TouchedTables()
        touched.note(statement)
        publish(touched, since: period)
    }

    /// Tells of a commit.
    ///
    /// - Parameters:
    ///   - touched: What was noted of its statements.
    ///   - period: The ``period`` when its first statement ran: if it was another one, not all may have been noted.
    func publish(_ touched: TouchedTables, since period: Int) {
        guard isActive else { return }
        let touched = period == self.period ? touched : .all
        guard !touched.isEmpty else { return }
        for signal in state.withLock({ Array($0.signals.values) }) where touched.touches(signal.tables) {
            signal.notify()
        }
        guard hasListeners else { return }
        for listener in state.withLock({ Array($0.listeners.values) })
        where touched.hasUntoldChanges(of: listener.table) {
            listener.consumer.receiveGap()
        }
    }
}

/// The use of a signal, which ends when this is released.
final class Observation: Sendable {
    let signal: ObservationSignal
    private let number: Int
    private let observations: Observations

    fileprivate init(signal: ObservationSignal, number: Int, observations: Observations) {
        self.signal = signal
        self.number = number
        self.observations = observations
    }

    deinit { observations.end(number) }
}

/// Wakes whoever observes some tables, once for any number of commits.
final class ObservationSignal: Sendable {
    private struct State {
        var isPending = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// The names of the tables; nil for all.
    let tables: Set<String>?
    private let state = Mutex(State())

    init(_ tables: Set<String>?) { self.tables = tables }

    func notify() {
        let waiter = state.withLock { state in
            state.isPending = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for a commit, unless one came since the last reset.
    ///
    /// One task may wait at a time.
    ///
    /// - Throws: `CancellationError` in a cancelled task.
    func wait() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isPending || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume()
        }
        try Task.checkCancellation()
    }

    /// Waits for a commit, but no longer than for some time; nil for any time.
    func wait(atMost limit: Duration?) async throws {
        let timer = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                notify()
            }
        }
        defer { timer?.cancel() }
        try await wait()
    }

    /// Forgets the commits so far: what is read from now on shows them.
    func reset() { state.withLock { $0.isPending = false } }
}
