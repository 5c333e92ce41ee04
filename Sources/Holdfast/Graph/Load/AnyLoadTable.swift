/// The rows of one type in a fetch, whatever the type.
class AnyLoadTable {
    /// A key that leads to no row.
    static let missing: Int32 = -2
    static let none: Int32 = -1

    let number: Int
    let description: TableDescription
    unowned let graph: LoadGraph
    let layout: TableColumns
    /// The properties that objects get.
    let mask: PropertyMask
    /// Where they are in a row.
    let rowLayout: RowLayout
    /// The rows with all columns.
    // Nothing that changes these calls code which could look at them meanwhile, so no access is checked for that.
    @exclusivity(unchecked) private(set) var rows: StoredRows
    @exclusivity(unchecked) private var positions = KeyIndex()
    /// Whether every row that the table has is here.
    var isComplete = false
    /// How many rows, from the first on, the statement gave that fetches all.
    var fetchedCount = 0
    /// For each relation to one, where each row leads; for each relation to many, pairs in the order of the array.
    var references: [Int: [Int32]] = [:]
    var pairs: [Int: [(row: Int32, target: Int32)]] = [:]
    /// For each relation, the rows from which it was followed.
    private var requested: [Int: [Bool]] = [:]
    /// For each relation to many, the number of pairs before this level.
    private var pairsBefore: [Int: Int] = [:]
    /// For each relation to one, the rows that wait for what they lead to.
    private var waiting: [Int: [Int]] = [:]
    /// The references to this very table by which rows were asked for in this level.
    private var wantingSelfReferences: Set<Int> = []
    private var isWantedByOthers = false
    /// How many levels in a row asked for few rows by one reference to this very table.
    private var narrowLevels = 0
    /// Rows that were read ahead, which the following levels would reach one by one.
    private var ahead: [Int] = []
    private var wantedKeys: [Key] = []
    /// The keys that were ever asked for.
    @exclusivity(unchecked) private var askedFor = KeyIndex()
    @exclusivity(unchecked) private var visited: [Bool] = []
    private var visitedPaths: Set<Visit> = []
    /// Rows that are left out, since a key of theirs leads nowhere.
    var droppedRows: Set<Int> = []
    /// For each relation, the rows of which it leads to some that are left out for what they lack.
    var incomplete: [Int: Set<Int>] = [:]
    /// The elements of the arrays of values, and for how many rows they are there.
    private var collectors: [Int: ElementCollector] = [:]
    private var rowsWithElements = 0

    private struct Visit: Hashable {
        let row: Int
        let paths: ObjectIdentifier
    }

    init(number: Int, description: TableDescription, graph: LoadGraph, mask: PropertyMask?) {
        self.number = number
        self.description = description
        self.graph = graph
        layout = description.columns
        self.mask = mask ?? description.fullMask
        let columns = description.columns
        rowLayout = mask.map { columns.rowLayout(of: $0, description) } ?? columns.fullLayout
        rows = StoredRows(width: description.columns.columns.count)
    }

    var rowCount: Int { rows.rowCount }

    // MARK: Rows

    func key(ofRow row: Int) -> Key { layout.key(inRow: rows.row(row)) }

    func position(of key: Key) -> Int? { positions[key].map(Int.init) }

    /// Adds rows, each key once.
    ///
    /// - Returns: For each of the rows given, where it is.
    /// - Parameter keys: Where the keys are in them, if that is known, and each is there once.
    @discardableResult
    func add(_ more: StoredRows, keys: KeyIndex? = nil) -> [Int] {
        if keys == nil { reserveKeys(of: more) }
        if adopt(more, keys: keys) { return Array(0..<rowCount) }
        rows.keep(more)
        return (0..<more.rowCount).map { row in
            let key = layout.key(inRow: more.row(row))
            if let position = positions[key] { return Int(position) }
            let position = rowCount
            positions[key] = Int32(truncatingIfNeeded: position)
            rows.append(row, of: more)
            visited.append(false)
            return position
        }
    }

    /// Makes rows the first ones of the table, without a copy, if each has a key of its own.
    private func adopt(_ more: StoredRows, keys: KeyIndex?) -> Bool {
        guard rowCount == 0, more.width == rows.width else { return false }
        var index = keys ?? positions
        if keys == nil {
            for row in 0..<more.rowCount {
                guard index.insert(layout.key(inRow: more.row(row)), Int32(truncatingIfNeeded: row)) else {
                    return false
                }
            }
        }
        rows = more
        positions = index
        visited = [Bool](repeating: false, count: more.rowCount)
        return true
    }

