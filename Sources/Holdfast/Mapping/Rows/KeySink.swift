/// Encodes the keys of the objects that an object leads to; NULLs for new ones.
class KeySink: RelationSink {
    override func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        let columns = encoder.description.columns
        if let shared = columns.sharedReference(index) {
            // The other parts are in the columns of other properties.
            let key = try Model.ownMapping.keyRow(of: object)
            for (part, owner) in shared.owners.enumerated() where owner == nil {
                encoder.cells.buffer.append(key.cells[part], of: key)
            }
            return
        }
        guard columns.ranges[index].isEmpty else {
            return encoder.cells.buffer.appendRow(0, of: try Model.ownMapping.keyRow(of: object))
        }
        try meet(element: object, at: index, in: &encoder)
    }

    override func meet<Model: TableObject>(
        element object: Model, at index: Int, in encoder: inout RowEncoder
    ) throws {
        guard let position = encoder.links.firstIndex(where: { $0.property == index }) else { return }
        encoder.links[position].targets.append(nil)
        encoder.links[position].keys.appendRow(0, of: try Model.ownMapping.keyRow(of: object))
    }
}
