import NearMisses

extension TableObject {
    /// Creates an object from a dictionary of property names and values.
    ///
    /// ```swift
    /// let project = try Project(values: ["name": "Apollo", "budget": 1_000, "status": "planned", "note": nil])
    /// try await db.save(project)
    /// ```
    ///
    /// A value is of its property's type, or converts to it without loss: a whole number to another type of number, a
    /// raw value to an enum, an array of such values. Values are rounded to what their columns hold, as a save does.
    ///
    /// A property without a value gets its default. In a struct only a default that is a literal or a static member
    /// is known; other optional properties are nil. Relations get their defaults too; set them afterwards.
    ///
    /// - Parameter values: The values, by the Swift names of the properties; nil for an optional property.
    /// - Throws: ``DatabaseError/Code/syntax`` for a name that is no property, ``DatabaseError/Code/invalidValue`` for
    ///   a value that does not fit or is missing, ``DatabaseError/Code/unsupported`` for a relation. The error names
    ///   the property.
    public init(values: [String: Any?]) throws {
        self = try Self.ownMapping.making(values)
    }

    /// Sets properties from a dictionary of their names and values: all of them, or none if one can't be set.
    ///
    /// ```swift
    /// try point.setValues(["x": 3, "y": 4])
    /// ```
    ///
    /// Values convert as in ``init(values:)``. The primary key can be set while it is nil.
    ///
    /// - Throws: The errors of ``init(values:)``; ``DatabaseError/Code/conflict`` if a key, a ``Version()`` or a `let`
    ///   would change. The value is unchanged then.
    public mutating func setValues(_ values: [String: Any?]) throws {
        try Self.ownMapping.set(values, in: &self)
    }

    /// Sets properties of an object whose class is known only now.
    fileprivate static func set(_ values: [String: Any?], in object: Any) throws {
        if var object = object as? Self { try ownMapping.set(values, in: &object) }
    }
}

extension TableObject where Self: AnyObject {
    /// Sets properties from a dictionary of their names and values: all of them, or none if one can't be set.
    ///
    /// ```swift
    /// try project.setValues(["name": "Gemini", "budget": 2_000, "note": nil])
    /// try await db.save(project)
    /// ```
    ///
    /// Values convert as in ``init(values:)``. Properties that are set count as changed.
    ///
    /// - Throws: The errors of ``init(values:)``; ``DatabaseError/Code/conflict`` if the key of a saved object, a
    ///   ``Version()`` or a `let` would change. The object is unchanged then.
    public func setValues(_ values: [String: Any?]) throws {
        let type = type(of: self as Any)
        if type != Self.self, let type = type as? any TableObject.Type { return try type.set(values, in: self) }
        var object = self
        try Self.ownMapping.set(values, in: &object)
    }
}

extension TableMapping {
    /// Makes an object of what a dictionary gives, and of defaults.
    func making(_ values: [String: Any?]) throws -> Model {
        let given = try converted(values)
        let indices = Set(given.map(\.index))
        let filled = description.fullMask.indices.filter { index in
            // A class has defaults of its own, as where a query leaves properties out.
            !indices.contains(index) && !(description.isClass && description.properties[index].canBeLeftOut)
        }
        let mask = PropertyMask(given.map(\.index) + filled)
        var encoder = RowEncoder(description, mask: mask)
        var next = given.startIndex
        for index in mask.indices {
            if next < given.endIndex, given[next].index == index {
                try given[next].value.encode(&encoder)
                next += 1
            } else if !encoder.encodeDefault(at: index) {
                throw missing(description.properties[index])
            }
        }
        let row = encoder
        let layout = description.layout(mask)
        return try row.cells.buffer.withRow(0) { cells in
            if let base = cells.baseAddress {
                return try decode(Row(cells: base, layout: layout, arrays: row.arrayValues))
            }
            return try withUnsafePointer(to: Cell.null) { empty in
                try decode(Row(cells: empty, layout: layout, arrays: row.arrayValues))
            }
        }
    }

    /// Sets what a dictionary gives in an object, once all of it is known to fit.
    func set(_ values: [String: Any?], in model: inout Model) throws {
        var setters: [(inout Model) -> Void] = []
        for (index, value) in try converted(values) {
            let property = description.properties[index]
            // Whether it can be stored is found out before anything is set.
            var new = RowEncoder(description, mask: PropertyMask([index]))
            try value.encode(&new)
            guard property.isKey || property.isVersion || value.set == nil else {
                if let set = value.set { setters.append(set) }
                continue
            }
            var old = RowEncoder(description, mask: PropertyMask([index]))
            try encode(model, &old)
            if old.isSame(as: new) { continue }
            guard let set = value.set, !isFixed(property, in: model, old) else { throw fixed(property) }
            setters.append(set)
        }
        for set in setters { set(&model) }
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

    /// The values of a dictionary, in the order of the properties.
    private func converted(_ values: [String: Any?]) throws -> [(index: Int, value: GivenValue<Model>)] {
        try description.validate()
        var result: [(index: Int, value: GivenValue<Model>)] = []
        for (name, given) in values.sorted(by: { $0.key < $1.key }) {
            guard let index = description.index(ofProperty: name) else { throw unknown(name) }
            guard description.columns.relation(index) == nil else {
                throw DatabaseError(
                    .unsupported,
                    "\"\(name)\" of \(description.type) is a relation, which a dictionary can't set. Set the property.",
                    table: description.table, properties: [name])
            }
            do {
                result.append((index, try accessors[index].convert(given)))
            } catch {
                throw refused(error, name)
            }
        }
        return result.sorted { $0.index < $1.index }
    }

    // MARK: Errors

    private func unknown(_ name: String) -> DatabaseError {
        let near = nearMisses(of: name, among: description.properties.map(\.name))
        let hint = near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
        return DatabaseError(
            .syntax, "A dictionary names \"\(name)\", which is no property of \(description.type).\(hint)",
            table: description.table, properties: [name])
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
        let isRelation = property.shape.target != nil
        return DatabaseError(
            isRelation ? .unsupported : .invalidValue,
            isRelation
                ? "No \(description.type) can be made without \"\(property.name)\", a relation, which a dictionary can't give. Use an initializer."
                : "No \(description.type) can be made without \"\(property.name)\": not optional, and without a default. Give it a value.",
            table: description.table, properties: [property.name])
    }

    private func fixed(_ property: PropertyMapping) -> DatabaseError {
        let reason =
            property.isKey
            ? "is the primary key of a row" : property.isVersion ? "counts the updates of its row" : "is a `let`"
        return DatabaseError(
            .conflict, "\"\(property.name)\" of \(description.type) can't be changed: it \(reason).",
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
    fileprivate func isSame(as other: RowEncoder) -> Bool {
        cells.buffer.isEqual(to: other.cells.buffer) && arrays.count == other.arrays.count
            && zip(arrays, other.arrays).allSatisfy { $0.encoder.buffer.isEqual(to: $1.encoder.buffer) }
    }
}
