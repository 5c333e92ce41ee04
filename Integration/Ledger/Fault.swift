/// How a proxied connection fails.
enum Fault: CaseIterable {
    /// It does not.
    case none
    /// From a moment on, the server's answers are dropped, and the connection stays open for some seconds.
    case answersAreLost
    /// From a moment on, what the client sends is dropped, and the connection stays open for some seconds.
    case requestsAreLost
    /// For a while nothing is passed on; then everything is, late.
    case stalls
    /// The connection is closed with half a message passed on.
    case closes
    /// The connection is closed just after the client has sent something, which the server gets.
    case closesAfterRequest
}
