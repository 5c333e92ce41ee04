/// The columns of a table, and where its relations lead: known only once the mappings that they lead to are made.
final class TableColumns: Sendable {
    struct Column: Hashable, Sendable {
        let name: String
        let type: ColumnType
        let isNullable: Bool
        let storage: ValueStorage
        /// The position of the property that it belongs to.
        let property: Int
    }

    let columns: [Column]
    /// For each property, the positions of its columns.
    let ranges: [Range<Int>]
    let relations: [Relation]
    /// The join tables, by the positions of their properties.
    let joinTables: [Int: JoinTable]
    /// The arrays whose elements are read with their owner: values, and keys of lazy references.
    let elementArrays: [Int]
    /// The errors in the relations.
    let problems: [DatabaseError]
    /// The properties that have a column.
    let mask: PropertyMask
    /// The properties that lead to objects.
    let relationMask: PropertyMask
    /// Of those, the ones that other tables hold.
    let inverseMask: PropertyMask
    /// The properties that lead to one object, by its key in the row.
    let referenceMask: PropertyMask
    /// The properties that lie in tables of their own: arrays of values, and of objects.
    let joinTableMask: PropertyMask
    /// The layout of a row of all columns, in order.
    let fullLayout: RowLayout
    /// Whether a row is all that there is to an object: no arrays, and no relations but lazy ones.
    let isFlat: Bool
    /// Whether a row of its own is all that is written of an object: no arrays, and no relations that others keep.
    let isWrittenByRow: Bool
    /// The positions of the columns of the primary key, in its order.
    let keySlots: [Int]
    private let relationIndices: [Int]

    init(_ description: TableDescription) {
        var builder = TableColumnsBuilder(description)
        for index in description.properties.indices { builder.add(index) }
        columns = builder.columns
        ranges = builder.ranges
        relations = builder.relations
        joinTables = builder.joinTables
        let lazyArrays = builder.relations.filter { $0.isArray && $0.target.isLazy && !$0.isInverse }
        elementArrays = (description.arrayIndices + lazyArrays.map(\.property)).sorted()
        problems = builder.problems
        let ranges = builder.ranges
        mask = PropertyMask(ranges.indices.filter { !ranges[$0].isEmpty })
        relationMask = PropertyMask(builder.relations.map(\.property))
        inverseMask = PropertyMask(builder.relations.filter(\.isInverse).map(\.property))
        referenceMask = PropertyMask(
            builder.relations.filter { !$0.isArray && !$0.isInverse && !$0.target.isLazy }.map(\.property))
        joinTableMask = PropertyMask(builder.joinTables.keys)
        var indices = [Int](repeating: -1, count: ranges.count)
        for (index, relation) in builder.relations.enumerated() { indices[relation.property] = index }
        relationIndices = indices
        isFlat = elementArrays.isEmpty && description.omitMask.isEmpty && relations.allSatisfy(\.target.isLazy)
        isWrittenByRow = joinTables.isEmpty && !relations.contains { $0.isArray || $0.isInverse }
        keySlots = description.keyIndices.compactMap { ranges[$0].isEmpty ? nil : ranges[$0].lowerBound }
        fullLayout = RowLayout(
            table: description.table, propertyNames: description.properties.map(\.name),
            slots: Self.slots(ranges, mask: PropertyMask(count: ranges.count)))
    }

    /// The relation at the position of its property; nil if that is none.
    func relation(_ property: Int) -> Relation? {
        relationIndices[property] < 0 ? nil : relations[relationIndices[property]]
    }

    /// The primary key in a row of all columns.
    func key(inRow cells: UnsafePointer<Cell>) -> Key {
        if keySlots.count == 1 { return Key(cells: cells + keySlots[0], count: 1) }
        let parts = keySlots.map { cells[$0] }
        return parts.withUnsafeBufferPointer { parts in
            parts.baseAddress.map { Key(cells: $0, count: parts.count) } ?? Key()
        }
    }

    /// The layout of a row of all columns of which only those of some properties are looked at.
    func rowLayout(of mask: PropertyMask, _ description: TableDescription) -> RowLayout {
        var slots = Self.slots(ranges, mask: description.fullMask)
        for index in slots.indices where !mask.contains(index) { slots[index] = RowLayout.absent }
        return RowLayout(table: description.table, propertyNames: description.properties.map(\.name), slots: slots)
    }

    /// The slots of a row that holds the columns of `mask`, in order.
    static func slots(_ ranges: [Range<Int>], mask: PropertyMask) -> [Int32] {
        var next: Int32 = 0
        return ranges.indices.map { index in
            guard mask.contains(index) else { return RowLayout.absent }
            guard !ranges[index].isEmpty else { return RowLayout.withoutCell }
            defer { next += Int32(ranges[index].count) }
            return next
        }
    }
}

/// Lays out the columns of one table, property after property.
private struct TableColumnsBuilder {
    let description: TableDescription
    var columns: [TableColumns.Column] = []
    var ranges: [Range<Int>] = []
    var relations: [Relation] = []
    var joinTables: [Int: JoinTable] = [:]
    var problems: [DatabaseError] = []

    init(_ description: TableDescription) { self.description = description }

