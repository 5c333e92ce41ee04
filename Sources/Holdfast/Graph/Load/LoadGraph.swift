/// Everything that one fetch loads: rows by table, each once, and what leads from one to another.
///
/// Rows come level by level: for all objects of a level, one statement for each relation. Then objects are made of the rows,
/// and linked. Nothing recurses on the depth of the data.
final class LoadGraph {
    /// Rows whose relations are to be followed.
    private struct Frontier {
        let table: AnyLoadTable
        let paths: RelationPaths.Node?
        var rows: [Int]
    }

    /// A relation that is followed from some rows.
    private struct Step {
        let table: AnyLoadTable
        let relation: Relation
        let paths: RelationPaths.Node?
        let rows: [Int]
    }

    let core: DatabaseCore
    let scope: LoadScope
    private(set) var tables: [AnyLoadTable] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// The type whose objects get some properties only, and which.
    private var partial: (type: ObjectIdentifier, mask: PropertyMask)?

    init(core: DatabaseCore, scope: LoadScope) {
        self.core = core
        self.scope = scope
    }

    /// The table of a type, made at its first use.
    func table<Model: TableObject>(_ type: Model.Type) throws -> LoadTable<Model> {
        if let number = numbers[ObjectIdentifier(type)], let table = tables[number] as? LoadTable<Model> {
            return table
        }
        let plan = try core.plan(for: type)
        let isPartial = partial?.type == ObjectIdentifier(type)
        let mask = isPartial ? partial?.mask : nil
        let table = LoadTable<Model>(number: tables.count, plan: plan, graph: self, mask: mask)
        numbers[ObjectIdentifier(type)] = tables.count
        tables.append(table)
        return table
    }

    /// The table of the type that is fetched, whose objects get what the scope says.
    func rootTable<Model: TableObject>(_ type: Model.Type) throws -> LoadTable<Model> {
        if scope.properties != nil {
            partial = (ObjectIdentifier(type), try scope.mask(of: try core.plan(for: type).description))
        }
        return try table(type)
    }

    func table(of target: RelationTarget) throws -> AnyLoadTable {
        if let number = numbers[ObjectIdentifier(target.type)] { return tables[number] }
        return try target.type.loadTable(in: self)
    }
}

extension TableObject {
    fileprivate static func loadTable(in graph: LoadGraph) throws -> AnyLoadTable { try graph.table(Self.self) }
}

// MARK: - Levels

extension LoadGraph {
    /// Loads what can be reached from rows that are there.
    ///
    /// - Parameter only: The one relation that is followed from them; nil for all that the scope allows.
    func loadGraph(from table: AnyLoadTable, rows: [Int], only: Int? = nil, through session: Session) async throws {
        var frontier = [Frontier(table: table, paths: scope.including.root, rows: rows)]
        table.visit(rows, paths: scope.including.root)
        var level = 0
        repeat {
            for table in tables {
                table.beginLevel()
                try await table.loadElements(through: session)
            }
            var steps: [Step] = []
            for part in frontier {
                for relation in part.table.description.columns.relations
                where !relation.target.isLazy && part.table.mask.contains(relation.property) {
                    let child = part.paths?.children[relation.name]
                    let isWanted: Bool
                    if let only, level == 0 {
                        isWanted = relation.property == only
                    } else {
                        let isNamed = level == 0 && scope.properties?.contains(relation.name) == true
                        isWanted = child != nil || isNamed || follows(relation, of: part.table, atLevel: level)
                    }
                    guard isWanted else { continue }
                    steps.append(Step(table: part.table, relation: relation, paths: child, rows: part.rows))
                }
            }
            try await load(steps, session)
            frontier = try next(after: steps)
            level += 1
        } while !frontier.isEmpty || tables.contains(where: \.hasRowsWithoutElements)
    }

