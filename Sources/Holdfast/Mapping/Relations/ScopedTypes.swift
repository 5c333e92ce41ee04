/// The types with scopes to which relations of a type lead, and that itself.
final class ScopedTypes: Sendable {
    let descriptions: [TableDescription]

    init(from description: TableDescription) {
        var met: Set<ObjectIdentifier> = [ObjectIdentifier(description)]
        var (pending, found) = ([description], [TableDescription]())
        while let next = pending.popLast() {
            if !next.scopes.isEmpty { found.append(next) }
            for relation in next.columns.relations {
                let target = relation.target.description
                if met.insert(ObjectIdentifier(target)).inserted { pending.append(target) }
            }
        }
        descriptions = found
    }
}

extension TableDescription {
    /// The types with scopes whose rows operations with this type may read.
    var scopedTypes: [TableDescription] {
        if let known = resolvedScopedTypes.value as? ScopedTypes { return known.descriptions }
        let new = ScopedTypes(from: self)
        return (resolvedScopedTypes.set(new) as? ScopedTypes ?? new).descriptions
    }
}
