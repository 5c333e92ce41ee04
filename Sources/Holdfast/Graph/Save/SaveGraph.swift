/// Everything that one save reaches: its objects, each once, by table.
///
/// It lives on the caller's isolation, where the objects are. First it is walked, from the objects given along their
/// relations, without recursion; then each object that is new or changed is encoded; what is then sent are values.
final class SaveGraph: RelationSink {
    enum Phase {
        /// Objects that are met join the graph.
        case walking
        /// Objects that are met are collected.
        case collecting
        /// Objects that are met become keys in the row being encoded.
        case encoding
    }

    let core: DatabaseCore
    let verb: SaveVerb
    /// By which its objects know their place in it.
    let number = SavePlace.makeNumber()
    /// Whether saves under way of its objects are waited for that have inserted them already.
    let waitsForUpdates: Bool
    /// Whether it is still walked or encoded: without suspension, so that no other save can meet its objects.
    var isTakingOff = true
    private(set) var tables: [any AnySaveTable] = []
    /// The types of the tables, in their order: few enough to be looked through.
    private var types: [ObjectIdentifier] = []
    private var latest: (type: ObjectIdentifier, table: any AnySaveTable)?

    private var queue: [(node: NodeID, paths: RelationPaths.Node?)] = []
    private var visits: Set<Visit> = []
    private(set) var phase = Phase.walking
    /// How many objects were given to the operation.
    private(set) var givenCount = 0
    /// The object whose relations are being met.
    private var current = NodeID(table: 0, row: 0)
    private var currentPaths: RelationPaths.Node?
    private var currentBatch: SaveBatch?

    /// The structs that objects hold, by the positions of the properties and in their order.
    private(set) var values: [NodeID: [Int: [NodeID]]] = [:]
    /// The objects that hold structs, as they were met: whoever holds comes before what it holds.
    private(set) var holders: [NodeID] = []
    /// For each property of the object whose relations are being met, how many structs of it were.
    private var metValues: [Int: Int] = [:]
    private var collected: [NodeID] = []
    /// Whether one was met that is not part of the graph.
    private(set) var hasMissed = false
    /// Relations that hold objects which were deleted.
    private var deletions: Set<Holding> = []
    /// What takes back the references that were set because another side of their relation was.
    private var undos: [() -> Void] = []

    /// A relation of an object, and the table that it leads to.
    private struct Holding: Hashable {
        let owner: NodeID
        let property: Int
        let target: Int
    }

    /// A visit along certain paths, of which an object can get several.
    private struct Visit: Hashable {
        let node: NodeID
        let paths: ObjectIdentifier
    }

    init(core: DatabaseCore, verb: SaveVerb, waitsForUpdates: Bool) {
        self.core = core
        self.verb = verb
        self.waitsForUpdates = waitsForUpdates
    }

    /// The table of a type, made at its first object.
    func table<Model: TableObject>(_ type: Model.Type) throws -> SaveTable<Model> {
        let id = ObjectIdentifier(type)
        if let latest, latest.type == id {
            return unsafeDowncast(latest.table, to: SaveTable<Model>.self)  // the type was compared
        }
        if let number = types.firstIndex(of: id) {
            let table = unsafeDowncast(tables[number], to: SaveTable<Model>.self)  // the type was compared
            latest = (id, table)
            return table
        }
        let table = SaveTable<Model>(number: tables.count, plan: try core.plan(for: type), graph: self)
        types.append(id)
        tables.append(table)
        return table
    }

    override func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        switch phase {
        case .walking: try walk(to: object, at: index)
        case .collecting:
            if let node = try node(of: object, at: index) { collected.append(node) } else { hasMissed = true }
        case .encoding:
            if encoder.description.columns.ranges[index].isEmpty {
                try link(object, at: index, in: &encoder)  // the other side holds the key
            } else {
                try encodeKey(of: object, at: index, in: &encoder)
            }
        }
    }

    override func meet<Model: TableObject>(element object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        switch phase {
        case .walking: try walk(to: object, at: index)
        case .collecting:
            if let node = try node(of: object, at: index) { collected.append(node) } else { hasMissed = true }
        case .encoding: try link(object, at: index, in: &encoder)
        }
    }
}

