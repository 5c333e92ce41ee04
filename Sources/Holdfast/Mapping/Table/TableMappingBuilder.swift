/// Collects the properties of a ``TableMapping``.
public struct TableMappingBuilder<Model> {
    /// How one property is read and written through its key path.
    struct Accessor: Sendable {
        let encode: @Sendable (Model, inout RowEncoder) throws -> Void
        let assign: @Sendable (inout Model, borrowing Row) throws -> Void
        /// Remembers the value, and gives what sets it again.
        let capture: @Sendable (Model) -> (inout Model) -> Void
    }

    let type: String
    let table: String
    let naming: Naming
    var properties: [PropertyMapping] = []
    var accessors: [Accessor] = []
    var problems: [DatabaseError] = []
    var generatedKeys = 0

    init(type: String, table: String?, naming: Naming) {
        self.type = type
        self.table = Naming.shortened(table ?? naming.name(type))
        self.naming = naming
    }

    /// Adds a property.
    ///
    /// - Parameters:
    ///   - name: Its name in Swift.
    ///   - keyPath: Where it is; a writable one lets the property be set when its object is reloaded.
    ///   - options: What else is declared of it.
    ///   - defaultValue: The constant that rows get which exist when its column is added.
    public mutating func property<Value: PropertyValue>(
        _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable, _ options: PropertyOption...,
        default defaultValue: Value? = nil
    ) {
        add(name, options, defaultValue, keyPath: keyPath, isKey: false)
    }

    /// Adds a property that is the primary key, or part of it, with values that the caller gives.
    public mutating func key<Value: KeyValue>(
        _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable, _ options: PropertyOption...,
        default defaultValue: Value? = nil
    ) {
        add(name, options, nil, keyPath: keyPath, isKey: true)
    }

    /// Adds the primary key whose values the engine makes: nil until the object is saved.
    public mutating func key(
        _ name: String, _ keyPath: any KeyPath<Model, Int64?> & Sendable, _ options: PropertyOption...,
        default defaultValue: Int64? = nil
    ) {
        generatedKeys += 1
        add(name, options, nil, keyPath: keyPath, isKey: true)
    }

    private mutating func add<Value: PropertyValue>(
        _ name: String, _ options: [PropertyOption], _ defaultValue: Value?,
        keyPath: any KeyPath<Model, Value> & Sendable, isKey: Bool
    ) {
        add(
            name, options, defaultValue, identity: keyPath, isKey: isKey,
            read: { $0[keyPath: keyPath] },
            write: WritableProperty(keyPath).map { property in
                { property.set($1, in: &$0) }
            })
    }

    mutating func add<Value: PropertyValue>(
        _ name: String, _ options: [PropertyOption], _ defaultValue: Value?,
        identity: any AnyKeyPath & Sendable, isKey: Bool,
        read: @escaping @Sendable (Model) -> Value,
        write: (@Sendable (inout Model, Value) -> Void)?
    ) {
        let declared = DeclaredOptions(options)
        let storage = declared.storage
        guard let shape = Value._shape(storage) else {
            problems.append(problem("can't be stored as its `storage` asks. Choose one made for \(Value.self)", name))
            return
        }
        let index = properties.count
        let columnName = declared.column ?? naming.name(name)
        properties.append(
            PropertyMapping(
                name: name,
                columnName: ownColumn(of: shape, columnName),
                shape: shape, storage: storage, isKey: isKey, isUnique: declared.isUnique,
                isIndexed: declared.isIndexed, isRequired: declared.isRequired, timestamp: declared.timestamp,
                isVersion: declared.isVersion, isOmittedIfMissing: declared.isOmittedIfMissing,
                keyPath: identity,
                joinTable: shape.hasTable ? Naming.shortened(declared.column ?? "\(table)_\(columnName)") : nil,
                givenColumn: declared.column, columnStem: naming.name(name), inverse: declared.inverse,
                deleteRule: declared.deleteRule ?? .nullify, loading: declared.loading ?? .eager,
                isWritable: write != nil,
                canBeLeftOut: write != nil && (shape.isOptional || declared.isInitialized || defaultValue != nil),
                defaultValue: encoded(defaultValue, storage, name)))
        accessors.append(
            Accessor(
                encode: { model, encoder in try encoder.encode(read(model), at: index, storage: storage) },
                assign: { model, row in
                    if let write { write(&model, try row.decode(at: index, storage: storage)) }
                },
                capture: { model in
                    let value = read(model)
                    return { write?(&$0, value) }
                }))
        if isKey || declared.isUnique || declared.isIndexed || declared.timestamp != nil, shape.hasTable {
            problems.append(problem("is an array, which can't be a key, unique, indexed or a timestamp", name))
        }
        if isKey, shape.target != nil { problems.append(problem("is a relation, which can't be a key", name)) }
        if declared.inverse != nil || declared.deleteRule != nil || declared.loading != nil, shape.target == nil {
            problems.append(problem("is no relation, so @Relation says nothing of it", name))
        }
        if declared.inverse != nil,
            declared.isUnique || declared.isIndexed || declared.isRequired || declared.column != nil
        {
            problems.append(problem("is the other side of a relation, so it has no column to describe", name))
        }
        if declared.timestamp != nil, !(Value.self is any TimestampValue.Type) {
            problems.append(problem("is a timestamp, which has to be a Date or a Date?", name))
        }
        if declared.isVersion { checkVersion(name, shape, isKey: isKey, isWritable: write != nil) }
        if declared.isOmittedIfMissing, !shape.isOptional, !shape.hasTable {
            problems.append(problem("is always there, so no object can be left out for lack of it", name))
        }
    }

