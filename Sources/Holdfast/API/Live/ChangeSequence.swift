/// The changes of logged tables, as they are committed by whatever process.
///
/// See ``Database/changes(of:after:limit:)``.
public struct ChangeSequence: AsyncSequence, Sendable {
    let core: DatabaseCore
    let tables: [String]
    let token: ChangeToken?
    let limit: Int

    /// Reads the changes that are committed by now, up to the limit, and does not wait for more.
    ///
    /// ```swift
    /// let batch = try await db.changes(of: Person.self, after: token).fetch()
    /// ```
    ///
    /// - Returns: The changes, of which there may be none, and the token to go on from.
    /// - Throws: The errors of ``Database/changes(of:after:limit:)``.
    public func fetch() async throws -> ChangeBatch {
        let reader = LogReader(core: core)
        let start: ChangeToken
        if let token { start = token } else { start = try await reader.now() }
        let page = try await reader.page(after: start, tables: tables, limit: limit)
        return ChangeBatch(changes: page.changes, token: page.token)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: ChangeReader(self)) }

    /// An iterator over the batches, for one task.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: ChangeReader

        /// Waits for changes and returns them; nil once the task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> ChangeBatch? {
            try await reader.next()
        }
    }
}

@available(*, unavailable)
extension ChangeSequence.Iterator: Sendable {}

/// Reads on from where it is, whenever there may be something.
private final class ChangeReader {
    private let sequence: ChangeSequence
    private var token: ChangeToken?
    private var loop: ObservationLoop?
    private var nextEmptyBatch = MonotonicTime.after(ChangeBatch.longestSilence)

    init(_ sequence: ChangeSequence) {
        self.sequence = sequence
        token = sequence.token
    }

    func next() async throws -> ChangeBatch? {
        let access = DatabaseAccess(kind: .database(sequence.core))
        let loop =
            try self.loop
            ?? ObservationLoop(
                access, tables: Set(sequence.tables), ObservationPace(delay: .zero, interval: nil), watchesLog: true)
        self.loop = loop
        return try await loop.next { try await read(loop) }
    }

    private func read(_ loop: ObservationLoop) async throws -> ChangeBatch? {
        let reader = LogReader(core: sequence.core)
        let start: ChangeToken
        if let token { start = token } else { start = try await reader.now() }
        let page = try await reader.page(after: start, tables: sequence.tables, limit: sequence.limit)
        token = page.token
        // The rest of a stretch ends where it ended when it was begun.
        if page.isFull || start.partial != nil { loop.wakeAgain() }
        let isDue = page.token != start && nextEmptyBatch < .now
        if page.changes.isEmpty, !isDue { return nil }
        nextEmptyBatch = .after(ChangeBatch.longestSilence)
        return ChangeBatch(changes: page.changes, token: page.token)
    }
}
