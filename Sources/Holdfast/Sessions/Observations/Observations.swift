import Synchronization

/// The observations of a database, which are told what this process has committed.
final class Observations: Sendable {
    private struct State {
        var signals: [Int: ObservationSignal] = [:]
        var listeners: [Int: ObjectListener] = [:]
        var checks: [Int: CommitCheck] = [:]
        /// The properties of each table that observed queries compare, and how many compare each.
        var compared: [String: [String: Int]] = [:]
        /// The number of listeners that hear of fetches.
        var fetchListenerCount = 0
        var lastNumber = 0

        var isEmpty: Bool { signals.isEmpty && listeners.isEmpty && checks.isEmpty }

        mutating func forgetComparison(of property: String, in table: String) {
            guard let count = compared[table]?[property] else { return }
            compared[table]?[property] = count > 1 ? count - 1 : nil
            if compared[table]?.isEmpty == true { compared[table] = nil }
        }
    }

    private let state = Mutex(State())
    /// The number of times that there came to be observations, or to be none: odd while there are some.
    private let activity = Atomic<Int>(0)
    private let guardCount = Atomic<Int>(0)
    private let fetchListenerCount = Atomic<Int>(0)

    /// Whether somebody is asked before each commit.
    var hasGuards: Bool { guardCount.load(ordering: .acquiring) > 0 }

    /// Whether somebody hears of objects that are fetched.
    var hasFetchListeners: Bool { fetchListenerCount.load(ordering: .acquiring) > 0 }

    /// Whether somebody observes: all that a statement asks.
    var isActive: Bool { activity.load(ordering: .acquiring) & 1 == 1 }

    /// A number that stays the same for as long as somebody observes, or nobody does.
    var period: Int { activity.load(ordering: .acquiring) }

    // MARK: Beginning and ending

    /// Begins to observe tables, until the result is released.
    ///
    /// - Parameters:
    ///   - tables: The names of the tables; nil for all.
    ///   - rows: The rows of one of them that matter; nil for all.
    func observe(_ tables: Set<String>?, rows: ObservedRows? = nil) -> Observation {
        let signal = ObservationSignal(tables, rows: rows)
        let number = add { state, number in
            state.signals[number] = signal
            guard let rows else { return }
            for property in rows.comparedProperties {
                state.compared[rows.table, default: [:]][property, default: 0] += 1
            }
        }
        return Observation(signal: signal, number: number, observations: self)
    }

    /// Adds a listener, until the number is ended.
    func add(_ listener: ObjectListener) -> Int {
        add { state, number in
            state.listeners[number] = listener
            if listener.hearsFetches { state.fetchListenerCount += 1 }
        }
    }

    /// Adds a check before commits, until the number is ended.
    func add(_ check: CommitCheck) -> Int { add { state, number in state.checks[number] = check } }

    private func add(_ body: (inout State, Int) -> Void) -> Int {
        change { state in
            state.lastNumber += 1
            body(&state, state.lastNumber)
            return state.lastNumber
        }
    }

