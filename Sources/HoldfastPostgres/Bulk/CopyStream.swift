internal import CPostgres
import Holdfast

/// One COPY … FROM STDIN: rows in binary, sent as the socket takes them.
///
/// For its time the connection leaves pipeline mode, which COPY does not work in. Decision 0012.
struct CopyStream {
    /// How many bytes are encoded before they are handed to libpq.
    private static let portion = 1 << 17
    /// How many bytes are handed to libpq at most.
    private static let greatestMessage = 1 << 24

    let channel: Channel
    let showsValues: Bool
    private var buffer: [UInt8] = []

    init(_ channel: Channel, showsValues: Bool) {
        self.channel = channel
        self.showsValues = showsValues
        buffer.reserveCapacity(Self.portion + (1 << 13))
    }

    /// Copies rows into a table.
    ///
    /// - Parameters:
    ///   - sql: The COPY statement.
    ///   - rowCount: How many rows there are.
    ///   - encode: Appends a row to the bytes to be sent, in the format of COPY; what it throws ends the copying.
    /// - Returns: How many rows the server stored.
    /// - Throws: What the server said; what `encode` threw; or that the session was lost. The transaction has failed
    ///   then.
    mutating func run(
        _ sql: String, rowCount: Int,
        encode: (Int, inout [UInt8]) throws(DatabaseError) -> Void
    ) async throws(DatabaseError) -> Int {
        try leavePipelineMode(sending: sql)
        try await untilAnswered(expecting: PGRES_COPY_IN)
        // The signature, no flags, no extension: "Binary Format" in the manual's page on COPY.
        buffer = [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00, 0, 0, 0, 0, 0, 0, 0, 0]
        var refusal: DatabaseError?
        for row in 0..<rowCount {
            do throws(DatabaseError) {
                try encode(row, &buffer)
            } catch {
                refusal = error
                break
            }
            guard buffer.count >= Self.portion else { continue }
            try await sendPortion()
            if let reason = channel.cancelReason {
                refusal = .cancelled(reason, afterSending: true)
                break
            }
        }
        if refusal == nil {
            buffer += [0xFF, 0xFF]
            try await sendPortion()
        }
        let count = try await end(refusal)
        try enterPipelineMode()
        if let refusal { throw refusal }
        return count
    }

    // MARK: Steps

    private func leavePipelineMode(sending sql: String) throws(DatabaseError) {
        try channel.withSession { session, state throws(DatabaseError) in
            if let reason = state.cancellation?.reason { throw .cancelled(reason) }
            guard !state.isLost, PQexitPipelineMode(session) == 1 else { throw lost(&state) }
            state.phase.send()
            guard PQsendQueryParams(session, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw lost(&state) }
            channel.flush(&state, session)
        }
    }

    private func enterPipelineMode() throws(DatabaseError) {
        try channel.withSession { session, state throws(DatabaseError) in
            state.phase.settle()
            if PQenterPipelineMode(session) == 0 { throw lost(&state) }
        }
    }

    /// Takes the answers to a command; the first has to be of the given status.
    ///
    /// - Returns: How many rows the command changed.
    @discardableResult
    private func untilAnswered(expecting status: ExecStatusType) async throws(DatabaseError) -> Int {
        var failure: DatabaseError?
        var count = 0
        while true {
            await channel.wait(for: .result)
            let isOver = try channel.withSession { session, state throws(DatabaseError) in
                if state.isLost || PQstatus(session) == CONNECTION_BAD { throw lost(&state) }
                while PQisBusy(session) == 0 {
                    guard let raw = PQgetResult(session) else { return true }
                    let result = ServerResult(raw)
                    switch PQresultStatus(raw) {
                    case PGRES_COPY_IN where status == PGRES_COPY_IN: return true
                    case status: count += result.affectedRows
                    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: throw lost(&state)
                    default:
                        let reason = state.cancellation?.reason
                        failure = failure ?? DatabaseError(result, cancelReason: reason, showsValues: showsValues)
                    }
                }
                return false
            }
            if isOver { break }
        }
        guard let failure else { return count }
        if status == PGRES_COPY_IN { try enterPipelineMode() }
        throw failure
    }

    /// Hands the buffer to libpq, and waits until the socket has taken most of it.
    ///
    /// In pieces: a row may be nearly as large as the largest message.
    private mutating func sendPortion() async throws(DatabaseError) {
        var sent = 0
        while sent < buffer.count {
            let piece = sent..<min(sent + Self.greatestMessage, buffer.count)
            let isTaken = try channel.withSession { session, state throws(DatabaseError) in
                if state.isLost { throw lost(&state) }
                let taken = buffer.withUnsafeBytes { bytes in
                    let bytes = UnsafeRawBufferPointer(rebasing: bytes[piece])
                    return PQputCopyData(
                        session, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
                }
                if taken < 0 { throw lost(&state) }
                channel.flush(&state, session)
                return taken == 1
            }
            await channel.wait(for: .room)
            if isTaken { sent = piece.upperBound }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Ends the copying, or breaks it off.
    ///
    /// - Returns: How many rows the server stored.
    private func end(_ refusal: DatabaseError?) async throws(DatabaseError) -> Int {
        while true {
            let isTaken = try channel.withSession { session, state throws(DatabaseError) in
                if state.isLost { throw lost(&state) }
                let taken = PQputCopyEnd(session, refusal == nil ? nil : "a value can't be stored")
                if taken < 0 { throw lost(&state) }
                channel.flush(&state, session)
                return taken == 1
            }
            if isTaken { break }
            await channel.wait(for: .room)
        }
        do throws(DatabaseError) {
            return try await untilAnswered(expecting: PGRES_COMMAND_OK)
        } catch {
            if error.code == .connectionLost { throw error }
            try enterPipelineMode()
            throw refusal ?? error
        }
    }

    private func lost(_ state: inout Channel.State) -> DatabaseError {
        state.isLost = true
        return .connectionLost()
    }
}
