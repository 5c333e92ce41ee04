import NearMisses

/// Who gives values: the program, in a dictionary, or somebody who has sent it JSON.
enum GivenSource {
    case dictionary, json
}

extension TableMapping {
    /// Makes an object of values that are given, and of defaults.
    func making(_ values: [String: Any?], from source: GivenSource) throws -> Model {
        try making(try converted(values, from: source), leadingTo: [:])
    }

    /// Makes an object of values that are given, in the order of the properties, and of objects that some of its
    /// references lead to.
    func making(
        _ given: [(index: Int, value: GivenValue<Model>)], leadingTo objects: [Int: RelatedColumn]
    ) throws -> Model {
        let indices = Set(given.map(\.index))
        let filled = description.fullMask.indices.filter { index in
            // A class has defaults of its own, as where a query leaves properties out.
            !indices.contains(index)
                && (objects[index] != nil || !(description.isClass && description.properties[index].canBeLeftOut))
        }
        let mask = PropertyMask(given.map(\.index) + filled)
        let related = RelatedObjects(description.properties.indices.map { objects[$0] })
        var encoder = RowEncoder(description, mask: mask)
        var next = given.startIndex
        for index in mask.indices {
            if next < given.endIndex, given[next].index == index {
                try given[next].value.encode(&encoder)
                next += 1
            } else if objects[index] != nil {
                encoder.encodeNoObject(at: index)
            } else if !encoder.encodeDefault(at: index) {
                throw missing(description.properties[index])
            }
        }
        let row = encoder
        let layout = description.layout(mask)
        return try row.cells.buffer.withRow(0) { cells in
            if let base = cells.baseAddress {
                return try decode(Row(cells: base, layout: layout, arrays: row.arrayValues, related: related))
            }
            return try withUnsafePointer(to: Cell.null) { empty in
                try decode(Row(cells: empty, layout: layout, arrays: row.arrayValues, related: related))
            }
        }
    }

    /// Sets what is given in an object, once all of it is known to fit.
    func set(_ values: [String: Any?], from source: GivenSource, in model: inout Model) throws {
        var setters: [(inout Model) -> Void] = []
        for (index, value) in try converted(values, from: source) {
            let property = description.properties[index]
            // Whether it can be stored is found out before anything is set.
            let new = try row(of: value, at: index)
            guard property.isKey || property.isVersion || value.set == nil else {
                if let set = value.set { setters.append(set) }
                continue
            }
            let old = try row(of: model, at: index)
            if old.isSame(as: new) { continue }
            guard let set = value.set, !isFixed(property, in: model, old) else { throw fixed(property, source) }
            setters.append(set)
        }
        for set in setters { set(&model) }
    }

    /// Whether a property of an object is what is given for it, once both are stored.
    func has(_ value: GivenValue<Model>, at index: Int, in model: Model) throws -> Bool {
        try row(of: model, at: index).isSame(as: row(of: value, at: index))
    }

    private func row(of value: GivenValue<Model>, at index: Int) throws -> RowEncoder {
        var row = RowEncoder(description, mask: PropertyMask([index]))
        try value.encode(&row)
        return row
    }

    private func row(of model: Model, at index: Int) throws -> RowEncoder {
        let sink = KeySink()
        return try withExtendedLifetime(sink) {
            var row = RowEncoder(description, mask: PropertyMask([index]), sink: sink)
            try encode(model, &row)
            return row
        }
    }

    /// Whether a key or a version of an object is that of its row.
    ///
    /// - Parameter value: The property as it is.
    private func isFixed(_ property: PropertyMapping, in model: Model, _ value: RowEncoder) -> Bool {
        guard let changes else {
            return property.isVersion || !value.cells.buffer.cells.allSatisfy(\.isNull)
        }
        var state = ChangeTracker.State.new
        changes(model) { state = $0.state }
        return state == .persisted || state == .inserting
    }

    /// The values that are given, in the order of the properties.
    private func converted(
        _ values: [String: Any?], from source: GivenSource
    ) throws -> [(index: Int, value: GivenValue<Model>)] {
        try description.validate()
        var result: [(index: Int, value: GivenValue<Model>)] = []
        for (name, given) in values.inOrder({ $0.key < $1.key }) {
            guard let index = description.index(ofProperty: name) else { throw unknown(name) }
            if let relation = description.columns.relation(index), !relation.target.isLazy {
                throw holdsObjects(relation, source)
            }
            result.append((index, try converted(given, at: index)))
        }
        return result.inOrder { $0.index < $1.index }
    }

