@_spi(Driver) import Holdfast
import Synchronization

/// A cursor as core has it: the name of an `OpenCursor` of the connection's session.
///
/// A portion that is asked for while another is being read waits for the same thread: handing the read from one to
/// another would cost more time.
final class SQLiteCursor: RowCursor {
    /// A portion that was asked for.
    private struct Read: Sendable {
        let run: @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var reads: [Read] = []
        var isReading = false

        /// The read that comes next; without one, whoever asks is to stop.
        mutating func next() -> Read? {
            isReading = !reads.isEmpty
            return isReading ? reads.removeFirst() : nil
        }
    }

    private let connection: SQLiteConnection
    private let number: Int
    private let statement: Statement
    private let isAbandoned: Flag
    private let state = Mutex(State())

    init(_ connection: SQLiteConnection, _ statement: Statement, number: Int, isAbandoned: Flag) {
        self.isAbandoned = isAbandoned
        self.connection = connection
        self.statement = statement
        self.number = number
    }

    var queuesReads: Bool { true }

    func read(upTo count: Int, bytes: Int, timeout: Duration?) async throws -> sending RowPortion {
        let cancellation = RunCancellation()
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Handover, any Error>) in
                let read = Read(
                    run: { [self] in
                        do {
                            let portion = try readHere(count, bytes, timeout, cancellation)
                            continuation.resume(returning: Handover(portion: portion))
                        } catch {
                            continuation.resume(throwing: error)
                        }
                    },
                    fail: { continuation.resume(throwing: $0) })
                enqueue(read)
            }
        } onCancel: {
            cancellation.cancel()
        }.portion
    }

    // Sendable: nothing else has what the thread that read it hands over.
    private struct Handover: @unchecked Sendable { let portion: RowPortion }

    private func readHere(
        _ count: Int, _ bytes: Int, _ timeout: Duration?, _ cancellation: RunCancellation
    ) throws -> sending RowPortion {
        try connection.performHere(statement, timeout, cancellation) { session in
            let cursor = try session.cursor(number, statement)
            defer { session.settleCursors() }
            let rows = try cursor.read(upTo: count, bytes: bytes)
            return RowPortion(StoredRowSource(rows, columnNames: cursor.columnNames), isLast: cursor.isAtEnd)
        }
    }

    /// Has a thread of the driver read: the one that is at it, or another.
    private func enqueue(_ read: Read) {
        let isReading = state.withLock { state in
            defer { state.isReading = true }
            state.reads.append(read)
            return state.isReading
        }
        guard !isReading else { return }
        connection.workers.submit { [self] in
            while let read = state.withLock({ $0.next() }) { read.run() }
        } orFail: { [self] error in
            while let read = state.withLock({ $0.next() }) { read.fail(error) }
        }
    }

    func abandon() { isAbandoned.raise() }

    func close() async { await connection.closeCursor(number) }
}