    private mutating func checkVersion(_ name: String, _ shape: PropertyShape, isKey: Bool, isWritable: Bool) {
        switch shape {
        case .column(.int16, false), .column(.int32, false), .column(.int64, false): break
        default: problems.append(problem("is a version, which has to be an integer that is never nil", name))
        }
        if isKey || !isWritable {
            problems.append(problem("is a version, which changes, so it is a `var` and no key", name))
        }
        if properties.dropLast().contains(where: \.isVersion) {
            problems.append(problem("is a second version: one counts all updates of a row", name))
        }
    }

    /// The column on the owner: of an array only what distinguishes nil from empty.
    private func ownColumn(of shape: PropertyShape, _ name: String) -> String? {
        switch shape {
        case .column: Naming.shortened(name)
        case .array(_, _, let isOptional), .objects(_, let isOptional):
            isOptional ? Naming.shortened(name + "_present") : nil
        case .reference: nil
        }
    }

    private mutating func encoded<Value: PropertyValue>(
        _ value: Value?, _ storage: ValueStorage, _ name: String
    ) -> ParameterBuffer? {
        guard let value, let storable = value as? any Storable else { return nil }
        var encoder = CellEncoder(width: 1)
        do {
            try storable._encode(into: &encoder, storage)
        } catch {
            problems.append(problem("has a default that can't be stored", name))
        }
        return encoder.buffer.cells.first?.isNull == false ? encoder.buffer : nil
    }

    private func problem(_ sentence: String, _ property: String) -> DatabaseError {
        DatabaseError(.conflict, "\"\(property)\" of \(type) \(sentence).", table: table, properties: [property])
    }
}

extension TableMappingBuilder {
    /// The description of the table, with everything that is wrong with it.
    func build(indexes: [TableIndex], isTracked: Bool) -> TableDescription {
        var problems = problems
        func report(_ sentence: String, _ properties: [String] = []) {
            problems.append(DatabaseError(.conflict, sentence, table: table, properties: properties))
        }
        let keys = properties.filter(\.isKey)
        if keys.isEmpty { report("\(type) has no primary key. Mark a property with @PrimaryKey, or name one `id`.") }
        if generatedKeys > 0, keys.count > 1 {
            report("A key that the engine makes can't be part of a composite key of \(type).", keys.map(\.name))
        }
        if table.isEmpty { report("\(type) has an empty table name.") }
        for kind in [TimestampKind.created, .modified] where properties.count(where: { $0.timestamp == kind }) > 1 {
            report("\(type) has two timestamps of one kind; it can have one.")
        }
        var names: [String: String] = [:]
        for property in properties {
            guard let column = property.columnName else { continue }
            if column.isEmpty { report("\"\(property.name)\" of \(type) has an empty column name.", [property.name]) }
            if let other = names.updateValue(property.name, forKey: column.lowercased()) {
                report(
                    "\"\(other)\" and \"\(property.name)\" of \(type) have the same column but for case. Name one with @Column.",
                    [other, property.name])
            }
        }
        for index in indexes {
            let known = Set(
                properties.filter { property in
                    switch property.shape {
                    case .column: true
                    case .reference: property.inverse == nil
                    case .array, .objects: false
                    }
                }.map(\.name))
            if index.properties.isEmpty { report("An index of \(type) names no property.") }
            for name in index.properties where !known.contains(name) {
                report("An index of \(type) names \"\(name)\", which is not a property with a column.", [name])
            }
            if Set(index.properties).count != index.properties.count {
                report("An index of \(type) names a property twice.", index.properties)
            }
        }
        return TableDescription(
            type: type, table: table, isClass: Model.self is AnyObject.Type, isTracked: isTracked,
            properties: properties, hasGeneratedKey: generatedKeys > 0, indexes: indexes, problems: problems)
    }
}

/// The types that a timestamp property can have.
protocol TimestampValue {}
