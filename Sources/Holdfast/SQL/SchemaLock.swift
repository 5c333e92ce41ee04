/// How to take the lock under which schemas are changed, which ends with its transaction.
public struct SchemaLock: Sendable {
    /// The statement that takes the lock if it is free, and returns whether it was.
    public var attempt: String
    /// The statements that wait for the lock, whatever limits there are for waiting, and leave those limits as they were.
    public var wait: [String]

    /// - Parameters:
    ///   - attempt: Takes the lock if it is free, and returns one Boolean.
    ///   - wait: Statements that wait for the lock, run in their order.
    public init(attempt: String, wait: [String]) {
        self.attempt = attempt
        self.wait = wait
    }
}