    /// Ends an observation, a listener or a check: in a time that does not depend on how many others there are, as
    /// commits wait for the lock meanwhile.
    func end(_ number: Int) {
        // What is released here may end others, so not while the state is locked.
        let ended = change { state in
            let ended = (
                state.signals.removeValue(forKey: number), state.listeners.removeValue(forKey: number),
                state.checks.removeValue(forKey: number)
            )
            if ended.1?.hearsFetches == true { state.fetchListenerCount -= 1 }
            guard let rows = ended.0?.rows else { return ended }
            for property in rows.comparedProperties { state.forgetComparison(of: property, in: rows.table) }
            return ended
        }
        withExtendedLifetime(ended) {}
    }

    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            let wasEmpty = state.isEmpty
            let result = body(&state)
            guardCount.store(state.checks.count, ordering: .releasing)
            fetchListenerCount.store(state.fetchListenerCount, ordering: .releasing)
            if wasEmpty != state.isEmpty { activity.add(1, ordering: .acquiringAndReleasing) }
            return result
        }
    }

    /// Ends all listeners, when the database is closed.
    func close() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.consumer.close() }
    }

    /// The properties of a table whose values in new rows somebody compares.
    func comparedProperties(of table: String) -> Set<String> {
        state.withLock { $0.compared[table].map { Set($0.keys) } ?? [] }
    }

    // MARK: Before a commit

    /// Asks the guards of what a transaction has changed.
    ///
    /// - Parameter scope: The outermost level of the transaction, whose lock the caller holds.
    /// - Throws: The error of the first that refuses.
    func askGuards(in scope: TransactionScope) async throws {
        for (_, check) in state.withLock({ $0.checks.inOrder { $0.key < $1.key } }) {
            let changes = check.rows.changes(in: scope.session.changesSoFar)
            if changes.isEmpty { continue }
            try await scope.lendToHooks { try await check.run(changes, $0) }
        }
    }

    // MARK: After a commit

    /// Tells of a statement that has committed by itself.
    func publish(_ statement: Statement, since period: Int, telling told: () -> [TableChanges] = { [] }) {
        guard isActive else { return }
        var changes = SessionChanges()
        changes.note(statement)
        for table in told() { changes.note(table) }
        publish(changes, since: period)
    }

    /// Tells of a commit whose outcome, or whose extent, is unknown.
    func publishUnknown() {
        var changes = SessionChanges()
        changes.noteAll()
        publish(changes, since: period)
    }

    /// Tells of a commit.
    ///
    /// - Parameters:
    ///   - changes: What was noted of its statements.
    ///   - period: The ``period`` when its first statement ran: if it was another one, not all may have been noted.
    func publish(_ changes: SessionChanges, since period: Int) {
        guard isActive else { return }
        var changes = changes
        if period != self.period { changes.noteAll() }
        guard !changes.touched.isEmpty else { return }
        wake(by: changes)
        for listener in state.withLock({ Array($0.listeners.values) }) {
            for change in listener.rows.changes(in: changes) { listener.receive(change) }
        }
    }

    /// Tells of what the log has, which listeners have heard of already if it was made here.
    func publishLogged(_ changes: SessionChanges) { wake(by: changes) }

    private func wake(by changes: SessionChanges) {
        for signal in state.withLock({ Array($0.signals.values) }) where signal.concerns(changes) { signal.notify() }
    }

    /// Tells of objects that were fetched.
    func publishFetched(_ objects: () -> [(key: Key, instance: ObjectIdentifier?)], of table: String) {
        let listeners = state.withLock { state in
            state.listeners.values.filter { $0.hearsFetches && $0.rows.table == table }
        }
        guard !listeners.isEmpty else { return }
        for object in objects() {
            let change = ObjectChange(kind: .fetched, key: object.key, instance: object.instance)
            for listener in listeners { listener.receive(change) }
        }
    }
}

extension ObservedRows {
    /// The properties that it compares, each once.
    fileprivate var comparedProperties: Set<String> { Set(comparisons.map(\.property)) }
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
    private let tables: Set<String>?
    /// The rows that matter in the observed query's own table; nil if all do.
    let rows: ObservedRows?
    private let state = Mutex(State())

    init(_ tables: Set<String>?, rows: ObservedRows? = nil) { (self.tables, self.rows) = (tables, rows) }

    /// Whether changes may concern what is observed.
    func concerns(_ changes: SessionChanges) -> Bool {
        let touched = changes.touched
        guard let tables, let rows, !touched.touchesOthers else { return touched.touches(tables) }
        // Any change of another table matters, and any change of the query's own table whose rows are not reported.
        for name in touched.names where name != rows.table || touched.untold.contains(name) {
            if tables.contains(name) { return true }
        }
        return changes.ofObjects.contains { $0.table == rows.table && $0.changes.contains(where: rows.matter) }
    }

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
    func reset() {
        rows?.beginReading()
        state.withLock { $0.isPending = false }
    }
}
