import Synchronization

/// One level of a transaction: the transaction itself at depth 0, or a savepoint.
///
/// It holds what is to be done to objects when the level ends: undone if it rolls back; else left to the level above,
/// and at depth 0 completed after COMMIT.
final class TransactionScope: Sendable {
    let session: Session
    let depth: Int
    /// Lets the level's operations in one at a time.
    let lock = AsyncLock()
    private let effects = Mutex(Effects())
    private let hasEnded = Atomic<Bool>(false)

    /// Where the current task is inside savepoints: what it does through an outer `Transaction` happens in the innermost.
    @TaskLocal static var innermost: TransactionScope?

    // Unchecked: they run on the isolation of whoever opened the level, whose objects they touch.
    struct Effects: @unchecked Sendable {
        var undo: [() -> Void] = []
        var complete: [(inout CommitCalls) -> Void] = []
    }

    init(session: Session, depth: Int) {
        self.session = session
        self.depth = depth
    }

    /// The level in which the current task works: this one, or a savepoint inside it that the task is in.
    var current: TransactionScope {
        guard let innermost = Self.innermost, innermost.session === session, innermost.depth > depth, innermost.isLive
        else {
            return self
        }
        return innermost
    }

    var isLive: Bool { !hasEnded.load(ordering: .acquiring) }

    func end() { hasEnded.store(true, ordering: .releasing) }

    /// Registers what undoes, and what completes, a change to objects.
    func register(undo: @escaping () -> Void, complete: @escaping (inout CommitCalls) -> Void) {
        let pair = Effects(undo: [undo], complete: [complete])
        effects.withLock { effects in
            effects.undo += pair.undo
            effects.complete += pair.complete
        }
    }

    /// How many changes there are to be undone.
    var undoCount: Int { effects.withLock { $0.undo.count } }

    /// Undoes the changes that were registered since there were `count` of them.
    func undo(downTo count: Int) {
        let undone = effects.withLock { effects in
            let effect = Effects(undo: Array(effects.undo.dropFirst(count)))
            effects.undo.removeLast(effect.undo.count)
            effects.complete.removeLast(effect.undo.count)
            return effect
        }
        for undo in undone.undo.reversed() { undo() }
    }

    /// Takes the level's effects, to be run or to be left to the level above.
    func takeEffects() -> Effects {
        effects.withLock { effects in
            defer { effects = Effects() }
            return effects
        }
    }

    func adopt(_ other: Effects) {
        effects.withLock { effects in
            effects.undo += other.undo
            effects.complete += other.complete
        }
    }

    /// Lends a transaction to hooks, while the operation that calls them holds this level's own lock.
    func lendToHooks(_ body: nonisolated(nonsending) (Transaction) async throws -> Void) async throws {
        let lent = TransactionScope(session: session, depth: depth + 1)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Transaction(scope: lent)))
        } catch {
            result = .failure(error)
        }
        // A task that outlives the hook may still be at work: it is let finish, and no other let in.
        await lent.lock.withLock { lent.end() }
        adopt(lent.takeEffects())
        try result.get()
    }
}
