/// The results of a query one after the other, with at most some thousand rows in memory, fewer if they are large.
///
/// ```swift
/// for try await project in db.query(Project.self).where({ $0.budget > 1_000 }).stream() {
///     try await report.write(project)
/// }
/// // BEGIN …; the statement of `fetch`, by a cursor of the engine; COMMIT
/// ```
///
/// - Outside a transaction, all elements are of one snapshot, that of the first element. The stream holds a connection
///   while it is read, and prefetches rows while you use the ones before. On SQLite, the write-ahead log can't shrink
///   meanwhile, so don't let a stream wait for user input.
/// - Nothing is sent before the first element is requested. When you leave the loop, by `break` or by an error, or its
///   task is cancelled, the statement is stopped and the connection returned. Each loop over a stream runs the
///   statement again.
/// - Inside a transaction, a stream returns the rows that existed at its first element, whatever the transaction writes
///   meanwhile. Related objects and elements of arrays are read with each portion, in their state at that time. SQLite
///   has no such cursor: when the transaction writes, the rest of the stream is read into memory; and if a statement of
///   the transaction is stopped, its streams end with ``DatabaseError/Code/transactionAborted``.
/// - The statement timeout applies to each portion of rows, without the time that you use for them. A
///   `statement_timeout` that a PostgreSQL server sets for a role or a database does not apply to a stream outside
///   transactions, since it would include that time.
///
/// Reading throws the errors of `fetch`, and ``DatabaseError/Code/closed`` if the transaction of the stream has ended.
public struct QueryStream<Element>: AsyncSequence, Sendable {
    private let makeReader: @Sendable () throws -> StreamReader<Element>

    init(_ makeReader: @escaping @Sendable () throws -> StreamReader<Element>) { self.makeReader = makeReader }

    public func makeAsyncIterator() -> Iterator { Iterator(Result { try makeReader() }) }

    /// An iterator over the elements of a stream, for one task.
    public struct Iterator: AsyncIteratorProtocol {
        private let reader: Result<StreamReader<Element>, any Error>
        @usableFromInline var portion: [Element] = []
        @usableFromInline var position = 0

        init(_ reader: Result<StreamReader<Element>, any Error>) { self.reader = reader }

        /// The next element, or nil after the last.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
            if position == portion.count {
                // Released before others come.
                portion = []
                position = 0
                portion = try await nextPortion(isolation: actor)
                if portion.isEmpty { return nil }
            }
            defer { position += 1 }
            return portion[position]
        }

        /// Returns the next elements: none at the end.
        @usableFromInline
        func nextPortion(isolation actor: isolated (any Actor)?) async throws -> [Element] {
            try await reader.get().next()
        }
    }
}

@available(*, unavailable)
extension QueryStream.Iterator: Sendable {}