extension TableObject {
    /// Adds an object whose class is known only now: each class of a hierarchy has its own table.
    fileprivate static func add(
        _ object: Any, to graph: SaveGraph, position: Int, paths: RelationPaths.Node?
    ) throws -> NodeID {
        guard let object = object as? Self else {
            throw DatabaseError(.conflict, "An object is of another class than it says.")
        }
        return try graph.add(root: object, position: position, paths: paths)
    }
}

// MARK: - Walking

extension SaveGraph {
    /// Adds an object that was given, at its position among them.
    ///
    /// - Returns: Where it is in the graph.
    func add<Model: TableObject>(root object: Model, position: Int, paths: RelationPaths.Node?) throws -> NodeID {
        let table = try table(Model.self)
        if table.isClass {
            let type: any AnyObject.Type = type(of: unsafeBitCast(object, to: AnyObject.self))
            if type != Model.self, let type = type as? any TableObject.Type {
                return try type.add(object, to: self, position: position, paths: paths)
            }
        }
        givenCount += 1
        let (node, isNew) = table.nodeOrAppend(object, position: position)
        if isNew, table.isVisited { queue.append((node, paths)) }
        return node
    }

    /// Adds the objects that were given.
    ///
    /// - Returns: For each where it is in the graph.
    func add<Model: TableObject>(roots objects: [Model], paths: RelationPaths.Node?) throws -> [NodeID] {
        let table = try table(Model.self)
        guard let nodes = table.append(given: objects) else {
            return try objects.enumerated().map { try add(root: $1, position: $0, paths: paths) }
        }
        givenCount += objects.count
        if table.isVisited {
            for row in 0..<table.count { queue.append((NodeID(table: table.number, row: row), paths)) }
        }
        return nodes
    }

    /// Walks from the objects that were added to everything that can be reached.
    ///
    /// - Parameter hooked: The objects whose `willSave` has run already.
    /// - Returns: Whether a hook ran, which may have changed what was walked before.
    func walk(hooked: inout Set<ObjectIdentifier>) throws -> Bool {
        phase = .walking
        var ranHook = false
        // First come, first served: so that hooks run in the order in which objects were given.
        var next = 0
        while next < queue.count {
            let (node, paths) = queue[next]
            next += 1
            current = node
            currentPaths = paths
            if !metValues.isEmpty { metValues = [:] }
            let table = tables[Int(node.table)]
            if try table.runWillSave(Int(node.row), hooked: &hooked) { ranHook = true }
            try table.meetRelations(of: Int(node.row))
        }
        queue = []
        return ranHook
    }

    /// Takes objects that were deleted out of whatever holds them, as the database has done.
    func letGo() throws {
        for holding in deletions {
            let table = tables[Int(holding.owner.table)]
            let left = try objects(of: holding.owner, relation: holding.property).map(\.row)
            let isArray = table.description.columns.relation(holding.property)?.isArray ?? false
            let column = tables[holding.target].column(
                isArray
                    ? RelatedPositions(starts: [0, Int32(left.count)], targets: left)
                    : RelatedPositions(targets: [left.first ?? -1]))
            try table.letGo(holding.property, of: Int(holding.owner.row), keeping: column)
        }
        deletions = []
    }

    /// What an object leads to by one relation, as far as that is part of the graph.
    func objects(of node: NodeID, relation: Int) throws -> [NodeID] {
        phase = .collecting
        collected = []
        hasMissed = false
        current = node
        metValues = [:]
        try tables[Int(node.table)].meetRelation(relation, of: Int(node.row))
        return collected
    }

