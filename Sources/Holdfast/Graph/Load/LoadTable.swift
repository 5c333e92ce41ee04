/// The rows of one type in a fetch, and the objects that are made of them.
final class LoadTable<Model: TableObject>: AnyLoadTable {
    let plan: MappingPlan<Model>
    let store = ObjectStore<Model>()
    /// Objects that are there already, and stand for their rows.
    private var given: [Int: Model] = [:]
    /// Where rows are decoded that are only checked: one place for all.
    private let checks = ObjectStore<Model>()
    private var related: RelatedObjects?
    private var arrays: ArrayValues?
    private var isBegun: [Bool] = []
    /// How many of the rows, from the first on, were made into objects before all rows were there.
    private var madeAhead = 0
    /// The relations that are linked once all objects are made.
    private var linkedAfterwards = PropertyMask()
    private var isWhole = false
    /// The layout by which a relation was last set: the same for all objects that are set by one call.
    private var latestLayout: (mask: PropertyMask, layout: RowLayout)?

    /// - Parameter mask: The properties that objects get; nil for all.
    init(number: Int, plan: MappingPlan<Model>, graph: LoadGraph, mask: PropertyMask?) {
        self.plan = plan
        super.init(number: number, description: plan.description, graph: graph, mask: mask)
    }

    /// Lets an object stand for its row, in place of a new one.
    func give(_ object: Model, forRow row: Int) { given[row] = object }

    override func isGiven(_ row: Int) -> Bool { given[row] != nil }

    /// The rows as objects, those that were left out passed over.
    func objects(_ rows: [Int]) -> [Model] {
        plan.mapping.loops.gather(store, droppedRows.isEmpty ? rows : rows.filter { !isDropped($0) })
    }

    // MARK: Statements

    override func requestForWanted() throws -> LoadRequest? {
        let wanted = try takeWanted()
        let keys = wanted.keys
        guard !keys.cells.isEmpty else { return nil }
        if let (property, steps) = wanted.chain {
            var limit = ParameterBuffer(width: 1)
            limit.append(.integer(Int64(steps)))
            return LoadRequest(
                try plan.statements.rendered(.chain(property: property)), keys.lists(followedBy: limit),
                .rows(width: rows.width)
            ) { self.addAhead($0.rows) }
        }
        let isOne = keys.rowIndices.count == 1
        return LoadRequest(
            isOne ? plan.statements.selectOne : plan.statements.selectMany, isOne ? keys : keys.asLists, .rows(width: rows.width),
            into: self
        ) { self.add($0.rows) }
    }

    /// The keys of rows, as a statement takes them; none where it is to be of all rows that the table has.
    private func owners(_ rows: [Int]?) -> (ofAll: Bool, keys: ParameterBuffer) {
        guard let rows, !isComplete || rows.count < rowCount else { return (true, .none) }
        return (false, keys(of: rows).asLists)
    }

    override func requestsForLinks(
        _ relation: Relation, of rows: [Int]?, into target: AnyLoadTable
    ) throws -> [LoadRequest] {
        let (ofAll, owners) = owners(rows)
        let (near, far) = (description.keyIndices.count, target.description.keyIndices.count)
        // Rows that come with links may be of owners, too, whose own links are asked for later.
        let ownerCount = rows.map { _ in rowCount }
        guard target.isComplete || ofAll && graph.readsLinkedApart else {
            let statement = try plan.statements.rendered(.related(property: relation.property, ofAll: ofAll))
            let shape = LoadedRows.Shape.links(near: near, far: far, width: target.rows.width)
            let request = LoadRequest(statement, owners, shape, into: target) { found in
                let places = target.add(found.rows)
                self.link(relation, of: 0..<(ownerCount ?? self.fetchedCount), found.owners) { index in
                    let place = found.places[index]
                    return place < 0 ? nil : places[Int(place)]
                }
            }
            return [request]
        }
        var requests: [LoadRequest] = []
        if !target.isComplete {
            let statement = try plan.statements.rendered(.linked(property: relation.property))
            requests.append(
                LoadRequest(statement, .none, .distinct(target.layout), into: target) {
                    target.add($0.rows, keys: $0.keys)
                })
        }
        let statement = try plan.statements.rendered(.links(property: relation.property, ofAll: ofAll))
        let links = LoadRequest(statement, owners, .owned(near: near, width: far)) { found in
            self.link(relation, of: 0..<(ownerCount ?? self.fetchedCount), found.owners) { index in
                target.position(of: found.rows.key(ofRow: index, count: far))
            }
        }
        return requests + [links]
    }

