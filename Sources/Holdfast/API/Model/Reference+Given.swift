// A reference in a dictionary, or in JSON: nothing is asked of the database.
extension Reference {
    public static func _converting(_ given: Any?) throws -> Self {
        guard let given = unwrapped(given) else { throw GivenValueFault.null }
        if let given = given as? GivenJSON { return Self(key: try Model.ownMapping.key(in: given)) }
        let description = Model.ownDescription
        let key = if let reference = given as? Self { reference.key } else { (given as? any KeyConvertible)?._key }
        // Why it is none is told in one sentence, which is about the property that it is given for.
        guard let key, (try? description.parameters(of: description.canonical(key))) != nil else {
            throw GivenValueFault.key(of: description.type)
        }
        return Self(key: key)
    }
}

extension TableObject {
    /// Reads the key of an object of this type from JSON.
    static func key(in given: GivenJSON) throws -> Key { try ownMapping.key(in: given) }
}

extension TableMapping {
    /// The key that JSON has, as ``TableObject/json(including:omitting:)`` writes it: the value of a key with one part,
    /// or an array.
    fileprivate func key(in given: GivenJSON) throws -> Key {
        if given.json.isNull { throw GivenValueFault.null }
        let indices = description.keyIndices
        let parts = indices.count == 1 ? [given.json] : given.json.array ?? []
        let fault = GivenValueFault.key(of: description.type)
        guard !indices.isEmpty, parts.count == indices.count, !parts.contains(where: \.isNull) else { throw fault }
        var encoder = RowEncoder(description, mask: description.keyMask)
        do {
            for (part, index) in zip(parts, indices) {
                let part = GivenJSON(json: part, storage: description.properties[index].storage)
                try accessors[index].convert(part).encode(&encoder)
            }
        } catch {
            throw fault  // which property of another type it is does not help who has sent it
        }
        return encoder.cells.buffer.withRow(0) { cells in
            cells.baseAddress.map { description.exposed(Key(cells: $0, count: cells.count)) } ?? Key()
        }
    }
}
