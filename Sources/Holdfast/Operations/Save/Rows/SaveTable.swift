/// The rows of one table in a save: values, whose objects ``SavedObjects`` keeps.
final class SaveTable {
    /// The index of the table in its graph.
    let tableIndex: Int
    let description: TableDescription
    let statements: TableStatements
    /// The operation on the objects that were given; those that were reached are saved.
    let verb: SaveVerb
    /// Whether several objects were given, so that an error says which of them it is about.
    let givesSeveral: Bool
    let hasHooks: Bool
    let showsKeys: Bool
    // Nothing that changes these calls code which could look at them meanwhile, so no access is checked for that
    // (decision 0024).
    /// The keys of the objects, a row for each; NULLs where the engine is still to make them.
    @exclusivity(unchecked) var keys: ParameterBuffer
    @exclusivity(unchecked) var batches: [SaveBatch] = []
    /// For each object the index of its batch; -1 if nothing of it is written.
    @exclusivity(unchecked) var batchOfObject: [Int32] = []
    /// For each object its position among those given to the operation; -1 for those that were reached.
    @exclusivity(unchecked) var positions: [Int32] = []
    /// The objects of a class by identity, to be compared without the objects.
    @exclusivity(unchecked) var identities: [ObjectIdentifier] = []
    /// An object in flight elsewhere for which this save has to wait.
    var awaited: AwaitedObject?
    /// The objects that an upsert found or inserted rows of, by their keys.
    var claimed = KeyIndex()

    init(
        tableIndex: Int, _ statements: TableStatements, verb: SaveVerb = .save, givesSeveral: Bool = false,
        hasHooks: Bool = false, showsKeys: Bool = false
    ) {
        self.tableIndex = tableIndex
        description = statements.description
        self.statements = statements
        self.verb = verb
        self.givesSeveral = givesSeveral
        self.hasHooks = hasHooks
        self.showsKeys = showsKeys
        keys = ParameterBuffer(width: description.keyIndices.count)
    }

    /// The number of objects.
    var count: Int { positions.count }

    /// The objects whose rows were there, as upserts that tell have found.
    var updated: Set<Int> { Set(batches.lazy.flatMap(\.updatedObjects)) }

    /// The objects that were not inserted, because rows were in the way.
    var ignored: Set<Int> {
        Set(batches.lazy.flatMap { batch in batch.ignored.map { batch.entries[$0].index } })
    }

    /// Whether the caller's own keys are inserted although the engine generates keys, so that its generator must
    /// advance.
    var advancesKeys: Bool {
        statements.advanceGeneratedKey != nil
            && batches.contains { $0.group.action != .update && !$0.group.generatesKeys }
    }

    /// Whether rows that have expired can be in the way of what is written.
    var meetsExpired: Bool {
        description.expiry != nil && batches.contains { meetsExpired($0) }
    }

    /// Whether rows that have expired are to be looked for before a batch is sent.
    ///
    /// A silent upsert does not count as written what such a row is in the way of, and sends that again (decision
    /// 0052).
    func meetsExpired(_ batch: SaveBatch) -> Bool {
        description.meetsExpired(batch.group.mask) && batch.group.action.explicitUpsert?.isSilent != true
    }

    /// Whether an object is inserted by this save, so that whatever refers to it has to wait.
    func isInserted(_ index: Int) -> Bool {
        let batch = batchOfObject[index]
        return batch >= 0 && batches[Int(batch)].group.action != .update
    }

    /// The key of an object, if it has one already.
    func key(of index: Int) -> Key? { keys.key(ofRow: index) }

    /// The key of an object, as others are compared with it.
    func elementKey(of index: Int) -> ElementKey { keys.withRow(index) { ElementKey($0) } }

    /// The keys of the objects of a batch.
    func owners(of batch: SaveBatch) -> ParameterBuffer { keys.selecting(batch.entries.map(\.index)) }

    /// Takes over what was decided of the objects.
    func setBatches(from sorter: BatchSorter, keys: ParameterBuffer) {
        (batches, batchOfObject) = (sorter.batches, sorter.batchOfObject)
        self.keys = keys
    }

    /// Sets the keys that the engine made for some objects, if it did.
    func setGeneratedKeys(_ generated: ParameterBuffer, of indices: [Int]) {
        for (row, index) in indices.enumerated() where row < generated.cells.count {
            keys.replace(index * keys.width, with: generated.cells[row], of: generated)
        }
    }

    // MARK: What is written of an object

    func verb(of index: Int) -> SaveVerb { positions[index] >= 0 || verb.extendsToReached ? verb : .save }

    /// The properties of an object that are updated, if the operation names them.
    func chosenProperties(of index: Int) -> PropertyMask? {
        if case .updateOnly(let mask) = verb(of: index) { mask.union(description.versionMask) } else { nil }
    }

    // MARK: Errors about one of several objects

    /// The position of an object among several that were given, for an error about it.
    func errorPosition(of index: Int) -> Int? {
        positions[index] >= 0 && givesSeveral ? Int(positions[index]) : nil
    }

    /// An error with the position of the object that it is about.
    func located(_ error: any Error, _ index: Int) -> any Error {
        guard var error = error as? DatabaseError else { return error }
        error.objectIndex = error.objectIndex ?? errorPosition(of: index)
        error.node = error.node ?? NodeID(table: tableIndex, index: index)
        return error
    }

    /// Runs `body`, and says of its error which of the objects it is about.
    func locating<Result>(_ index: Int, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw located(error, index) }
    }

    /// Runs `body`, which sets the object that it is at, and says of its error which of the objects it is about.
    func locatingEach<Result>(_ body: (_ current: inout Int) throws -> Result) throws -> Result {
        var current = 0
        do { return try body(&current) } catch { throw located(error, current) }
    }
}
