import Synchronization

/// What a database has warned of, so that it does once.
final class GivenWarnings: Sendable {
    private let subjects = Mutex<Set<String>>([])

    /// Whether a subject was not asked about before.
    func isFirst(about subject: String) -> Bool { subjects.withLock { $0.insert(subject).inserted } }
}
