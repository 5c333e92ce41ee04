/// What a connection has prepared: a bounded number of statements, of which the one that was not used for longest goes
/// first.
struct PreparedStatements {
    /// What a prepared statement is found by.
    struct Key: Hashable {
        /// The identity of the statement.
        var statement: Int
        /// The types that were named for its parameters; empty where the server inferred all of them.
        var namedTypes: [UInt32]
        /// How many parameters it was given: the same text can be given too few or too many.
        var width: Int
    }

    private struct Entry {
        var statement: PreparedStatement
        var lastUse: Int
    }

    private var entries: [Key: Entry] = [:]
    /// Statements that can't be prepared unless types are named, and which.
    private var choices: [Int: TypeChoice] = [:]
    private var uses = 0
    private var lastName = 0
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    mutating func find(_ key: Key) -> PreparedStatement? {
        guard let index = entries.index(forKey: key) else { return nil }
        uses += 1
        entries.values[index].lastUse = uses
        return entries.values[index].statement
    }

    /// A name that no statement of the session has had.
    mutating func makeName() -> String {
        lastName += 1
        return "hf\(lastName)"
    }

    mutating func insert(_ statement: PreparedStatement) {
        uses += 1
        entries[statement.key] = Entry(statement: statement, lastUse: uses)
    }

    mutating func remove(_ key: Key) { entries[key] = nil }

    mutating func removeAll() { entries = [:] }

    /// Takes out the statements that have to make room for a new one, and returns their names: several where some were kept together.
    mutating func evict() -> [String] {
        var names: [String] = []
        while entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
            names.append(oldest.value.statement.name)
        }
        return names
    }

    /// What was learnt about the types to name for a statement.
    func choice(for statement: Int) -> TypeChoice { choices[statement] ?? .inferred }

    mutating func setChoice(_ choice: TypeChoice, for statement: Int) {
        // Only a memory: forgetting it costs a round trip.
        if choices.count >= 4 * capacity { choices = [:] }
        choices[statement] = choice
    }
}
