import Synchronization

/// The cursor of a stream with its transaction, which is the stream's own or the caller's.
final class StreamSource: Sendable {
    private enum Holder: Sendable {
        case lease(Session, Lease)
        case transaction(TransactionScope)
    }

    /// The number of rows that are read at a time: few at first, so that the first element comes soon; then more, as
    /// each portion costs some switches between threads.
    private static let portionSizes = 128...4_096
    /// The approximate number of bytes of the texts and blobs of a portion.
    private static let portionBytes = 1 << 20

    private let holder: Holder
    private let statement: Statement
    private let cursor: any RowCursor
    private let portionSize = Atomic<Int>(StreamSource.portionSizes.lowerBound)

    /// Whether the connection is used by nobody else, so that rows can be prefetched.
    var isAlone: Bool {
        if case .lease = holder { true } else { false }
    }

    /// Whether portions can be read while others are being read.
    var queuesReads: Bool { cursor.queuesReads }

    /// Begins to run a statement.
    init(_ access: DatabaseAccess, _ statement: Statement, _ parameters: ParameterBuffer) async throws {
        self.statement = statement
        switch access.kind {
        case .database(let core):
            let purpose = LeasePurpose("stream", at: access.site)
            // Several tasks read a stream, and none of them is the program's.
            let span = core.observer.tracing?.begin(purpose, isForEveryTask: true)
            do {
                let (session, lease) = try await core.begin(
                    .repeatableRead, isReadOnly: true, purpose: purpose, span: span)
                do {
                    cursor = try await session.openCursor(statement, parameters)
                } catch {
                    await session.rollback()
                    lease.release()
                    throw error
                }
                holder = .lease(session, lease)
            } catch {
                span?.end(error)
                throw error
            }
        case .transaction(let scope):
            let scope = scope.current
            cursor = try await scope.lock.withLock {
                guard scope.isLive else { throw DatabaseAccess.ended }
                scope.session.purpose = LeasePurpose("stream", at: access.site)
                return try await scope.session.openCursor(statement, parameters)
            }
            holder = .transaction(scope)
        }
    }

    /// Runs `body`, which may read the cursor, with the connection for itself.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withSession<Output>(
        _ body: nonisolated(nonsending) (Session) async throws -> Output
    ) async throws -> Output {
        switch holder {
        case .lease(let session, _): return try await body(session)
        case .transaction(let scope):
            // The level that the reader is in, which may be a savepoint inside that of the stream.
            return try await scope.current.lock.withLock {
                guard scope.isLive else { throw DatabaseAccess.ended }
                return try await body(scope.session)
            }
        }
    }

    /// Reads the rows of the next portion.
    func read(_ session: Session) async throws -> sending RowPortion {
        let size = portionSize.load(ordering: .relaxed)
        portionSize.store(min(2 * size, Self.portionSizes.upperBound), ordering: .relaxed)
        return try await session.read(cursor, of: statement, upTo: size, bytes: Self.portionBytes)
    }

    /// Lets the cursor prefetch, since nothing else is read until it is closed.
    func prefetchRows() { if isAlone { cursor.prefetch() } }

    /// Notes that the current task is the one that reads.
    func noteReader() {
        if case .lease(let session, let lease) = holder { session.core.streamTasks.note(lease) }
    }

    /// Stops reading, before the cursor can be closed.
    func abandon() {
        forgetReader()
        cursor.abandon()
    }

    private func forgetReader() {
        if case .lease(let session, let lease) = holder { session.core.streamTasks.forget(lease) }
    }

    /// Cancels the tasks that read, and closes the cursor.
    func close(after tasks: [Task<some Sendable, any Error>]) async {
        abandon()
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        // No caller is left to get an error; a connection that could not be cleaned up is closed.
        try? await close(commits: false)
    }

    /// Ends the cursor, and the transaction if it is the stream's own.
    func close(commits: Bool) async throws {
        forgetReader()
        switch holder {
        case .lease(let session, let lease):
            // Before the rollback, which forgets it. What is cancelled is what was being read when the loop was left.
            let error = session.abortedBy.flatMap { $0.code == .cancelled ? nil : $0 }
            defer {
                session.span?.end(error)
                lease.release()
            }
            if commits { try await session.commit() } else { await session.rollback() }
        case .transaction(let scope):
            await scope.current.lock.withLockEvenIfCancelled { if scope.isLive { await cursor.close() } }
        }
    }
}
