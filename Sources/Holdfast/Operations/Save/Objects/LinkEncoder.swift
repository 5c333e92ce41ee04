/// Encodes what an object leads to, as keys in the row and the arrays that are being encoded.
final class LinkEncoder: SaveSink {
    /// The batch that gets the references to objects which are inserted by the same save.
    private var batch: SaveBatch?

    /// The references of the object that share columns with other properties, as they were met.
    private(set) var shared: [SharedKey] = []

    /// The key of a reference that shares columns with other properties.
    struct SharedKey {
        let property: Int
        /// The key, in one row; NULLs where the engine is still to make it.
        let key: ParameterBuffer
        /// The object if it is inserted by the same save.
        let node: NodeID?
    }

    /// Says whose relations are met next, and into which batch they go.
    func begin(_ owner: NodeID, into batch: SaveBatch?) {
        begin(owner)
        if !shared.isEmpty { shared = [] }
        if self.batch !== batch { self.batch = batch }
    }

    override func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        let columns = encoder.description.columns
        if let reference = columns.sharedReference(index) {
            try share(object, reference, in: &encoder)
        } else if columns.ranges[index].isEmpty {
            try link(object, at: index, in: &encoder)  // the other side holds the key
        } else {
            try encodeKey(of: object, at: index, in: &encoder)
        }
    }

    override func meet<Model: TableObject>(element object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        try link(object, at: index, in: &encoder)
    }

    private func encodeKey<Model: TableObject>(
        of object: Model, at property: Int, in encoder: inout RowEncoder
    ) throws {
        let objects = try graph.savedObjects(of: Model.self)
        let alternate = encoder.description.columns.relation(property)?.alternate
        guard let node = try node(of: object, in: objects, property: property) else {
            if let alternate {
                return encoder.cells.buffer.appendRow(0, of: try held(alternate, of: object, in: objects))
            }
            encoder.cells.buffer.appendRow(0, of: try outsideKey(of: object, in: objects, at: property))
            return
        }
        if objects.table.isInserted(Int(node.index)), let batch {
            batch.edges.append(
                SaveBatch.Edge(
                    owner: owner, target: node, property: property, cell: encoder.cells.buffer.cells.count))
        }
        if let alternate {
            encoder.cells.buffer.appendRow(0, of: try held(alternate, of: object, in: objects))
        } else {
            encoder.cells.buffer.appendRow(Int(node.index), of: objects.table.keys)
        }
    }

    /// Encodes the parts of a key that have columns of their own, and notes the others.
    private func share<Model: TableObject>(
        _ object: Model, _ reference: SharedReference, in encoder: inout RowEncoder
    ) throws {
        let objects = try graph.savedObjects(of: Model.self)
        let node = try node(of: object, in: objects, property: reference.property)
        let key =
            try node.map { objects.table.keys.selecting([Int($0.index)]) }
            ?? outsideKey(of: object, in: objects, at: reference.property)
        for (part, owner) in reference.owners.enumerated() where owner == nil {
            encoder.cells.buffer.append(key.cells[part], of: key)
        }
        let isInserted = node.map { objects.table.isInserted(Int($0.index)) } ?? false
        shared.append(SharedKey(property: reference.property, key: key, node: isInserted ? node : nil))
    }

    private func link<Model: TableObject>(_ object: Model, at property: Int, in encoder: inout RowEncoder) throws {
        guard let position = encoder.links.firstIndex(where: { $0.property == property }) else { return }
        let objects = try graph.savedObjects(of: Model.self)
        let node = try node(of: object, in: objects, property: property)
        encoder.links[position].targets.append(node)
        if let node {
            encoder.links[position].keys.appendRow(Int(node.index), of: objects.table.keys)
        } else {
            encoder.links[position].keys.appendRow(0, of: try outsideKey(of: object, in: objects, at: property))
        }
    }

    /// The property of an object that a reference holds in place of its key.
    private func held<Model: TableObject>(
        _ property: Int, of object: Model, in objects: SavedObjects<Model>
    ) throws -> ParameterBuffer {
        var isLoaded = true
        objects.plan.mapping.changes?(object) { isLoaded = !$0.unloaded.contains(property) }
        guard isLoaded else {
            let name = objects.description.properties[property].name
            throw DatabaseError(
                .notLoaded,
                "\"\(name)\" of a \(objects.description.type) is held by a reference to it, and was not loaded. Reload the object.",
                table: objects.description.table, properties: [name])
        }
        return try objects.plan.mapping.row(of: object, PropertyMask([property]))
    }

    /// The key of an object that is not part of the save.
    private func outsideKey<Model: TableObject>(
        of object: Model, in objects: SavedObjects<Model>, at property: Int
    ) throws -> ParameterBuffer {
        let key = try objects.plan.mapping.keyRow(of: object)
        guard !key.cells.contains(where: \.isNull) else {
            let owner = graph.tables[Int(owner.table)].description
            let name = owner.properties[property].name
            throw DatabaseError(
                .conflict,
                "\"\(name)\" of \(owner.type) leads to a new \(objects.description.type), which is not part of this save. Save it before, or in a wider scope.",
                table: owner.table, properties: [name])
        }
        return key
    }
}