    /// Looks how close together the first rows' keys lie.
    private func reserveKeys(of more: StoredRows) {
        guard rowCount == 0, more.rowCount > 0, layout.keySlots.count == 1 else { return }
        var (least, greatest) = (Int64.max, Int64.min)
        for row in 0..<more.rowCount {
            let cell = more.row(row)[layout.keySlots[0]]
            guard cell.kind == .integer else { return }
            least = min(least, cell.integer)
            greatest = max(greatest, cell.integer)
        }
        positions.reserve(least...greatest, count: more.rowCount)
    }

    /// The keys of some rows, as they are bound to a statement.
    func keys(of chosen: [Int]) -> ParameterBuffer {
        var keys = ParameterBuffer(width: description.keyIndices.count)
        keys.cells.reserveCapacity(chosen.count * keys.width)
        for row in chosen {
            let cells = rows.row(row)
            for slot in layout.keySlots { keys.append(copying: cells[slot]) }
        }
        return keys
    }

    /// Whether an object that is there already stands for the row.
    func isGiven(_ row: Int) -> Bool { false }

    // MARK: Following relations

    /// Whether nothing more is asked for once the rows are there.
    var leadsNowhere: Bool { layout.relations.isEmpty && layout.elementArrays.isEmpty }

    /// Whether objects get what a relation leads to.
    func canFollow(_ relation: Relation) -> Bool { !relation.target.isLazy && mask.contains(relation.property) }

    /// Marks rows as reached along paths.
    ///
    /// - Returns: Those that had not been, each once.
    @discardableResult
    func visit(_ rows: [Int], paths: RelationPaths.Node?) -> [Int] {
        var result: [Int] = []
        for row in rows {
            let isFirst = !visited[row]
            visited[row] = true
            let isFirstAlong =
                if let paths, !paths.children.isEmpty {
                    visitedPaths.insert(Visit(row: row, paths: ObjectIdentifier(paths))).inserted
                } else {
                    false
                }
            if isFirst || isFirstAlong { result.append(row) }
        }
        return result
    }

    /// Marks a relation as followed from rows.
    ///
    /// - Returns: Those from which it had not been.
    func request(_ property: Int, for rows: [Int]) -> [Int] {
        var marks = requested.removeValue(forKey: property) ?? []
        while marks.count < rowCount { marks.append(false) }
        let result = rows.filter { row in
            defer { marks[row] = true }
            return !marks[row]
        }
        requested[property] = marks
        return result
    }

    func isRequested(_ property: Int, row: Int) -> Bool {
        guard let marks = requested[property] else { return false }
        return row < marks.count && marks[row]
    }

    /// Whether all relations were followed from all rows.
    var isWhollyLoaded: Bool {
        mask == description.fullMask && incomplete.isEmpty
            && layout.relations.allSatisfy { relation in
                if relation.target.isLazy { return true }
                guard let marks = requested[relation.property] else { return rowCount == 0 }
                return marks.count == rowCount && !marks.contains(false)
            }
    }

    /// The properties that a row leaves out, and the relations that were not followed from it, or lead to what is left out.
    func unloaded(row: Int) -> PropertyMask {
        var unloaded = notFollowed(row: row)
        for (property, rows) in incomplete where rows.contains(row) { unloaded.insert(property) }
        return unloaded
    }

    /// The properties that a row leaves out, and the relations that were not followed from it.
    func notFollowed(row: Int) -> PropertyMask {
        var unloaded = description.fullMask.subtracting(mask)
        for relation in layout.relations where !relation.target.isLazy && !isRequested(relation.property, row: row) {
            unloaded.insert(relation.property)
        }
        return unloaded
    }

    /// Remembers what was there before the level that begins.
    func beginLevel() {
        for (property, pairs) in pairs { pairsBefore[property] = pairs.count }
    }

