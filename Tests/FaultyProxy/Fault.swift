/// How a proxied connection fails at a moment.
public enum Fault: CaseIterable, Sendable {
    /// It does not.
    case none
    /// The server's answers are dropped.
    case answersAreLost
    /// What the client sends is dropped.
    case requestsAreLost
    /// Nothing is passed on, until the fault is another.
    case stalls
    /// The connection is closed with half a message passed on.
    case closes
    /// The connection is closed just after the client has sent something, which the server gets.
    case closesAfterRequest
}
