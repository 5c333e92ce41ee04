/// The objects of one type in a save, whatever the type.
protocol AnySaveTable: AnyObject {
    var number: Int { get }
    var description: TableDescription { get }
    /// The number of objects.
    var count: Int { get }
    /// The keys of the objects, one row each; NULLs where the engine is still to make them.
    var keys: ParameterBuffer { get }
    var batches: [SaveBatch] { get }
    /// For each object the number of its batch; -1 if nothing of it is written.
    var batchOfRow: [Int32] { get }
    var hasHooks: Bool { get }
    /// The objects that were not inserted, because rows were in the way.
    var ignoredRows: Set<Int> { get }
    /// An object in flight elsewhere for which this save has to wait.
    var awaited: AwaitedObject? { get }
    /// Whether keys of the caller are inserted where the engine makes keys, which it has to be told.
    var advancesKeys: Bool { get }

    // Before anything is sent.

    /// Calls the hook of an object, once.
    ///
    /// - Returns: Whether one ran that may have changed other objects.
    func runWillSave(_ row: Int, hooked: inout Set<ObjectIdentifier>) throws -> Bool
    /// Shows the graph what an object leads to.
    func meetRelations(of row: Int) throws
    func meetRelation(_ property: Int, of row: Int) throws
    /// Makes the objects that a relation leads to lead back, where the other side holds the key.
    func reconcileInverses() throws
    /// Sets a reference of an object, as if its property had been set; undone if the save fails or is rolled back.
    func setReference(_ property: Int, of row: Int, to target: NodeID?, _ column: RelatedColumn?) throws
    /// The key of an object, as others remember it.
    func elementKey(of row: Int) throws -> ElementKey
    /// The key that a lazy reference of an object holds; nil if it holds none, or that of a new object.
    func referenceKey(_ property: Int, of row: Int) throws -> Key?
    /// Whether an object has a row, as far as it knows.
    func isPersisted(_ row: Int) -> Bool
    /// Sets a relation without objects that were deleted; undone if the save fails or is rolled back.
    func letGo(_ property: Int, of row: Int, keeping column: RelatedColumn) throws
    /// Whether what a relation of an object holds is what the database has.
    func isLoaded(_ property: Int, of row: Int) -> Bool
    /// Whether a property of an object was set since it was saved or fetched; of a new one, true.
    func isChanged(_ property: Int, of row: Int) -> Bool
    /// What leads to one object.
    func column(leadingTo row: Int) -> RelatedColumn
    /// What leads to objects of this table, as they were saved.
    func column(_ positions: RelatedPositions) -> RelatedColumn
    /// Decides for each object what is done with it.
    func decide() throws
    /// Whether objects are written that are older than an attempt at a transaction.
    func writesOlder(than attempt: TransactionAttempt) -> Bool
    /// Encodes what is written, and takes the marks of changed properties.
    func encodeAll() throws
    func checkDuplicates() throws

    // While it is sent.

    /// Lets go of objects that are no longer in a relation which they keep themselves.
    func sendReleases(_ batch: SaveBatch, through session: Session) async throws
    /// Sends rows of a batch: all, or those of some passengers.
    func send(_ batch: SaveBatch, rows: [Int]?, through session: Session) async throws
    /// Sets references that had to wait until all rows were inserted.
    func sendDeferred(_ property: Int, edges: [SaveBatch.Edge], through session: Session) async throws
    func sendArrays(_ batch: SaveBatch, through session: Session) async throws
    /// Refuses changes of arrays whose elements the other side keeps.
    func checkInverseArrays(_ batch: SaveBatch, through session: Session) async throws
    /// Sets a reference to nil in objects that another side let go, as the database has it already.
    func forget(_ property: Int, of released: Set<ElementKey>, isKnown: Bool) throws

    // After success, or failure.

    /// Sets keys, timestamps and rounded values in the objects.
    func writeBack(undoingIn scope: TransactionScope?) throws
    /// Sets in an object the structs that it holds, as they were saved.
    ///
    /// - Returns: What undoes it.
    func relink(
        _ row: Int, _ properties: PropertyMask, _ related: RelatedObjects, isUndoable: Bool
    ) throws -> () -> Void
    /// Remembers what a relation holds that the other side keeps.
    ///
    /// - Returns: What undoes it.
    func rememberInverse(_ property: Int, of row: Int, held: Set<ElementKey>) -> () -> Void
    func runDidSave(in transaction: Transaction) async throws
    func registerAfterCommit(with scope: TransactionScope)
    /// Makes changed properties dirty again.
    func restoreMarks()
    /// Lets saves go on that waited for one of the objects.
    func land()
}

/// An object in flight in another save, which has to end first.
struct AwaitedObject {
    let identity: ObjectIdentifier
    /// The number of the save that inserts it, or did.
    let inserter: UInt32
}

extension AnySaveTable {
    /// Whether an object is inserted by this save, so that what refers to it has to wait.
    func isInserted(_ row: Int) -> Bool {
        let batch = batchOfRow[row]
        return batch >= 0 && batches[Int(batch)].group.action != .update
    }

    /// The key of an object, if it has one already.
    func key(ofRow row: Int) -> Key? { keys.key(ofRow: row) }
}
