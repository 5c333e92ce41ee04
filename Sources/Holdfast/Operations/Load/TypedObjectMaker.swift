/// Makes the objects of one type of the rows of its table, by the loops that were compiled with the model.
final class TypedObjectMaker<Model: TableObject>: ObjectMaker {
    let table: LoadTable
    private let plan: MappingPlan<Model>
    private unowned let graph: LoadGraph
    /// The columns of a row that objects get.
    private let rowLayout: RowLayout
    /// The columns of a row that has none of those that were demanded; nil if none were.
    private let undemandedLayout: RowLayout?
    private let store = ObjectStore<Model>()
    /// Where rows are decoded that are only checked, one after the other.
    private let checks = ObjectStore<Model>()
    private var arrays: ArrayValues?
    /// The number of rows, from the first on, of which objects were made before all rows were there.
    private var madeAhead = 0
    private var isWhole = false
    /// Whether all objects have their originals: those that were linked after they were made have lost them.
    private var originalsAreKept = false
    /// The layout by which a relation was last set: the same for all objects that are set by one call.
    private var latestLayout: (mask: PropertyMask, layout: RowLayout)?

    private var description: TableDescription { plan.description }
    private var showsKeys: Bool { graph.core.configuration.telemetry.showsKeys }

    init(_ plan: MappingPlan<Model>, _ table: LoadTable, in graph: LoadGraph) {
        self.plan = plan
        self.table = table
        self.graph = graph
        let description = plan.description
        rowLayout =
            table.mask == description.fullMask
            ? plan.columns.fullLayout : plan.columns.rowLayout(of: table.mask, description)
        undemandedLayout =
            table.demanded.isEmpty
            ? nil : plan.columns.rowLayout(of: table.mask.subtracting(table.demanded), description)
    }

    private func layout(ofRow row: Int) -> RowLayout {
        row < table.demandedRowCount ? rowLayout : undemandedLayout ?? rowLayout
    }

    /// The objects of rows, those that were left out passed over.
    func objects(_ rowIndices: [Int]) -> [Model] {
        let present = table.omitted.isEmpty ? rowIndices : rowIndices.filter { !table.isOmitted($0) }
        return plan.mapping.loops.gather(store, present)
    }

    // MARK: Making

    func makeAhead() {
        guard table.leadsNowhere, table.rowsWithObject.isEmpty, description.omitMask.isEmpty,
            description.isClass || plan.hooks == nil, graph.known == nil
        else { return }
        makeRoom()
        isWhole = table.isWhollyLoaded
        do {
            try make(madeAhead..<table.rows.count, related: nil, into: store)
            madeAhead = table.rows.count
        } catch {
            // The error is thrown again when the other objects are made, after keys that lead to no row were reported.
        }
    }

    func unreadableRows() -> [Int] {
        let checks = plan.mapping.accessors.enumerated()
            .filter { plan.columns.relation($0.offset) == nil }.map(\.element.check)
        let arrays = table.arrayValues
        return (0..<table.rows.count).filter { row in
            guard !table.hasObject(row), !table.isOmitted(row) else { return false }
            do {
                for check in checks {
                    try check(
                        Row(
                            cells: table.rows.cells(ofRow: row), layout: layout(ofRow: row), arrays: arrays,
                            position: row))
                }
                return false
            } catch {
                return true
            }
        }
    }

    /// Makes room for the objects of all rows.
    private func makeRoom() { store.objects.extend(to: table.rows.count, by: nil) }

    func prepare() {
        makeRoom()
        arrays = table.arrayValues
        isWhole = table.isWhollyLoaded
    }

    func makeAll(besides linkedAfterwards: PropertyMask) throws {
        // What is linked afterwards is not to be had from here: some of it is not made yet.
        let related = try graph.relatedObjects(of: table)?.without(linkedAfterwards)
        originalsAreKept = isWhole && linkedAfterwards.isEmpty
        try make(
            madeAhead..<table.rows.count, skipped: table.omitted.union(table.rowsWithObject), related: related,
            into: store)
    }

    func make(_ row: Int) throws {
        try make(row..<row + 1, related: try graph.relatedObjects(of: table), into: store)
    }

    private func make(
        _ chosen: Range<Int>, skipped: Set<Int> = [], related: RelatedObjects?, into store: ObjectStore<Model>
    ) throws {
        guard let undemandedLayout, chosen.upperBound > table.demandedRowCount else {
            return try make(chosen, rowLayout, skipped: skipped, related: related, into: store)
        }
        let first = max(chosen.lowerBound, table.demandedRowCount)
        try make(chosen.lowerBound..<first, rowLayout, skipped: skipped, related: related, into: store)
        try make(first..<chosen.upperBound, undemandedLayout, skipped: skipped, related: related, into: store)
    }

