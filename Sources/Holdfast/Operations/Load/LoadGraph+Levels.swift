/// Levels: what is asked for together.
extension LoadGraph {
    /// Rows whose relations are to be followed.
    private struct Frontier {
        let table: LoadTable
        let paths: RelationPaths.Node?
        var rowIndices: [Int]
    }

    /// A relation that is followed from some rows.
    private struct Step {
        let table: LoadTable
        let relation: Relation
        let paths: RelationPaths.Node?
        let rowIndices: [Int]
    }

    /// The relations that are followed from the rows that were reached last, with the requests for them.
    private struct Level {
        var number = 0
        var steps: [Step] = []
        var requests: [LoadRequest] = []
        var references: [(step: Step, rowIndices: [Int], target: LoadTable)] = []
        /// The tables of which rows come with relations that other tables keep, whether they are asked for here or
        /// ahead.
        var reached: Set<Int> = []
    }

    /// A table, and the paths along which its rows were reached.
    private struct Arrival: Hashable {
        let table: Int
        let paths: ObjectIdentifier?
    }

    /// Loads the rows of a statement, and what can be reached from them.
    ///
    /// - Parameters:
    ///   - positions: Which of its cells make a row; nil for all.
    ///   - selectsAll: Whether it selects all rows of the table: then their arrays of values, and what join tables lead
    ///     to, are asked for at the same time.
    ///   - values: Takes what each row has behind its columns, if the statement selects that.
    /// - Returns: Where the rows are, in the order of the statement.
    func loadRows(
        of table: LoadTable, selectedBy statement: Statement, _ parameters: ParameterBuffer, at positions: [Int]?,
        selectsAll: Bool, values: TrailingValues? = nil, through session: Session
    ) async throws -> [Int] {
        // Without a snapshot, relations can lead to rows that others commit meanwhile.
        table.rows.holdsAll = selectsAll && session.hasSnapshot
        readsLinkedApart = session.hasSnapshot && core.capabilities.hasRoundTrips
        var rowIndices: [Int] = []
        var first = Level()
        let shape = values?.shape ?? .rows(width: table.rows.width, positions: positions)
        let root = LoadRequest(statement, parameters, shape) { found in
            rowIndices = table.rows.add(values?.take(found.rows) ?? found.rows)
            table.demandedRowCount = table.rows.count
            try self.checkSize(from: table)
            if selectsAll {
                table.rows.fetchedCount = table.rows.count
                _ = table.takeRowsWithoutElements()
            }
            first = try self.firstLevel(from: table, rowIndices, only: nil)
        } next: {
            // Asked for immediately, so that a server has it while the driver may be at the next rows.
            defer { first.requests = [] }
            return first.requests + (self.isLast(first) ? session.endOfLoad : [])
        }
        var requests = [root]
        var links: [LoadRequest] = []
        var isLast = selectsAll || table.columns.elementArrays.isEmpty
        for relation in table.columns.relations
        where follows(relation, of: table, scope.including.root, atLevel: 0) {
            guard selectsAll, relation.isInJoinTable, scope.including.root.children[relation.name]?.part == nil else {
                isLast = false
                continue
            }
            let target = try self.table(of: relation.target)
            let asked = try table.requestsForLinks(
                relation, of: nil, into: target, readsApart: readsLinkedApart)
            // What is least work to take comes last, when the engine has nothing else to do.
            requests += readsLinkedApart ? asked.dropLast() : asked[...]
            links += readsLinkedApart ? asked.suffix(1) : []
            prefetchedRelations.insert(relation.property)
            isLast = isLast && target.leadsNowhere
        }
        if selectsAll { requests += try table.requestsForElements(of: nil) }
        requests += links
        if isLast { requests += session.endOfLoad }
        try await session.load(requests, makeAhead: makeAhead(of:))
        try await loadLevels(startingWith: first, from: table, asked: Set(rowIndices).count, through: session)
        return rowIndices
    }

    /// Loads what can be reached from rows that are there.
    ///
    /// - Parameter only: The one relation that is followed from them; nil for all that the scope allows.
    func loadRelated(
        from table: LoadTable, _ rowIndices: [Int], only: Int? = nil, through session: Session
    ) async throws {
        try checkSize(from: table)
        let level = try firstLevel(from: table, rowIndices, only: only)
        try await loadLevels(
            startingWith: level, from: table, asked: only == nil ? table.rows.count : nil, through: session)
    }

    private func firstLevel(from table: LoadTable, _ rowIndices: [Int], only: Int?) throws -> Level {
        table.markVisited(rowIndices, paths: scope.including.root)
        let frontier = Frontier(table: table, paths: scope.including.root, rowIndices: rowIndices)
        return try makeLevel(0, from: [frontier], only: only)
    }

    /// Loads a level, and all that can be reached from there.
    ///
    /// - Parameter asked: How many objects were asked for; nil for all that are there after the first level.
    private func loadLevels(
        startingWith first: Level, from root: LoadTable, asked: Int?, through session: Session
    ) async throws {
        var (level, asked) = (first, asked)
        while true {
            try await run(level, session)
            try checkSize(from: root)
            if asked == nil { asked = objectCount }
            let frontier = try next(after: level.steps)
            guard !frontier.isEmpty || tables.contains(where: \.hasRowsWithoutElements) else {
                return noteSize(from: root, asked: asked ?? 0)
            }
            for table in tables { table.beginLevel() }
            level = try makeLevel(level.number + 1, from: frontier, only: nil)
        }
    }