    /// Whether a relation is followed that nobody named.
    private func follows(_ relation: Relation, of table: AnyLoadTable, atLevel level: Int) -> Bool {
        // An object can't be made without what it needs, and a struct can't remember what it lacks.
        if relation.isNeeded || !table.description.isClass { return true }
        // Whether there is one decides whether there is an object.
        if table.description.omitMask.contains(relation.property) { return true }
        return relation.loading == .eager && scope.depth.map { level < $0 } ?? true
    }

    /// Runs the statements of one level: one for each relation, and one for each table that references lead to.
    private func load(_ steps: [Step], _ session: Session) async throws {
        var wanted: [Set<Int>] = tables.map { _ in [] }
        for step in steps {
            let target = try table(of: step.relation.target)
            while wanted.count < tables.count { wanted.append([]) }
            let rows = step.table.request(step.relation.property, for: step.rows)
            guard !rows.isEmpty else { continue }
            switch step.relation.storage {
            case .reference:
                step.table.want(step.relation, for: rows, in: target)
                wanted[step.table.number].insert(step.relation.property)
            case .joinTable, .inverseJoinTable:
                try await step.table.loadJoined(step.relation, for: rows, into: target, through: session)
            case .inverseReference(let property, _):
                try await step.table.loadHolders(step.relation, property, for: rows, into: target, through: session)
            }
        }
        for table in tables { try await table.loadWanted(through: session) }
        for (number, properties) in wanted.enumerated() {
            for property in properties {
                guard let relation = tables[number].description.columns.relation(property) else { continue }
                tables[number].resolve(relation, in: try table(of: relation.target))
            }
        }
    }

    private func next(after steps: [Step]) throws -> [Frontier] {
        var frontier: [Frontier] = []
        var places: [Place: Int] = [:]
        for step in steps {
            let target = try table(of: step.relation.target)
            let rows = target.visit(
                step.table.targets(of: step.relation, for: step.rows, isAlongPath: step.paths != nil), paths: step.paths
            )
            guard !rows.isEmpty else { continue }
            let place = Place(table: target.number, paths: step.paths.map { ObjectIdentifier($0) })
            if let index = places[place] {
                frontier[index].rows += rows
            } else {
                places[place] = frontier.count
                frontier.append(Frontier(table: target, paths: step.paths, rows: rows))
            }
        }
        for table in tables {
            let rows = table.visit(table.takeAhead(), paths: nil)
            if !rows.isEmpty { frontier.append(Frontier(table: table, paths: nil, rows: rows)) }
        }
        return frontier
    }

    private struct Place: Hashable {
        let table: Int
        let paths: ObjectIdentifier?
    }
}

// MARK: - Objects

extension LoadGraph {
    /// Makes the objects of all rows, and links them.
    func makeObjects() throws {
        try resolveMissing()
        for table in tables { table.prepareColumns() }
        var made: Set<Int> = []
        var unmade = inMakingOrder(tables)
        while let index = unmade.firstIndex(where: { isMakeable($0, after: made) }) {
            let table = unmade.remove(at: index)
            table.linkAfterwards(relations(of: table, notLeadingTo: made))
            try table.makeAll()
            made.insert(table.number)
        }
        // What needs objects of its own type, or of one that needs it, is made one by one, and so is whoever needs that.
        for table in unmade {
            table.linkAfterwards(relations(of: table, notLeadingTo: made))
            for row in 0..<table.rowCount { try makeConstrained(NodeID(table: table.number, row: row)) }
        }
        for table in tables { try table.link() }
        for table in tables { try table.finish() }
    }

    /// Orders tables so that those come first to which others lead, as far as they don't lead to each other in a circle.
    private func inMakingOrder(_ tables: [AnyLoadTable]) -> [AnyLoadTable] {
        var ordered: [AnyLoadTable] = []
        var met: Set<Int> = []
        for table in tables where met.insert(table.number).inserted {
            var path = [(table: table, targets: targets(of: table))]
            while let next = path.last {
                guard let target = next.targets.last else {
                    ordered.append(next.table)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].targets.removeLast()
                if met.insert(target.number).inserted {
                    path.append((target, targets(of: target)))
                }
            }
        }
        return ordered
    }

