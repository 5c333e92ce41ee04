/// Reads what a stream gives, portion by portion; where nobody else uses the connection, some portions ahead of whoever
/// takes them.
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

    /// How many portions are read before they are asked for: with more than one, none has to wait for the other's
    /// threads.
    private static var countAhead: Int { 2 }

    private let open: () async throws -> StreamSource
    private let read: @Sendable (StreamSource) async throws -> Portion
    /// Whether a portion is nothing but rows of the cursor, which it may be able to read before it is asked for them.
    private let isRowsOnly: Bool
    private let explain: (DatabaseError) -> DatabaseError
    private var source: StreamSource?
    /// The prefetched portions, each read after the one before.
    private var ahead: [Task<Portion, any Error>] = []
    private var hasEnded = false

    /// - Parameters:
    ///   - open: Begins to run the statement.
    ///   - isRowsOnly: Whether a portion takes no other statement.
    ///   - read: Reads a portion.
    ///   - explain: Says more of an error.
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
        // The loop was left: what is under way is stopped, and what the stream held is given back.
        Task.detached { [ahead] in await source.close(after: ahead) }
    }

    /// The elements that come next: none at the end.
    func next() async throws -> [Element] {
        while !hasEnded {
            do {
                let elements = try await nextPortion()
                if !elements.isEmpty { return elements }
            } catch {
                hasEnded = true
                await source?.close(after: ahead)
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
            if isRowsOnly { source.readAhead() }
        }
        source.noteReader()
        let portion = try await ahead.isEmpty ? read(source) : taken()
        if Task.isCancelled { throw DatabaseError(.cancelled, "The task that reads a stream was cancelled.") }
        if portion.isLast {
            hasEnded = true
            for task in ahead { _ = await task.result }
            self.source = nil
            try await source.close(isComplete: true)
        } else if source.isAlone {
            while ahead.count < Self.countAhead { readAhead(source) }
        }
        return try portion.make.value()
    }

    /// Takes the first of the portions that were read ahead.
    private func taken() async throws -> Portion {
        let tasks = ahead
        let portion = try await withTaskCancellationHandler {
            try await tasks[0].value
        } onCancel: {
            for task in tasks { task.cancel() }
        }
        if !ahead.isEmpty { ahead.removeFirst() }
        return portion
    }

    /// Whether a read can be begun while the one before is under way: where tasks begin at once, they come to the
    /// cursor in order.
    private func isQueued(by source: StreamSource) -> Bool {
        if #available(macOS 26, *) { isRowsOnly && source.queuesReads } else { false }
    }

    private func readAhead(_ source: StreamSource) {
        let previous = isQueued(by: source) ? nil : ahead.last
        let operation: @Sendable @concurrent () async throws -> Portion = { [read] in
            if try await previous?.value.isLast == true { return Portion(isLast: true) { [] } }
            return try await read(source)
        }
        // At once, as far as to the driver's own thread: waking one of the others would take longer.
        if #available(macOS 26, *) {
            ahead.append(Task.immediateDetached(operation: operation))
        } else {
            ahead.append(Task.detached(operation: operation))
        }
    }
}
