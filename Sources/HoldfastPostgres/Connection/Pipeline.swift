internal import CPostgres
@_spi(Driver) import Holdfast

/// One round trip: commands that are sent together, ended by one Sync, so that the server begins them without waiting
/// for us and abandons the rest when one fails.
///
/// Without an open transaction, everything up to the Sync is one transaction.
struct Pipeline {
    /// How many commands are sent together before what has arrived is looked at.
    private static let stride = 256

    let channel: Channel
    let showsValues: Bool
    /// How many commands there are.
    private let count: Int
    /// The kind of statements that are sent, if the answers are expected within microseconds.
    var brief: BriefWaits.Kind?

    private var sent = 0
    private var answered = 0
    private var isSyncSent = false
    /// Whether a transaction was open before; not where the first command begins one, which a ROLLBACK then ends as it
    /// does the implicit one.
    private(set) var isInTransaction = false
    private var isOver = false
    /// The first command that failed, and why.
    private(set) var failure: (index: Int, error: DatabaseError)?
    /// Whether it failed since the server, when it analysed its text, found types that don't go together.
    private var failedInAnalysis = false
    /// Whether it failed within a function, such as a trigger's.
    private var failedInFunction = false

    init(_ channel: Channel, count: Int, showsValues: Bool) {
        self.channel = channel
        self.count = count
        self.showsValues = showsValues
    }

    /// Sends the commands, which are few, and waits for nothing: ``run(upTo:send:receive:)`` then takes their results.
    mutating func send(
        _ send: (OpaquePointer, Int) throws(DatabaseError) -> Int32
    ) throws(DatabaseError) {
        try channel.withSession { session, state throws(DatabaseError) in
            try begin(session, &state)
            try sendMore(session, &state, send)
            channel.flush(&state, session)
        }
    }

    /// Sends the commands and takes their results.
    ///
    /// - Parameters:
    ///   - end: The command before which it stops to take results, to be called again for the others, some of which may
    ///     not be sent yet, or else the connection can't be used; nil for none. After a failure it returns only when
    ///     all is over.
    ///   - send: Sends the command at a position by a function of libpq, and returns what that returned.
    ///   - receive: Takes a result of the command at a position.
    /// - Throws: What the server said to the first command that failed, with ``failure`` telling which; or that the
    ///   session was lost, or the run cancelled before all was sent.
    mutating func run(
        upTo end: Int? = nil,
        send: (OpaquePointer, Int) throws(DatabaseError) -> Int32,
        receive: (Int, ServerResult) -> Void
    ) async throws(DatabaseError) {
        while true {
            let interest = try channel.withSession { session, state throws(DatabaseError) in
                try advance(session, &state, upTo: end ?? .max, send, receive)
            }
            guard let interest else { break }
            if interest == .now { continue }
            await channel.wait(for: interest == .result ? .result : .progress, brief: isSyncSent ? brief : nil)
        }
        if let failure { throw failure.error }
    }

    /// Sends the commands, which are few, and takes their results if they come while this thread waits for them, which
    /// is not long.
    ///
    /// - Returns: Whether all is over; if not, ``receiveRest(receive:)`` goes on.
    /// - Throws: As that.
    mutating func runHere(
        send: (OpaquePointer, Int) throws(DatabaseError) -> Int32,
        receive: (Int, ServerResult) -> Void
    ) throws(DatabaseError) -> Bool {
        try self.send(send)
        while let brief, channel.waitHere(for: .result, brief) {
            let interest = try channel.withSession { session, state throws(DatabaseError) in
                try advance(session, &state, upTo: .max, send, receive)
            }
            guard interest == nil else { continue }
            if let failure { throw failure.error }
            return true
        }
        return false
    }

    /// Takes the results of commands that have all been sent.
    ///
    /// - Throws: As ``run(upTo:send:receive:)``.
    mutating func receiveRest(receive: (Int, ServerResult) -> Void) async throws(DatabaseError) {
        try await run(send: { _, _ in 0 }, receive: receive)
    }

    private enum Next {
        case now, result, progress
    }

    /// Does what can be done without waiting; returns what to wait for, or nil if all is over.
    private mutating func advance(
        _ session: OpaquePointer,
        _ state: inout Channel.State,
        upTo end: Int,
        _ send: (OpaquePointer, Int) throws(DatabaseError) -> Int32,
        _ receive: (Int, ServerResult) -> Void
    ) throws(DatabaseError) -> Next? {
        if !isSyncSent {
            if sent == 0 { try begin(session, &state) }
            try sendMore(session, &state, send)
            if isSyncSent { channel.flush(&state, session) } else { channel.consume(&state, session) }
        }
        receiveResults(session, &state, upTo: end, receive)
        if isOver {
            state.phase.settle()
            return nil
        }
        if answered >= end, failure == nil { return nil }
        if state.isLost || PQstatus(session) == CONNECTION_BAD {
            state.isLost = true
            throw lost
        }
        if isSyncSent { return .result }
        return state.needsFlush ? .progress : .now
    }

