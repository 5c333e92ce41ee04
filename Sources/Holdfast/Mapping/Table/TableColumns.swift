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

    let all: [Column]
    /// For each property, the positions of its columns.
    let ranges: [Range<Int>]
    let relations: [Relation]
    /// The join tables, by the positions of their properties.
    let joinTables: [Int: JoinTable]
    /// The arrays whose elements are read with their owner: values, and keys of lazy references.
    let elementArrays: [Int]
    /// The errors in the relations.
    let problems: [DatabaseError]
    /// The properties by what they are, wherever they lie.
    let masks: PropertyMasks
    /// The properties that have a column.
    let mask: PropertyMask
    /// The references that share columns with other properties.
    let sharedReferences: [SharedReference]
    /// The properties of ``sharedReferences``.
    let sharedMask: PropertyMask
    /// The references that hold a unique property of their target in place of its key.
    let alternateMask: PropertyMask
    /// The properties of the primary key that no save sets in an object: a save sets those that are shared.
    let settledKeyMask: PropertyMask
    /// The layout of a row of all columns, in order.
    let fullLayout: RowLayout
    /// Whether a row is all that there is to an object, and all of it is loaded: no arrays, and no relations but lazy
    /// ones.
    let isFlat: Bool
    /// Whether a save of an object writes nothing but its own row: it has no arrays, and no relations that the other
    /// side keeps.
    let isWrittenByRow: Bool
    /// The positions of the columns of the primary key, in its order.
    let keySlots: [Int]
    private let relationIndices: [Int]

    init(_ description: TableDescription) {
        var builder = TableColumnsBuilder(description)
        for index in description.properties.indices { builder.add(index) }
        masks = description.masks
        all = builder.columns
        ranges = builder.ranges
        relations = builder.relations
        joinTables = builder.joinTables
        let lazyArrays = builder.relations.filter { $0.isArray && $0.target.isLazy && !$0.isInverse }
        elementArrays = (description.masks.arrays.indices + lazyArrays.map(\.property)).sorted()
        problems = builder.problems
        let ranges = builder.ranges
        mask = PropertyMask(ranges.indices.filter { !ranges[$0].isEmpty })
        let layout = builder.columns
        sharedReferences = builder.sharedOwners.map { property, names, owners in
            SharedReference(
                property: property, owners: owners, owningMask: PropertyMask(owners.compactMap(\.self)),
                cells: ReferenceCells(slots: names.compactMap { name in layout.firstIndex { $0.name == name } }))
        }
        sharedMask = PropertyMask(sharedReferences.map(\.property))
        alternateMask = PropertyMask(builder.relations.filter { $0.alternate != nil }.map(\.property))
        settledKeyMask = sharedReferences.reduce(description.keyMask) { $0.subtracting($1.owningMask) }
        var indices = [Int](repeating: -1, count: ranges.count)
        for (index, relation) in builder.relations.enumerated() { indices[relation.property] = index }
        relationIndices = indices
        isFlat =
            elementArrays.isEmpty && description.omitMask.isEmpty && masks.onDemand.isEmpty
            && relations.allSatisfy(\.target.isLazy)
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

    /// The layout of a row that has all columns, of which only those of some properties are read.
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
struct TableColumnsBuilder {
    let description: TableDescription
    var columns: [TableColumns.Column] = []
    var ranges: [Range<Int>] = []
    var relations: [Relation] = []
    var joinTables: [Int: JoinTable] = [:]
    var problems: [DatabaseError] = []
    /// The references that share columns: their columns, and the properties that have them.
    var sharedOwners: [(property: Int, names: [String], owners: [Int?])] = []

    init(_ description: TableDescription) { self.description = description }

    mutating func add(_ index: Int) {
        let property = description.properties[index]
        let first = columns.count
        switch property.kind {
        case .column(let column): append(column.name, column.type, isNullable: property.isNullable, property, index)
        case .array(let values):
            append(values.array.presence, .boolean, isNullable: false, property, index)
            joinTables[index] = description.joinTable(at: index)
        case .reference(let reference):
            let target = reference.relation.target
            let all = description.referenceColumns(at: index)
            columns += unshared(all, target, property, index)
            checkAlternate(property, target, isShared: all.count != columns.count - first)
            add(.reference(columns: all.map(\.name)), property, index, isArray: false)
        case .objects(let objects):
            guard let table = description.joinTable(at: index) else { break }
            check(table, of: property, index, objects.relation.target.description)
            append(objects.array.presence, .boolean, isNullable: false, property, index)
            joinTables[index] = table
            add(.joinTable(table), property, index, isArray: true)
        case .inverse(let inverse):
            let target = inverse.relation.target.description
            let place =
                if let path = inverse.through {
                    storage(of: inverse, through: path as AnyKeyPath, property, to: target)
                } else { storage(of: inverse, property, in: target) }
            if inverse.count.isMany, inverse.isOptional {
                report("is the other side of a relation, which has no way to be nil. Make it `[…]`", property)
            }
            add(place, property, index, isArray: inverse.count.isMany)
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
            if !description.remembersLeftOut {
                let owner = description.isClass ? "a class without `changes`" : "a struct"
                report("can't be loaded on demand: \(owner) can't remember what was not", property)
            }
        }
        // What it can't remember to be there, a save would take out of the row.
        if !target.description.scopes.isEmpty, !description.remembersLeftOut, !isNeeded, !target.isLazy {
            report(
                "leads to objects that are outside of a scope, and \(description.isClass ? "a class without `changes`" : "a struct") would forget them. Declare it as `Reference<\(target.description.type)>`",
                property)
        }
        if target.description.deletion != nil, !description.remembersLeftOut, !isNeeded, !target.isLazy {
            report(
                "leads to objects that are only marked as deleted, and a struct would forget them. Declare it as `Reference<\(target.description.type)>`",
                property)
        }
        if property.deleteRule == .cascade, let time = description.deletion, let other = target.description.deletion,
            time.storage != other.storage
        {
            report(
                "cascades to \(target.description.type), whose time of deletion is stored in another way, so that no restoration would find them. Store both in one way",
                property)
        }
        if property.deleteRule == .cascade, target.description.isReadOnly {
            report("can't delete objects that are only read. Leave out its delete rule", property)
        }
        if property.isOmittedIfMissing, target.isLazy, property.inverse != nil {
            report("is the lazy other side of a relation, of which is not known whether it is there", property)
        }
        check(property.order, of: property, target.description)
        if property.orphans == .delete {
            if case .inverseReference = storage {
            } else {
                report("shows a join table, whose objects can be of others, so it has no orphans to delete", property)
            }
            if target.description.isReadOnly {
                report("can't delete objects that are only read. Leave out what becomes of orphans", property)
            }
        }
        relations.append(
            Relation(
                property: index, name: property.name, target: target, storage: storage, isArray: isArray,
                isNeeded: isNeeded, deleteRule: property.deleteRule, loading: property.loading,
                order: property.order, orphans: property.orphans,
                alternate: isArray ? nil : property.alternate(in: target.description)))
    }

    /// Returns the columns of a reference without those that it shares with other properties, by naming their columns.
    private mutating func unshared(
        _ all: [TableColumns.Column], _ target: RelationTarget, _ property: PropertyMapping, _ index: Int
    ) -> [TableColumns.Column] {
        let count = target.description.keyIndices.count
        if !property.givenColumns.isEmpty, property.givenColumns.count != count {
            report(
                "names \(property.givenColumns.count) columns, but the key of \(target.description.type) has \(count)",
                property)
        }
        guard property.givenColumn != nil || !property.givenColumns.isEmpty else { return all }
        let owners = all.map { column in
            description.properties.firstIndex { other in
                if case .column = other.shape { other.columnName == column.name } else { false }
            }
        }
        guard owners.contains(where: { $0 != nil }) else { return all }
        if target.isLazy {
            report("is lazy, and its columns are those of other properties, which hold the key. Remove it", property)
        }
        for (owner, column) in zip(owners, all) {
            guard let owner, let type = description.properties[owner].columnType else { continue }
            if description.properties[owner].isGenerated {
                report(
                    "shares the column of \"\(description.properties[owner].name)\", which the database computes",
                    property)
            }
            if type != column.type, !(type.isInteger && column.type.isInteger) {
                report(
                    "shares the column of \"\(description.properties[owner].name)\", which has another type than the key of \(target.description.type)",
                    property)
            }
        }
        sharedOwners.append((index, all.map(\.name), owners))
        return zip(all, owners).filter { $0.1 == nil }.map(\.0)
    }

    /// Where the other side keeps a relation.
    private mutating func storage(
        of inverse: InverseProperty, _ property: PropertyMapping, in other: TableDescription
    ) -> Relation.Storage {
        let keyPath = inverse.keyPath
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
        if !other.properties[index].hasForeignKey, property.deleteRule != .nullify {
            report("has a delete rule, which no foreign key of its other side enforces", property)
        }
        // This must not ask for the columns of the other side, which may be waiting for the columns of this one.
        if let table = other.joinTable(at: index) { return .inverseJoinTable(property: index, table) }
        return .inverseReference(property: index, columns: other.referenceColumns(at: index).map(\.name))
    }

    /// Where the objects of a type that links two others keep a relation.
    private mutating func storage(
        of inverse: InverseProperty, through path: AnyKeyPath, _ property: PropertyMapping, to other: TableDescription
    ) -> Relation.Storage {
        let nowhere = Relation.Storage.inverseReference(property: 0, columns: [])
        guard let type = Swift.type(of: path).rootType as? any TableObject.Type, case let link = type.ownDescription,
            let near = link.index(ofKeyPath: inverse.keyPath), let far = link.index(ofKeyPath: path)
        else {
            report("goes through properties that one type with a table has to have, both of them", property)
            return nowhere
        }
        if !description.isClass {
            report("can't go through \(link.type), since a struct is no single object", property)
        }
        for (index, end) in [(near, description), (far, other)] {
            let name = link.properties[index].name
            guard case .reference(let reference) = link.properties[index].kind,
                reference.relation.target.description === end
            else {
                report("goes through \"\(name)\" of \(link.type), which is no reference to \(end.type)", property)
                return nowhere
            }
            if link.properties[index].isNullable {
                report(
                    "goes through \"\(name)\" of \(link.type), which can be nil, and then links nothing. Declare it as one that never is, or as @Required",
                    property)
            }
            if link.properties[index].alternate(in: end) != nil {
                report("goes through \"\(name)\" of \(link.type), which holds no key", property)
            }
        }
        if near == far { report("goes through one property of \(link.type), but a link has two ends", property) }
        if link.hidesRows {
            report(
                "goes through \(link.type), whose objects expire, are only marked as deleted, or are in scopes. Query those",
                property)
        }
        let elements = link.referenceColumns(at: near)
            .map { JoinTable.Column(name: $0.name, type: $0.type, isNullable: false) }
        return .inverseJoinTable(
            property: nil,
            JoinTable(
                name: link.tableName, ownerColumns: link.referenceColumns(at: far).map(\.name),
                elementColumns: elements,
                target: .init(table: description.tableName, keyColumns: description.keyColumns), position: nil,
                linkType: .init(target: RelationTarget(type), near: near, far: far)))
    }

    mutating func report(_ sentence: String, _ property: PropertyMapping) {
        problems.append(
            DatabaseError(
                .conflict, "\"\(property.name)\" of \(description.type) \(sentence).", table: description.table,
                properties: [property.name]))
    }
}

extension PropertyMapping {
    /// The position of the property that it names in place of the target's key.
    func referencedIndex(in target: TableDescription) -> Int? {
        references.flatMap { keyPath in target.index(ofKeyPath: keyPath as AnyKeyPath) }
    }

    /// The position of the property that it holds in place of the target's key; nil if it holds the key, or if it is
    /// the other side which holds one.
    func alternate(in target: TableDescription) -> Int? {
        guard inverse == nil, let index = referencedIndex(in: target) else { return nil }
        return target.keyIndices == [index] ? nil : index
    }
}

extension TableDescription {
    /// The columns that hold the key of a reference.
    fileprivate func referenceColumns(at index: Int) -> [TableColumns.Column] {
        let property = properties[index]
        guard case .reference(let target, _) = property.shape else { return [] }
        let other = target.description
        let held = property.alternate(in: other).map { [$0] } ?? other.keyIndices
        return held.enumerated().compactMap { part, key in
            guard let type = other.properties[key].columnType, let column = other.properties[key].columnName else {
                return nil
            }
            if part < property.givenColumns.count {
                return TableColumns.Column(
                    name: Naming.shortened(property.givenColumns[part]), type: type, isNullable: property.isNullable,
                    storage: property.storage, property: index)
            }
            var name = "\(property.givenColumn ?? property.columnStem)_\(column)"
            if let given = property.givenColumn, held.count == 1 { name = given }
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
        // Join tables are where their owners are.
        func name(_ array: ArrayTraits) -> TableName { TableName(schema: tableName.schema, array.table) }
        var owners = keyColumns.map { Naming.shortened("\(tableName.name)_\($0)") }
        switch property.kind {
        case .column, .reference, .inverse: return nil
        case .array(let values):
            return JoinTable(
                name: name(values.array), ownerColumns: owners,
                elementColumns: [
                    .init(name: JoinTable.valueColumn, type: values.element, isNullable: values.elementIsNullable)
                ],
                target: nil,
                position: JoinTable.positionColumn)
        case .objects(let objects):
            let (other, names) = (objects.relation.target.description, objects.names)
            if let given = names?.owner.names, given.count == owners.count { owners = given.map(Naming.shortened) }
            let position = names.map(\.position) ?? JoinTable.positionColumn
            let taken = Set((owners + [position ?? JoinTable.positionColumn]).map { $0.lowercased() })
            let stem =
                [other.tableName.name, property.columnStem].first { stem in
                    !other.keyColumns.contains { taken.contains(Naming.shortened("\(stem)_\($0)").lowercased()) }
                } ?? "target"
            var elements = other.keyColumns.map { "\(stem)_\($0)" }
            if let given = names?.element.names, given.count == elements.count { elements = given }
            return JoinTable(
                name: name(objects.array), ownerColumns: owners,
                elementColumns: zip(elements, other.keyIndices).map { column, key in
                    .init(
                        name: Naming.shortened(column), type: other.properties[key].columnType ?? .int64,
                        isNullable: false)
                }, target: .init(table: other.tableName, keyColumns: other.keyColumns), position: position,
                isPositionGenerated: names?.isPositionGenerated ?? false)
        }
    }
}