    /// Where a relation leads from rows, from which it was followed in this level or, along paths, in an earlier one.
    func targets(of relation: Relation, for rows: [Int], isAlongPath: Bool) -> [Int] {
        if relation.isArray {
            let all = pairs[relation.property] ?? []
            guard isAlongPath else {
                return all[(pairsBefore[relation.property] ?? 0)...].lazy
                    .filter { $0.target >= 0 }.map { Int($0.target) }
            }
            let chosen = Set(rows.map { Int32($0) })
            return all.lazy.filter { $0.target >= 0 && chosen.contains($0.row) }.map { Int($0.target) }
        }
        guard let references = references[relation.property] else { return [] }
        return rows.lazy.filter { $0 < references.count && references[$0] >= 0 }.map { Int(references[$0]) }
    }

    private static func referenceKey(_ cells: UnsafePointer<Cell>, _ range: Range<Int>) -> Key? {
        for part in range where cells[part].isNull { return nil }
        return Key(cells: cells + range.lowerBound, count: range.count)
    }

    /// The least and the greatest key that references of rows hold, if each is one integer.
    private func integerKeys(_ relation: Relation, of rows: [Int]) -> ClosedRange<Int64>? {
        let range = layout.ranges[relation.property]
        guard range.count == 1 else { return nil }
        let stored = self.rows
        var (least, greatest) = (Int64.max, Int64.min)
        for row in rows {
            let cell = stored.row(row)[range.lowerBound]
            guard cell.kind == .integer else {
                if cell.isNull { continue }
                return nil
            }
            least = min(least, cell.integer)
            greatest = max(greatest, cell.integer)
        }
        return least <= greatest ? least...greatest : nil
    }

    /// Prepares for being asked for keys, which come in any order.
    private func expectReferences(keys: ClosedRange<Int64>?, count: Int) {
        guard !isComplete, let keys else { return }
        askedFor.reserve(keys, count: count)
    }

    func extendReferences(_ property: Int) {
        var targets = references.removeValue(forKey: property) ?? []
        while targets.count < rowCount { targets.append(Self.none) }
        references[property] = targets
    }

    /// Looks where references of rows lead, and asks for what is not there.
    func want(_ relation: Relation, for rows: [Int], in target: AnyLoadTable) {
        extendReferences(relation.property)
        // Taken out for the time, so that they are changed in place.
        var targets = references.removeValue(forKey: relation.property) ?? []
        var waitingRows = waiting.removeValue(forKey: relation.property) ?? []
        target.expectReferences(keys: integerKeys(relation, of: rows), count: rows.count)
        let range = layout.ranges[relation.property]
        // Once for all: each look at a property of a class retains what that holds.
        let (stored, known) = (self.rows, target.positions)
        for row in rows {
            guard let key = Self.referenceKey(stored.row(row), range) else { continue }
            if let position = known[key] {
                targets[row] = position
                continue
            }
            targets[row] = Self.missing
            waitingRows.append(row)
            target.ask(for: key)
        }
        references[relation.property] = targets
        guard !waitingRows.isEmpty else { return }
        waiting[relation.property] = waitingRows
        if target === self {
            wantingSelfReferences.insert(relation.property)
        } else {
            target.isWantedByOthers = true
        }
    }

    /// Links references to the rows that came meanwhile.
    func resolve(_ relation: Relation, in target: AnyLoadTable) {
        guard let waitingRows = waiting.removeValue(forKey: relation.property) else { return }
        var targets = references.removeValue(forKey: relation.property) ?? []
        let range = layout.ranges[relation.property]
        let (stored, known) = (self.rows, target.positions)
        for row in waitingRows {
            guard let key = Self.referenceKey(stored.row(row), range), let position = known[key] else { continue }
            targets[row] = position
        }
        references[relation.property] = targets
    }

    /// Asks for the row with a key, which is not here.
    private func ask(for key: Key) {
        guard !isComplete, askedFor.insert(key, 0) else { return }
        wantedKeys.append(key)
    }

    /// The rows that were asked for.
    struct Wanted {
        var keys: ParameterBuffer
        /// The reference along which more rows are read at once, and how many steps.
        var chain: (property: Int, steps: Int)?
    }

    /// Takes the keys of the rows that were asked for.
    ///
    /// A long list would take a statement for each of its objects. Where level after level asks for few rows by the same
    /// reference, more and more of the list is read ahead: twice as much each time, so at most twice what is needed.
    func takeWanted() throws -> Wanted {
        defer {
            wantedKeys = []
            wantingSelfReferences = []
            isWantedByOthers = false
        }
        var wanted = Wanted(keys: ParameterBuffer(width: description.keyIndices.count))
        guard !wantedKeys.isEmpty else { return wanted }
        for key in wantedKeys { wanted.keys.appendRow(0, of: try description.parameters(of: key)) }
        let isNarrow = wantedKeys.count <= 4 && wantingSelfReferences.count == 1 && !isWantedByOthers
        narrowLevels = isNarrow && graph.scope.depth == nil ? narrowLevels + 1 : 0
        if narrowLevels > 4, let property = wantingSelfReferences.first,
            layout.relation(property)?.loading == .eager
        {
            wanted.chain = (property, 1 << min(narrowLevels, 12))
        }
        return wanted
    }

