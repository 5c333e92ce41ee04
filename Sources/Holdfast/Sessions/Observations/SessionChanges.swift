/// What the statements of a session have changed so far, as far as it is known, while somebody observes.
struct SessionChanges: Sendable {
    private(set) var touched = TouchedTables()
    /// The changes to objects that their operations told of, in their order.
    private(set) var ofObjects: [TableChanges] = []
    /// The number of ``ofObjects`` at the beginning of each savepoint that is open.
    private var savepoints: [Int] = []

    init(_ touched: TouchedTables = TouchedTables(), _ ofObjects: [TableChanges] = []) {
        (self.touched, self.ofObjects) = (touched, ofObjects)
    }

    mutating func note(_ statement: Statement) { touched.note(statement) }

    /// Notes that anything may have been changed.
    mutating func noteAll() { touched.noteAll() }

    mutating func note(_ changes: TableChanges) { ofObjects.append(changes) }

    mutating func beginSavepoint() { savepoints.append(ofObjects.count) }

    mutating func releaseSavepoint() { savepoints.removeLast(min(1, savepoints.count)) }

    /// Forgets what is undone; tables that were touched stay so, which at worst has somebody look in vain.
    mutating func rollBackToSavepoint() {
        guard let count = savepoints.popLast() else { return }
        ofObjects.removeLast(max(ofObjects.count - count, 0))
    }
}

/// Changes to the objects of a table, in their order.
struct TableChanges: Sendable {
    let table: String
    var changes: [ObjectChange]
}