    private mutating func begin(_ session: OpaquePointer, _ state: inout Channel.State) throws(DatabaseError) {
        isInTransaction = PQtransactionStatus(session) != PQTRANS_IDLE
        if let reason = state.cancellation?.reason, !state.ignoresCancellation { throw .cancelled(reason) }
        if state.isLost { throw lost }
        state.phase.send()
    }

    private mutating func sendMore(
        _ session: OpaquePointer,
        _ state: inout Channel.State,
        _ send: (OpaquePointer, Int) throws(DatabaseError) -> Int32
    ) throws(DatabaseError) {
        let end = min(count, sent + Self.stride)
        while sent < end, failure == nil {
            if let reason = state.cancellation?.reason, sent > 0, !state.ignoresCancellation {
                // The server may be idle between two commands, where it ignores cancellations.
                failure = (sent, .cancelled(reason, afterSending: true))
                // What was sent must not stand by itself. (In a transaction, its owner rolls back.)
                if !isInTransaction {
                    // Without it, the Sync would commit.
                    if !sendRollback(session) { throw refused(session, &state) }
                    sent += 1
                }
                break
            }
            do throws(DatabaseError) {
                if try send(session, sent) == 0 { throw refused(session, &state) }
            } catch {
                // What was sent can't be taken back, and must not be left without a Sync.
                if sent > 0 { state.isLost = true }
                state.phase.settle()
                throw error
            }
            sent += 1
            if sent % 32 == 0 {
                channel.flush(&state, session)
                if state.needsFlush { break }
            }
        }
        if sent == count || failure != nil {
            if PQpipelineSync(session) == 0 { throw refused(session, &state) }
            isSyncSent = true
            state.prefetch.expectSync()
        }
    }

    private mutating func receiveResults(
        _ session: OpaquePointer, _ state: inout Channel.State, upTo end: Int, _ receive: (Int, ServerResult) -> Void
    ) {
        while answered < sent || isSyncSent, answered < end || failure != nil,
            let arrival = channel.takeArrival(&state, session)
        {
            guard case .result(let result) = arrival else {
                if state.prefetch.arrivals.isEmpty, PQstatus(session) == CONNECTION_BAD { return state.isLost = true }
                answered += 1
                continue
            }
            switch PQresultStatus(result.raw) {
            case PGRES_PIPELINE_SYNC:
                if isSyncSent { return isOver = true }
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                if failure == nil { receive(answered, result) }
            case PGRES_PIPELINE_ABORTED:
                break
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                let message = "COPY can't be run as a statement; nothing was copied, and the connection is closed."
                failure = failure ?? (answered, DatabaseError(.unsupported, message))
                return state.isLost = true
            default:
                let reason = state.cancellation?.reason
                let error = DatabaseError(result, cancelReason: reason, showsValues: showsValues)
                // One that was sent before the sending was broken off comes first.
                if failure.map({ answered < $0.index }) ?? true {
                    failure = (answered, error)
                    // With a position in the text, and not from within a function that it calls.
                    failedInFunction = result.field(HOLDFAST_DIAG_CONTEXT) != nil
                    failedInAnalysis =
                        TypeChoice.canHelp(error.engineCode) && result.field(HOLDFAST_DIAG_POSITION) != nil
                        && !failedInFunction
                }
            }
        }
    }

    /// The error of a run of `plan`.
    ///
    /// If a plan that was prepared before now fails to be analysed, the schema has changed, and the error says that the
    /// plan is stale.
    ///
    /// The server keeps the types of a prepared statement's parameters, whatever becomes of the columns.
    func stale(_ error: DatabaseError, _ plan: StatementPlan) -> DatabaseError {
        if failedInAnalysis, !plan.prepares { return error.asStalePlan }
        // Only what the server says of it: if the connection is lost, the change may have been made.
        if let failure {
            if failure.index < plan.leading.count, plan.leading[failure.index].tellsOfChange(error.engineCode) {
                return error.asStalePlan
            }
            // It takes something for a name that can be none; or the user may not read the catalog any more.
            if failure.index >= count - plan.trailing.count, ["42602", "42501"].contains(error.engineCode) {
                return error.asStalePlan
            }
        }
        // The right to read columns was taken away, or a policy or a rule is new: without the guard, the statement may
        // be allowed.
        let isOfGuard =
            plan.statement.guardCount > 0 && !plan.isFresh && !failedInFunction
            && ["42501", "0A000"].contains(error.engineCode)
        return isOfGuard ? error.asStalePlan : error
    }

    private func sendRollback(_ session: OpaquePointer) -> Bool {
        PQsendQueryParams(session, "ROLLBACK", 0, nil, nil, nil, nil, 1) == 1
    }

    private func refused(_ session: OpaquePointer, _ state: inout Channel.State) -> DatabaseError {
        state.isLost = true
        if PQstatus(session) == CONNECTION_BAD { return lost }
        return DatabaseError(.engine, "libpq could not send the statement: it is out of memory or too large.")
    }

    /// The error for a session that ended, with what the server last said of it.
    private var lost: DatabaseError {
        guard let failure else { return .connectionLost() }
        if failure.error.code == .unsupported { return failure.error }
        return .connectionLost(because: failure.error)
    }
}