    /// The value that is given for a property.
    func converted(_ given: Any?, at index: Int) throws -> GivenValue<Model> {
        do {
            return try accessors[index].convert(given)
        } catch {
            throw refused(error, description.properties[index].name)
        }
    }

    // MARK: Errors

    private func unknown(_ name: String) -> DatabaseError {
        let near = nearMisses(of: name, among: description.properties.map(\.name))
        let hint = near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
        return DatabaseError(
            .syntax, "A dictionary names \"\(name)\", which is no property of \(description.type).\(hint)",
            table: description.table, properties: [name])
    }

    func holdsObjects(_ relation: Relation, _ source: GivenSource) -> DatabaseError {
        let (name, target) = (relation.name, relation.target.description.type)
        switch source {
        case .dictionary:
            return DatabaseError(
                .unsupported,
                "\"\(name)\" of \(description.type) is a relation, which a dictionary can't set. Set the property.",
                table: description.table, properties: [name])
        case .json:
            return DatabaseError(
                .invalidValue,
                "\"\(name)\" of \(description.type) holds objects, which JSON can't give. Declare it as a Reference<\(target)>, or find the object and set the property.",
                table: description.table, properties: [name])
        }
    }

    private func refused(_ error: any Error, _ name: String) -> DatabaseError {
        if let error = error as? DatabaseError { return error }
        let sentence =
            (error as? GivenValueFault)?.sentence ?? (error as? CellMismatch)?.sentence
            ?? "was refused by the conversion to the property's type"
        return DatabaseError(
            .invalidValue, "The value given for \"\(name)\" of \(description.type) \(sentence).",
            table: description.table, properties: [name])
    }

    private func missing(_ property: PropertyMapping) -> DatabaseError {
        let holdsObjects = property.shape.target.map { !$0.isLazy } ?? false
        return DatabaseError(
            holdsObjects ? .unsupported : .invalidValue,
            holdsObjects
                ? "No \(description.type) can be made without \"\(property.name)\", which holds an object, and that can't be given. Use an initializer."
                : "No \(description.type) can be made without \"\(property.name)\": not optional, and without a default. Give it a value.",
            table: description.table, properties: [property.name])
    }

    private func fixed(_ property: PropertyMapping, _ source: GivenSource) -> DatabaseError {
        let reason =
            property.isKey
            ? "is the primary key of a row" : property.isVersion ? "counts the updates of its row" : "is a `let`"
        // What is sent does not contradict the program.
        return DatabaseError(
            source == .json ? .invalidValue : .conflict,
            "\"\(property.name)\" of \(description.type) can't be changed: it \(reason).",
            table: description.table, properties: [property.name])
    }
}

extension RowEncoder {
    /// Encodes the value of a property that was given none: its constant default, or else nil.
    ///
    /// - Returns: Whether there is such a value.
    fileprivate mutating func encodeDefault(at index: Int) -> Bool {
        let property = description.properties[index]
        if let value = property.defaultValue, let cell = value.cells.first {
            cells.buffer.append(cell, of: value)
            return true
        }
        switch property.shape {
        case .column(_, let isNullable):
            guard isNullable else { return false }
            cells.append(.null)
        case .array(_, _, let isOptional), .objects(_, let isOptional):
            guard property.arrayDefault == .empty || isOptional && property.arrayDefault == nil else { return false }
            beginArray(index, isPresent: property.arrayDefault == .empty)
        case .reference(_, let isNullable):
            guard isNullable else { return false }
            encodeNoObject(at: index)
        }
        return true
    }

    /// The arrays as rows can read them.
    fileprivate var arrayValues: ArrayValues {
        var arrayColumns = [ArrayColumn?](repeating: nil, count: description.properties.count)
        for array in arrays {
            arrayColumns[array.property] = ArrayColumn(
                elements: array.encoder.buffer, starts: array.starts + [array.encoder.buffer.cells.count])
        }
        for links in links {
            arrayColumns[links.property] = ArrayColumn(
                elements: links.keys, starts: links.starts + [links.targets.count])
        }
        return ArrayValues(arrayColumns)
    }

    /// Whether two have encoded the same.
    func isSame(as other: RowEncoder) -> Bool {
        cells.buffer.isEqual(to: other.cells.buffer) && arrays.count == other.arrays.count
            && zip(arrays, other.arrays).allSatisfy { $0.encoder.buffer.isEqual(to: $1.encoder.buffer) }
            && links.count == other.links.count
            && zip(links, other.links).allSatisfy { $0.keys.isEqual(to: $1.keys) }
    }
}
