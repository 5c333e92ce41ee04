import DequeModule
import Synchronization

/// Finds objects of one type for several tasks by one statement, where each statement costs a round trip to a server.
///
/// While few finds are under way, each has a connection and a statement to itself, which is fastest. Further ones are
/// collected by senders: tasks that each lease a connection, ask for all keys that have come, hand out the rows, and go
/// on until nothing is left. A find fares as if it were alone: where that is in doubt, it is run by itself.
/// Decision 0016.
final class SharedFinds: Sendable {
    /// The outcome of a find.
    enum Outcome: Sendable {
        case row(FoundRow)
        /// There is no row with the key.
        case nothing
        /// It is to be run by itself.
        case alone

        /// The number of rows that were found; nil where it is to be run by itself.
        var rowCount: Int? {
            switch self {
            case .row: 1
            case .nothing: 0
            case .alone: nil
            }
        }
    }

    /// How many finds have a statement each before more share one.
    private static let aloneLimit = 2
    /// How many keys one statement asks for.
    private static let greatestCount = 64
    /// How many senders there can be.
    private static let greatestSenderCount = 4
    /// How many finds must wait for each sender before another one begins.
    private static let enoughForSender = 8
    /// How long a statement that is shared may take, and how long none is shared after one took longer.
    private static let patience = Duration.seconds(1)

    private struct State {
        var queue: Deque<Find> = []
        var senderCount = 0
        var pausedUntil = Duration.zero
    }

    private let statement: Statement
    private let columns: TableColumns
    private let state = Mutex(State())
    /// Whether there is a sender: what each find asks, so without the lock.
    private let hasSender = Atomic<Bool>(false)
    private let aloneCount = Atomic<Int>(0)

    /// Prepares for finds of a type.
    ///
    /// - Parameter statement: Selects the rows with the keys that it gets as lists.
    init(_ statement: Statement, _ columns: TableColumns) {
        self.statement = statement
        self.columns = columns
    }

    /// Counts a find that has a statement of its own, until ``endAlone()``.
    func beginAlone() { aloneCount.add(1, ordering: .relaxed) }

    func endAlone() { aloneCount.subtract(1, ordering: .relaxed) }

    /// Whether the next find is one of so many that they share statements.
    func areShared(in core: DatabaseCore) -> Bool {
        if core.isClosing { return false }
        return hasSender.load(ordering: .relaxed) || aloneCount.load(ordering: .relaxed) >= Self.aloneLimit
    }

    /// Finds the row with the key together with those that other tasks look for: for where ``areShared(in:)``.
    ///
    /// - Parameter key: One row of parameters.
    /// - Throws: What leasing a connection threw, or ``DatabaseError/Code/cancelled``.
    func find(_ key: ParameterBuffer, in core: DatabaseCore) async throws -> Outcome {
        let find = Find(key)
        return try await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if find.wait(continuation) { add(find, core) }
            }
        } onCancel: {
            find.answer(.failure(PoolRefusal.cancelled.error))
        }.get()
    }

    private func add(_ find: Find, _ core: DatabaseCore) {
        let (isPaused, needsSender) = state.withLock { state in
            if find.since < state.pausedUntil { return (true, false) }
            state.queue.append(find)
            guard state.queue.count >= Self.enoughForSender * state.senderCount || state.senderCount == 0,
                state.senderCount < Self.greatestSenderCount
            else { return (false, false) }
            state.senderCount += 1
            hasSender.store(true, ordering: .relaxed)
            return (false, true)
        }
        if isPaused { find.answer(.success(.alone)) }
        // Detached: it serves others than whoever came first.
        if needsSender { Task.detached { [self] in await send(core) } }
    }
}

// MARK: - Senders

extension SharedFinds {
    /// Answers what has been collected until nothing is left.
    private func send(_ core: DatabaseCore) async {
        while let lease = await lease(core) {
            let session = Session(core: core, lease: lease, isReadOnly: true, servesOtherTasks: true)
            // Whoever has waited for this connection is served by it; then it is the turn of others who wait for one.
            var waitingCount = state.withLock { $0.queue.count }
            repeat {
                guard let finds = takeFinds() else { return lease.release() }
                waitingCount -= finds.count
                await answer(finds, session)
                // Those who have their answer now may ask for more: let them come first.
                await Task.yield()
            } while lease.connection.isUsable && (waitingCount > 0 || core.isClosing || !core.hasWaitingReaders)
            lease.release()
        }
    }

    /// A connection; nil if nobody waits for one any more.
    private func lease(_ core: DatabaseCore) async -> Lease? {
        while true {
            do {
                return try await core.lease(.read, purpose: "find")
            } catch {
                let error = error as? DatabaseError ?? DatabaseError(.cannotConnect, "No connection could be had.")
                let (now, timeout) = (PoolClock.now, core.configuration.pool.checkoutTimeout)
                for find in takeAll() {
                    // Of a timeout, who came after the sender had asked still has time to wait.
                    let hasTime = error.code == .poolTimeout && now - find.since < timeout
                    find.answer(hasTime ? .success(.alone) : .failure(error))
                }
                if state.withLock({ endIfIdle(&$0) }) { return nil }
            }
        }
    }

