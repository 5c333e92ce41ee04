/// The cells that hold the key of a reference in a row of all columns, in the order of the key.
struct ReferenceCells: Sendable {
    /// The cells, if they follow each other; the frequent case.
    let range: Range<Int>?
    /// The positions of all cells.
    let slots: [Int]

    init(_ range: Range<Int>) {
        self.range = range
        slots = Array(range)
    }

    init(slots: [Int]) {
        self.slots = slots
        let range = slots.first.map { $0..<$0 + slots.count }
        self.range = range.flatMap { Array($0) == slots ? $0 : nil }
    }

    /// Returns the key in a row; nil if a part of it is NULL.
    func key(in cells: UnsafePointer<Cell>) -> Key? {
        guard let range else {
            for slot in slots where cells[slot].isNull { return nil }
            let parts = slots.map { cells[$0] }
            return parts.withUnsafeBufferPointer { parts in
                parts.baseAddress.map { Key(cells: $0, count: parts.count) }
            }
        }
        for slot in range where cells[slot].isNull { return nil }
        return Key(cells: cells + range.lowerBound, count: range.count)
    }
}

/// A reference whose key is, wholly or in part, in columns of other properties of its object.
struct SharedReference: Sendable {
    /// The position of the reference.
    let property: Int
    /// For each part of the target's key the property whose column holds it; nil for a column of the reference's own.
    let owners: [Int?]
    /// The properties whose columns it shares.
    let owningMask: PropertyMask
    /// The cells of the key in a row of all columns.
    let cells: ReferenceCells

    /// Whether the reference has no column of its own.
    var isWhole: Bool { !owners.contains(nil) }
}

extension TableColumns {
    /// The reference at the position of its property if it shares columns with other properties.
    func sharedReference(_ property: Int) -> SharedReference? {
        sharedMask.contains(property) ? sharedReferences.first { $0.property == property } : nil
    }

    /// The cells that hold the key of a reference in a row of all columns.
    func referenceCells(_ property: Int) -> ReferenceCells {
        sharedReference(property)?.cells ?? ReferenceCells(ranges[property])
    }

    /// The columns that hold a property: of a reference also those that it shares.
    func columnNames(of property: Int) -> [String] {
        if case .reference(let names) = relation(property)?.storage { return names }
        return all[ranges[property]].map(\.name)
    }

    /// Adds to properties that are written those that have to agree with them.
    ///
    /// - Parameters:
    ///   - keys: The primary key, which is not written.
    ///   - unloaded: The properties that an object lacks.
    func addingShared(_ mask: PropertyMask, keys: PropertyMask, unloaded: PropertyMask) -> PropertyMask {
        guard !sharedReferences.isEmpty else { return mask }
        var result = mask
        for reference in sharedReferences
        where mask.contains(reference.property) || !mask.intersection(reference.owningMask).isEmpty {
            if !unloaded.contains(reference.property) { result.insert(reference.property) }
            result.formUnion(reference.owningMask.subtracting(keys))
        }
        return result
    }
}

extension TableDescription {
    /// The columns of a reference that become NULL when it leads nowhere; nil if it always leads somewhere.
    ///
    /// Columns that the reference shares stay if it has others: they say more than where it leads.
    func releasedColumns(of property: Int) -> [String]? {
        guard properties[property].isNullable, case .reference(let names) = columns.relation(property)?.storage else {
            return nil
        }
        guard let shared = columns.sharedReference(property) else { return names }
        if !shared.isWhole { return zip(names, shared.owners).filter { $0.1 == nil }.map(\.0) }
        return shared.owningMask.indices.allSatisfy { properties[$0].isNullable } ? names : nil
    }
}

extension TableDescription {
    /// The join tables that may lack foreign keys and hold links of the table's rows, and the columns of their keys
    /// there; without those that prevent a deletion.
    var namedLinks: [(table: JoinTable, near: [String])] {
        columns.relations.compactMap { relation in
            guard relation.deleteRule != .deny else { return nil }
            switch relation.storage {
            case .joinTable(let table):
                return properties[relation.property].mayLackForeignKeys(table) ? (table, table.ownerColumns) : nil
            case .inverseJoinTable(let property, let table):
                // The links that are objects go as the delete rules of their references say.
                guard let property else { return nil }
                let other = relation.target.description.properties[property]
                guard other.mayLackForeignKeys(table), other.deleteRule != .deny else { return nil }
                return (table, table.elementColumns.map(\.name))
            case .reference, .inverseReference: return nil
            }
        }
    }
}

extension PropertyMapping {
    /// Whether its join table may be one that migrations did not make, or made without a foreign key.
    fileprivate func mayLackForeignKeys(_ table: JoinTable) -> Bool {
        joinTableNames?.table != nil || !hasForeignKey || table.name.schema != nil
    }
}

extension TableDescription {
    /// The relation of the target that shows a reference from the other side, if there is one.
    func otherSide(of reference: Relation) -> Relation? {
        reference.target.description.columns.relations.first { other in
            guard case .inverseReference(let property, _) = other.storage else { return false }
            return property == reference.property && other.target.description === self
        }
    }

    /// The references whose rows have to go before what they lead to: the database can't make them NULL, since they
    /// must lead somewhere, or share columns that say more than where they lead.
    var holdingRelations: [Relation] {
        columns.relations.filter { relation in
            guard case .reference(let names) = relation.storage else { return false }
            return releasedColumns(of: relation.property) != names && otherSide(of: relation)?.deleteRule != .cascade
        }
    }

    /// Whether one of the ``holdingRelations`` leads back to its own table, directly or through holding relations of
    /// other tables.
    func isInCircle(_ relation: Relation) -> Bool {
        var pending = [relation.target.description]
        var seen: Set<ObjectIdentifier> = []
        while let next = pending.popLast() {
            if next === self { return true }
            guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
            pending += next.holdingRelations.map(\.target.description)
        }
        return false
    }

    /// The ``holdingRelations`` that form a circle, each with the columns that are set to NULL before rows are deleted:
    /// otherwise, none of the rows in the circle could be deleted first.
    var circularReleases: [(relation: Relation, columns: [String])] {
        holdingRelations.compactMap { relation in
            guard let released = releasedColumns(of: relation.property), isInCircle(relation),
                relation.deleteRule != .deny, otherSide(of: relation)?.deleteRule != .deny
            else { return nil }
            return (relation, released)
        }
    }
}