    private func make(
        _ chosen: Range<Int>, _ layout: RowLayout, skipped: Set<Int>, related: RelatedObjects?,
        into store: ObjectStore<Model>
    ) throws {
        guard !chosen.isEmpty else { return }
        let run = RowRun(
            table.rows.stored, rows: chosen, skipped: skipped, layout: layout, arrays: arrays, related: related,
            keeping: isWhole && !plan.mapping.inPlaceIndices.isEmpty ? KeptOriginals() : nil)
        let (description, showsKeys) = (description, showsKeys)
        try graph.mark.making {
            try plan.mapping.loops.make(run, store) { error, cells in
                description.located(error, inRow: cells, showsKeys: showsKeys)
            }
        }
        // A struct goes by value into what holds it, so its hook comes before.
        guard !description.isClass, let hooks = plan.hooks else { return }
        for row in chosen where !run.isSkipped(row) {
            if var model = store.objects[row] {
                try hooks.didFetch(&model)
                store.objects[row] = model
            }
        }
    }

    // MARK: Linking

    func column(_ positions: RelatedRowIndices) -> RelatedColumn { TypedRelatedColumn(positions, store: store) }

    func link(_ relations: PropertyMask) throws {
        guard description.isClass, let related = try graph.relatedObjects(of: table) else { return }
        func link(_ chosen: Range<Int>, _ mask: PropertyMask) throws {
            guard !mask.isEmpty else { return }
            let run = RowRun(
                table.rows.stored, rows: chosen, skipped: table.rowsWithObject, layout: relationLayout(mask),
                arrays: arrays,
                related: related)
            try plan.mapping.loops.link(run, store)
        }
        if isWhole { return try link(0..<table.rows.count, relations) }
        for row in 0..<table.rows.count {
            try link(row..<row + 1, relations.subtracting(table.notFollowed(row: row)))
        }
    }

    /// The layout of a row of which only some relations are looked at.
    private func relationLayout(_ mask: PropertyMask) -> RowLayout {
        if let (latest, layout) = latestLayout, latest == mask { return layout }
        let layout = plan.columns.rowLayout(of: mask, description)
        latestLayout = (mask, layout)
        return layout
    }

    func finish() throws {
        guard description.isClass, plan.mapping.changes != nil || plan.hooks != nil else { return }
        // All are marked already, and there is nothing to remember.
        let isMarked = isWhole && (originalsAreKept || plan.mapping.inPlaceIndices.isEmpty)
        if isMarked, plan.columns.inverseMask.isEmpty, plan.hooks == nil { return }
        for row in 0..<table.rows.count where !table.hasObject(row) {
            guard let object = store.objects[row] else { continue }
            if !isMarked { if isWhole { plan.markLoaded(object) } else { markLoaded(object, from: row) } }
            try rememberInverses(of: object, row: row)
        }
        guard let hooks = plan.hooks else { return }
        for row in 0..<table.rows.count where !table.hasObject(row) {
            guard var object = store.objects[row] else { continue }
            try hooks.didFetch(&object)
            // A property that was not loaded does not count as changed if the hook sets it.
            if table.mask != description.fullMask {
                plan.mapping.changes?(object) { $0.dirty.subtract($0.unloaded) }
            }
        }
    }

    /// Marks an object as what its row holds, with the keys of the references that were not followed.
    private func markLoaded(_ object: Model, from row: Int) {
        let unloaded = table.unloaded(row: row)
        plan.markLoaded(object, unloaded: unloaded)
        keepKeys(of: unloaded, row: row, in: object)
    }

    /// Keeps the keys that references have in a row.
    private func keepKeys(of properties: PropertyMask, row: Int, in object: Model) {
        let references = properties.intersection(table.mask).intersection(plan.columns.referenceMask)
        guard !references.isEmpty else { return }
        plan.mapping.changes?(object) {
            $0.keepKeys(of: references, in: table.rows.cells(ofRow: row), description)
        }
    }

