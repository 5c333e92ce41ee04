/// The types with scopes to which relations of a type lead, and that itself.
final class ScopedTypes: Sendable {
    let descriptions: [TableDescription]
    /// The first relation by which an object that is in no scope with a value can't be without one that is.
    let exposed: (owner: TableDescription, relation: Relation)?

    init(from description: TableDescription) {
        var met: Set<ObjectIdentifier> = [ObjectIdentifier(description)]
        var (pending, found) = ([description], [TableDescription]())
        var exposed: (TableDescription, Relation)?
        while let next = pending.popLast() {
            if !next.scopes.isEmpty { found.append(next) }
            for relation in next.columns.relations {
                let target = relation.target.description
                if exposed == nil, target.takesScopeValues, !next.takesScopeValues, next.needs(relation) {
                    exposed = (next, relation)
                }
                if met.insert(ObjectIdentifier(target)).inserted { pending.append(target) }
            }
        }
        descriptions = found
        self.exposed = exposed
    }
}

extension TableDescription {
    /// The types with scopes whose rows operations with this type may read.
    var scopedTypes: [TableDescription] { typesInScopes.descriptions }

    private var typesInScopes: ScopedTypes {
        if let known = resolvedScopedTypes.value as? ScopedTypes { return known }
        let new = ScopedTypes(from: self)
        return resolvedScopedTypes.set(new) as? ScopedTypes ?? new
    }

    /// Whether an object can't be without what a reference leads to.
    fileprivate func needs(_ relation: Relation) -> Bool {
        guard case .reference = relation.storage else { return false }
        return !properties[relation.property].isNullable || properties[relation.property].isRequired
    }

    /// Throws if rows of a type belong to what is in a scope with a value, and are in none themselves: statements about
    /// many rows would reach those of others.
    func requireScopesOfOwners() throws {
        guard let (owner, relation) = typesInScopes.exposed else { return }
        let target = relation.target.description
        let name = target.scopes.first(where: \.takesValue)?.name ?? ""
        // What expires has no scope: others than its owner sweep it.
        let advice = owner.expiry == nil ? "Give \(owner.type) the property and the scope, too, or let" : "Let"
        throw DatabaseError(
            .conflict,
            "A \(owner.type) can't be without \"\(relation.name)\", and \(target.type) is in the scope \"\(name)\", so its rows are somebody's as well. \(advice) the relation be nil.",
            table: owner.table, properties: [relation.name])
    }
}
