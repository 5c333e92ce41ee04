/// Everything that one fetch loads: rows by table, each once, and what leads from one to another.
///
/// Rows come level by level: for all objects of a level, one statement for each relation, sent together. Then objects are
/// made of the rows, and linked. Nothing recurses on the depth of the data.
final class LoadGraph {
    let core: DatabaseCore
    let scope: LoadScope
    private(set) var tables: [AnyLoadTable] = []
    private(set) var numbers: [ObjectIdentifier: Int] = [:]
    /// The type whose objects get some properties only, and which.
    private var partial: (type: ObjectIdentifier, mask: PropertyMask)?
    /// The relations of the fetched type whose links are asked for with its rows.
    var loadedAhead = PropertyMask()

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