    mutating func add(_ index: Int) {
        let property = description.properties[index]
        let first = columns.count
        switch property.shape {
        case .column(let type, _):
            append(property.columnName, type, isNullable: property.isNullable, property, index)
        case .array(_, _, let isOptional):
            if isOptional { append(property.columnName, .boolean, isNullable: false, property, index) }
            joinTables[index] = description.joinTable(at: index)
        case .reference(let target, _):
            if let storage = inverse(of: property, in: target.description) {
                add(storage, property, index, isArray: false)
            } else {
                let own = description.referenceColumns(at: index)
                columns += own
                add(.reference(columns: own.map(\.name)), property, index, isArray: false)
            }
        case .objects(let target, let isOptional):
            if let storage = inverse(of: property, in: target.description) {
                if isOptional {
                    report("is the other side of a relation, which has no way to be nil. Make it `[…]`", property)
                }
                add(storage, property, index, isArray: true)
            } else if let table = description.joinTable(at: index) {
                if isOptional { append(property.columnName, .boolean, isNullable: false, property, index) }
                joinTables[index] = table
                add(.joinTable(table), property, index, isArray: true)
            }
        }
        ranges.append(first..<columns.count)
    }

    private mutating func append(
        _ name: String?, _ type: ColumnType, isNullable: Bool, _ property: PropertyMapping, _ index: Int
    ) {
        guard let name else { return }
        columns.append(
            .init(name: name, type: type, isNullable: isNullable, storage: property.storage, property: index))
    }

    private mutating func add(
        _ storage: Relation.Storage, _ property: PropertyMapping, _ index: Int, isArray: Bool
    ) {
        guard let target = property.shape.target else { return }
        var isNeeded = false
        if case .reference(_, let isNullable) = property.shape { isNeeded = !isNullable && !target.isLazy }
        if property.loading == .onDemand {
            if isNeeded { report("can't be loaded on demand, since no object can be made without it", property) }
            if !description.isClass {
                report("can't be loaded on demand: a struct can't remember what was not", property)
            }
        }
        if property.deleteRule == .cascade, target.description.isReadOnly {
            report("can't delete objects that are only read. Leave out its delete rule", property)
        }
        if property.isOmittedIfMissing, target.isLazy, property.inverse != nil {
            report("is the lazy other side of a relation, of which is not known whether it is there", property)
        }
        relations.append(
            Relation(
                property: index, name: property.name, target: target, storage: storage, isArray: isArray,
                isNeeded: isNeeded, deleteRule: property.deleteRule, loading: property.loading))
    }

    /// Where the other side keeps the relation, if the property has an inverse.
    private mutating func inverse(of property: PropertyMapping, in other: TableDescription) -> Relation.Storage? {
        guard let keyPath = property.inverse else { return nil }
        if !description.isClass {
            report("can't be the other side of a relation: a struct is no single object", property)
        }
        guard let index = other.properties.firstIndex(where: { $0.keyPath as AnyKeyPath == keyPath as AnyKeyPath }),
            other.properties[index].inverse == nil, let back = other.properties[index].shape.target
        else {
            report("names an inverse that is no relation of \(other.type)", property)
            return .inverseReference(property: 0, columns: [])
        }
        guard back.description === description else {
            report("names an inverse that leads to \(back.description.type), not to \(description.type)", property)
            return .inverseReference(property: 0, columns: [])
        }
        // Not by the other side's columns: those may just now be asking for these.
        if let table = other.joinTable(at: index) { return .inverseJoinTable(property: index, table) }
        return .inverseReference(property: index, columns: other.referenceColumns(at: index).map(\.name))
    }

    private mutating func report(_ sentence: String, _ property: PropertyMapping) {
        problems.append(
            DatabaseError(
                .conflict, "\"\(property.name)\" of \(description.type) \(sentence).", table: description.table,
                properties: [property.name]))
    }
}

extension TableDescription {
    /// The columns that hold the key of a reference.
    fileprivate func referenceColumns(at index: Int) -> [TableColumns.Column] {
        let property = properties[index]
        guard case .reference(let target, _) = property.shape else { return [] }
        let other = target.description
        return other.keyIndices.compactMap { key in
            guard let type = other.properties[key].columnType, let column = other.properties[key].columnName else {
                return nil
            }
            var name = "\(property.givenColumn ?? property.columnStem)_\(column)"
            if let given = property.givenColumn, other.keyIndices.count == 1 { name = given }
            return TableColumns.Column(
                name: Naming.shortened(name), type: type, isNullable: property.isNullable, storage: property.storage,
                property: index)
        }
    }

    /// The join table of an array; nil of what is none.
    ///
    /// Keys of objects are in columns named by their table, unless the owner's are named so: then by the property.
    fileprivate func joinTable(at index: Int) -> JoinTable? {
        let property = properties[index]
        guard let name = property.joinTable else { return nil }
        let owners = keyColumns.map { Naming.shortened("\(table)_\($0)") }
        switch property.shape {
        case .column, .reference: return nil
        case .array(let element, let isNullable, _):
            return JoinTable(
                name: name, ownerColumns: owners,
                elementColumns: [.init(name: JoinTable.valueColumn, type: element, isNullable: isNullable)], target: nil
            )
        case .objects(let target, _):
            let other = target.description
            let taken = Set((owners + [JoinTable.positionColumn]).map { $0.lowercased() })
            let stem =
                [other.table, property.columnStem].first { stem in
                    !other.keyColumns.contains { taken.contains(Naming.shortened("\(stem)_\($0)").lowercased()) }
                } ?? "target"
            return JoinTable(
                name: name, ownerColumns: owners,
                elementColumns: zip(other.keyColumns, other.keyIndices).map { column, key in
                    .init(
                        name: Naming.shortened("\(stem)_\(column)"), type: other.properties[key].columnType ?? .int64,
                        isNullable: false)
                }, target: .init(table: other.table, keyColumns: other.keyColumns))
        }
    }
}
