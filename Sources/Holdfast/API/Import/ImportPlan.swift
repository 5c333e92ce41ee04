import NearMisses

/// The properties of a target type that the properties of a source type are copied to.
struct ImportPlan<Source: TableObject, Target: TableObject> {
    /// A value of the source, and the property of the target that gets it.
    struct Value {
        let path: PartialKeyPath<Source>
        let name: String
    }

    /// A relation of the source, and the one of the target.
    struct Link {
        let path: PartialKeyPath<Source>
        let sourceName: String
        let name: String
        /// The import of the objects that the relation leads to.
        let pair: any ImportPair
        /// Whether all that it can lead to is imported before.
        let isEarly: Bool
        let set: (inout Target, [Any]) throws -> Void
    }

    private(set) var values: [Value] = []
    private(set) var links: [Link] = []
    private let names: [String: String]

    init(_ names: [String: String], _ omitted: Set<String>, _ pairs: [any ImportPair], at position: Int) throws {
        self.names = names
        let (source, target) = (Source.ownDescription, Target.ownDescription)
        try source.validate()
        try target.validate()
        for name in Set(names.keys).union(omitted).sorted() where source.index(ofProperty: name) == nil {
            throw Self.unknown(name)
        }
        for (index, property) in source.properties.enumerated() where !omitted.contains(property.name) {
            let relation = source.columns.relation(index)
            if relation?.isInverse == true, names[property.name] == nil { continue }
            let name = names[property.name] ?? property.name
            guard let targetIndex = target.index(ofProperty: name) else {
                throw Self.conflict(
                    property.name, "has no counterpart in \(target.type). Rename it, or leave it out")
            }
            guard let path = property.keyPath as? PartialKeyPath<Source> else {
                throw Self.conflict(property.name, "has no key path, by which it could be read. Leave it out")
            }
            let targetRelation = target.columns.relation(targetIndex)
            switch (relation, targetRelation) {
            case (nil, nil): values.append(Value(path: path, name: name))
            case (let relation?, let targetRelation?):
                links.append(
                    try Self.link(
                        property, path, relation, target.properties[targetIndex], targetRelation, pairs, at: position))
            default:
                throw Self.conflict(property.name, "is a relation on one side only, \(Source.self) or \(Target.self)")
            }
        }
    }

    private static func link(
        _ property: PropertyMapping, _ path: PartialKeyPath<Source>, _ relation: Relation,
        _ counterpart: PropertyMapping,
        _ targetRelation: Relation, _ pairs: [any ImportPair], at position: Int
    ) throws -> Link {
        let wanted = { (pair: any ImportPair) in
            pair.source == relation.target.type && pair.target == targetRelation.target.type
        }
        guard let pair = pairs.first(where: wanted) else {
            throw conflict(
                property.name,
                "leads to \(relation.target.description.type), of which nothing is imported as "
                    + "\(targetRelation.target.description.type). Import it too, or leave the relation out")
        }
        let isEarly = (pairs.lastIndex(where: wanted) ?? position) < position
        if !isEarly, !targetRelation.isArray, !counterpart.isNullable {
            throw conflict(
                property.name, "can't be nil, so \(relation.target.description.type) has to be imported before")
        }
        guard relation.isArray == targetRelation.isArray,
            let set = setter(counterpart.keyPath as AnyKeyPath, targetRelation.target.type)
        else {
            throw conflict(
                property.name, "is not of the same kind of relation as \"\(counterpart.name)\" of \(Target.self)")
        }
        return Link(
            path: path, sourceName: property.name, name: counterpart.name, pair: pair, isEarly: isEarly, set: set)
    }

    /// A function that sets a relation of the target, if it can be set.
    private static func setter<Other: TableObject>(
        _ path: AnyKeyPath, _ type: Other.Type
    ) -> ((inout Target, [Any]) throws -> Void)? {
        func references(_ objects: [Any]) throws -> [Reference<Other>] {
            try objects.map { object in
                guard let object = object as? Other, let key = try Other.ownMapping.key(of: object) else {
                    throw DatabaseError(
                        .notFound, "A \(Other.self) that was imported has no key, so nothing can refer to it.",
                        table: Other.ownDescription.table)
                }
                return Reference(key: Other.ownDescription.exposed(key))
            }
        }
        return switch path {
        case let path as WritableKeyPath<Target, [Other]>: { $0[keyPath: path] = $1.compactMap { $0 as? Other } }
        case let path as WritableKeyPath<Target, [Other]?>: { $0[keyPath: path] = $1.compactMap { $0 as? Other } }
        case let path as WritableKeyPath<Target, Other?>: { $0[keyPath: path] = $1.first as? Other }
        case let path as WritableKeyPath<Target, [Reference<Other>]>: { $0[keyPath: path] = try references($1) }
        case let path as WritableKeyPath<Target, [Reference<Other>]?>: { $0[keyPath: path] = try references($1) }
        case let path as WritableKeyPath<Target, Reference<Other>?>: { $0[keyPath: path] = try references($1).first }
        default: nil
        }
    }

    private static func unknown(_ name: String) -> DatabaseError {
        let source = Source.ownDescription
        let near = nearMisses(of: name, among: source.properties.map(\.name))
        let hint = near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
        return DatabaseError(
            .syntax, "An import names \"\(name)\", which is no property of \(source.type).\(hint)", table: source.table,
            properties: [name])
    }

    static func conflict(_ property: String, _ problem: String) -> DatabaseError {
        DatabaseError(
            .conflict, "\"\(property)\" of \(Source.ownDescription.type) \(problem). Nothing was imported.",
            table: Source.ownDescription.table, properties: [property])
    }
}
