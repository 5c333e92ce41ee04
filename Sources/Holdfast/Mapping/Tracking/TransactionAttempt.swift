import Synchronization

/// One run of a transaction's closure: it knows whether what the closure wrote is of this run alone, so that running it
/// again does the same and not more.
///
/// A closure that takes 30 from an object which it captured takes 60 when it runs twice. One that fetched the object
/// itself gets another object, and takes 30 from what the row then holds.
final class TransactionAttempt: Sendable {
    private static let latest = Atomic<UInt64>(0)

    /// The number of the attempt that began last, in the whole process: what is made from now on is younger than it.
    static var latestNumber: UInt64 { latest.load(ordering: .relaxed) }

    /// A number greater than those of all attempts before.
    private let number = latest.add(1, ordering: .relaxed).newValue
    private let isRetry: Bool
    private let writesOlder = Atomic<Bool>(false)
    private let readTypes = Mutex<Set<ObjectIdentifier>>([])

    init(isRetry: Bool) { self.isRetry = isRetry }

    /// Whether the closure can run again without doing anything twice, as far as objects tell.
    var isRetryable: Bool { !writesOlder.load(ordering: .relaxed) }

    /// Whether something was made, or last loaded, before the attempt began.
    func isOlder(_ birth: UInt64) -> Bool { birth < number }

    /// Notes that the closure writes what is older than the attempt.
    ///
    /// - Throws: ``DatabaseError/Code/serializationFailure`` if this is not the first attempt: one before may have
    ///   changed the same objects, and failed before it saved them.
    func noteOlder() throws {
        writesOlder.store(true, ordering: .relaxed)
        guard isRetry else { return }
        throw DatabaseError(.serializationFailure, "Others were in the way of the transaction, which was run again.")
    }

    /// Notes that the closure has fetched values of a type.
    func noteRead(_ type: Any.Type) { readTypes.withLock { _ = $0.insert(ObjectIdentifier(type)) } }

    func hasRead(_ type: Any.Type) -> Bool { readTypes.withLock { $0.contains(ObjectIdentifier(type)) } }
}