    /// Adds rows that the levels after the next would reach.
    func addAhead(_ rows: StoredRows) { ahead += add(rows) }

    func takeAhead() -> [Int] {
        defer { ahead = [] }
        return ahead
    }

    // MARK: Requests

    /// Asks for the rows that references lead to and that are not here; nil if there are none.
    func requestForWanted() throws -> LoadRequest? { nil }

    /// Asks for what a relation that a join table keeps leads to.
    ///
    /// - Parameter rows: The owners; nil for all that the table has, whose rows are taken before.
    /// - Returns: The last one asks for the links; one before it for the rows that they lead to, unless these come along, or are here.
    func requestsForLinks(
        _ relation: Relation, of rows: [Int]?, into target: AnyLoadTable
    ) throws -> [LoadRequest] { [] }

    /// Asks for the rows of another table that refer to rows of this one.
    func requestForHolders(
        _ relation: Relation, _ property: Int, of rows: [Int], into target: AnyLoadTable
    ) throws -> LoadRequest? { nil }

    /// Asks for the elements of arrays of values.
    ///
    /// - Parameter rows: The owners; nil for all that the table has, whose rows are taken before.
    func requestsForElements(of rows: [Int]?) throws -> [LoadRequest] { [] }

    // MARK: Arrays of values

    var hasRowsWithoutElements: Bool { !layout.elementArrays.isEmpty && rowsWithElements < rowCount }

    /// Takes the rows whose arrays of values are not there yet.
    func takeRowsWithoutElements() -> [Int] {
        defer { rowsWithElements = rowCount }
        return Array(rowsWithElements..<rowCount)
    }

    /// Takes elements of an array of values.
    ///
    /// - Parameter elements: The elements, and whose they are.
    func collect(_ property: Int, _ elements: LoadedRows) {
        let collector = collectors[property] ?? ElementCollector(elementWidth: elements.rows.width)
        collectors[property] = collector
        collector.begin(elements.rows)
        let (positions, rowsWithElements) = (positions, rowsWithElements)
        elements.owners.forEach { key, range in
            // An owner that is not among the rows is none of ours; those of one that came since are asked for later.
            guard let owner = positions[key], owner < rowsWithElements else { return }
            collector.append(range, of: owner)
        }
    }

    var arrayValues: ArrayValues? {
        guard !layout.elementArrays.isEmpty else { return nil }
        var columns = [ArrayColumn?](repeating: nil, count: description.properties.count)
        for property in layout.elementArrays {
            let width = layout.joinTables[property]?.elementColumns.count ?? 1
            let collector = collectors[property] ?? ElementCollector(elementWidth: width)
            columns[property] = collector.column(rowCount: rowCount)
        }
        return ArrayValues(columns: columns)
    }

    // MARK: Objects

    /// Whether objects can't be made before those of a relation: a struct holds what it holds from the beginning, and a class
    /// what it needs.
    func needs(_ relation: Relation) -> Bool { !relation.target.isLazy && (relation.isNeeded || !description.isClass) }

    /// Makes the objects of the rows that are there, if they need nothing else, before others have come.
    func makeAhead() {}
    func prepareColumns() {}
    /// Makes the objects of all rows that have none yet.
    func makeAll() throws {}
    /// Tells whose objects are all made before those of this table, or each before those that hold it: what leads elsewhere
    /// is linked afterwards.
    func linkAfterwards(_ relations: PropertyMask) {}
    func isMade(_ row: Int) -> Bool { true }
    /// Marks an object as being made.
    ///
    /// - Returns: Whether it was not already.
    func begin(_ row: Int) -> Bool { true }
    /// The objects without which one can't be made.
    func needed(by row: Int) throws -> [NodeID] { [] }
    func make(_ row: Int) throws {}
    func column(_ positions: RelatedPositions) -> RelatedColumn? { nil }
    func link() throws {}
    func finish() throws {}
}
