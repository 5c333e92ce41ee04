/// An element of ``Database/notifications(on:buffer:)``.
public enum DatabaseNotification: Hashable, Sendable {
    /// Somebody has notified the channel.
    case received(channel: String, payload: String)
    /// Notifications may have been missed: the connection was lost and is there again, or more came than the buffer
    /// holds, of which the oldest were dropped.
    case mayHaveMissed
}
