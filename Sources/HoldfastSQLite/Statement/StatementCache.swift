/// The compiled statements that a connection keeps, by the identity of their text: the most recently used ones.
struct StatementCache {
    private struct Entry {
        let statement: PreparedStatement
        var lastUse: UInt64
    }

    private var entries: [Int: Entry] = [:]
    private var uses: UInt64 = 0
    private let capacity: Int

    /// Creates an empty cache of at most `capacity` statements.
    init(capacity: Int) { self.capacity = max(capacity, 1) }

    var count: Int { entries.count }

    /// The statement kept for `id`; counts as a use.
    mutating func statement(_ id: Int) -> PreparedStatement? {
        guard let index = entries.index(forKey: id) else { return nil }
        uses += 1
        entries.values[index].lastUse = uses
        return entries.values[index].statement
    }

    /// Keeps `statement` for `id`, in place of the one that was unused for longest where it is full.
    ///
    /// - Complexity: O(`capacity`) where it is full, which is little beside compiling the statement.
    mutating func insert(_ statement: PreparedStatement, for id: Int) {
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
            entries[oldest] = nil
        }
        uses += 1
        entries[id] = Entry(statement: statement, lastUse: uses)
    }

    /// Lets go of all statements.
    mutating func removeAll() { entries.removeAll() }
}
