extension SaveGraph {
    /// Adds one of the objects that are given, which may be of a subclass.
    ///
    /// - Parameter paths: The relations that are followed from it; nil for all.
    func add<Model: TableObject>(
        _ object: Model, position: Int, paths: RelationPaths.Node?
    ) throws -> NodeID {
        let objects = try savedObjects(of: Model.self)
        if objects.description.isClass {
            let type: any AnyObject.Type = type(of: unsafeBitCast(object, to: AnyObject.self))
            if type != Model.self, let type = type as? any TableObject.Type {
                return try type.add(object, to: self, position: position, paths: paths)
            }
        }
        if let node = objects.node(of: object) { return node }
        let node = objects.append(object, position: position)
        if objects.isVisited { walker.enqueue(node, paths) }
        return node
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
        return try graph.add(object, position: position, paths: paths)
    }
}
