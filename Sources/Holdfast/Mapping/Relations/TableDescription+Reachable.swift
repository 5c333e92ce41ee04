/// The types that relations lead to, and what they need of a database.
extension TableDescription {
    /// The descriptions of this type and of all that its relations lead to, each once.
    var reachable: [TableDescription] {
        var result = [self]
        var seen: Set = [ObjectIdentifier(self)]
        var next = 0
        while next < result.count {
            for relation in result[next].columns.relations {
                for target in [relation.target, relation.linkType?.target].compactMap({ $0?.description })
                where seen.insert(ObjectIdentifier(target)).inserted { result.append(target) }
            }
            next += 1
        }
        return result
    }

    /// The tables of this type with the columns that it needs: its own, and those of its arrays.
    var neededColumns: [(table: TableName, columns: [String])] {
        [(tableName, columns.all.map(\.name))]
            + columns.joinTables.inOrder { $0.key < $1.key }.map { _, table in
                let elements = table.elementColumns.map(\.name)
                return (table.name, table.ownerColumns + (table.position.map { [$0] } ?? []) + elements)
            }
    }
}
