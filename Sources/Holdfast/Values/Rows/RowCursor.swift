/// A statement that reads, and whose rows come as its caller asks for them: what a driver has to provide for streams.
///
/// It belongs to a connection with an open transaction, and ends with that transaction at the latest. Between its
/// calls, other statements may run on the connection.
///
/// ```swift
/// let cursor = try await connection.openCursor(statement, .none, timeout: nil)
/// let portion = try await cursor.read(upTo: 100, bytes: 1 << 20, timeout: nil)
/// while let cells = try portion.rows.next() { print(cells[0].integer) }
/// await cursor.close()
/// ```
@_spi(Driver) public protocol RowCursor: AnyObject, Sendable {
    /// Whether rows can be asked for while others are still being read: then they are read after those, without
    /// anything in between.
    var queuesReads: Bool { get }

    /// Allows the cursor to prefetch rows: nothing else runs on the connection until the cursor is closed or its
    /// transaction has ended, so the engine may produce the next rows while the caller uses earlier ones.
    func prefetch()

    /// Reads the rows that come next.
    ///
    /// The cursor returns the rows as they were when it was opened, even if the transaction has changed them since.
    ///
    /// - Parameters:
    ///   - count: How many rows at most; not fewer than in the call before.
    ///   - bytes: How many bytes their texts and blobs may have, about: there are fewer rows where they are large.
    ///   - timeout: How long this may take before it is cancelled with ``DatabaseError/Code/statementTimeout``; nil for
    ///     no limit.
    /// - Returns: The rows, none after the last.
    /// - Throws: ``DatabaseError``, as ``DriverConnection/run(_:_:timeout:consume:)``; afterwards no more rows come.
    func read(upTo count: Int, bytes: Int, timeout: Duration?) async throws -> sending RowPortion

    /// Says that no more rows will be read, while other statements may be running; the cursor is closed later, or ends
    /// with its transaction.
    func abandon()

    /// Ends the statement, in a cancelled task too. Safe to call more than once.
    func close() async
}

@_spi(Driver) extension RowCursor {
    public func prefetch() {}
}

/// Some rows of a cursor.
@_spi(Driver) public struct RowPortion {
    /// The rows: unlike those of a running statement they may be read at any time, by one thread at a time.
    public let rows: any RowSource
    /// Whether it is known that no more come.
    public let isLast: Bool

    /// Creates a portion of rows that were read.
    public init(_ rows: any RowSource, isLast: Bool) {
        self.rows = rows
        self.isLast = isLast
    }
}
