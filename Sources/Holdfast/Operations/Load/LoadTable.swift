/// The relations of one type in a load: those that were followed from its rows, and what is still to be asked for.
///
/// It needs only statements, keys and indices of rows, and so does not depend on the type. An ``ObjectMaker`` makes the
/// objects.
final class LoadTable {
    let tableIndex: Int
    let description: TableDescription
    /// The properties that objects get.
    let mask: PropertyMask
    let statements: TableStatements
    let rows: KeyedRows
    /// For each property the targets of the rows; empty for what is no relation, and for one that was not followed.
    private var links: [RelationLinks]
    private var visited = VisitedRows()
    // A key is inserted for each reference, and that calls no code which could look here; so no access is checked.
    @exclusivity(unchecked) private var wanted = WantedKeys()
    /// Prefetched rows of linked lists, which the following levels would otherwise reach one by one.
    private var prefetched: [Int] = []
    private var elements = LoadedElements()
    /// The rows that are left out, since a key of theirs leads nowhere, or for what they lack.
    private(set) var omitted: Set<Int> = []
    /// The rows for which an object stands that is there already.
    var rowsWithObject: Set<Int> = []
    /// The columns that are loaded on demand, and that objects get all the same.
    let demanded: PropertyMask
    /// How many rows, from the first on, have the columns that were demanded: those of the statement that named them.
    var demandedRowCount = 0

    init(tableIndex: Int, description: TableDescription, statements: TableStatements, mask: PropertyMask?) {
        self.tableIndex = tableIndex
        self.description = description
        self.mask = mask ?? description.fullMask.subtracting(description.masks.onDemand)
        demanded = self.mask.intersection(description.masks.onDemand)
        self.statements = statements
        rows = KeyedRows(description.columns)
        links = [RelationLinks](repeating: RelationLinks(), count: description.properties.count)
    }

    var columns: TableColumns { rows.columns }

    /// Whether nothing more is asked for once the rows are there.
    var leadsNowhere: Bool { columns.relations.isEmpty && columns.elementArrays.isEmpty }

    func hasObject(_ row: Int) -> Bool { !rowsWithObject.isEmpty && rowsWithObject.contains(row) }

    func isOmitted(_ row: Int) -> Bool { !omitted.isEmpty && omitted.contains(row) }

    /// Leaves out a row.
    ///
    /// - Returns: Whether it was there.
    func omit(_ row: Int) -> Bool { omitted.insert(row).inserted }

    /// The targets of the rows by a relation; changed in place.
    subscript(relation: Relation) -> RelationLinks {
        get { links[relation.property] }
        _modify { yield &links[relation.property] }
    }

    // MARK: What was followed

    /// Whether objects get what a relation leads to.
    func canFollow(_ relation: Relation) -> Bool { !relation.target.isLazy && mask.contains(relation.property) }

    /// Whether objects can't be made before those of a relation: a struct holds what it holds from the beginning, and a
    /// class what it needs.
    func needs(_ relation: Relation) -> Bool { !relation.target.isLazy && (relation.isNeeded || !description.isClass) }

    /// Marks rows as reached along paths.
    ///
    /// - Returns: Those that had not been, each once.
    @discardableResult
    func markVisited(_ reached: [Int], paths: RelationPaths.Node?) -> [Int] {
        visited.markVisited(reached, along: paths, rowCount: rows.count)
    }

    func isFollowed(_ property: Int, from row: Int) -> Bool { links[property].isFollowed(from: row) }

    func isIncomplete(_ property: Int, ofRow row: Int) -> Bool { links[property].isIncomplete(row) }

    /// Whether objects get all properties, all relations were followed from all rows, and nothing is left out of them.
    var isWhollyLoaded: Bool {
        mask == description.fullMask && (demanded.isEmpty || demandedRowCount == rows.count)
            && links.allSatisfy(\.incomplete.isEmpty)
            && columns.relations.allSatisfy { relation in
                relation.target.isLazy || links[relation.property].isFollowedFromAll(rowCount: rows.count)
            }
    }

