/// The actions that the shell performs after an event, once it has released the lock.
struct PoolAction<Connection: Sendable, Request: Sendable>: Sendable {
    /// A request that gets a connection.
    struct Grant: Sendable {
        let request: Request
        let purpose: LeasePurpose
        let slot: Int
        let connection: Connection
    }

    /// A connection that is to be closed; its slot is taken until the shell reports that it is.
    struct Closing: Sendable {
        let slot: Int
        let connection: Connection
    }

    /// A request that gets none.
    struct Failure: Sendable {
        let request: Request
        let refusal: PoolRefusal
    }

    /// The request to serve: one event makes at most one connection free.
    var grant: Grant?
    /// The slots for which to open a connection.
    var opens: [Int] = []
    /// The connections to close.
    var closes: [Closing] = []
    /// The requests to fail.
    var failures: [Failure] = []
    /// The timer to set.
    var wake: PoolWake?
    /// Whether nobody waits any more for the connections that are being opened, so that they are given up.
    var cancelsOpens = false
    /// Whether the pool has drained with this event, for good.
    var isDrained = false
}

/// When to call `tick`, in place of any time that was asked for with a lower number.
struct PoolWake: Sendable {
    let time: Duration
    let number: Int
}

/// Why a request got no connection.
enum PoolRefusal: Sendable {
    /// The pool is closing, or closed.
    case closed
    /// Its task was cancelled.
    case cancelled
    /// None became free in time.
    case timedOut(after: Duration, PoolStatistics)
    /// None could be opened, and there is none to wait for.
    case cannotOpen(DatabaseError)

    var error: DatabaseError {
        switch self {
        case .closed:
            DatabaseError(.closed, "The database was closed. Open it again to use it.")
        case .cancelled:
            DatabaseError(.cancelled, "The task was cancelled while it waited for a connection; nothing was done.")
        case .timedOut(let waited, let pool):
            // More than the one that writes are no remedy where an engine has only one writer.
            DatabaseError(
                .poolTimeout,
                "No connection became free within \(PoolStatistics.seconds(waited)): "
                    + pool.description(ofWaiting: "other operations")
                    + (pool.openFailure != nil
                        ? ". See to what keeps connections from being opened."
                        : pool.isOfOneWriter
                            ? ". There is one connection that writes, by design: end transactions that write sooner, or wait "
                                + "for longer."
                            : ". End transactions and streams sooner, or allow more connections."))
        case .cannotOpen(let error):
            error
        }
    }
}
