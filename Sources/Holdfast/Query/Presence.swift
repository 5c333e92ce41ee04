/// The conditions under which an object has all that it is left out for when it lacks it.
///
/// They make a query cut its result among the objects that are given, not before some are left out. Along a circle of types they
/// end at the type with which they began: what is further away is found when the objects are made.
final class Presence: Sendable {
    let conditions: [QueryNode]

    init(of description: TableDescription) {
        conditions = Self.conditions(QueryPath(scope: .root), description, met: [ObjectIdentifier(description)])
    }

    private static func conditions(
        _ base: QueryPath, _ description: TableDescription, met: Set<ObjectIdentifier>
    ) -> [QueryNode] {
        description.properties.indices.flatMap { index -> [QueryNode] in
            let property = description.properties[index]
            let path = base.appending(property.name)
            func isThere(_ operation: ComparisonOperator) -> QueryNode { .comparison(operation, .path(path), .null) }
            guard let relation = description.columns.relation(index), !relation.target.isLazy else {
                guard property.isOmittedIfMissing else { return [] }
                return [property.shape.hasTable ? .hasElement(path, scope: .element(), nil) : isThere(.notEqual)]
            }
            let target = relation.target.description
            func ofTarget(_ path: QueryPath) -> [QueryNode] {
                let id = ObjectIdentifier(target)
                return met.contains(id) ? [] : conditions(path, target, met: met.union([id]))
            }
            if relation.isArray {
                guard property.isOmittedIfMissing || !description.isClass else { return [] }
                let scope = QueryScope.element()
                let elements = ofTarget(QueryPath(scope: scope))
                return (property.isOmittedIfMissing ? [.hasElement(path, scope: .element(), nil)] : [])
                    + (elements.isEmpty ? [] : [.not(.hasElement(path, scope: scope, .not(.and(elements))))])
            }
            let further = ofTarget(path)
            if property.isOmittedIfMissing { return [isThere(.notEqual)] + further }
            return further.isEmpty ? [] : [.or([isThere(.equal), .and(further)])]
        }
    }
}
