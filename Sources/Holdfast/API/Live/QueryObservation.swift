/// The results of a query, now and after each change.
///
/// See ``Query/observe(delay:interval:keepingInstances:fileID:line:)``.
public struct QueryObservation<Model: TableObject>: AsyncSequence, Sendable {
    let query: Query<Model>
    let pace: ObservationPace
    let keepsInstances: Bool

    public func makeAsyncIterator() -> Iterator { Iterator(observer: QueryObserver(self)) }

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
    private let observation: QueryObservation<Model>
    private let rows: ObservedRows?
    private var loop: ObservationLoop?
    private var latest: ResultFingerprint?
    /// The objects of the latest result, where their instances are kept.
    private var instances: [Key: Model] = [:]

    init(_ observation: QueryObservation<Model>) {
        self.observation = observation
        rows = observation.query.observedRows()
    }

    func next() async throws -> ObservedResults<Model>? {
        let loop = try self.loop ?? observation.query.observationLoop(observation.pace, rows: rows)
        self.loop = loop
        return try await loop.next { try await read() }
    }

    private func read() async throws -> ObservedResults<Model>? {
        let keeps = observation.keepsInstances
        var (objects, fingerprint) = try await observation.query.fetchWithFingerprint(keepsRelated: keeps)
        if rows?.endReading(fingerprint.keys) == true { loop?.wakeAgain() }
        if let latest, latest.isSame(as: fingerprint) { return nil }
        if keeps {
            let unchanged = latest.map(fingerprint.unchanged) ?? []
            for (index, key) in fingerprint.keys.enumerated() where unchanged.contains(key) {
                if let instance = instances[key] { objects[index] = instance }
            }
            instances = Dictionary(zip(fingerprint.keys, objects)) { first, _ in first }
        }
        defer { latest = fingerprint }
        return ObservedResults(objects: objects, difference: fingerprint.difference(from: latest))
    }
}
