import Synchronization

/// One level of a transaction: the transaction itself at depth 0, or a savepoint.
///
/// It holds what is to be done to objects when the level ends: undone if it rolls back; else left to the level above,
/// and at depth 0 completed after COMMIT.
final class TransactionScope: Sendable {
    let session: Session
    let depth: Int
    /// Where the program called what runs in the transaction.
    let site: CallSite?
    /// Lets the level's operations in one at a time.
    let lock = AsyncLock()
    /// The live level, maybe of another database, that the task was in when it began this one.
    ///
    /// It is in that level again once this one has ended.
    private let enclosing: TransactionScope?
    private let effects = Mutex(Effects())
    private let hasEnded = Atomic<Bool>(false)

    /// Where the current task is inside savepoints and hooks: what it does through an outer `Transaction` happens in
    /// the innermost, as the outer one waits for it.
    @TaskLocal static var innermost: TransactionScope?

    // Unchecked: they run on the isolation of whoever opened the level, whose objects they touch.
    struct Effects: @unchecked Sendable {
        var undo: [() -> Void] = []
        var complete: [(inout CommitCalls) -> Void] = []
    }

    init(session: Session, depth: Int, site: CallSite?) {
        self.session = session
        self.depth = depth
        self.site = site
        enclosing = Self.innermost?.orEnclosing { _ in true }
    }

    /// The level in which the current task works: this one, or a savepoint or hook inside it that the task is in.
    ///
    /// The innermost can be of another database's transaction, or have ended while its task goes on.
    var current: TransactionScope {
        guard let innermost = Self.innermost else { return self }
        return innermost.orEnclosing { $0.session === session && $0.depth > depth } ?? self
    }

    /// The innermost live level from here outwards that fits.
    private func orEnclosing(_ fits: (TransactionScope) -> Bool) -> TransactionScope? {
        var candidate: TransactionScope? = self
        while let scope = candidate {
            if scope.isLive, fits(scope) { return scope }
            candidate = scope.enclosing
        }
        return nil
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

    /// Registers what undoes a change to objects, in the order in which it was made; nothing, if objects were not
    /// changed: a transaction can save any number of values.
    func register(undoing undos: [() -> Void]) {
        if undos.isEmpty { return }
        register(undo: { for undo in undos.reversed() { undo() } }, complete: { _ in })
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

    func append(_ other: Effects) {
        effects.withLock { effects in
            effects.undo += other.undo
            effects.complete += other.complete
        }
    }

    /// Lends a transaction to hooks, while the operation that calls them holds this level's own lock.
    ///
    /// A hook may have got hold of its caller's `Transaction`, too: what it does through that happens in the one lent.
    func lendToHooks(_ body: nonisolated(nonsending) (Transaction) async throws -> Void) async throws {
        let lent = TransactionScope(session: session, depth: depth + 1, site: site)
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await Self.$innermost.binding(lent) { try await body(Transaction(scope: lent)) })
        } catch {
            result = .failure(error)
        }
        // A task that outlives the hook may still be at work: it is let finish, and no other let in.
        await lent.lock.withLockEvenIfCancelled { lent.end() }
        append(lent.takeEffects())
        try result.get()
    }
}
