/// Walks from objects that were restored along relations that cascade.
final class RestorationWalk: RelationSink {
    private let graph: DeleteGraph
    /// What rows hold that are there again, by their tables and the indices of their keys.
    private var rows: [ObjectIdentifier: [Int: ParameterBuffer]] = [:]
    private var pending: [() -> Void] = []
    private var seen: Set<ObjectIdentifier> = []
    /// The closures that undo what was set in objects.
    private(set) var undos: [() -> Void] = []

    init(graph: DeleteGraph, rows: [RestoredRows]) {
        self.graph = graph
        for restored in rows {
            self.rows[ObjectIdentifier(restored.table), default: [:]].merge(restored.rows) { first, _ in first }
        }
    }

    override func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        meet(object)
    }

    override func meet<Model: TableObject>(element object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        meet(object)
    }

    /// Shows in an object that its row is there again, and looks at what it holds.
    func meet<Model: TableObject>(_ object: Model) {
        // The rows are there again by now: a type without a table here, and an object whose key or values can't be read
        // or set, stay as they are, and the restoration holds.
        guard let objects = try? graph.deletedObjects(of: Model.self), let changes = objects.plan.mapping.changes,
            seen.insert(ObjectIdentifier(object as AnyObject)).inserted,
            let key = try? objects.plan.mapping.key(of: object), let index = objects.table.keys[key],
            let row = rows[ObjectIdentifier(objects.table)]?[index]
        else { return }
        let description = objects.table.description
        if let undo = try? objects.plan.set(description.markedMask, of: object, to: row) { undos.append(undo) }
        var before = ChangeTracker.State.persisted
        changes(object) { tracker in
            before = tracker.state
            tracker.state = .persisted
        }
        let state = before
        undos.append { changes(object) { $0.state = state } }
        let mask = PropertyMask(description.columns.relations.filter(\.marksTarget).map(\.property))
        guard !mask.isEmpty else { return }
        let mapping = objects.plan.mapping
        pending.append {
            var encoder = RowEncoder(description, mask: mask, sink: self, isWalking: true)
            // What can't be read, and what it holds, is as it was.
            try? mapping.encode(object, &encoder)
        }
    }

    func run() {
        while let visit = pending.popLast() { visit() }
    }
}
