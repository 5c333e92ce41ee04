/// A value that is read by a query, now and after each change.
///
/// See ``Query/observe(delay:interval:fileID:line:_:)``.
public struct ValueObservation<Value: Equatable>: AsyncSequence {
    let makeReader: () throws -> (loop: ObservationLoop, read: () async throws -> Value)

    public func makeAsyncIterator() -> Iterator { Iterator(reader: Result { try makeReader() }) }

    /// An iterator over the values, for one task.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Result<(loop: ObservationLoop, read: () async throws -> Value), any Error>
        private var latest: Value?

        fileprivate init(reader: Result<(loop: ObservationLoop, read: () async throws -> Value), any Error>) {
            self.reader = reader
        }

        /// Returns the next value that differs from the one before; nil once the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Value? {
            let (loop, read) = try reader.get()
            let latest = latest
            let next = try await loop.next { () async throws -> Value? in
                let value = try await read()
                return value == latest ? nil : value
            }
            self.latest = next
            return next
        }
    }
}

@available(*, unavailable)
extension ValueObservation: Sendable {}

@available(*, unavailable)
extension ValueObservation.Iterator: Sendable {}
