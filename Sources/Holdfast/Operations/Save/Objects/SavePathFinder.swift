/// Finds by which properties a save has come to an object, for a message about it.
final class SavePathFinder: SaveSink {
    /// The property that leads to an object, and the position in its array.
    private struct Step {
        let owner: NodeID
        let property: Int
        let position: Int?
    }

    private var steps: [NodeID: Step?] = [:]
    private var queue: [NodeID] = []
    /// For each array of the owner, how many of its elements were met.
    private var positions: [Int: Int] = [:]

    /// The shortest path to an object from one that was given: `planet.tags[3].planet`, or `planet[1]` for the second
    /// of several that were given.
    func path(to node: NodeID) throws -> String {
        (steps, queue) = ([:], [])
        for table in graph.tables {
            for (index, position) in table.positions.enumerated() where position >= 0 {
                let given = NodeID(table: table.tableIndex, index: index)
                steps[given] = .some(nil)
                queue.append(given)
            }
        }
        var next = 0
        while next < queue.count, steps[node] == nil {
            positions = [:]
            let owner = queue[next]
            next += 1
            try graph.savedObjects[Int(owner.table)].visit(nil, of: Int(owner.index), self)
        }
        var (path, current) = ("", node)
        while let step = steps[current] ?? nil {
            let name = graph.tables[Int(step.owner.table)].description.properties[step.property].name
            path = ".\(name)" + (step.position.map { "[\($0)]" } ?? "") + path
            current = step.owner
        }
        let table = graph.tables[Int(current.table)]
        let position = table.errorPosition(of: Int(current.index)).map { "[\($0)]" } ?? ""
        let type = table.description.type
        return type.prefix(1).lowercased() + type.dropFirst() + position + path
    }

    /// The path to an object; nil if no relation that is held leads to it.
    func pathIfReached(to node: NodeID) throws -> String? {
        let path = try path(to: node)
        return steps[node] == nil ? nil : path
    }

    override func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        try note(object, at: index, position: nil)
    }

    override func meet<Model: TableObject>(element object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        // The other side of a relation to one is met as an element, too.
        let isArray = encoder.description.columns.relation(index)?.isArray ?? false
        let position = positions[index, default: 0]
        positions[index] = position + 1
        try note(object, at: index, position: isArray ? position : nil)
    }

    private func note<Model: TableObject>(_ object: Model, at property: Int, position: Int?) throws {
        guard let node = try node(of: object, in: graph.savedObjects(of: Model.self), property: property),
            steps[node] == nil
        else { return }
        steps[node] = Step(owner: owner, property: property, position: position)
        queue.append(node)
    }
}
