extension QueryObject {
    /// An element of a join table, which leads to objects that may be gone: those are no elements.
    static func element(
        _ description: TableDescription, source: QuerySource, key: [String], _ writer: QueryWriter,
        _ seen: SeenRows = SeenRows()
    ) -> QueryObject {
        let object = QueryObject(description, source: source, key: key, isNullable: false)
        if description.hidesRows { _ = object.table(writer, join: "JOIN", seen) }
        return object
    }

    /// The columns that a reference to it holds: the key, or the unique property in its place.
    func held(by reference: Relation?, _ writer: QueryWriter) -> [String] {
        reference?.alternate.flatMap { column($0, writer) }.map { [$0] } ?? key(writer)
    }

    /// The object that a reference leads to.
    func reference(_ relation: Relation, _ writer: QueryWriter) throws -> QueryObject {
        if let known = references[relation.property] { return known }
        let target = relation.target.description
        let object: QueryObject
        switch relation.storage {
        case .reference(let columns):
            let canBeNull = isNullable || description.properties[relation.property].isNullable || target.hidesRows
            let held = columns.map { qualified($0, writer) }
            if let alternate = relation.alternate {
                object = QueryObject(
                    target, source: source, alternate: (alternate, held[0]), isNullable: canBeNull)
            } else {
                object = QueryObject(target, source: source, key: held, isNullable: canBeNull)
            }
        case .inverseReference(let property, let columns):
            // The other side holds the key; of several that do, the first by its own key is meant.
            let (inner, dialect) = (writer.makeAlias(), writer.dialect)
            let keys = target.keyColumns.map { "\(inner).\(dialect.quoted($0))" }
            let held = held(by: target.columns.relation(property), writer)
            let matches = zip(columns, held).map { "\(inner).\(dialect.quoted($0)) = \($1)" }
            let parts = keys.map { part in
                "(SELECT \(part) FROM \(writer.source(of: target, as: inner)) "
                    + "WHERE \(matches.joined(separator: " AND ")) ORDER BY \(keys.joined(separator: ", ")) LIMIT 1)"
            }
            object = QueryObject(target, source: source, key: parts, isNullable: true)
        case .joinTable, .inverseJoinTable:
            throw DatabaseError(
                .unsupported, "\"\(relation.name)\" of \(description.type) is an array, not one object.")
        }
        references[relation.property] = object
        return object
    }
}
