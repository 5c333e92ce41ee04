/// The notifications of a channel, from the moment on at which it was made.
///
/// See ``Database/notifications(on:buffer:)``.
public struct Notifications: AsyncSequence, Sendable {
    let registration: NotificationRegistration

    public func makeAsyncIterator() -> Iterator { Iterator(registration: registration) }

    /// An iterator over the notifications.
    ///
    /// Several iterators share one buffer.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let registration: NotificationRegistration

        /// Waits for a notification and returns it; nil once the task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> DatabaseNotification? {
            try await registration.consumer.next()
        }
    }
}

@available(*, unavailable)
extension Notifications.Iterator: Sendable {}

extension Database {
    /// Listens on a channel: PostgreSQL's LISTEN.
    ///
    /// ```swift
    /// for try await notification in try await db.notifications(on: "jobs") {
    ///     switch notification {
    ///     case .received(_, let payload): print(payload)
    ///     case .mayHaveMissed: print("Look at all jobs.")
    ///     }
    /// }
    /// ```
    ///
    /// - When it returns, the server has the LISTEN: what is committed later is delivered.
    /// - All channels of a database share one connection, besides those of the pool. It is closed when nobody listens.
    /// - A lost connection is opened again, and then ``DatabaseNotification/mayHaveMissed`` is delivered: the server
    ///   keeps nothing for those who are away.
    /// - It ends when its task is cancelled, and throws ``DatabaseError/Code/closed`` when the database is closed.
    ///   Releasing the sequence ends the listening.
    ///
    /// - Parameters:
    ///   - channel: The name, of 1 to 63 bytes.
    ///   - buffer: How many notifications are kept for a slow consumer; then the oldest are dropped, and
    ///     ``DatabaseNotification/mayHaveMissed`` comes in their place.
    /// - Throws: ``DatabaseError/Code/unsupported`` on an engine without notifications and behind a transaction pooler,
    ///   which gives nobody a session to listen in; ``DatabaseError/Code/invalidValue`` for a name that can't be; the
    ///   errors of connecting.
    public func notifications(on channel: String, buffer: Int = 1_000) async throws -> Notifications {
        Notifications(registration: try await core.notificationListener.listen(on: channel, buffer: buffer, of: core))
    }
}
