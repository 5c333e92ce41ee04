/// Reads the rows of a stream portion by portion, and prefetches some portions if nobody else uses the connection
/// (decision 0020).
final class StreamReader<Element> {
    /// Rows that were read.
    struct Portion: Sendable {
        /// Creates elements from the rows, on the isolation of the consumer.
        let make: Transfer<() throws -> [Element]>
        let isLast: Bool

        init(isLast: Bool, _ make: @escaping () throws -> [Element]) {
            self.isLast = isLast
            self.make = Transfer(value: make)
        }
    }

    /// The number of portions that are prefetched: with more than one, neither side waits for the other's threads.
    private static var prefetchCount: Int { 2 }

    private let open: () async throws -> StreamSource
    private let read: @Sendable (StreamSource) async throws -> Portion
    /// Whether a portion consists only of rows of the cursor, which can then prefetch them.
    private let isRowsOnly: Bool
    private let explain: (DatabaseError) -> DatabaseError
    private var source: StreamSource?
    /// The prefetched portions, each read after the one before.
    private var prefetched: [Task<Portion, any Error>] = []
    private var hasEnded = false

    /// - Parameters:
    ///   - open: Begins to run the statement.
    ///   - isRowsOnly: Whether a portion needs no other statement.
    ///   - read: Reads a portion.
    ///   - explain: Adds details to an error.
    init(
        open: @escaping () async throws -> StreamSource,
        isRowsOnly: Bool = true,
        read: @escaping @Sendable (StreamSource, Session) async throws -> Portion,
        explain: @escaping (DatabaseError) -> DatabaseError = { $0 }
    ) {
        self.open = open
        self.isRowsOnly = isRowsOnly
        self.read = { source in try await source.withSession { try await read(source, $0) } }
        self.explain = explain
    }

    deinit {
        guard let source else { return }
        source.abandon()
        // The loop was left: reads under way are stopped, and the connection is returned.
        Task.detached { [prefetched] in await source.close(after: prefetched) }
    }

    /// Returns the next elements: none at the end.
    func next() async throws -> [Element] {
        while !hasEnded {
            do {
                let elements = try await nextPortion()
                if !elements.isEmpty { return elements }
            } catch {
                hasEnded = true
                await source?.close(after: prefetched)
                source = nil
                throw (error as? DatabaseError).map(explain) ?? error
            }
        }
        return []
    }

    private func nextPortion() async throws -> [Element] {
        let source: StreamSource
        if let opened = self.source {
            source = opened
        } else {
            source = try await open()
            self.source = source
            if isRowsOnly { source.prefetchRows() }
        }
        source.noteReader()
        let portion = try await prefetched.isEmpty ? read(source) : firstPrefetched()
        if Task.isCancelled { throw DatabaseError(.cancelled, "The task that reads a stream was cancelled.") }
        if portion.isLast {
            hasEnded = true
            for task in prefetched { _ = await task.result }
            self.source = nil
            try await source.close(commits: true)
        } else if source.isAlone {
            while prefetched.count < Self.prefetchCount { prefetch(source) }
        }
        return try portion.make.value()
    }

    /// Waits for the first of the prefetched portions.
    private func firstPrefetched() async throws -> Portion {
        let tasks = prefetched
        let portion = try await withTaskCancellationHandler {
            try await tasks[0].value
        } onCancel: {
            for task in tasks { task.cancel() }
        }
        if !prefetched.isEmpty { prefetched.removeFirst() }
        return portion
    }

    /// Whether a read can begin while the previous one is under way: tasks that begin immediately reach the cursor in
    /// order.
    private func isQueued(by source: StreamSource) -> Bool {
        if #available(macOS 26, *) { isRowsOnly && source.queuesReads } else { false }
    }

    private func prefetch(_ source: StreamSource) {
        let previous = isQueued(by: source) ? nil : prefetched.last
        let operation: @Sendable @concurrent () async throws -> Portion = { [read] in
            if try await previous?.value.isLast == true { return Portion(isLast: true) { [] } }
            return try await read(source)
        }
        // Immediately, up to the driver's own thread: waking another thread would cost more.
        if #available(macOS 26, *) {
            prefetched.append(Task.immediateDetached(operation: operation))
        } else {
            prefetched.append(Task.detached(operation: operation))
        }
    }
}