    /// Notes links of a relation to many; those of owners that are not here are nobody's.
    ///
    /// - Parameters:
    ///   - rows: The rows whose links are taken.
    ///   - owners: Whose the links are.
    ///   - target: Where the target of a link is; nil if it is missing.
    private func link(_ relation: Relation, of rows: Range<Int>, _ owners: OwnerRuns, to target: (Int) -> Int?) {
        var links = pairs.removeValue(forKey: relation.property) ?? []
        links.makeRoom(for: owners.rowCount)
        owners.forEach { owner, run in
            guard let row = position(of: owner), rows.contains(row) else { return }
            for index in run {
                links.append(
                    (
                        Int32(truncatingIfNeeded: row),
                        target(index).map { Int32(truncatingIfNeeded: $0) } ?? Self.missing
                    ))
            }
        }
        pairs[relation.property] = links
    }

    override func requestForHolders(
        _ relation: Relation, _ property: Int, of rows: [Int], into target: AnyLoadTable
    ) throws -> LoadRequest? {
        let statement = try plan.statements.rendered(.holders(property: relation.property))
        let shape = LoadedRows.Shape.rows(width: target.rows.width)
        return LoadRequest(statement, keys(of: rows).asLists, shape, into: target) { found in
            try self.addHolders(relation, property, found.rows, to: target)
        }
    }

    private func addHolders(
        _ relation: Relation, _ property: Int, _ found: StoredRows, to target: AnyLoadTable
    ) throws {
        let places = target.add(found)
        let range = target.layout.ranges[property]
        var links = pairs.removeValue(forKey: relation.property) ?? []
        if !relation.isArray { extendReferences(relation.property) }
        for index in 0..<found.rowCount {
            let owner = found.key(ofRow: index, from: range.lowerBound, count: range.count)
            guard let row = position(of: owner) else { continue }
            if relation.isArray {
                links.append((Int32(row), Int32(places[index])))
            } else if references[relation.property]?[row] == Self.none {
                references[relation.property]?[row] = Int32(places[index])
            } else {
                throw DatabaseError(
                    .decoding,
                    "Several rows of \"\(target.description.table)\" hold the key of one row of \"\(description.table)\", whose \"\(relation.name)\" can be only one. Make it an array, or the other side `@Unique`.",
                    table: description.table, properties: [relation.name])
            }
        }
        if relation.isArray { pairs[relation.property] = links }
    }

    override func requestsForElements(of rows: [Int]?) throws -> [LoadRequest] {
        let (ofAll, owners) = owners(rows)
        let width = description.keyIndices.count
        return try layout.elementArrays.filter { mask.contains($0) }.map { property in
            let elementWidth = layout.joinTables[property]?.elementColumns.count ?? 1
            let statement = try plan.statements.rendered(.elements(property: property, ofAll: ofAll, withPositions: false))
            return LoadRequest(statement, owners, .owned(near: width, width: elementWidth)) {
                self.collect(property, $0)
            }
        }
    }

    // MARK: Objects

    override func makeAhead() {
        guard layout.relations.isEmpty, layout.elementArrays.isEmpty, given.isEmpty, description.omitMask.isEmpty,
            description.isClass || plan.hooks == nil
        else { return }
        makePlaces()
        do {
            try make(madeAhead..<rowCount, related: nil, into: store)
            madeAhead = rowCount
        } catch {
            // It is thrown when the others are made: what leads nowhere at all is told of before.
        }
    }

    /// Makes places for the objects of all rows.
    private func makePlaces() {
        store.objects += [Model?](repeating: nil, count: rowCount - store.objects.count)
    }

