/// The conditions under which an object has all that it is left out for when it lacks it.
///
/// They make a query cut its result among the objects that are given, not before some are left out. They end along a
/// cycle of types, after some references, and where objects are loaded on demand: what is further away is found when
/// objects are made.
final class Presence: Sendable {
    let conditions: [QueryNode]
    /// Whether objects can be left out only once they are made: something is marked that relations lead to.
    let leavesOutInMemory: Bool

    init(of description: TableDescription) {
        leavesOutInMemory = !Self.types(from: description) { relation, _ in !relation.target.isLazy }.isEmpty
        var walk = Walk(relevant: Self.types(from: description, along: Walk.counts))
        conditions = walk.conditions(QueryPath(scope: .root), description, met: [ObjectIdentifier(description)])
    }

    /// The types from which, along some relations, one can be reached that has something marked.
    private static func types(
        from description: TableDescription, along isFollowed: (Relation, TableDescription) -> Bool
    ) -> Set<ObjectIdentifier> {
        var holders: [ObjectIdentifier: [ObjectIdentifier]] = [:]
        var marked: [ObjectIdentifier] = []
        var met: Set<ObjectIdentifier> = [ObjectIdentifier(description)]
        var pending = [description]
        while let next = pending.popLast() {
            let id = ObjectIdentifier(next)
            if !next.omitMask.isEmpty || next.columns.relations.contains(where: \.needsWhatGoes) {
                marked.append(id)
            }
            for relation in next.columns.relations where isFollowed(relation, next) {
                let target = relation.target.description
                holders[ObjectIdentifier(target), default: []].append(id)
                if met.insert(ObjectIdentifier(target)).inserted { pending.append(target) }
            }
        }
        var relevant = Set(marked)
        while let next = marked.popLast() {
            for holder in holders[next] ?? [] where relevant.insert(holder).inserted { marked.append(holder) }
        }
        return relevant
    }
}

extension TableDescription {
    /// The values that an object must have, or it is left out of results.
    var presence: Presence {
        if let known = resolvedPresence.value as? Presence { return known }
        let new = Presence(of: self)
        return resolvedPresence.set(new) as? Presence ?? new
    }
}

extension Relation {
    /// Whether its owner is gone with an object that expires, or is only marked as deleted.
    var needsWhatGoes: Bool { isNeeded && target.description.hidesRows }
}

/// A walk along the relations that decide whether an object is given.
private struct Walk {
    let relevant: Set<ObjectIdentifier>
    /// How many relations are still followed: each is a join or a subquery, of which engines take only so many.
    var budget = 16

    /// Whether what a relation leads to decides whether its owner is given.
    static func counts(_ relation: Relation, _ owner: TableDescription) -> Bool {
        guard !relation.target.isLazy else { return false }
        if owner.omitMask.contains(relation.property) || relation.isNeeded { return true }
        return relation.isArray ? !owner.remembersLeftOut : relation.loading == .eager || !owner.isClass
    }

    mutating func conditions(
        _ base: QueryPath, _ description: TableDescription, met: Set<ObjectIdentifier>
    ) -> [QueryNode] {
        guard relevant.contains(ObjectIdentifier(description)) else { return [] }
        var result: [QueryNode] = []
        for (index, property) in description.properties.enumerated() {
            let path = base.appending(property.name)
            let relation = description.columns.relation(index)
            guard let relation, !relation.target.isLazy else {
                guard property.isOmittedIfMissing else { continue }
                let isThere = QueryNode.comparison(.notEqual, .path(path), .null)
                result.append(property.shape.hasTable ? .hasElement(path, scope: .element(), nil) : isThere)
                continue
            }
            if Self.counts(relation, description) {
                let isMarked = property.isOmittedIfMissing || relation.needsWhatGoes
                result += conditions(path, relation, isMarked: isMarked, met: met)
            }
        }
        return result
    }

    private mutating func conditions(
        _ path: QueryPath, _ relation: Relation, isMarked: Bool, met: Set<ObjectIdentifier>
    ) -> [QueryNode] {
        let scope = relation.isArray ? QueryScope.element() : path.scope
        let further = ofTarget(relation.isArray ? QueryPath(scope: scope) : path, relation.target.description, met)
        if relation.isArray {
            return (isMarked ? [.hasElement(path, scope: .element(), nil)] : [])
                + (further.isEmpty ? [] : [.not(.hasElement(path, scope: scope, .not(.and(further))))])
        }
        if isMarked { return [.comparison(.notEqual, .path(path), .null)] + further }
        return further.isEmpty ? [] : [.or([.comparison(.equal, .path(path), .null), .and(further)])]
    }

    private mutating func ofTarget(
        _ path: QueryPath, _ target: TableDescription, _ met: Set<ObjectIdentifier>
    ) -> [QueryNode] {
        let id = ObjectIdentifier(target)
        guard relevant.contains(id), !met.contains(id), budget > 0 else { return [] }
        budget -= 1
        return conditions(path, target, met: met.union([id]))
    }
}
