extension PropertyMasks {
    /// The sets of properties by their kinds and roles.
    init(_ properties: [PropertyMapping]) {
        all = PropertyMask(count: properties.count)
        for (index, property) in properties.enumerated() {
            if !property.isWritable { fixed.insert(index) }
            if property.isOmittedIfMissing { omitted.insert(index) }
            if property.deleteRule == .cascade { owned.insert(index) }
            switch property.kind {
            case .column(let column):
                insert(index, as: column.role)
                if column.loading == .onDemand { onDemand.insert(index) }
            case .reference(let reference):
                relations.insert(index)
                if !reference.relation.target.isLazy { references.insert(index) }
            case .array:
                arrays.insert(index)
                joinTables.insert(index)
            case .objects:
                relations.insert(index)
                joinTables.insert(index)
            case .inverse(let other):
                relations.insert(index)
                inverse.insert(index)
                if other.count.isMany { inverseArrays.insert(index) }
            }
        }
        written = all.subtracting(generated)
        nonKey = written.subtracting(key)
    }

    private mutating func insert(_ index: Int, as role: PropertyRole) {
        if role.isGenerated { generated.insert(index) }
        switch role {
        case .plain, .expiry, .generated: break
        case .key: key.insert(index)
        case .timestamp(.created):
            timestamps.insert(index)
            created.insert(index)
        case .timestamp(.modified):
            timestamps.insert(index)
            modified.insert(index)
        case .timestamp(.deleted): deletion.insert(index)
        case .version: version.insert(index)
        }
    }
}

// The names by which the masks are read most.
extension TableDescription {
    var fullMask: PropertyMask { masks.all }
    var keyMask: PropertyMask { masks.key }
    var writtenMask: PropertyMask { masks.written }
    var nonKeyMask: PropertyMask { masks.nonKey }
    var generatedMask: PropertyMask { masks.generated }
    var fixedMask: PropertyMask { masks.fixed }
    var omitMask: PropertyMask { masks.omitted }
    var createdMask: PropertyMask { masks.created }
    var modifiedMask: PropertyMask { masks.modified }
    var versionMask: PropertyMask { masks.version }
}

extension TableColumns {
    var relationMask: PropertyMask { masks.relations }
    var referenceMask: PropertyMask { masks.references }
    var inverseMask: PropertyMask { masks.inverse }
    var joinTableMask: PropertyMask { masks.joinTables }
}
