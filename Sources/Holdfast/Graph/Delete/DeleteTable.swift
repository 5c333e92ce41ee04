/// The keys of one type that a deletion reaches, whatever the type.
protocol AnyDeleteTable: AnyObject {
    var description: TableDescription { get }
    var keyCount: Int { get }
    var keyRows: ParameterBuffer { get }
    var deleteOne: Statement { get }
    var deleteMany: Statement { get }
    var hasHooks: Bool { get }
    /// Adds keys, each once.
    func add(_ more: StoredRows)
    /// Whether objects were given whose versions are to be those of their rows.
    var knowsVersions: Bool { get }
    /// Locks the rows of objects with versions.
    ///
    /// - Returns: The error about the first object whose row has another version than it knows, and its position.
    func outdated(through session: Session) async throws -> (error: DatabaseError, position: Int)?
    /// Locks the rows with some of the keys.
    ///
    /// - Returns: How many there are.
    func lock(_ keys: Range<Int>, through session: Session) async throws -> Int
    /// Throws if a row that was deleted is still there, since a trigger or a rule of its table passed the deletion over.
    func requireGone(_ keys: Range<Int>, through session: Session) async throws
    func runWillDelete(_ keys: Range<Int>, in transaction: Transaction) async throws
    func runDidDelete(_ keys: Range<Int>, in transaction: Transaction) async throws
    func registerAfterCommit(with scope: TransactionScope)
    func meetGiven(_ walk: DeletionWalk)
}

/// The keys of one type that a deletion reaches.
final class DeleteTable<Model: TableObject>: AnyDeleteTable {
    let plan: MappingPlan<Model>
    private(set) var keys: [Key: Int] = [:]
    private(set) var keyRows: ParameterBuffer
    /// The objects given, or fetched for their hooks, by the number of their key.
    private var objects: [Int: Model] = [:]
    private var given: [Model] = []
    /// The versions that objects know of their rows, by the number of their key, with the objects' positions among those given.
    private var versions: [Int: [(known: Int64, position: Int)]] = [:]

    init(plan: MappingPlan<Model>) {
        self.plan = plan
        keyRows = ParameterBuffer(width: plan.description.keyIndices.count)
    }

    var description: TableDescription { plan.description }
    var keyCount: Int { keys.count }
    var deleteOne: Statement { plan.delete }
    var deleteMany: Statement { plan.deleteMany }
    var hasHooks: Bool { plan.hooks != nil }

    /// Adds an object to be deleted.
    ///
    /// - Parameter position: Its position among those given, if its row has to have the version that it knows.
    func give(_ object: Model, checkingVersionAt position: Int?) throws {
        let key = try plan.key(of: object)
        given.append(object)
        if let position, description.versionIndex != nil,
            plan.tracker(of: object).map({ $0.state == .persisted }) ?? true
        {
            var encoder = RowEncoder(description, mask: description.versionMask)
            try plan.mapping.encode(object, &encoder)
            for cell in encoder.columns.buffer.cells {
                versions[keys[key] ?? keys.count, default: []].append((cell.integer, position))
            }
        }
        guard keys[key] == nil else { return }
        keyRows.appendRow(0, of: try description.parameters(of: key))
        objects[keys.count] = object
        keys[key] = keys.count
    }

    func add(_ more: StoredRows) {
        for row in 0..<more.rowCount {
            let key = more.key(ofRow: row, count: more.width)
            guard keys[key] == nil else { continue }
            keys[key] = keys.count
            for part in 0..<more.width { keyRows.append(copying: more.row(row)[part]) }
        }
    }

    /// An object whose key can't be read is none of those whose keys were.
    func isDeleted(_ object: Model) -> Bool {
        guard let key = try? plan.mapping.key(of: object) else { return false }
        return keys[key] != nil
    }

    var knowsVersions: Bool { !versions.isEmpty }

    func outdated(through session: Session) async throws -> (error: DatabaseError, position: Int)? {
        guard let version = description.versionIndex, knowsVersions else { return nil }
        let slot = description.columns.ranges[version].lowerBound
        let rows = try await session.copiedRows(
            plan.lockMany, keyRows.asLists, width: description.columns.columns.count)
        var first: (position: Int, row: Int)?
        for row in 0..<rows.rowCount {
            guard let number = keys[description.columns.key(inRow: rows.row(row))] else { continue }
            let stored = rows.row(row)[slot].integer
            for (known, position) in versions[number] ?? [] where known != stored && position < first?.position ?? .max
            {
                first = (position, row)
            }
        }
        guard let first else { return nil }
        var cells = ParameterBuffer(width: description.columns.columns.count)
        for column in 0..<cells.width { cells.append(copying: rows.row(first.row)[column]) }
        return (description.outdated(cells, 0), first.position)
    }

    func lock(_ keys: Range<Int>, through session: Session) async throws -> Int {
        try await count(plan.lockExisting, keys, session)
    }

    func requireGone(_ keys: Range<Int>, through session: Session) async throws {
        let left = try await count(plan.selectExisting, keys, session)
        guard left > 0 else { return }
        throw DatabaseError(
            .engine,
            "\(left) of \(keys.count) rows of \"\(description.table)\" are there after they were deleted: a trigger or a rule of the table passes deletions over.",
            table: description.table)
    }

    private func count(_ statement: Statement, _ keys: Range<Int>, _ session: Session) async throws -> Int {
        try await session.run(statement, keyRows.selecting(Array(keys)).asLists) { rows in
            var count = 0
            while try rows.next() != nil { count += 1 }
            return count
        }
    }

    func runWillDelete(_ range: Range<Int>, in transaction: Transaction) async throws {
        guard let hooks = plan.hooks else { return }
        // Objects that nobody gave are fetched for their hooks, without what they lead to.
        let unknown = keys.filter { range.contains($0.value) && objects[$0.value] == nil }
        if !unknown.isEmpty {
            let operation = try LoadOperation<Model>(
                transaction._access, LoadScope(depth: 0, missingTarget: .nil, omitsLacking: false))
            for object in try await operation.many(unknown.map(\.key)) {
                if let number = try plan.mapping.key(of: object).flatMap({ keys[$0] }) { objects[number] = object }
            }
        }
        for number in range {
            if let object = objects[number] { try await hooks.willDelete(object, transaction) }
        }
    }

    func runDidDelete(_ range: Range<Int>, in transaction: Transaction) async throws {
        guard let hooks = plan.hooks else { return }
        for number in range {
            if let object = objects[number] { try await hooks.didDelete(object, transaction) }
        }
    }

    func registerAfterCommit(with scope: TransactionScope) {
        guard let hooks = plan.hooks, !objects.isEmpty else { return }
        let deleted = objects.sorted { $0.key < $1.key }.map(\.value)
        scope.register(undo: {}, complete: { $0.callHooks(hooks, of: deleted) })
    }

    func meetGiven(_ walk: DeletionWalk) {
        for object in given { walk.meet(object) }
    }
}
