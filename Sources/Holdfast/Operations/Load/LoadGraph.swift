/// Everything that one fetch loads: rows by table, each once, and what leads from one to another.
///
/// Rows come level by level: for all objects of a level, one or two statements for each relation, sent together. Then
/// objects are made of the rows, and linked. Nothing recurses on the depth of the data.
final class LoadGraph {
    let core: DatabaseCore
    let scope: LoadScope
    /// The objects that stand for their rows, if the load has an identity map.
    let known: KnownObjects?
    /// What all objects that it makes have in common.
    let mark: FetchMark
    private(set) var tables: [LoadTable] = []
    /// The makers of objects, by the indices of their tables.
    private(set) var makers: [any ObjectMaker] = []
    private(set) var tableIndices: [ObjectIdentifier: Int] = [:]
    /// The type whose objects get some properties only, and which.
    private var partial: (type: ObjectIdentifier, mask: PropertyMask)?
    /// The relations of the fetched type whose links are asked for with its rows.
    var prefetchedRelations = PropertyMask()
    /// Whether the links of all objects, and the objects that they lead to, are read by a statement each.
    ///
    /// A server sorts what it joined, rows as wide as both; apart, it has the links in order, and joins without
    /// sorting. An engine in this process finds the row of each link where it is. Two statements agree only where they
    /// see the same.
    var readsLinkedApart = false
    /// The objects that rows lead to, by the index of their table: see ``relatedObjects(of:)``.
    var related: [Int: RelatedObjects] = [:]

    init(_ access: DatabaseAccess, _ scope: LoadScope, known: KnownObjects? = nil) {
        core = access.core
        self.scope = scope
        self.known = known
        mark = FetchMark(access)
    }

    /// Returns the maker of a type's objects, which gets a table of its own at the first use.
    func maker<Model: TableObject>(of type: Model.Type) throws -> TypedObjectMaker<Model> {
        if let index = tableIndices[ObjectIdentifier(type)], let maker = makers[index] as? TypedObjectMaker<Model> {
            return maker
        }
        let plan = try core.plan(for: type)
        let isPartial = partial?.type == ObjectIdentifier(type)
        let mask = isPartial ? partial?.mask : nil
        let table = LoadTable(
            tableIndex: tables.count, description: plan.description, statements: plan.statements, mask: mask)
        let maker = TypedObjectMaker(plan, table, in: self)
        tableIndices[ObjectIdentifier(type)] = tables.count
        tables.append(table)
        makers.append(maker)
        return maker
    }

    /// Returns the maker of objects that get all properties, also those that are loaded on demand.
    func wholeMaker<Model: TableObject>(of type: Model.Type) throws -> TypedObjectMaker<Model> {
        partial = (ObjectIdentifier(type), try core.plan(for: type).description.fullMask)
        return try maker(of: type)
    }

    /// Returns the maker of the objects that are fetched themselves, which get what the scope says.
    func rootMaker<Model: TableObject>(of type: Model.Type) throws -> TypedObjectMaker<Model> {
        if scope.properties != nil {
            partial = (ObjectIdentifier(type), try scope.mask(of: try core.plan(for: type).description))
        }
        return try maker(of: type)
    }

    /// The table of a type, made at its first use.
    func table(of target: RelationTarget) throws -> LoadTable {
        if let index = tableIndices[ObjectIdentifier(target.type)] { return tables[index] }
        return try target.type.loadTable(in: self)
    }
}

extension TableObject {
    fileprivate static func loadTable(in graph: LoadGraph) throws -> LoadTable { try graph.maker(of: Self.self).table }
}
