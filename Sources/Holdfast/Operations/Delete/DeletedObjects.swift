/// The objects of one table in a deletion, whatever their type.
protocol AnyDeletedObjects: AnyObject {
    var table: DeleteTable { get }
    /// The identity of the object with the key of an index; nil for structs, and where only the key is known.
    func instance(_ index: Int) -> ObjectIdentifier?
    /// Forgets all keys but those of some indices.
    func keep(_ indices: [Int])
    func runWillDelete(_ keys: [Int], in transaction: Transaction) async throws
    func runDidDelete(_ keys: [Int], in transaction: Transaction) async throws
    func registerAfterCommit(with scope: TransactionScope)
    /// Shows the objects that were given.
    func meetGiven(_ walk: DeletionWalk)
    /// Shows the objects that were given.
    func meetGiven(_ walk: RestorationWalk)
}

/// The objects of one type in a deletion: those that were given, and those that were fetched for their hooks.
final class DeletedObjects<Model: TableObject>: AnyDeletedObjects {
    let table: DeleteTable
    let plan: MappingPlan<Model>
    /// The objects, by the indices of their keys.
    private var objects: [Int: Model] = [:]
    private var given: [Model] = []

    init(plan: MappingPlan<Model>) {
        self.plan = plan
        table = DeleteTable(plan.statements, hasHooks: plan.hooks != nil)
    }

    /// Adds an object to be deleted.
    ///
    /// - Parameter position: Its position among those given, if its row has to have the version that it knows.
    func give(_ object: Model, checkingVersionAt position: Int?) throws {
        let key = try plan.key(of: object)
        given.append(object)
        var known: [Cell] = []
        if position != nil, table.description.versionIndex != nil,
            plan.tracker(of: object).map({ $0.state == .persisted }) ?? true
        {
            var encoder = RowEncoder(table.description, mask: table.description.versionMask)
            try plan.mapping.encode(object, &encoder)
            known = encoder.cells.buffer.cells
        }
        let (index, isNew) = try table.add(key)
        if isNew { objects[index] = object }
        if let position { for cell in known { table.require(cell.integer, of: index, position: position) } }
    }

    /// Whether the row of an object is among those that are deleted.
    ///
    /// An object whose key can't be read is not deleted: the keys of those that are could be read.
    func isDeleted(_ object: Model) -> Bool {
        guard let key = try? plan.mapping.key(of: object) else { return false }
        return table.keys[key] != nil
    }

    func keep(_ indices: [Int]) {
        let kept = indices.map { objects[$0] }
        table.keep(indices)
        objects = [:]
        for (index, object) in kept.enumerated() { objects[index] = object }
    }

    func instance(_ index: Int) -> ObjectIdentifier? { objects[index].flatMap(plan.description.instance) }

    func runWillDelete(_ indices: [Int], in transaction: Transaction) async throws {
        guard let hooks = plan.hooks else { return }
        let chosen = Set(indices)
        // Objects that nobody gave are fetched for their hooks, without what they lead to.
        let unknown = table.keys.filter { chosen.contains($0.value) && objects[$0.value] == nil }
        if !unknown.isEmpty {
            // A permanent deletion also reaches what is marked.
            let scope = LoadScope(depth: 0, missingTarget: .nil, findsMarked: true, omitsLacking: false)
            let operation = try LoadOperation<Model>(transaction._access, scope)
            for object in try await operation.many(unknown.map(\.key)) {
                let index = try plan.mapping.key(of: object).flatMap { table.keys[$0] }
                if let index { objects[index] = object }
            }
        }
        for index in indices {
            if let object = objects[index] { try await hooks.willDelete(object, transaction) }
        }
    }

    func runDidDelete(_ indices: [Int], in transaction: Transaction) async throws {
        guard let hooks = plan.hooks else { return }
        for index in indices {
            if let object = objects[index] { try await hooks.didDelete(object, transaction) }
        }
    }

    func registerAfterCommit(with scope: TransactionScope) {
        guard let hooks = plan.hooks, !objects.isEmpty else { return }
        let deleted = objects.sorted { $0.key < $1.key }.map(\.value)
        scope.register(undo: {}, complete: { $0.call(hooks.afterCommit, of: deleted) })
    }

    func meetGiven(_ walk: DeletionWalk) {
        for object in given { walk.meet(object) }
    }

    func meetGiven(_ walk: RestorationWalk) {
        for object in given { walk.meet(object) }
    }
}