    /// The properties that a row leaves out, and the relations that were not followed from it or lead to omitted rows.
    func unloaded(row: Int) -> PropertyMask {
        var unloaded = notFollowed(row: row)
        for property in links.indices where links[property].isIncomplete(row) { unloaded.insert(property) }
        return unloaded
    }

    /// The properties that a row leaves out, and the relations that were not followed from it.
    func notFollowed(row: Int) -> PropertyMask {
        var unloaded = description.fullMask.subtracting(mask)
        if row >= demandedRowCount { unloaded.formUnion(demanded) }
        for relation in columns.relations
        where !relation.target.isLazy && !links[relation.property].isFollowed(from: row) {
            unloaded.insert(relation.property)
        }
        return unloaded
    }

    /// Remembers what was there before the level that begins.
    func beginLevel() {
        for relation in columns.relations { links[relation.property].beginLevel() }
    }

    // MARK: What is asked for

    /// Looks where references of rows lead, and asks for what is not there.
    func want(_ relation: Relation, for owners: [Int], in target: LoadTable) {
        let cells = columns.referenceCells(relation.property)
        let asks = !target.rows.holdsAll
        if asks, let range = cells.range, range.count == 1,
            let keys = rows.stored.integerRange(in: range.lowerBound, of: owners, skipsNull: true)
        {
            target.wanted.expect(keys, count: owners.count)
        }
        let waits = links[relation.property].lookUp(
            owners, of: rows.stored, at: cells, in: target.rows.index
        ) { key in
            if asks { target.wanted.insert(key) }
        }
        guard waits else { return }
        if target === self, relation.alternate == nil {
            wanted.noteSelfReference(relation.property)
        } else {
            target.wanted.noteOther()
        }
    }

    /// Links references to the rows that came meanwhile.
    func resolve(_ relation: Relation, in target: LoadTable) {
        links[relation.property].resolve(
            in: rows.stored, at: columns.referenceCells(relation.property), in: target.rows.index)
    }

    /// Takes the keys of the rows that were asked for, and the reference along which more of them are to be prefetched.
    ///
    /// - Parameter isUnbounded: Whether the load follows relations to the end.
    func takeWanted(isUnbounded: Bool) throws -> (keys: ParameterBuffer, chain: WantedKeys.Chain?) {
        let (wantedKeys, chain) = wanted.take(isUnbounded: isUnbounded)
        var keys = ParameterBuffer(width: description.keyIndices.count)
        for key in wantedKeys { keys.appendRow(0, of: try description.parameters(of: key)) }
        guard let chain, columns.relation(chain.property)?.loading == .eager else { return (keys, nil) }
        return (keys, chain)
    }

    /// Adds rows that the levels after the next would reach.
    func addPrefetched(_ added: StoredRows) { prefetched += rows.add(added) }

    func takePrefetched() -> [Int] {
        defer { prefetched = [] }
        return prefetched
    }

    // MARK: Arrays of values

    var hasRowsWithoutElements: Bool { !columns.elementArrays.isEmpty && elements.rowCount < rows.count }

    /// Takes the rows whose arrays of values are not there yet.
    func takeRowsWithoutElements() -> [Int] { elements.takeRows(of: rows.count) }

    /// Takes elements of an array of values.
    ///
    /// - Parameter found: The elements, and whose they are.
    func collect(_ property: Int, _ found: LoadedRows) {
        elements.collect(property, found.rows, of: found.owners, in: rows.index)
    }

    /// The arrays of values, arranged by row; nil if the type has none.
    var arrayValues: ArrayValues? {
        guard !columns.elementArrays.isEmpty else { return nil }
        var arrayColumns = [ArrayColumn?](repeating: nil, count: description.properties.count)
        for property in columns.elementArrays {
            let width = columns.joinTables[property]?.elementColumns.count ?? 1
            arrayColumns[property] = elements.column(property, elementWidth: width, rowCount: rows.count)
        }
        return ArrayValues(arrayColumns)
    }
}
