/// The rows of one table that a deletion reaches, by their keys.
final class DeleteTable {
    let description: TableDescription
    let statements: TableStatements
    let hasHooks: Bool
    /// The keys, each with its index.
    private(set) var keys: [Key: Int] = [:]
    /// The keys, a row for each, by their indices.
    private(set) var keyRows: ParameterBuffer
    /// The versions that objects know of their rows, by the index of their key, with the objects' positions among
    /// those given.
    private var versions: [Int: [(known: Int64, position: Int)]] = [:]

    init(_ statements: TableStatements, hasHooks: Bool = false) {
        description = statements.description
        self.statements = statements
        self.hasHooks = hasHooks
        keyRows = ParameterBuffer(width: description.keyIndices.count)
    }

    var keyCount: Int { keys.count }
    /// Whether objects were given whose versions are to be those of their rows.
    var knowsVersions: Bool { !versions.isEmpty }

    /// Adds a key, once.
    ///
    /// - Returns: Its index, and whether it is new.
    func add(_ key: Key) throws -> (index: Int, isNew: Bool) {
        if let index = keys[key] { return (index, false) }
        keyRows.appendRow(0, of: try description.parameters(of: key))
        let index = keys.count
        keys[key] = index
        return (index, true)
    }

    /// Adds keys, each once.
    func add(_ more: StoredRows) {
        for row in 0..<more.rowCount {
            let key = more.key(ofRow: row, count: more.width)
            guard keys[key] == nil else { continue }
            keys[key] = keys.count
            for part in 0..<more.width { keyRows.append(copying: more.row(row)[part]) }
        }
    }

    /// Forgets the keys that were added since there were so many.
    func removeKeys(from count: Int) {
        guard count < keyCount else { return }
        keyRows = keyRows.selecting(Array(0..<count))
        keys = keys.filter { $0.value < count }
    }

    /// Forgets all keys but some, which get new indices in their order.
    ///
    /// - Parameter indices: The indices of those that stay.
    func keep(_ indices: [Int]) {
        let new = Dictionary(uniqueKeysWithValues: indices.enumerated().map { ($1, $0) })
        keyRows = keyRows.selecting(indices)
        keys = keys.compactMapValues { new[$0] }
        versions = Dictionary(uniqueKeysWithValues: versions.compactMap { old in new[old.key].map { ($0, old.value) } })
    }

    /// Notes that a row has to have a version.
    ///
    /// - Parameters:
    ///   - version: The version that an object knows.
    ///   - index: The index of the row's key.
    ///   - position: The position of the object among those given.
    func require(_ version: Int64, of index: Int, position: Int) {
        versions[index, default: []].append((version, position))
    }

    /// Locks the rows of objects with versions.
    ///
    /// - Returns: The error about the first object whose row has another version than it knows, and its position.
    func outdated(through session: Session) async throws -> (error: DatabaseError, position: Int)? {
        guard knowsVersions else { return nil }
        let rows = try await session.copiedRows(
            statements.lockMany, keyRows.asLists, width: description.columns.all.count)
        return outdated(in: rows)
    }

    /// The error about the first object whose row has another version than it knows, and its position.
    ///
    /// - Parameter rows: The rows of all columns that there are.
    func outdated(in rows: StoredRows) -> (error: DatabaseError, position: Int)? {
        guard let version = description.versionIndex else { return nil }
        let slot = description.columns.ranges[version].lowerBound
        var first: (position: Int, row: Int)?
        for row in 0..<rows.rowCount {
            guard let index = keys[description.columns.key(inRow: rows.row(row))] else { continue }
            let stored = rows.row(row)[slot].integer
            for (known, position) in versions[index] ?? [] where known != stored && position < first?.position ?? .max {
                first = (position, row)
            }
        }
        guard let first else { return nil }
        var cells = ParameterBuffer(width: description.columns.all.count)
        for column in 0..<cells.width { cells.append(copying: rows.row(first.row)[column]) }
        return (description.outdated(cells, 0), first.position)
    }

    /// Locks the rows with some of the keys.
    ///
    /// - Returns: How many there are.
    func lock(_ keys: [Int], through session: Session) async throws -> Int {
        // With those that have expired and are still to be swept, or are marked: what they hold is to go too.
        if description.hidesRows { _ = try await count(statements.ofAllRows.lockExisting, keys, session) }
        return try await count(statements.lockExisting, keys, session)
    }

    /// Counts the rows with some of the keys, those among them that are marked.
    ///
    /// - Parameter count: How many there are that are not.
    func countAll(_ keys: [Int], _ count: Int, through session: Session) async throws -> Int {
        guard description.deletion != nil, count < keys.count else { return count }
        return try await self.count(statements.ofAllRows.selectExisting, keys, session)
    }

    /// Locks the rows with some of the keys that are there.
    ///
    /// - Returns: Which of the keys these are.
    func lockThere(_ keys: [Int], through session: Session) async throws -> [Int] {
        try await lock(keys, by: statements, session)
    }

    /// The keys of rows that there are and that are not marked, whatever scope they are in.
    func lockUnmarked(_ keys: [Int], through session: Session) async throws -> [Int] {
        try await lock(
            keys, by: statements.seeing(SeenRows(passed: PassedScopes(passesAll: true))), session)
    }

    /// Locks the rows that are inside of the scopes with a value, also those that are marked.
    ///
    /// - Returns: Which of the keys these are.
    func lockInside(_ session: Session) async throws -> [Int] {
        try await lock(Array(0..<keyCount), by: statements.seeing(SeenRows(deleted: .included).ofHeld), session)
    }

    /// The keys of rows that there are, whoever may see them.
    func existing(_ session: Session) async throws -> [Int] {
        try await lock(Array(0..<keyCount), by: statements.ofAllRows, session)
    }

    private func lock(_ keys: [Int], by statements: TableStatements, _ session: Session) async throws -> [Int] {
        let rows = try await session.copiedRows(
            try statements.rendered(.lockKeys), keyRows.selecting(keys).asLists, width: keyRows.width)
        return (0..<rows.rowCount).compactMap { self.keys[rows.key(ofRow: $0, count: rows.width)] }.sorted()
    }

    /// Throws if a row that was deleted is still there, since a trigger or a rule of its table passed the deletion
    /// over, or since its key is a text where the engine was asked for bytes.
    ///
    /// - Parameter statements: Those of the deletion: whether it concerned rows that have expired.
    func requireGone(_ keys: Range<Int>, _ statements: TableStatements, through session: Session) async throws {
        let left = try await count(statements.selectExisting, Array(keys), session)
        guard left > 0 else { return try await session.refuseTexts(of: keyRows.selecting(Array(keys)), description) }
        throw DatabaseError(
            .engine,
            "\(left) of \(keys.count) rows of \"\(description.table)\" are there after they were deleted: a trigger or a rule of the table passes deletions over.",
            table: description.table)
    }

    private func count(_ statement: Statement, _ keys: [Int], _ session: Session) async throws -> Int {
        try await session.run(statement, keyRows.selecting(keys).asLists) { rows in
            var count = 0
            while try rows.next() != nil { count += 1 }
            return count
        }
    }
}
