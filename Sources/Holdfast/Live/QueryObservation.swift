/// The results of a query, now and after each change.
///
/// See ``Query/observe(delay:interval:)``.
public struct QueryObservation<Model: TableObject>: AsyncSequence, Sendable {
    let query: Query<Model>
    let pace: ObservationPace

    public func makeAsyncIterator() -> Iterator { Iterator(observer: QueryObserver(query, pace)) }

    /// An iterator over the results, for one task.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let observer: QueryObserver<Model>

        /// Returns the next result that differs from the one before; nil once the task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> ObservedResults<Model>? {
            try await observer.next()
        }
    }
}

@available(*, unavailable)
extension QueryObservation.Iterator: Sendable {}

/// Runs an observed query, and compares its results.
private final class QueryObserver<Model: TableObject> {
    private let query: Query<Model>
    private let pace: ObservationPace
    private var loop: ObservationLoop?
    private var latest: ResultFingerprint?

    init(_ query: Query<Model>, _ pace: ObservationPace) {
        self.query = query
        self.pace = pace
    }

    func next() async throws -> ObservedResults<Model>? {
        let loop = try self.loop ?? query.observationLoop(pace)
        self.loop = loop
        return try await loop.next {
            let (objects, fingerprint) = try await query.fetchWithFingerprint()
            if let latest, latest.isSame(as: fingerprint) { return nil }
            defer { latest = fingerprint }
            return ObservedResults(objects: objects, difference: fingerprint.difference(from: latest))
        }
    }
}