    /// Remembers what relations hold that the other side keeps.
    private func rememberInverses(of object: Model, row: Int, only property: Int? = nil) throws {
        guard !plan.columns.inverseMask.isEmpty, let changes = plan.mapping.changes else { return }
        for relation in plan.columns.relations where property.map({ $0 == relation.property }) ?? true {
            guard case .inverseReference = relation.storage, table.isFollowed(relation.property, from: row),
                let positions = try graph.relatedObjects(of: table)?.relatedColumns[relation.property]?.positions
            else { continue }
            let target = try graph.table(of: relation.target)
            let rows = positions.range(ofRow: row).compactMap { index in
                positions.targets[index] < 0 ? nil : Int(positions.targets[index])
            }
            let keys = target.rows.keys(of: rows)
            let held = Set(keys.rowIndices.map { keys.withRow($0) { ElementKey($0) } })
            changes(object) { $0.inverses = ($0.inverses ?? [:]).merging([relation.property: held]) { $1 } }
        }
    }
}

// MARK: - Objects that are there already

extension TypedObjectMaker {
    /// Lets an object stand for its row, in place of a new one.
    func use(_ object: Model, forRow row: Int) {
        table.rowsWithObject.insert(row)
        makeRoom()
        store.objects[row] = object
    }

    func use(_ known: KnownObjects) {
        guard description.isClass else { return }
        for row in 0..<table.rows.count where !table.isOmitted(row) {
            guard let object = known.object(of: Model.self, withKey: table.rows.key(ofRow: row)) else { continue }
            var isDeleted = false
            plan.mapping.changes?(object) { isDeleted = $0.state == .deleted }
            if !isDeleted { use(object, forRow: row) }
        }
    }

    func complete(_ known: KnownObjects) throws {
        guard description.isClass else { return }
        for row in 0..<table.rows.count {
            guard let object = store.objects[row] else { continue }
            if table.hasObject(row) {
                try complete(object, from: row)
            } else {
                known.add(object as AnyObject, of: Model.self, withKey: table.rows.key(ofRow: row))
            }
        }
    }

    /// Sets the properties that were not loaded of an object, and that its row has.
    private func complete(_ object: Model, from row: Int) throws {
        var missing = PropertyMask()
        plan.mapping.changes?(object) { missing = $0.unloaded.subtracting($0.dirty) }
        missing.subtract(table.unloaded(row: row))
        guard !missing.isEmpty else { return }
        var object = object
        try assign(row, to: &object, relationLayout(missing))
        plan.mapping.changes?(object) { tracker in
            tracker.dirty.subtract(missing)
            tracker.unloaded.subtract(missing)
            for property in missing.indices { tracker.dropOriginal(of: property) }
        }
        plan.mapping.keepOriginals(of: object, missing)
        for property in missing.indices { try rememberInverses(of: object, row: row, only: property) }
    }

    /// Checks that a row can be decoded, so that assigning it can't fail halfway.
    func check(_ row: Int) throws {
        checks.objects.extend(to: table.rows.count, by: nil)
        try make(row..<row + 1, related: try graph.relatedObjects(of: table), into: checks)
        checks.objects[row] = nil
    }

    /// Sets every property of an object to what its row holds.
    func reload(_ object: inout Model, from row: Int) throws {
        try assign(row, to: &object, layout(ofRow: row))
        markLoaded(object, from: row)
        plan.mapping.changes?(object) {
            ($0.birth, $0.latestDeletion) = (TransactionAttempt.latestNumber, Deletions.latestNumber)
        }
        try rememberInverses(of: object, row: row)
        try plan.hooks?.didFetch(&object)
    }

    /// Sets one relation of an object to what was loaded of it.
    func setRelation(_ property: Int, of object: Model, from row: Int) throws {
        var object = object
        let mask = PropertyMask([property])
        try assign(row, to: &object, relationLayout(mask))
        let isIncomplete = table.isIncomplete(property, ofRow: row)
        plan.mapping.changes?(object) { tracker in
            tracker.dirty.subtract(mask)
            tracker.dropOriginal(of: property)
            if isIncomplete { tracker.unloaded.formUnion(mask) } else { tracker.unloaded.subtract(mask) }
        }
        if isIncomplete { keepKeys(of: mask, row: row, in: object) }
        plan.mapping.keepOriginals(of: object, mask)
        try rememberInverses(of: object, row: row, only: property)
    }

    private func assign(_ row: Int, to object: inout Model, _ layout: RowLayout) throws {
        let (assign, arrays, cells) = (plan.mapping.assign, arrays, table.rows.cells(ofRow: row))
        let related = try graph.relatedObjects(of: table)
        try graph.mark.making {
            try withoutSpecialization(&object) { object in
                try assign(&object, Row(cells: cells, layout: layout, arrays: arrays, related: related, position: row))
            }
        }
    }
}
