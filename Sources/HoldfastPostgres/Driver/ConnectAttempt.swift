internal import CPostgres
import Holdfast
import Synchronization

/// Connecting to the first server of several that answers, on a thread of its own.
///
/// libpq's connecting blocks here and there even in its non-blocking way: it resolves names and reads key, password and
/// service files. So neither the cooperative pool nor the reactor has a part in it; the task that waits can leave
/// at any time, and the thread follows when it can.
final class ConnectAttempt: Sendable {
    // Unchecked: the pointer is touched only under the lock, and handed over once.
    private struct State: @unchecked Sendable {
        var outcome: Result<OpaquePointer, DatabaseError>?
        var waiter: CheckedContinuation<Void, Never>?
        var isAbandoned = false
        /// The server that is being tried.
        var address = ServerAddress()
        /// Why those before it were of no use.
        var failures: [DatabaseError] = []
    }

    private let options: PostgresOptions
    private let showsValues: Bool
    private let notices: NoticeLog
    /// How long all servers together may take.
    private let timeout: Duration
    private let state = Mutex(State())

    init(_ options: PostgresOptions, timeout: Duration, showsValues: Bool, notices: NoticeLog) {
        self.options = options
        self.showsValues = showsValues
        self.notices = notices
        self.timeout = options.connectTimeout.map { $0 * options.targets.count } ?? timeout
    }

    /// Connects.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect``, also when the time is over, or
    ///   ``DatabaseError/Code/authenticationFailed``, or ``DatabaseError/Code/cancelled``.
    func run() async throws(DatabaseError) -> LibpqSession {
        guard startThread({ [self] in finish(with: connect()) }) else {
            throw DatabaseError(.cannotConnect, "The system gave no thread to connect on.")
        }
        let timer = Task.detached { [self] in
            // The thread keeps to the time by itself, unless it hangs while it resolves a name.
            try await Task.sleep(for: timeout + .milliseconds(250))
            abandon(late)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.outcome == nil { state.waiter = continuation }
                    return state.outcome != nil
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            abandon(DatabaseError(.cancelled, "The task was cancelled while a connection was being opened."))
        }
        timer.cancel()
        let outcome = state.withLock { state in
            defer { state.isAbandoned = true }
            return state.outcome
        }
        guard let outcome else { throw late }
        return LibpqSession(try outcome.get())
    }

    /// Ends the wait with `error`; the thread closes what it has as soon as it notices.
    private func abandon(_ error: DatabaseError) { finish(with: .failure(error)) }

    private func finish(with outcome: Result<OpaquePointer, DatabaseError>) {
        let (isWanted, waiter) = state.withLock { state in
            guard state.outcome == nil else { return (false, state.waiter) }
            state.outcome = outcome
            if case .failure = outcome { state.isAbandoned = true }
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        if isWanted { waiter?.resume() } else { _ = LibpqSession(try? outcome.get()) }
    }

    private var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// The time is over; it says of each server what kept it from being used.
    private var late: DatabaseError {
        let (failures, address) = state.withLock { ($0.failures, $0.address) }
        return ConnectFailure.of(failures + [ConnectFailure(address, options).late])
    }
}

// MARK: On the thread

extension ConnectAttempt {
    private func connect() -> Result<OpaquePointer, DatabaseError> {
        let end = MonotonicTime.after(timeout)
        for (index, target) in options.targets.enumerated() where !isAbandoned {
            let now = MonotonicTime.now
            let share = (end.nanoseconds - now.nanoseconds) / Int64(options.targets.count - index)
            let limit = options.connectTimeout ?? .nanoseconds(share)
            let deadline = now.advanced(by: limit)
            do throws(DatabaseError) {
                let session = try connect(to: target, deadline: deadline)
                return .success(session)
            } catch {
                state.withLock { $0.failures.append(error) }
                // Like libpq: who is refused by one server is not to try the same on the next.
                if error.code == .authenticationFailed { break }
            }
        }
        let failures = state.withLock { $0.failures }
        return .failure(failures.isEmpty ? late : ConnectFailure.of(failures))
    }

