/// The results of a query one after the other, with at most some thousand rows in memory, fewer if they are large.
///
/// ```swift
/// for try await project in db.query(Project.self).where({ $0.budget > 1_000 }).stream() {
///     try await report.write(project)
/// }
/// // BEGIN …; the statement of `fetch`, by a cursor of the engine; COMMIT
/// ```
///
/// - Outside of a transaction, everything is of one snapshot, that of the first element, and the stream has a
///   connection of its own for as long as it is read, and the next rows are read while you use those that have come. On
///   SQLite, the log of what others write can't be shortened meanwhile, so don't let a stream wait for people.
/// - Nothing is sent before the first element is asked for. When the loop is left, by `break` or by an error, or its
///   task is cancelled, the statement is stopped and the connection given back. Each loop over the same stream asks
///   anew.
/// - Inside a transaction, a stream gives the rows that there were at its first element, whatever the transaction
///   writes meanwhile; what objects lead to, and the elements of their arrays, are read with each portion, as they are
///   then. SQLite has no such cursor: what is left of the stream is read into memory when the transaction writes; and
///   where a statement of the transaction is stopped, its streams end with ``DatabaseError/Code/transactionAborted``.
/// - The statement timeout counts for each portion of rows, and not for what you do with them. A `statement_timeout`
///   that a PostgreSQL server has for a role or a database does not hold for a stream outside of transactions, since it
///   would count that, too.
///
/// While it is read it throws what `fetch` throws, and ``DatabaseError/Code/closed`` if the transaction has ended to
/// which it belongs.
public struct QueryStream<Element>: AsyncSequence, Sendable {
    private let makeReader: @Sendable () throws -> StreamReader<Element>

    init(_ makeReader: @escaping @Sendable () throws -> StreamReader<Element>) { self.makeReader = makeReader }

    public func makeAsyncIterator() -> Iterator { Iterator(Result { try makeReader() }) }

    /// Gives the elements of a stream; belongs to whoever asks it.
    public struct Iterator: AsyncIteratorProtocol {
        private let reader: Result<StreamReader<Element>, any Error>
        @usableFromInline var portion: [Element] = []
        @usableFromInline var position = 0

        init(_ reader: Result<StreamReader<Element>, any Error>) { self.reader = reader }

        /// The next element, or nil after the last.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
            if position == portion.count {
                // Let go of before others come.
                portion = []
                position = 0
                portion = try await nextPortion(isolation: actor)
                if portion.isEmpty { return nil }
            }
            defer { position += 1 }
            return portion[position]
        }

        /// The elements that come next: none at the end.
        @usableFromInline
        func nextPortion(isolation actor: isolated (any Actor)?) async throws -> [Element] {
            try await reader.get().next()
        }
    }
}

@available(*, unavailable)
extension QueryStream.Iterator: Sendable {}
