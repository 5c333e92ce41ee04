/// One session with an engine: what a driver has to provide.
///
/// A connection is used by one operation at a time, which calls its methods one after the other; only the cancellation
/// of the task that calls may come from elsewhere while one of them runs. What all engines have in common
/// (transactions, savepoints, retries, pooling, decoding, planning) is core's and not repeated here.
@_spi(Driver) public protocol DriverConnection: AnyObject, Sendable {
    /// The capabilities of this server or library, in this version.
    var capabilities: Capabilities { get }

    /// The status of the transaction, as the engine reports it.
    ///
    /// It is read before COMMIT and ROLLBACK, and never guessed.
    ///
    /// ```swift
    /// var transactionStatus: TransactionStatus { sqlite3_get_autocommit(database) == 0 ? .open : .idle }
    /// ```
    var transactionStatus: TransactionStatus { get }

    /// Whether the session can still be used; false once it is lost or closed.
    var isUsable: Bool { get }

    /// Whether the session still has the settings with which it was opened, as far as the engine tells without being
    /// asked.
    ///
    /// It is read when a connection is given back after a statement of the caller's, of which nobody knows what it has
    /// done. A connection that has others is closed. A driver that is told nothing need not implement this.
    var hasOwnSettings: Bool { get }

    /// Where the session is, for the log: `host`, `port`, `process`, or `file`. Nothing secret.
    ///
    /// ```swift
    /// var endpoint: [String: String] { ["host": "db.example.org", "port": "5432", "process": "4711"] }
    /// ```
    var endpoint: [String: String] { get }

    /// Runs `statement` once per row of `parameters`, in order, and hands its rows to `consume`.
    ///
    /// `consume` is called once, when rows can be had, on a thread where it may compute but not block. Rows that it
    /// leaves unread are read and dropped by the driver, so that every parameter row has run when this returns. If one
    /// run fails, the later ones do not happen, and the error's `objectIndex` is the parameter row that failed.
    ///
    /// ```swift
    /// let count = try await connection.run(Statement("SELECT count(*) FROM note"), .none, timeout: nil) { rows in
    ///     try rows.next()?[0].integer
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - statement: What to run.
    ///   - parameters: A row per run; ``ParameterBuffer/none`` for one run without parameters.
    ///   - timeout: How long it may take before it is cancelled with ``DatabaseError/Code/statementTimeout``; nil for
    ///     no limit.
    ///   - consume: Reads the rows; its result is handed over to the caller.
    /// - Throws: ``DatabaseError`` with the portable code; `CancellationError` is never thrown: a cancelled task gets
    ///   ``DatabaseError/Code/cancelled``. What `consume` throws is passed on, after the statement ended.
    func run<Output>(
        _ statement: Statement,
        _ parameters: ParameterBuffer,
        timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output

    /// Runs a brief statement immediately, on this thread, as far as that needs no suspension.
    ///
    /// It does the work of ``run(_:_:timeout:consume:)``. If the data is in this process, or a server answers within
    /// microseconds, suspending and resuming the task costs more than a lookup by key. Implement this method only if
    /// your engine can answer that fast; otherwise every statement uses ``run(_:_:timeout:consume:)``. It may block the
    /// thread for some milliseconds, but only as an exception. If it throws, nothing is under way any more.
    ///
    /// - Returns: Whether the statement ran. If nothing was done, the caller has to use the other method; if it is
    ///   under way, to wait for the rest.
    func runImmediately(
        _ statement: Statement,
        _ parameters: ParameterBuffer,
        timeout: Duration?,
        consume: (any RowSource) throws -> Void
    ) throws -> RunProgress

    /// Runs statements that read, none of which needs what another returns, and hands over the rows of each.
    ///
    /// It does the work of ``run(_:_:timeout:consume:)`` for each statement in turn, but lets the engine work on later
    /// statements while the caller receives the rows of one: the driver sends all in one round trip, or runs them on a
    /// thread of its own. A driver that can do neither need not implement this method.
    ///
    /// They run in their order, and none runs again once a later one was sent: the last may be the COMMIT of the
    /// transaction in which they read.
    ///
    /// If a statement fails, or `receive` throws for it, the later ones are dropped. `receive` may already have been
    /// called for earlier ones, in order. The error is thrown when none of them runs any more, which may be after the
    /// last.
    ///
    /// ```swift
    /// try await connection.runTogether([projects, people], begin: nil, timeout: .seconds(5)) { position, ids in
    ///     print(position == 0 ? "projects:" : "people:", ids)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - runs: The statements in their order.
    ///   - begin: What is to be run first, to begin a transaction in which they run; nil for nothing. After an error
    ///     the transaction may be open or not: ``transactionStatus`` says.
    ///   - timeout: How long each of them may take before all are cancelled, not counting what `receive` does; nil for
    ///     no limit.
    ///   - receive: Receives what was read of the run at a position, in the order of the runs, on the isolation of the
    ///     caller. If the rows call for further statements, run them by a second call: sending them during this one
    ///     would not save a round trip (`docs/decisions/0026`).
    /// - Throws: As ``run(_:_:timeout:consume:)``, with the `sql` of the statement that failed; and what `receive`
    ///   throws, unless a statement under way fails after that.
    func runTogether<Output: Sendable>(
        _ runs: [StatementRun<Output>],
        begin: Statement?,
        timeout: Duration?,
        receive: (Int, Output) throws -> Void
    ) async throws

    /// Begins to run a statement that reads, whose rows are asked for as they are needed.
    ///
    /// A transaction is open, and stays so as long as the cursor is used. A driver that does not implement this has all
    /// rows copied when the cursor is opened, which costs the memory for them.
    ///
    /// - Parameters:
    ///   - statement: What to run. It is not kept prepared.
    ///   - parameters: One row.
    ///   - timeout: How long it may take until there are rows.
    /// - Throws: As ``run(_:_:timeout:consume:)``.
    func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor

    /// Describes a part of the database, of one moment, in a number of statements that does not depend on the number of
    /// tables.
    ///
    /// ```swift
    /// let schema = try await connection.schema(.tables(["note", "absent"]), timeout: nil)
    /// schema.tables.map(\.name)    // ["note"]
    /// ```
    ///
    /// ``SchemaRequest/all(of:includingSizes:)`` is asked for only of a driver that claims
    /// ``Capabilities/describesSchemas``.
    ///
    /// - Parameters:
    ///   - request: The part to describe.
    ///   - timeout: How long it may take; nil for no limit.
    /// - Throws: ``DatabaseError/Code/notFound`` if there is no such schema.
    func schema(_ request: SchemaRequest, timeout: Duration?) async throws -> DatabaseSchema

    /// Stops the statement under way, if there is one, as the cancellation of its task would.
    ///
    /// It may be called at any time, from any task. A driver that can't do this need not have it: then closing the
    /// database with a deadline does not stop statements that are under way.
    func interrupt()

    /// Ends the session; rolls back what was open. Safe to call more than once.
    func close() async

    /// Hands over the notifications of the session, from now on and from any thread, until the connection is closed or
    /// lost, which it tells by nil.
    ///
    /// It is called again after each statement that the connection has run. A driver that claims
    /// ``Capabilities/deliversNotifications`` implements it.
    ///
    /// - Parameter receive: Receives the channel and the payload, or nil; it does not wait, and does not use the
    ///   connection.
    /// - Throws: ``DatabaseError/Code/connectionLost``.
    func receiveNotifications(
        _ receive: @escaping @Sendable ((channel: String, payload: String)?) -> Void
    ) throws
}