    private func takeAll() -> Deque<Find> {
        state.withLock { state in
            defer { state.queue = [] }
            return state.queue
        }
    }

    /// Takes what has been collected; nil if there is nothing, and the sender has ended.
    private func takeFinds() -> [Find]? {
        state.withLock { state in
            if endIfIdle(&state) { return nil }
            let count = min(state.queue.count, Self.greatestCount)
            defer { state.queue.removeFirst(count) }
            return Array(state.queue.prefix(count))
        }
    }

    /// Ends a sender if there is nothing left for it.
    private func endIfIdle(_ state: inout State) -> Bool {
        guard state.queue.isEmpty else { return false }
        state.senderCount -= 1
        if state.senderCount == 0 { hasSender.store(false, ordering: .relaxed) }
        return true
    }

    private func answer(_ finds: [Find], _ session: Session) async {
        let finds = finds.filter { !$0.isAnswered }
        guard !finds.isEmpty else { return }
        var keys = ParameterBuffer(width: columns.keySlots.count)
        for find in finds { keys.appendRow(0, of: find.key) }
        do {
            let timeout = session.core.configuration.timeouts.statement.map { min($0, Self.patience) } ?? Self.patience
            let rows = try await session.copiedRows(
                statement, keys.asLists, width: columns.all.count, timeout: timeout)
            handOut(rows, to: finds, keys)
        } catch {
            // A lock, or one row of a size that the others' are not: from here on each waits for its own.
            var others: Deque<Find> = []
            if let code = (error as? DatabaseError)?.code, code == .statementTimeout || code == .lockTimeout {
                state.withLock { $0.pausedUntil = PoolClock.now + Self.patience }
                others = takeAll()
            }
            for find in finds { find.answer(.success(.alone)) }
            for find in others { find.answer(.success(.alone)) }
        }
    }

    private func handOut(_ rows: StoredRows, to finds: [Find], _ keys: ParameterBuffer) {
        var rowIndices = KeyIndex()
        for row in 0..<rows.rowCount { rowIndices[columns.key(inRow: rows.row(row))] = Int32(truncatingIfNeeded: row) }
        var isWanted = [Bool](repeating: false, count: rows.rowCount)
        let found = finds.indices.map { index -> Int? in
            guard let row = keys.key(ofRow: index).flatMap({ rowIndices[$0] }).map(Int.init) else { return nil }
            isWanted[row] = true
            return row
        }
        for (find, row) in zip(finds, found) {
            if let row {
                find.answer(.success(.row(FoundRow(rows: rows, row: row))))
            } else {
                // Texts can be equal to an engine that are not the same, and the other way round in a list of them.
                let isExact = find.key.cells.allSatisfy { [.integer, .uuid, .timestamp].contains($0.kind) }
                find.answer(.success(isExact && isWanted.allSatisfy(\.self) ? .nothing : .alone))
            }
        }
    }
}

// MARK: - Finds

/// One of the rows that were found together, which are complete, and from here on only read.
struct FoundRow: Sendable {
    fileprivate let rows: StoredRows
    fileprivate let row: Int

    /// Its cells, for as long as this lives.
    var cells: UnsafePointer<Cell> { rows.row(row) }
}

extension SharedFinds {
    /// A find that waits for what becomes of it.
    private final class Find: Sendable {
        typealias Answer = Result<Outcome, DatabaseError>

        private enum State: Sendable {
            case new
            case waiting(UnsafeContinuation<Answer, Never>)
            case answered(Answer)
        }

        let key: ParameterBuffer
        let since = PoolClock.now
        private let state = Mutex(State.new)

        init(_ key: ParameterBuffer) { self.key = key }

        var isAnswered: Bool {
            state.withLock { if case .answered = $0 { true } else { false } }
        }

        /// Waits for the answer.
        ///
        /// - Returns: Whether there is none yet.
        func wait(_ continuation: UnsafeContinuation<Answer, Never>) -> Bool {
            let answer = state.withLock { state -> Answer? in
                if case .answered(let answer) = state { return answer }
                state = .waiting(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
            return answer == nil
        }

        /// Gives the answer, unless one was given already.
        func answer(_ answer: Answer) {
            let continuation = state.withLock { state -> UnsafeContinuation<Answer, Never>? in
                switch state {
                case .new:
                    state = .answered(answer)
                    return nil
                case .waiting(let continuation):
                    state = .answered(answer)
                    return continuation
                case .answered: return nil
                }
            }
            continuation?.resume(returning: answer)
        }
    }
}
