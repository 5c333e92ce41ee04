/// Everything that one fetch loads: rows by table, each once, and what leads from one to another.
///
/// Rows come level by level: for all objects of a level, one or two statements for each relation, sent together. Then objects
/// are made of the rows, and linked. Nothing recurses on the depth of the data.
final class LoadGraph {
    let core: DatabaseCore
    let scope: LoadScope
    private(set) var tables: [AnyLoadTable] = []
    private(set) var numbers: [ObjectIdentifier: Int] = [:]
    /// The type whose objects get some properties only, and which.
    private var partial: (type: ObjectIdentifier, mask: PropertyMask)?
    /// The relations of the fetched type whose links are asked for with its rows.
    var loadedAhead = PropertyMask()
    /// Whether the links of all objects, and the objects that they lead to, are read by a statement each.
    ///
    /// A server sorts what it joined, rows as wide as both; apart, it has the links in order, and joins without sorting. An engine
    /// in this process finds the row of each link where it is. Two statements agree only where they see the same.
    var readsLinkedApart = false

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
