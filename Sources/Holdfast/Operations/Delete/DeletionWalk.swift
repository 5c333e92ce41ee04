/// Walks from objects that were deleted along relations that cascade.
final class DeletionWalk: RelationSink {
    private let graph: DeleteGraph
    private var pending: [() -> Void] = []
    private var seen: Set<ObjectIdentifier> = []
    /// The closures that undo the marks.
    private(set) var marked: [() -> Void] = []

    init(graph: DeleteGraph) { self.graph = graph }

    override func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        meet(object)
    }

    override func meet<Model: TableObject>(element object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        meet(object)
    }

    /// Marks an object if its row was deleted, and looks at what it holds.
    func meet<Model: TableObject>(_ object: Model) {
        // A type whose mapping contradicts itself has no table here, and so no row that was deleted.
        guard let objects = try? graph.deletedObjects(of: Model.self), let changes = objects.plan.mapping.changes,
            seen.insert(ObjectIdentifier(object as AnyObject)).inserted, objects.isDeleted(object)
        else { return }
        var before = ChangeTracker.State.new
        changes(object) { tracker in
            before = tracker.state
            tracker.state = .deleted
        }
        let state = before
        marked.append { changes(object) { $0.state = state } }
        if let time = graph.markTime, let undo = objects.plan.setDeletion(of: object, to: time) { marked.append(undo) }
        let description = objects.table.description
        // A caller who names the relations to delete along may name any of them, so all are followed; objects whose
        // rows remain keep their marks.
        let followsAll = !graph.choice.including.isEmpty
        let mask = PropertyMask(
            description.columns.relations.filter { followsAll || $0.deleteRule == .cascade }.map(\.property))
        guard !mask.isEmpty else { return }
        let mapping = objects.plan.mapping
        pending.append {
            var encoder = RowEncoder(description, mask: mask, sink: self, isWalking: true)
            // The rows are gone by now: an object whose relations can't be read keeps its mark, and what it holds gets
            // none.
            try? mapping.encode(object, &encoder)
        }
    }

    func run() {
        while let visit = pending.popLast() { visit() }
    }
}
