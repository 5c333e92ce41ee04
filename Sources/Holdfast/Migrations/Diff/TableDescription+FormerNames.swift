extension TableDescription {
    /// The names that a column may have had before, the latest first.
    func formerNames(of column: TableColumns.Column) -> [String] {
        let property = properties[column.property]
        let names: [String]
        switch property.shape {
        case .column: names = property.formerStems
        case .array, .objects: names = property.formerStems.map { $0 + "_present" }
        case .reference(let target, _):
            let other = target.description
            let offset = columns.columnNames(of: column.property).firstIndex(of: column.name) ?? 0
            let held = property.alternate(in: other).map { [$0] } ?? other.keyIndices
            guard offset < held.count else { return [] }
            let keys = other.namesOfKey(held[offset])
            let own = [property.givenColumn ?? property.columnStem]
            names =
                (own + property.formerStems).flatMap { stem in keys.map { "\(stem)_\($0)" } }
                + (held.count == 1 ? property.formerStems : [])
        }
        return names.map(Naming.shortened).filter { $0 != column.name }
    }

    /// The names that the join table of a property may have, or have had.
    func formerJoinTables(of property: PropertyMapping) -> [String] {
        let stems = [property.columnStem] + property.formerStems
        let derived = ([tableName.name] + formerTables).flatMap { table in stems.map { "\(table)_\($0)" } }
        return (property.formerStems.filter { _ in property.givenColumn != nil } + derived).map(Naming.shortened)
    }

    /// The names that a column of a join table may have, or have had, which holds a part of the key of this table.
    func formerReferences(toKey index: Int) -> [String] {
        let keys = namesOfKey(index)
        return ([tableName.name] + formerTables).flatMap { table in keys.map { Naming.shortened("\(table)_\($0)") } }
    }

    /// The name of a column of the key, and those that it may have had.
    private func namesOfKey(_ index: Int) -> [String] {
        [properties[index].columnName].compactMap(\.self) + properties[index].formerStems
    }
}