    override func prepareColumns() {
        makePlaces()
        isBegun = [Bool](repeating: false, count: rowCount)
        for (row, object) in given { store.objects[row] = object }
        arrays = arrayValues
        isWhole = isWhollyLoaded
    }

    override func linkAfterwards(_ relations: PropertyMask) { linkedAfterwards = relations }

    /// The relations of the rows, once all tables have their rows.
    private func relatedObjects() throws -> RelatedObjects? {
        if let related { return related }
        guard !layout.relations.isEmpty else { return nil }
        var columns = [RelatedColumn?](repeating: nil, count: description.properties.count)
        for relation in layout.relations where !relation.target.isLazy {
            let target = try graph.table(of: relation.target)
            if relation.isArray {
                guard let pairs = pairs[relation.property] else { continue }
                columns[relation.property] = target.column(RelatedPositions(pairs, rowCount: rowCount))
            } else if references[relation.property] != nil {
                extendReferences(relation.property)
                columns[relation.property] = target.column(
                    RelatedPositions(targets: references[relation.property] ?? []))
            }
        }
        let result = RelatedObjects(columns: columns)
        related = result
        return result
    }

    override func column(_ positions: RelatedPositions) -> RelatedColumn? {
        TypedRelatedColumn(positions, store: store)
    }

    override func makeAll() throws {
        // What is linked afterwards is not to be had from here: some of it is not made yet.
        let related = try relatedObjects()?.without(linkedAfterwards)
        try make(madeAhead..<rowCount, skipped: droppedRows.union(given.keys), related: related, into: store)
    }

