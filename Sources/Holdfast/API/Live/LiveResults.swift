import DequeModule

/// The objects of a query by their keys, loaded in batches as they are looked at, and kept current.
///
/// ```swift
/// let results = try await db.query(Project.self).order(\.name).liveResults()
/// print(results.count, "projects")
/// let project = try await results.object(at: 5_000)    // loads it, and those around it
/// while let difference = try await results.nextChange() {
///     list.apply(difference)
/// }
/// ```
///
/// It is for lists that are longer than what anybody looks at: all keys are in memory, and of the objects the batches
/// that were looked at last. It belongs to the isolation that made it.
public final class LiveResults<Model: TableObject> {
    /// The keys of the objects, in the order of the query.
    public private(set) var keys: [Key] = []

    private let query: Query<Model>
    private let batchSize: Int
    private let rows: ObservedRows?
    private let loop: ObservationLoop
    private let operation: LoadOperation<Model>
    /// The objects that are in memory.
    private var objects: [Key: Model] = [:]
    /// The batches that are, with what they held when they were read.
    private var batches: Deque<ResultFingerprint> = []
    /// How often the keys were read again.
    private var generation = 0

    /// How many batches stay in memory.
    private static var batchLimit: Int { 8 }

    fileprivate init(_ query: Query<Model>, batchSize: Int, _ pace: ObservationPace) throws {
        (self.query, self.batchSize) = (query, max(batchSize, 1))
        rows = query.observedRows()
        loop = try query.observationLoop(pace, rows: rows)
        operation = try LoadOperation<Model>(query.access, query.specification.scope)
    }

    /// The number of objects.
    public var count: Int { keys.count }

    /// Whether there are none.
    public var isEmpty: Bool { keys.isEmpty }

    /// Returns the object at a position: from memory, or loaded with those around it, by one query.
    ///
    /// While nothing has changed, and it is among the latest eight batches, it is the same instance each time.
    ///
    /// - Parameter position: A position from 0 on.
    /// - Returns: The object; nil at a position that is none, and if it was deleted since the keys were read.
    /// - Throws: The errors of ``Query/fetch(fileID:line:)``.
    public func object(at position: Int) async throws -> Model? {
        while true {
            guard keys.indices.contains(position) else { return nil }
            if let object = objects[keys[position]] { return object }
            let first = position / batchSize * batchSize
            let wanted = keys[first..<min(first + batchSize, keys.count)].filter { objects[$0] == nil }
            let (key, before) = (keys[position], generation)
            let (loaded, fingerprint) = try await operation.manyWithFingerprint(wanted)
            // A change was noticed during the read, so the objects may be older than what is known now: they are read
            // again.
            guard generation == before else { continue }
            keep(loaded, fingerprint)
            return objects[key]
        }
    }

    /// Waits until a commit changes the keys, their order, or an object that is in memory.
    ///
    /// Objects in memory that have not changed, and lead to nothing that has, keep their instances. Call it in one
    /// task at a time; it waits as ``Query/observe(delay:interval:keepingInstances:fileID:line:)`` does, and sees what
    /// that sees.
    ///
    /// - Returns: The difference: of `updated`, those objects that are in memory; empty if only something has changed
    ///   that they lead to. nil once the task was cancelled.
    /// - Throws: The errors of ``Query/fetch(fileID:line:)``; ``DatabaseError/Code/closed`` when the database is
    ///   closed.
    public func nextChange() async throws -> ResultDifference? {
        try await loop.next { try await readAgain() }
    }

    fileprivate func readFirst() async throws {
        _ = try await loop.next { try await readAgain() ?? ResultDifference() }
    }

    private func readAgain() async throws -> ResultDifference? {
        let new = try await query.allKeys()
        let present = Set(new)
        var renewals: [Renewal] = []
        for batch in batches {
            let remaining = batch.keys.filter { present.contains($0) && objects[$0] != nil }
            let (loaded, fingerprint) = try await operation.manyWithFingerprint(remaining)
            renewals.append((batch, fingerprint, loaded))
        }
        // Nothing has changed here so far, so that all of it can be read again after an error.
        return take(renewals, new)
    }

    /// A batch of objects, before and after it was read again.
    private typealias Renewal = (before: ResultFingerprint, now: ResultFingerprint, objects: [Model])

    /// Takes what was read again; apart from what waits, which is compiled once for each way to continue.
    ///
    /// - Returns: The difference from before, if there is any.
    @inline(never)
    private func take(_ renewals: [Renewal], _ new: [Key]) -> ResultDifference? {
        var difference = ResultDifference(from: keys, to: new)
        var renewed: [Key: Model] = [:]
        var isOther = false
        for (before, now, loaded) in renewals {
            let unchanged = now.unchanged(since: before)
            difference.updated += now.difference(from: before).updated
            for (key, object) in zip(now.keys, loaded) {
                renewed[key] = unchanged.contains(key) ? objects[key] : object
                if !unchanged.contains(key) { isOther = true }
            }
        }
        generation += 1
        keys = new
        // Objects that were loaded during this read may be older than it. They are loaded again when somebody asks for
        // them.
        objects = renewed
        batches = Deque(renewals.map(\.now).filter { !$0.keys.isEmpty })
        if rows?.endReading(keys) == true { loop.wakeAgain() }
        return difference.isEmpty && !isOther ? nil : difference
    }

    private func keep(_ loaded: [Model], _ fingerprint: ResultFingerprint) {
        for (key, object) in zip(fingerprint.keys, loaded) { objects[key] = object }
        if !fingerprint.keys.isEmpty { batches.append(fingerprint) }
        while batches.count > Self.batchLimit, let oldest = batches.popFirst() {
            for key in oldest.keys { objects[key] = nil }
        }
    }
}

@available(*, unavailable)
extension LiveResults: Sendable {}

extension Query {
    /// Reads the keys of the objects, whose objects are loaded as you look at them, and which can be kept current.
    ///
    /// ```swift
    /// let results = try await db.query(Project.self).where { $0.isOpen == true }.liveResults(batch: 50)
    /// // SELECT t0."id" FROM "project" AS t0 WHERE t0."is_open" ORDER BY t0."id"
    /// ```
    ///
    /// - Parameters:
    ///   - batch: How many objects are loaded at a time.
    ///   - delay: How long further commits are waited for after one, before the keys are read again.
    ///   - interval: How long after a change the keys are read again even if this process has committed nothing.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Returns: The results, from which ``LiveResults/nextChange()`` goes on.
    /// - Throws: The errors of ``keys(fileID:line:)``, and ``DatabaseError/Code/unsupported`` in a transaction.
    public func liveResults(
        batch: Int = 100, delay: Duration = .milliseconds(20), interval: Duration? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> LiveResults<Model> {
        let results = try LiveResults(
            at(fileID, line), batchSize: batch, ObservationPace(delay: delay, interval: interval))
        try await results.readFirst()
        return results
    }
}
