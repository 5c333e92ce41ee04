/// The values of some properties of an object at one moment, to be put back if its transaction rolls back.
struct CapturedProperties<Model> {
    struct Property {
        let index: Int
        let encoded: ParameterBuffer
        let set: (inout Model) -> Void
    }

    let mapping: TableMapping<Model>
    let properties: [Property]

    /// Puts the values back; the marks of the properties are then set.
    func undo(in object: inout Model) {
        for property in properties { property.set(&object) }
    }

    /// Puts the values back where the object still holds those of `later`; the marks of its properties stay as they
    /// are.
    func undo(in object: Model, ifStill later: CapturedProperties<Model>?) {
        guard !properties.isEmpty, let later else { return }
        var object = object
        let now = mapping.capture(object, PropertyMask(properties.map(\.index)))
        var marks = PropertyMask()
        mapping.changes?(object) { marks = $0.dirty }
        for property in properties {
            let held = later.properties.first { $0.index == property.index }?.encoded
            guard now.properties.first(where: { $0.index == property.index })?.encoded.isEqual(to: held) == true else {
                continue
            }
            property.set(&object)
        }
        mapping.changes?(object) { $0.dirty = marks }
        mapping.keepOriginals(of: object, PropertyMask(properties.map(\.index)))
    }
}

extension TableMapping {
    /// Remembers the values of the properties of `mask`.
    func capture(_ model: Model, _ mask: PropertyMask) -> CapturedProperties<Model> {
        CapturedProperties(
            mapping: self,
            properties: mask.indices.map { index in
                var encoder = RowEncoder(description, mask: PropertyMask([index]))
                // What can't be encoded equals nothing, and so is not undone.
                let isEncoded = (try? encode(model, &encoder)) != nil
                let encoded = isEncoded ? encoder.cells.buffer : .none
                return .init(index: index, encoded: encoded, set: accessors[index].capture(model))
            })
    }
}

extension ParameterBuffer {
    func isEqual(to other: ParameterBuffer?) -> Bool {
        guard let other, cells.count == other.cells.count, bytes == other.bytes else { return false }
        return zip(cells, other.cells).allSatisfy {
            $0.kind == $1.kind && $0.payload == $1.payload && $0.count == $1.count
        }
    }
}