    private func make(
        _ chosen: Range<Int>, skipped: Set<Int> = [], related: RelatedObjects?, into store: ObjectStore<Model>
    ) throws {
        let run = RowRun(
            rows, rows: chosen, skipped: skipped, layout: rowLayout, arrays: arrays, related: related)
        let (description, showsValues) = (description, graph.core.configuration.showsValues)
        try plan.mapping.loops.make(run, store) { error, cells in
            description.located(error, inRow: cells, showsValues: showsValues)
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

    override func isMade(_ row: Int) -> Bool { store.objects[row] != nil || isDropped(row) }

    override func begin(_ row: Int) -> Bool {
        defer { isBegun[row] = true }
        return !isBegun[row]
    }

    override func needed(by row: Int) throws -> [NodeID] {
        var nodes: [NodeID] = []
        for relation in layout.relations where !relation.target.isLazy {
            guard relation.isNeeded || !description.isClass,
                let column = try relatedObjects()?.columns[relation.property]
            else { continue }
            let target = try graph.table(of: relation.target)
            for index in column.positions.range(ofRow: row) where column.positions.targets[index] >= 0 {
                nodes.append(NodeID(table: target.number, index: Int(column.positions.targets[index])))
            }
        }
        return nodes
    }

    override func make(_ row: Int) throws {
        try make(row..<row + 1, related: try relatedObjects(), into: store)
    }

    override func link() throws {
        guard description.isClass, !linkedAfterwards.isEmpty, let related = try relatedObjects() else { return }
        let skipped = Set(given.keys)
        func link(_ chosen: Range<Int>, _ mask: PropertyMask) throws {
            guard !mask.isEmpty else { return }
            let run = RowRun(
                rows, rows: chosen, skipped: skipped, layout: relationLayout(mask), arrays: arrays, related: related)
            try plan.mapping.loops.link(run, store)
        }
        if isWhole { return try link(0..<rowCount, linkedAfterwards) }
        for row in 0..<rowCount { try link(row..<row + 1, linkedAfterwards.subtracting(notFollowed(row: row))) }
    }

    /// The layout of a row of which only some relations are looked at.
    private func relationLayout(_ mask: PropertyMask) -> RowLayout {
        if let (latest, layout) = latestLayout, latest == mask { return layout }
        let layout = layout.rowLayout(of: mask, description)
        latestLayout = (mask, layout)
        return layout
    }

    private func assign(_ row: Int, to object: inout Model, _ layout: RowLayout, _ related: RelatedObjects?) throws {
        let (assign, arrays, cells) = (plan.mapping.assign, arrays, rows.row(row))
        try withoutSpecialization(&object) { object in
            try assign(&object, Row(cells: cells, layout: layout, arrays: arrays, related: related, position: row))
        }
    }

    override func finish() throws {
        guard description.isClass, plan.mapping.changes != nil || plan.hooks != nil else { return }
        // All are marked already, and there is nothing to remember.
        if isWhole, layout.inverseMask.isEmpty, plan.hooks == nil { return }
        for row in 0..<rowCount where given.isEmpty || given[row] == nil {
            guard let object = store.objects[row] else { continue }
            plan.markLoaded(object, unloaded: isWhole ? PropertyMask() : unloaded(row: row))
            try rememberInverses(of: object, row: row)
        }
        guard let hooks = plan.hooks else { return }
        for row in 0..<rowCount where given[row] == nil {
            guard var object = store.objects[row] else { continue }
            try hooks.didFetch(&object)
            // What a hook sets of what was left out is nobody's change.
            if mask != description.fullMask { plan.mapping.changes?(object) { $0.dirty.subtract($0.unloaded) } }
        }
    }

    // MARK: Objects that are there already

    /// Checks that a row can be decoded, so that assigning it can't fail halfway.
    func check(_ row: Int) throws {
        if checks.objects.count < rowCount { checks.objects = [Model?](repeating: nil, count: rowCount) }
        try make(row..<row + 1, related: try relatedObjects(), into: checks)
        checks.objects[row] = nil
    }

    /// Sets every property of an object to what its row holds.
    func reload(_ object: inout Model, from row: Int) throws {
        try assign(row, to: &object, rowLayout, try relatedObjects())
        plan.markLoaded(object, unloaded: unloaded(row: row))
        plan.mapping.changes?(object) { $0.birth = TransactionAttempt.latestNumber }
        try rememberInverses(of: object, row: row)
        try plan.hooks?.didFetch(&object)
    }

    /// Sets one relation of an object to what was loaded of it.
    func setRelation(_ property: Int, of object: Model, from row: Int) throws {
        var object = object
        let mask = PropertyMask([property])
        try assign(row, to: &object, relationLayout(mask), try relatedObjects())
        plan.mapping.changes?(object) { tracker in
            tracker.dirty.subtract(mask)
            if incomplete[property]?.contains(row) == true {
                tracker.unloaded.formUnion(mask)
            } else {
                tracker.unloaded.subtract(mask)
            }
        }
        try rememberInverses(of: object, row: row, only: property)
    }

    /// Remembers what relations hold that the other side keeps.
    private func rememberInverses(of object: Model, row: Int, only property: Int? = nil) throws {
        guard !layout.inverseMask.isEmpty, let changes = plan.mapping.changes else { return }
        for relation in layout.relations where property.map({ $0 == relation.property }) ?? true {
            guard case .inverseReference = relation.storage, isRequested(relation.property, row: row),
                let column = try relatedObjects()?.columns[relation.property]
            else { continue }
            let target = try graph.table(of: relation.target)
            let rows = column.positions.range(ofRow: row).compactMap { index in
                column.positions.targets[index] < 0 ? nil : Int(column.positions.targets[index])
            }
            let keys = target.keys(of: rows)
            let held = Set(keys.rowIndices.map { keys.withRow($0) { ElementKey($0) } })
            changes(object) { $0.inverses = ($0.inverses ?? [:]).merging([relation.property: held]) { $1 } }
        }
    }
}

extension RelatedPositions {
    /// Pairs in the order of the arrays, arranged by row.
    init(_ pairs: [(row: Int32, target: Int32)], rowCount: Int) {
        var starts = [Int32](repeating: 0, count: rowCount + 1)
        for pair in pairs { starts[Int(pair.row) + 1] += 1 }
        for row in 0..<rowCount { starts[row + 1] += starts[row] }
        var next = starts
        var targets = [Int32](repeating: -1, count: pairs.count)
        for pair in pairs {
            targets[Int(next[Int(pair.row)])] = pair.target
            next[Int(pair.row)] += 1
        }
        self.init(starts: starts, targets: targets)
    }
}
