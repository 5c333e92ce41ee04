import Holdfast

/// The statements that a connection has prepared: a bounded number, of which the least recently used goes first.
struct PreparedStatements {
    /// The key by which a prepared statement is found.
    struct Key: Hashable {
        /// The identity of the statement.
        var statement: Int
        /// The types that were named for its parameters; empty where the server inferred all of them.
        var namedTypes: [UInt32]
        /// How many parameters it was given: the same text can be given too few or too many.
        var width: Int
    }

    private var entries: RecentlyUsed<Key, PreparedStatement>
    /// Statements that can't be prepared unless types are named, and which.
    private var choices: [Int: TypeChoice] = [:]
    private var lastName = 0
    /// A part of each name that no other connection has.
    ///
    /// A pooler may make connections share a session: a statement that isn't there is then an error, and never
    /// another's.
    private let token = String(UInt64.random(in: .min ... .max), radix: 16)
    /// The names of statements that are not kept any more, and still known to the server.
    private(set) var dropped: [String] = []
    /// Whether what was dropped can be taken from the server: not by SQL, where a pooler has given it another name.
    private var canMakeRoom = true
    /// Whether ``ColumnGuard`` compares records, as far as it is known: not every server can.
    var comparesRecords = true

    init(capacity: Int) { entries = RecentlyUsed(capacity: capacity) }

    var count: Int { entries.count }

    mutating func find(_ key: Key) -> PreparedStatement? { entries.value(for: key) }

    /// A name that no statement of the session has had.
    mutating func makeName() -> String {
        lastName += 1
        return "hf_\(token)_\(lastName)"
    }

    mutating func insert(_ statement: PreparedStatement) { entries.insert(statement, for: statement.key) }

    mutating func remove(_ key: Key, isKnownToServer: Bool) {
        if let statement = entries.remove(key), isKnownToServer { dropped += statement.names }
    }

    /// Gives up a statement that is not kept.
    mutating func drop(_ names: [String]) { dropped += names }

    /// Gives up every statement, so that each is prepared again when it is needed.
    mutating func dropAll() {
        dropped += entries.values.flatMap(\.names)
        entries.removeAll()
    }

    /// Forgets what the session has forgotten.
    mutating func removeAll() {
        entries.removeAll()
        (dropped, canMakeRoom) = ([], true)
    }

    /// Whether one more can be kept: what is dropped in a long transaction waits for its end.
    var hasRoom: Bool { entries.count < entries.capacity || (canMakeRoom && dropped.count < 4 * entries.capacity) }

    /// Takes out the statements that have to make room for a new one: several where some were kept together.
    mutating func evict() {
        while let oldest = entries.removeOldest() { dropped += oldest.names }
    }

    /// Hands over what is to be taken from the server.
    mutating func takeDropped() -> [String] {
        defer { dropped = [] }
        return dropped
    }

    /// Keeps no more than there is room for, from now on.
    mutating func giveUpMakingRoom() { canMakeRoom = false }

    /// Returns what was learnt about the types to name for a statement.
    func choice(for statement: Int) -> TypeChoice { choices[statement] ?? .inferred }

    mutating func setChoice(_ choice: TypeChoice, for statement: Int) {
        // Only a memory: forgetting it costs a round trip.
        if choices.count >= 4 * entries.capacity { choices = [:] }
        choices[statement] = choice
    }
}