    private func targets(of table: AnyLoadTable) -> [AnyLoadTable] {
        table.layout.relations.filter { !$0.target.isLazy }.compactMap { relation in
            numbers[ObjectIdentifier(relation.target.type)].map { tables[$0] }
        }
    }

    /// Whether all objects of a table can be made at once: what they need is there.
    private func isMakeable(_ table: AnyLoadTable, after made: Set<Int>) -> Bool {
        table.layout.relations.allSatisfy { relation in
            guard table.needs(relation), let number = numbers[ObjectIdentifier(relation.target.type)] else {
                return true
            }
            return made.contains(number)
        }
    }

    /// The relations of a table whose objects may not be there yet when its own are made.
    private func relations(of table: AnyLoadTable, notLeadingTo made: Set<Int>) -> PropertyMask {
        var mask = PropertyMask()
        for relation in table.layout.relations where !relation.target.isLazy {
            if table.needs(relation) { continue }
            guard let number = numbers[ObjectIdentifier(relation.target.type)], made.contains(number) else {
                mask.insert(relation.property)
                continue
            }
        }
        return mask
    }

    /// Makes an object after those that it can't be made without.
    private func makeConstrained(_ node: NodeID) throws {
        var path: [(node: NodeID, needed: [NodeID])] = []
        func enter(_ node: NodeID) throws {
            let table = tables[Int(node.table)]
            guard table.begin(Int(node.row)) else {
                throw DatabaseError(
                    .decoding,
                    "A \(table.description.type) is part of itself, by way of structs or of references that can't be nil: no such object can be made.",
                    table: table.description.table)
            }
            path.append((node, try table.needed(by: Int(node.row))))
        }
        guard !tables[Int(node.table)].isMade(Int(node.row)) else { return }
        try enter(node)
        while let (node, needed) = path.last {
            if let next = needed.last {
                path[path.count - 1].needed.removeLast()
                if !tables[Int(next.table)].isMade(Int(next.row)) { try enter(next) }
                continue
            }
            path.removeLast()
            try tables[Int(node.table)].make(Int(node.row))
        }
    }

    /// Leaves out objects that lack something, and whoever leads to them.
    private func omitLacking() throws {
        guard scope.omitsLacking, tables.contains(where: { !$0.description.omitMask.isEmpty }) else { return }
        var omitted = tables.flatMap { $0.omitLacking() }
        guard !omitted.isEmpty else { return }
        var holders: [NodeID: [NodeID]] = [:]
        for table in tables { try table.collectHolders(into: &holders) }
        while let node = omitted.popLast() {
            for holder in holders[node] ?? [] where tables[Int(holder.table)].drop(Int(holder.row)) {
                omitted.append(holder)
            }
        }
        for table in tables { try table.requireNeeded() }
        for table in tables { try table.rememberOmitted() }
        for table in tables { try table.removeDropped() }
    }

    /// Settles where keys lead to no row.
    private func resolveMissing() throws {
        try omitLacking()
        var dropped: [NodeID] = []
        for table in tables { dropped += try table.settleMissing(scope.missingTarget) }
        // What led nowhere is not there any more, and may be what its owner has to have.
        guard !dropped.isEmpty else {
            if scope.missingTarget != .throw { try omitLacking() }
            return
        }
        // Whoever needs what is left out is left out too.
        var needers: [NodeID: [NodeID]] = [:]
        for table in tables { try table.collectNeeders(into: &needers) }
        while let node = dropped.popLast() {
            for needer in needers[node] ?? [] where tables[Int(needer.table)].drop(Int(needer.row)) {
                dropped.append(needer)
            }
        }
        for table in tables { try table.removeDropped() }
        try omitLacking()
    }
}
