/// A kind of ``ObjectEvent``.
public enum ObjectEventKind: Hashable, Sendable {
    /// The object was inserted.
    case inserted
    /// Properties of the object were updated.
    case updated
    /// The object was inserted or updated: an upsert, or a save of a struct that has a key, does not tell which.
    case saved
    /// The object was deleted, by itself or with one that held it.
    case deleted
    /// Objects of the type may have changed in ways of which nothing is known one by one. Load what you keep again.
    ///
    /// It comes after bulk updates, raw SQL, what foreign keys do, commits whose outcome is unknown, and when more
    /// events came than the buffer holds.
    case reload
}

/// A committed change to an object by this process.
public struct ObjectEvent<Model: TableObject>: Sendable {
    /// The change.
    public let kind: ObjectEventKind
    /// The key of the object; nil for ``ObjectEventKind/reload``.
    public let key: Key?
    /// The names of the properties that an update wrote; otherwise empty.
    public let properties: [String]
}

/// The events of objects, from the moment on at which it was made.
///
/// See ``Database/events(of:buffer:)``.
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
            guard let change = try await registration.listener.consumer.next() else { return nil }
            return ObjectEvent(
                kind: change.kind, key: change.key.map(Model.ownDescription.exposed), properties: change.properties)
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
    ///     case .reload: print("load all projects again")
    ///     }
    /// }
    /// ```
    ///
    /// - It begins when this returns, and ends when the task of the loop is cancelled, or the sequence is released. It
    ///   throws ``DatabaseError/Code/closed`` when the database is closed.
    /// - Events come after the commit, those of a transaction in its order. What is rolled back has none.
    /// - Whatever changes rows otherwise than object by object leads to ``ObjectEventKind/reload``: bulk updates and
    ///   deletions, SQL, foreign keys. Other processes are not seen: read the change log for that (<doc:ChangeLog>).
    /// - Nothing is retained by being listened to: an event has the key, and not the object.
    /// - To take part before the commit, and to refuse it, use the hooks of the class: ``TableHooks/didSave(in:)``.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - buffer: How many events are kept for a slow consumer; then the oldest are dropped, and
    ///     ``ObjectEventKind/reload`` comes in their place.
    public func events<Model: TableObject>(of type: Model.Type, buffer: Int = 1_000) -> ObjectEvents<Model> {
        let listener = ObjectListener(table: Model.ownDescription.table, key: nil, limit: buffer)
        return ObjectEvents(registration: ListenerRegistration(listener, core.observations))
    }

    /// Listens to what this process does to one object: by its key, so that other instances of it count as well.
    ///
    /// ```swift
    /// for try await event in try db.events(for: project) { print(event.kind) }
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` for an object without a key, which was not saved yet.
    public func events<Model: TableObject>(for object: Model, buffer: Int = 1_000) throws -> ObjectEvents<Model> {
        guard let key = try core.plan(for: Model.self).mapping.key(of: object) else {
            throw DatabaseError(
                .invalidValue, "The object has no key yet, by which it could be listened to. Save it first.",
                table: Model.ownDescription.table)
        }
        let listener = ObjectListener(table: Model.ownDescription.table, key: key, limit: buffer)
        return ObjectEvents(registration: ListenerRegistration(listener, core.observations))
    }
}