    /// Whether a relation is followed from rows that were reached along a path.
    private func follows(
        _ relation: Relation, of table: LoadTable, _ paths: RelationPaths.Node?, atLevel level: Int
    ) -> Bool {
        guard table.canFollow(relation) else { return false }
        if paths?.children[relation.name] != nil { return true }
        if level == 0, scope.properties?.contains(relation.name) == true { return true }
        return followsUnnamed(relation, of: table, atLevel: level)
    }

    /// Whether a relation is followed that nobody named.
    private func followsUnnamed(_ relation: Relation, of table: LoadTable, atLevel level: Int) -> Bool {
        // An object can't be made without what it needs, and a struct can't remember what it lacks.
        if relation.isNeeded || !table.description.isClass { return true }
        // Whether there is one decides whether there is an object.
        if table.description.omitMask.contains(relation.property) { return true }
        return relation.loading == .eager && scope.depth.map { level < $0 } ?? true
    }

    /// Looks where rows lead, and makes what asks for that: a statement for each relation that another table keeps, for
    /// each table that references lead to, and for each array of values.
    private func makeLevel(_ number: Int, from frontier: [Frontier], only: Int?) throws -> Level {
        var level = Level(number: number)
        for part in frontier {
            for relation in part.table.columns.relations {
                let isWanted =
                    if let only {
                        relation.property == only && part.table.canFollow(relation)
                    } else {
                        follows(relation, of: part.table, part.paths, atLevel: number)
                    }
                guard isWanted else { continue }
                let paths = part.paths?.children[relation.name]
                let step = Step(table: part.table, relation: relation, paths: paths, rowIndices: part.rowIndices)
                level.steps.append(step)
                try add(step, to: &level)
            }
        }
        try addReferences(to: &level, reached: false)
        for table in tables where table.hasRowsWithoutElements {
            level.requests += try table.requestsForElements(of: table.takeRowsWithoutElements())
        }
        return level
    }

    private func add(_ step: Step, to level: inout Level) throws {
        let target = try table(of: step.relation.target)
        let rowIndices = step.table[step.relation].follow(from: step.rowIndices, rowCount: step.table.rows.count)
        guard !rowIndices.isEmpty else { return }
        if let part = step.paths?.part {
            level.requests.append(
                try step.table.requestForPart(part, of: step.relation, rowIndices, into: target, in: core))
            level.reached.insert(target.tableIndex)
            return
        }
        switch step.relation.storage {
        case .reference:
            level.references.append((step, rowIndices, target))
            return
        case .joinTable, .inverseJoinTable:
            guard level.number > 0 || !prefetchedRelations.contains(step.relation.property) else { break }
            level.requests += try step.table.requestsForLinks(
                step.relation, of: rowIndices, into: target, readsApart: readsLinkedApart)
        case .inverseReference(let property, _):
            level.requests.append(
                try step.table.requestForHolders(step.relation, property, of: rowIndices, into: target))
        }
        level.reached.insert(target.tableIndex)
    }

    /// Requests the targets of the level's references, either in the tables that other relations of the level reach, or
    /// in all others.
    private func addReferences(to level: inout Level, reached isReached: Bool) throws {
        for (step, rowIndices, target) in level.references where level.reached.contains(target.tableIndex) == isReached
        {
            step.table.want(step.relation, for: rowIndices, in: target)
        }
        for table in tables where level.reached.contains(table.tableIndex) == isReached {
            guard let request = try table.requestForWanted(isUnbounded: scope.depth == nil) else { continue }
            level.requests.append(request)
        }
    }

    /// Runs the statements of a level.
    ///
    /// They go out together, but for those of references to tables of which rows come with other relations: these need
    /// not be asked for.
    private func run(_ level: Level, _ session: Session) async throws {
        let mayEnd = !level.requests.isEmpty && isLast(level)
        try await session.load(level.requests + (mayEnd ? session.endOfLoad : []), makeAhead: makeAhead(of:))
        var rest = level
        rest.requests = []
        try addReferences(to: &rest, reached: true)
        try await session.load(rest.requests, makeAhead: makeAhead(of:))
        for (step, _, target) in level.references { step.table.resolve(step.relation, in: target) }
    }

    /// Whether nothing more is to be asked for once the statements of a level have run.
    private func isLast(_ level: Level) -> Bool {
        level.references.allSatisfy { !level.reached.contains($0.target.tableIndex) }
            && level.steps.allSatisfy { step in
                guard let index = tableIndices[ObjectIdentifier(step.relation.target.type)] else { return false }
                return tables[index].leadsNowhere
            }
    }

    /// Makes objects while the server works on further statements.
    private func makeAhead(of table: LoadTable) { makers[table.tableIndex].makeAhead() }

    /// The rows that were reached by the steps of a level, from which the next one goes on.
    private func next(after steps: [Step]) throws -> [Frontier] {
        var frontier: [Frontier] = []
        var indices: [Arrival: Int] = [:]
        for step in steps {
            let target = try table(of: step.relation.target)
            // A type without relations leads no further.
            if target.columns.relations.isEmpty { continue }
            let rowIndices = target.markVisited(
                step.table[step.relation].targets(of: step.rowIndices, isAlongPath: step.paths != nil),
                paths: step.paths)
            guard !rowIndices.isEmpty else { continue }
            let arrival = Arrival(table: target.tableIndex, paths: step.paths.map { ObjectIdentifier($0) })
            if let index = indices[arrival] {
                frontier[index].rowIndices += rowIndices
            } else {
                indices[arrival] = frontier.count
                frontier.append(Frontier(table: target, paths: step.paths, rowIndices: rowIndices))
            }
        }
        for table in tables {
            let rowIndices = table.markVisited(table.takePrefetched(), paths: nil)
            if !rowIndices.isEmpty { frontier.append(Frontier(table: table, paths: nil, rowIndices: rowIndices)) }
        }
        return frontier
    }
}