    private func walk<Model: TableObject>(to object: Model, at index: Int) throws {
        let table = try table(Model.self)
        // Along given paths only what they name is followed; what is not followed is not part of the save.
        let paths = currentPaths.map { paths -> RelationPaths.Node? in
            paths.children[tables[Int(current.table)].description.properties[index].name]
        }
        if case .some(.none) = paths { return }
        let next = paths ?? nil
        if let node = try node(of: object, in: table, at: index) {
            guard let next, visits.insert(Visit(node: node, paths: ObjectIdentifier(next))).inserted else { return }
            queue.append((node, next))
            return
        }
        if table.state(of: object) == .deleted, tables[Int(current.table)].isPersisted(Int(current.row)) {
            deletions.insert(Holding(owner: current, property: index, target: table.number))
            return
        }
        let node = table.append(object, position: nil)
        if !table.isClass {
            if values[current] == nil { holders.append(current) }
            values[current, default: [:]][index, default: []].append(node)
        }
        if let next { visits.insert(Visit(node: node, paths: ObjectIdentifier(next))) }
        if table.isVisited { queue.append((node, next)) }
    }

    /// Finds an object that was met before; a struct by the order in which its owner holds them.
    private func node<Model: TableObject>(of object: Model, at index: Int) throws -> NodeID? {
        try node(of: object, in: try table(Model.self), at: index)
    }

    private func node<Model: TableObject>(
        of object: Model, in table: SaveTable<Model>, at index: Int
    ) throws -> NodeID? {
        if table.isClass { return try table.existingNode(of: object) }
        let number = metValues[index, default: 0]
        metValues[index] = number + 1
        guard let nodes = values[current]?[index], number < nodes.count else { return nil }
        return nodes[number]
    }
}

// MARK: - Encoding

extension SaveGraph {
    func addUndo(_ undo: @escaping () -> Void) { undos.append(undo) }

    /// Puts everything back as it was before the save.
    func undo() {
        for table in tables { table.restoreMarks() }
        undoReferences()
    }

    func undoReferences() {
        for undo in undos.reversed() { undo() }
        undos = []
    }

    /// Encodes what is to be written.
    func encode() throws {
        phase = .encoding
        for table in tables { try table.encodeAll() }
    }

    /// Says whose relations are met next, and into which batch they go.
    func beginEncoding(_ node: NodeID, into batch: SaveBatch?) {
        current = node
        if currentBatch !== batch { currentBatch = batch }
        if !metValues.isEmpty { metValues = [:] }
    }

    private func encodeKey<Model: TableObject>(
        of object: Model, at index: Int, in encoder: inout RowEncoder
    ) throws {
        guard let node = try node(of: object, at: index) else {
            encoder.columns.buffer.appendRow(0, of: try outsideKey(of: object, at: index))
            return
        }
        let target = tables[Int(node.table)]
        if target.isInserted(Int(node.row)), let batch = currentBatch {
            batch.edges.append(
                SaveBatch.Edge(
                    owner: current, target: node, property: index, cell: encoder.columns.buffer.cells.count))
        }
        encoder.columns.buffer.appendRow(Int(node.row), of: target.keys)
    }

    private func link<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        guard let position = encoder.links.firstIndex(where: { $0.property == index }) else { return }
        let node = try node(of: object, at: index)
        encoder.links[position].targets.append(node)
        if let node {
            encoder.links[position].keys.appendRow(Int(node.row), of: tables[Int(node.table)].keys)
        } else {
            encoder.links[position].keys.appendRow(0, of: try outsideKey(of: object, at: index))
        }
    }

    /// The key of an object that is not part of the save.
    private func outsideKey<Model: TableObject>(of object: Model, at index: Int) throws -> ParameterBuffer {
        let plan = try core.plan(for: Model.self)
        let key = try plan.mapping.keyRow(of: object)
        guard !key.cells.contains(where: \.isNull) else {
            let owner = tables[Int(current.table)].description
            let name = owner.properties[index].name
            throw DatabaseError(
                .conflict,
                "\"\(name)\" of \(owner.type) leads to a new \(plan.description.type), which is not part of this save. Save it before, or in a wider scope.",
                table: owner.table, properties: [name])
        }
        return key
    }
}
