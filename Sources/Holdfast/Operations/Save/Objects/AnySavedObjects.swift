/// The objects of one table in a save, whatever their type.
protocol AnySavedObjects: AnyObject {
    var table: SaveTable { get }
    /// The type of the objects.
    var typeID: ObjectIdentifier { get }
    /// Whether an object has to be visited when the graph is walked: it leads to others, or has a hook.
    var isVisited: Bool { get }

    // Before anything is sent.

    /// Calls the hook of an object, once, if it was given or is to be written.
    ///
    /// - Returns: Whether a hook ran that may have changed other objects.
    func runWillSave(_ index: Int, hooked: inout Set<ObjectIdentifier>) throws -> Bool
    /// Calls the hooks of objects of a class that were changed since they were visited.
    ///
    /// - Returns: Whether a hook ran that may have changed other objects.
    func runWillSaveOfChanged(hooked: inout Set<ObjectIdentifier>) throws -> Bool
    /// Shows a sink the objects that an object leads to: by some relations, or by all that are loaded.
    ///
    /// - Parameter passedOver: Relations that are left out as long as a stored object has them unchanged.
    func visit(
        _ relations: PropertyMask?, unlessUnchanged passedOver: PropertyMask, of index: Int, _ sink: SaveSink) throws
    /// Takes back the marks of properties that hold again what they held when their objects were loaded or last saved.
    func settle()
    /// Sorts the objects into batches.
    func sortIntoBatches() throws
    /// Whether objects are written that are older than an attempt at a transaction.
    func writesOlder(than attempt: TransactionAttempt) -> Bool
    /// Encodes what is written, and takes the marks of changed properties.
    func encode() throws
    /// Encodes some properties of some objects, a row for each.
    func encoded(_ properties: PropertyMask, of indices: [Int]) throws -> RowEncoder

    /// Deletes rows that have expired, with what goes with them.
    func delete(_ expired: [StoredRows], through session: Session) async throws

    /// Adds an object to those that are deleted.
    func give(_ index: Int, to removal: DeleteGraph) throws

    // The objects.

    /// Lends the tracker of an object; does nothing where it has none.
    func withTracker(of index: Int, _ body: (inout ChangeTracker) -> Void)
    /// Sets relations of an object, and nothing else.
    func assign(_ values: RelationValues, to index: Int) throws
    /// Remembers what a relation of an object of a class holds.
    ///
    /// - Returns: A function that puts it back.
    func capture(_ property: Int, of index: Int) -> () -> Void
    /// Keeps what properties hold that are changed in place, now that they were set to what the row holds.
    func keepOriginals(of properties: PropertyMask, _ index: Int)
    /// A column that leads to one object.
    func column(leadingTo index: Int) -> RelatedColumn
    /// A column that leads to objects of this table, as they were saved.
    func column(_ positions: RelatedRowIndices) -> RelatedColumn
    /// A column that leads to objects that ``RelationCollector`` has kept, by their positions, and to some of this
    /// table.
    func column(keeping positions: [Int], adding indices: [Int32]) -> RelatedColumn
    /// Forgets what ``RelationCollector`` has kept.
    func dropHoldings()

    // After success.

    /// Sets keys, timestamps and rounded values in the objects, and drops their marks.
    func writeBack(undoingIn scope: TransactionScope?) throws
    func runDidSave(in transaction: Transaction) async throws
    func registerAfterCommit(with scope: TransactionScope)
}

extension AnySavedObjects {
    func visit(_ relations: PropertyMask?, of index: Int, _ sink: SaveSink) throws {
        try visit(relations, unlessUnchanged: PropertyMask(), of: index, sink)
    }

    var description: TableDescription { table.description }

    /// Returns the change tracker of an object; nil if the object is not tracked.
    func tracker(of index: Int) -> ChangeTracker? {
        guard description.isTracked else { return nil }
        var tracker = ChangeTracker()
        withTracker(of: index) { tracker = $0 }
        return tracker
    }

    /// Whether an object has a row, as far as it knows.
    func isPersisted(_ index: Int) -> Bool {
        var isPersisted = false
        withTracker(of: index) { isPersisted = $0.state == .persisted }
        return isPersisted
    }

    /// Whether what a relation of an object holds is what the database has.
    func isLoaded(_ property: Int, of index: Int) -> Bool {
        var isLoaded = true
        withTracker(of: index) { isLoaded = !$0.unloaded.contains(property) }
        return isLoaded
    }

    /// Whether a property of an object was set since it was saved or fetched; of a new one, true.
    func isChanged(_ property: Int, of index: Int) -> Bool {
        var isChanged = true
        withTracker(of: index) { isChanged = $0.state != .persisted || $0.dirty.contains(property) }
        return isChanged
    }

    /// The primary key of an object, as it holds it now; nil if the engine is still to make it.
    func currentKey(of index: Int) throws -> Key? {
        let row = try encoded(description.keyMask, of: [index]).cells.buffer
        try row.requireEncodedKey(0, of: description)
        return row.key(ofRow: 0)
    }

    /// The key that a lazy reference of an object holds; nil if it holds none, or that of a new object.
    func referenceKey(_ property: Int, of index: Int) throws -> Key? {
        let row = try encoded(PropertyMask([property]), of: [index]).cells.buffer
        return row.cells.isEmpty ? nil : row.key(ofRow: 0)
    }

    /// Makes the changed properties of what was not saved dirty again.
    ///
    /// - Returns: Whether others were set meanwhile.
    func restoreMarks() -> Bool {
        guard description.isTracked else { return false }
        var hasChanged = false
        for batch in table.batches {
            for entry in batch.entries[batch.completedCount...] {
                withTracker(of: entry.index) { tracker in
                    hasChanged = hasChanged || !tracker.dirty.isEmpty
                    entry.restoreMarks(&tracker)
                }
            }
        }
        return hasChanged
    }

    /// Remembers what a relation holds that the other side keeps.
    ///
    /// - Returns: A function that undoes it.
    func rememberInverse(_ property: Int, of index: Int, held: Set<ElementKey>) -> () -> Void {
        var before: [Int: Set<ElementKey>]?
        withTracker(of: index) { tracker in
            before = tracker.inverses
            tracker.inverses = (before ?? [:]).merging([property: held]) { $1 }
        }
        let old = before
        return { [self] in withTracker(of: index) { $0.inverses = old } }
    }
}

/// The values that relations of objects are set to.
struct RelationValues {
    let properties: PropertyMask
    let related: RelatedObjects
    let layout: RowLayout
    /// Whether the columns have a row for each object of the table; else one row for the object that is meant.
    let isByIndex: Bool

    /// - Parameter relatedColumns: By the positions of the properties; nil for a reference that leads nowhere.
    init(_ relatedColumns: [Int: RelatedColumn?], _ description: TableDescription, isByIndex: Bool = false) {
        properties = PropertyMask(relatedColumns.keys)
        related = RelatedObjects(description.properties.indices.map { relatedColumns[$0] ?? nil })
        layout = RowLayout(
            table: description.table, propertyNames: description.properties.map(\.name),
            slots: description.properties.indices.map {
                relatedColumns[$0] == nil ? RowLayout.absent : RowLayout.withoutCell
            })
        self.isByIndex = isByIndex
    }
}
