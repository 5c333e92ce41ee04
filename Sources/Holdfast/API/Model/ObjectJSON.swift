import Foundation

/// Writes objects as JSON, from what their mappings encode.
final class ObjectJSON {
    private let omitted: PropertyMask
    /// The type whose properties are left out; nothing is left out of others.
    private let owner: TableDescription

    init(omitting omitted: PropertyMask, of owner: TableDescription) {
        (self.omitted, self.owner) = (omitted, owner)
    }

    func text<Model: TableObject>(of model: Model, _ node: RelationPaths.Node) throws -> String {
        let (mapping, description) = (Model.ownMapping, Model.ownDescription)
        var mask = PropertyMask(count: description.properties.count)
        if description === owner { mask.subtract(omitted) }
        var unloaded = PropertyMask()
        mapping.changes?(model) { tracker in
            tracker.takeReplaced(description)
            unloaded = tracker.unloaded
        }
        // Of a reference the key is known, also where its object was not loaded.
        var keys: [Int: String] = [:]
        for index in mask.intersection(description.columns.referenceMask).indices
        where unloaded.contains(index) || node.children[description.properties[index].name] == nil {
            keys[index] = try key(of: model, at: index, mapping)
        }
        mask.subtract(unloaded.union(PropertyMask(keys.keys)))
        let sink = Sink(self, description, node)
        var encoder = RowEncoder(description, mask: mask, sink: sink)
        try mapping.encode(model, &encoder)
        let slots = description.slots(mask)
        let members = try mask.union(PropertyMask(keys.keys)).indices.map { index in
            let value =
                try keys[index] ?? text(ofProperty: index, description, encoder, Int(slots[index]), sink.texts[index])
            return description.properties[index].name.jsonQuoted + ":" + value
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The key that a reference holds; nil if it is not known.
    private func key<Model>(of model: Model, at index: Int, _ mapping: TableMapping<Model>) throws -> String? {
        guard let target = mapping.description.columns.relation(index)?.target.description else { return nil }
        switch try mapping.reference(index, of: model) {
        case .unknown: return nil
        case .nowhere, .newObject: return "null"
        case .key(let key): return try target.parameters(of: key).withRow(0) { try ObjectJSON.text($0, of: target) }
        }
    }

    /// A key as JSON.
    private static func text(_ key: UnsafeBufferPointer<Cell>, of target: TableDescription) throws -> String {
        if key.contains(where: \.isNull) { return "null" }
        let parts = try zip(key, target.keyIndices).map { cell, index in
            try text(cell, target.properties[index].columnType, target.properties[index].storage)
        }
        return parts.count == 1 ? parts[0] : "[" + parts.joined(separator: ",") + "]"
    }

    /// - Parameter shown: The objects of a relation that are shown in place of their keys.
    private func text(
        ofProperty index: Int, _ description: TableDescription, _ encoder: RowEncoder, _ slot: Int, _ shown: [String]?
    ) throws -> String {
        let (property, range) = (description.properties[index], description.columns.ranges[index])
        let row = encoder.cells.buffer
        func text(_ cell: Cell, of property: PropertyMapping) throws -> String {
            do { return try ObjectJSON.text(cell, property.columnType, property.storage) } catch {
                throw encoder.failure(error, at: index)
            }
        }
        func key(_ cells: UnsafeBufferPointer<Cell>, of target: TableDescription) throws -> String {
            do { return try ObjectJSON.text(cells, of: target) } catch { throw encoder.failure(error, at: index) }
        }
        if let relation = description.columns.relation(index) {
            let target = relation.target.description
            if relation.isArray {
                if !range.isEmpty, row.withRow(0, { $0[slot].payload }) == 0 { return "null" }
                guard let links = encoder.links.first(where: { $0.property == index }) else { return "[]" }
                let keys = try links.elements(ofRow: 0).map { try links.keys.withRow($0) { try key($0, of: target) } }
                return "[" + (shown ?? keys).joined(separator: ",") + "]"
            }
            if let object = shown?.first { return object }
            if range.isEmpty {
                guard let links = encoder.links.first(where: { $0.property == index }),
                    let position = links.elements(ofRow: 0).first
                else { return "null" }
                return try links.keys.withRow(position) { try key($0, of: target) }
            }
            return try row.withRow(0) {
                try key(UnsafeBufferPointer(rebasing: $0[slot..<slot + range.count]), of: target)
            }
        }
        if property.shape.isArray {
            if !range.isEmpty, row.withRow(0, { $0[slot].payload }) == 0 { return "null" }
            guard let array = encoder.arrays.first(where: { $0.property == index }),
                case .array(let type, _, _) = property.shape
            else { return "[]" }
            let elements = try array.elements(ofRow: 0).map { position in
                try array.encoder.buffer.withRow(position) { cells in
                    do { return try ObjectJSON.text(cells[0], type, property.storage) } catch {
                        throw encoder.failure(error, at: index)
                    }
                }
            }
            return "[" + elements.joined(separator: ",") + "]"
        }
        return try row.withRow(0) { try text($0[slot], of: property) }
    }

    /// A value as JSON.
    private static func text(_ cell: Cell, _ type: ColumnType?, _ storage: ValueStorage) throws -> String {
        if !cell.isNull, storage.isDateNumber {
            var cell = cell
            cell.storage = storage
            return ISO8601.text(ofMicroseconds: try Date._decode(cell).roundedToMicroseconds()).jsonQuoted
        }
        switch cell.kind {
        case .null: return "null"
        case .boolean: return cell.payload == 1 ? "true" : "false"
        case .integer:
            if storage == .integer { return cell.payload == 1 ? "true" : "false" }
            guard let digits = storage.scale else { return "\(cell.integer)" }
            let sign: FloatingPointSign = cell.integer < 0 ? .minus : .plus
            return "\(Decimal(sign: sign, exponent: -digits, significand: Decimal(cell.integer.magnitude)))"
        case .real:
            // A `Float` is printed as a `Float`: as a `Double`, the same number has more digits.
            return type == .float ? "\(Float(cell.real))" : "\(cell.real)"
        case .text:
            let text = String(decoding: cell.bytes, as: UTF8.self)
            if let words = storage.words { return text == words.true ? "true" : "false" }
            return text.jsonQuoted
        // An engine without a type for UUIDs has them as blobs in the keys of rows.
        case .blob where type == .uuid: return try UUID._decode(cell).uuidString.jsonQuoted
        case .blob: return Data(cell.bytes).base64EncodedString().jsonQuoted
        case .timestamp: return ISO8601.text(ofMicroseconds: cell.integer).jsonQuoted
        case .decimal, .json: return String(decoding: cell.bytes, as: UTF8.self)
        case .uuid: return try UUID._decode(cell).uuidString.jsonQuoted
        case .list: throw CellMismatch.invalid("a value that JSON can hold")
        }
    }

    /// Meets the objects that one object leads to: takes their keys, and the texts of those that are shown.
    private final class Sink: KeySink {
        private let json: ObjectJSON
        private let description: TableDescription
        private let node: RelationPaths.Node
        /// The objects that are shown, by the position of the property.
        private(set) var texts: [Int: [String]] = [:]

        init(_ json: ObjectJSON, _ description: TableDescription, _ node: RelationPaths.Node) {
            (self.json, self.description, self.node) = (json, description, node)
        }

        override func meet<Model: TableObject>(_ object: Model, at index: Int, in encoder: inout RowEncoder) throws {
            // The objects of a relation without columns are met as elements.
            let columns = description.columns
            if !columns.ranges[index].isEmpty || columns.sharedMask.contains(index) { try show(object, at: index) }
            try super.meet(object, at: index, in: &encoder)
        }

        override func meet<Model: TableObject>(
            element object: Model, at index: Int, in encoder: inout RowEncoder
        ) throws {
            try show(object, at: index)
            try super.meet(element: object, at: index, in: &encoder)
        }

        private func show<Model: TableObject>(_ object: Model, at index: Int) throws {
            guard let child = node.children[description.properties[index].name] else { return }
            texts[index, default: []].append(try json.text(of: object, child))
        }
    }
}
