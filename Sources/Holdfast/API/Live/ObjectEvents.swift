/// A change to an object by this process.
public struct ObjectEvent<Model: TableObject>: Sendable {
    /// The change.
    public let kind: ObjectEventKind
    /// The key of the object; nil for ``ObjectEventKind/reload`` and ``ObjectEventKind/overflowed``.
    public let key: Key?
    /// The identity of the instance of a class that was saved, deleted or fetched; nil for structs, and for objects of
    /// which only the key was known, as those that were deleted with others.
    ///
    /// It tells an object of your own from another instance of the same row, so that what you hold is loaded again only
    /// where it is not what was saved:
    ///
    /// ```swift
    /// for try await event in try db.events(for: project) where event.instance != ObjectIdentifier(project) {
    ///     try await db.reload(project)
    /// }
    /// ```
    ///
    /// The event does not keep the instance, so compare it with objects that you hold.
    public let instance: ObjectIdentifier?
    /// The names of the properties that an update wrote; otherwise empty.
    public let properties: [String]

    init(_ change: ObjectChange) {
        kind = change.kind
        key = change.key.map(Model.ownDescription.exposed)
        instance = change.instance
        properties = change.properties
    }
}

extension ObjectEvent {
    /// Finds the object of the event as it is now: an instance of your own, since the one that was saved belongs to
    /// whoever saved it.
    ///
    /// ```swift
    /// for try await event in db.events(of: Project.self) {
    ///     guard let project = try await event.object(in: db) else { continue }
    ///     print("changed:", project.name)
    /// }
    /// ```
    ///
    /// - Parameter context: The database, or the transaction of a check before the commit.
    /// - Returns: The object; nil if it was deleted, and for ``ObjectEventKind/reload`` and
    ///   ``ObjectEventKind/overflowed``.
    /// - Throws: The errors of ``DatabaseContext/find(_:key:including:depth:missingTarget:fileID:line:)``.
    public func object(in context: some DatabaseContext) async throws -> Model? {
        guard let key else { return nil }
        return try await context.find(Model.self, key: key)
    }
}

/// The events of objects, from the moment on at which it was made.
///
/// See ``Database/events(of:buffer:includingFetches:)``.
public struct ObjectEvents<Model: TableObject>: AsyncSequence, Sendable {
    let registration: ListenerRegistration

    public func makeAsyncIterator() -> Iterator { Iterator(registration: registration) }

    /// An iterator over the events.
    ///
    /// Several iterators share one buffer.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let registration: ListenerRegistration

        /// Waits for an event and returns it; nil once the task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> ObjectEvent<Model>? {
            try await registration.listener.consumer.next().map(ObjectEvent.init)
        }
    }
}

@available(*, unavailable)
extension ObjectEvents.Iterator: Sendable {}

/// The place of a listener among those of its database, which ends when this is released.
final class ListenerRegistration: Sendable {
    let listener: ObjectListener
    private let number: Int
    private let observations: Observations

    init(_ listener: ObjectListener, _ observations: Observations) {
        (self.listener, self.observations) = (listener, observations)
        number = observations.add(listener)
    }

    deinit { observations.end(number) }
}

extension Database {
    /// Listens to what this process saves and deletes of a type.
    ///
    /// ```swift
    /// for try await event in db.events(of: Project.self) {
    ///     switch event.kind {
    ///     case .inserted, .updated, .saved: print("changed:", event.key as Any, event.properties)
    ///     case .deleted: print("gone:", event.key as Any)
    ///     case .fetched: break
    ///     case .reload, .overflowed: print("load all projects again")
    ///     }
    /// }
    /// ```
    ///
    /// - It begins when this returns, and ends when the task of the loop is cancelled, or the sequence is released. It
    ///   throws ``DatabaseError/Code/closed`` when the database is closed.
    /// - Events come after the commit, those of a transaction in its order. What is rolled back has none.
    /// - Whatever changes rows otherwise than object by object leads to ``ObjectEventKind/reload``: bulk updates and
    ///   deletions, SQL, and the deletion of objects that those of the type refer to. Other processes are not seen:
    ///   read the change log for that (<doc:ChangeLog>). Nor are rows that triggers of your own change in other
    ///   tables, and foreign keys that no mapping declares.
    /// - Nothing is retained by being listened to: an event has the key, and not the object.
    /// - To take part before the commit, and to refuse it, use ``beforeCommit(of:_:)``.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - buffer: How many events are kept for a slow consumer; then the oldest are dropped, and
    ///     ``ObjectEventKind/overflowed`` comes in their place.
    ///   - includingFetches: Whether objects that this process fetches have events, too, of kind
    ///     ``ObjectEventKind/fetched``: those that a fetch or a find returns, and not those that they lead to. Also
    ///     what is fetched in a transaction that is rolled back.
    public func events<Model: TableObject>(
        of type: Model.Type, buffer: Int = 1_000, includingFetches: Bool = false
    ) -> ObjectEvents<Model> {
        let listener = ObjectListener(
            rows: ListenedRows(of: Model.ownDescription), hearsFetches: includingFetches, limit: buffer)
        return ObjectEvents(registration: ListenerRegistration(listener, core.observations))
    }

    /// Listens to what this process does to one object: by its key, so that other instances of it count as well.
    ///
    /// ```swift
    /// for try await event in try db.events(for: project) { print(event.kind) }
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` for an object without a key, which was not saved yet.
    public func events<Model: TableObject>(
        for object: Model, buffer: Int = 1_000, includingFetches: Bool = false
    ) throws -> ObjectEvents<Model> {
        guard let key = try core.plan(for: Model.self).mapping.key(of: object) else {
            throw DatabaseError(
                .invalidValue, "The object has no key yet, by which it could be listened to. Save it first.",
                table: Model.ownDescription.table)
        }
        let listener = ObjectListener(
            rows: ListenedRows(of: Model.ownDescription, key: key), hearsFetches: includingFetches, limit: buffer)
        return ObjectEvents(registration: ListenerRegistration(listener, core.observations))
    }
}