    private func connect(
        to target: PostgresOptions.Target, deadline: MonotonicTime
    ) throws(DatabaseError) -> OpaquePointer {
        // Before libpq looks its name up, which may take long.
        note(ServerAddress(target, options))
        let session = LibpqSession(start(target))
        let failure = session.use { session -> DatabaseError? in
            let address = ServerAddress(session)
            if address != ServerAddress() { note(address) }
            let failure = ConnectFailure(address, options)
            PQsetNoticeReceiver(session, NoticeLog.receive, notices.context)
            // SQLSTATE and function of the server are the only language-independent words on why it refused.
            _ = PQsetErrorVerbosity(session, PQERRORS_VERBOSE)
            var status = PQstatus(session) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
            var usesTLS = false
            while status != PGRES_POLLING_OK {
                usesTLS = usesTLS || PQsslInUse(session) != 0
                if status == PGRES_POLLING_FAILED {
                    return failure.error(of: session, usesTLS: usesTLS, showsValues: showsValues)
                }
                // In slices, so that an abandoned attempt ends soon.
                let rest = min((deadline.nanoseconds - MonotonicTime.now.nanoseconds) / 1_000_000, 100)
                if rest < 0 || isAbandoned { return failure.late }
                let isWriting = status == PGRES_POLLING_WRITING
                if holdfast_wait_for_socket(PQsocket(session), isWriting, Int32(rest) + 1) {
                    status = PQconnectPoll(session)
                }
            }
            _ = PQsetErrorVerbosity(session, PQERRORS_DEFAULT)
            if PQsetnonblocking(session, 1) != 0 || PQenterPipelineMode(session) != 1 {
                return DatabaseError(.cannotConnect, "libpq could not prepare the new connection for use.")
            }
            return Self.refusal(of: session)
        }
        guard let failure else { throw DatabaseError(.cannotConnect, "libpq has no memory for a connection.") }
        if let failure { throw failure }
        guard let pointer = session.take() else { throw late }
        return pointer
    }

    private func note(_ address: ServerAddress) { state.withLock { $0.address = address } }

    private func start(_ target: PostgresOptions.Target) -> OpaquePointer? {
        // Later ones win: first our defaults, then the caller's, then what must be.
        var parameters = [
            ("fallback_application_name", "holdfast"),
            // A server that vanished is noticed in a minute, not in the two hours that systems default to.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
        ]
        parameters += options.keywords.map { ($0.keyword, $0.value) }
        if let host = target.host { parameters.append(("host", host)) }
        if let address = target.address { parameters.append(("hostaddr", address)) }
        if let port = target.port { parameters.append(("port", port)) }
        if let kind = target.sessionKind { parameters.append(("target_session_attrs", kind)) }
        parameters.append(("client_encoding", "UTF8"))
        return withCStrings(parameters.map(\.0)) { keywords in
            withCStrings(parameters.map(\.1)) { values in PQconnectStartParams(keywords, values, 1) } ?? nil
        } ?? nil
    }

    /// Why a server that can be reached is of no use to us.
    private static func refusal(of session: OpaquePointer) -> DatabaseError? {
        if PQserverVersion(session) < 130_000 {
            return DatabaseError(.unsupported, "Holdfast needs PostgreSQL 13 or later. Upgrade the server.")
        }
        let encoding = PQparameterStatus(session, "server_encoding").map { String(cString: $0) }
        if encoding != "UTF8" {
            let message = "The database's encoding is not UTF-8. Create one with ENCODING 'UTF8'."
            return DatabaseError(.unsupported, message)
        }
        return nil
    }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Output>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Output
) -> Output? {
    let bytes = strings.flatMap { Array($0.utf8CString) }
    return bytes.withUnsafeBufferPointer { bytes in
        var pointers: [UnsafePointer<CChar>?] = []
        var offset = 0
        for string in strings {
            pointers.append(bytes.baseAddress.map { $0 + offset })
            offset += string.utf8.count + 1
        }
        pointers.append(nil)
        return pointers.withUnsafeBufferPointer { $0.baseAddress.map(body) }
    }
}
