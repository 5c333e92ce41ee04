extension QueryWriter {
    /// Writes whether an object holds the one of a scope in a relation.
    func isHeld(_ holder: QueryHolder, isNegated: Bool) throws -> String {
        let owner = holder.owner.ownDescription
        try owner.validate()
        try owner.checkScopes(dialect)
        let name = owner.properties[holder.property].name
        guard case .object(let object) = try content(of: holder.scope),
            let relation = owner.columns.relation(holder.property),
            relation.target.description === object.description
        else {
            throw DatabaseError(
                .invalidValue,
                "\"\(name)\" of \(owner.type) is no relation to \(description.type). Name a property that leads to it.",
                table: owner.table, properties: [name])
        }
        let key = object.held(by: relation, self)
        // What is held must not be taken for what nobody holds: by whom does not matter.
        let seen = SeenRows(passed: PassedScopes(passesAll: true))
        func exists(_ source: String, _ alias: String, _ columns: [String], _ key: [String]) -> String {
            let matches = zip(columns, key).map { "\(alias).\(dialect.quoted($0)) = \($1)" }
            return (isNegated ? "NOT " : "") + "EXISTS (SELECT 1 FROM \(source)"
                + " WHERE \(matches.joined(separator: " AND ")))"
        }
        func exists(in table: JoinTable, near: [String], far: [String]) -> String {
            let alias = makeAlias()
            let source = QuerySource("\(dialect.quoted(table.name)) AS \(alias)")
            _ = QueryObject.element(
                owner, source: source, key: near.map { "\(alias).\(dialect.quoted($0))" }, self, seen)
            return exists(source.sql, alias, far, key)
        }
        switch relation.storage {
        case .reference(let columns):
            let alias = makeAlias()
            return exists(source(of: owner, as: alias, seen), alias, columns, key)
        case .joinTable(let table):
            return exists(in: table, near: table.ownerColumns, far: table.elementColumns.map(\.name))
        case .inverseJoinTable(_, let table):
            return exists(in: table, near: table.elementColumns.map(\.name), far: table.ownerColumns)
        case .inverseReference(let property, let columns) where owner.hidesRows:
            // What it holds may be the key of an owner that is gone.
            let alias = makeAlias()
            let reference = object.description.columns.relation(property)
            return exists(
                source(of: owner, as: alias, seen), alias, reference.map(owner.columns(heldBy:)) ?? owner.keyColumns,
                columns.map { object.qualified($0, self) })
        case .inverseReference(_, let columns):
            // The object itself says whose it is.
            let parts = columns.map { "\(object.qualified($0, self)) IS \(isNegated ? "" : "NOT ")NULL" }
            return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: isNegated ? " OR " : " AND ")))"
        }
    }
}

extension QueryNode {
    /// Whether an object holds the queried one in the relation at a key path.
    static func isHeld(by relation: AnyKeyPath) -> QueryNode {
        guard let owner = type(of: relation).rootType as? any TableObject.Type else {
            return .failure(
                DatabaseError(
                    .invalidValue,
                    "A query asks for a relation of \(type(of: relation).rootType), which is kept in no table."))
        }
        do {
            let property = try owner.ownDescription.requiredIndex(of: relation)
            return .isHeld(QueryHolder(owner: owner, property: property, scope: .root))
        } catch {
            let error = error as? DatabaseError
            return .failure(error ?? DatabaseError(.syntax, "A key path leads to no property."))
        }
    }
}

extension TableDescription {
    /// The properties with columns of their own besides keys, timestamps and the version.
    var ownContents: [PropertyMapping] {
        let besides = keyMask.union(masks.timestamps).union(masks.deletion).union(versionMask).union(
            columns.joinTableMask)
        return columns.mask.subtracting(besides).indices.map { properties[$0] }
    }
}
