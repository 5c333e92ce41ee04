/// What is loaded of a relation with its owners: the first of each owner's objects, or those that meet a condition.
extension QuerySQL {
    /// A query of the objects that a relation leads to.
    init(_ part: RelationPart, of relation: Relation, _ dialect: any Dialect) {
        var specification = QuerySpecification()
        specification.conditions = part.conditions
        specification.orders = part.orders.isEmpty ? relation.order : part.orders
        (specification.limit, specification.offset) = (part.limit, part.offset)
        specification.scopes = part.scopes
        self.init(specification: specification, description: relation.target.description, dialect: dialect)
    }

    /// Where a statement finds whose an object is.
    private struct Place {
        /// The columns of the owner's key.
        let near: [String]
        /// The columns of the object's own key, if a join table has both.
        let far: [String]
        /// The order of the array.
        let order: [String]
    }

    /// Reads a part of a relation, by owner: with the keys of owner and object before its columns, if a join table has
    /// them.
    ///
    /// `WITH part(o0, c0, c1, n) AS (SELECT t0."artist_id", t0."id", t0."title", row_number() OVER (PARTITION BY
    /// t0."artist_id" ORDER BY t0."title", t0."id") FROM "album" AS t0 WHERE t0."artist_id" = ANY($1)) SELECT c0, c1
    /// FROM part WHERE n <= 3 ORDER BY o0, n`
    ///
    /// - Parameters:
    ///   - relation: The relation, of which this query is about the target.
    ///   - owner: The type that it is a property of.
    ///   - keys: The keys of the owners, a list for each part; nil for all owners.
    func selectPart(of relation: Relation, from owner: TableDescription, keys: ParameterBuffer?) throws -> Rendering {
        try specification.validate()
        let writer = makeWriter()
        let place = try self.place(of: relation, writer)
        let columns = writer.root.columnList(nil, writer)
        let known = relation.isInJoinTable ? place.near + place.far : []
        if specification.limit == nil, specification.offset == 0 {
            let filter = try filter(relation, owner, keys, place, writer)
            let order = place.near + (try orderTerms(place, writer))
            let sql =
                "SELECT \((known + [columns]).joined(separator: ", ")) FROM \(writer.root.source.sql)\(filter)"
                + " ORDER BY \(order.joined(separator: ", "))"
            return (sql, try writer.parameters)
        }
        let (nearNames, farNames) = (names("o", place.near.count), names("e", place.far.count))
        let columnNames = names("c", description.columns.all.count)
        let order = try orderTerms(place, writer).joined(separator: ", ")
        let filter = try filter(relation, owner, keys, place, writer)
        let selected = place.near + place.far + [columns]
        let number = "row_number() OVER (PARTITION BY \(place.near.joined(separator: ", ")) ORDER BY \(order))"
        let given = (relation.isInJoinTable ? nearNames + farNames : []) + columnNames
        let sql =
            "WITH part(\((nearNames + farNames + columnNames).joined(separator: ", ")), n) AS ("
            + "SELECT \(selected.joined(separator: ", ")), \(number) FROM \(writer.root.source.sql)\(filter))"
            + " SELECT \(given.joined(separator: ", ")) FROM part WHERE \(range)"
            + " ORDER BY \((nearNames + ["n"]).joined(separator: ", "))"
        return (sql, try writer.parameters)
    }

    private func names(_ letter: String, _ count: Int) -> [String] { (0..<count).map { "\(letter)\($0)" } }

    /// Which of the numbers that the objects of an owner have are given.
    private var range: String {
        let offset = specification.offset
        guard let limit = specification.limit else { return "n > \(offset)" }
        let (last, isTooLarge) = offset.addingReportingOverflow(limit)
        let end = "n <= \(isTooLarge ? .max : last)"
        return offset == 0 ? end : "n > \(offset) AND \(end)"
    }

    private func place(of relation: Relation, _ writer: QueryWriter) throws -> Place {
        let sql = TableSQL(description: description, dialect: dialect)
        func qualified(_ names: [String]) -> [String] { names.map { "j.\(dialect.quoted($0))" } }
        let (table, isReversed): (JoinTable, Bool)
        switch relation.storage {
        case .inverseReference(_, let columns):
            return Place(near: columns.map { writer.root.qualified($0, writer) }, far: [], order: [])
        case .joinTable(let joinTable): (table, isReversed) = (joinTable, false)
        case .inverseJoinTable(_, let joinTable): (table, isReversed) = (joinTable, true)
        case .reference:
            throw DatabaseError(.unsupported, "\"\(relation.name)\" is one object, of which no part can be loaded.")
        }
        let elements = table.elementColumns.map(\.name)
        let (near, far) = isReversed ? (elements, table.ownerColumns) : (table.ownerColumns, elements)
        let matches = zip(description.keyColumns, far).map {
            "\(writer.root.qualified($0, writer)) = j.\(dialect.quoted($1))"
        }
        writer.root.source.join(
            "JOIN \(dialect.quoted(table.name)) AS j ON \(matches.joined(separator: " AND "))")
        let order =
            isReversed
            ? qualified(far + (table.position.map { [$0] } ?? [])) : [sql.elementOrder(table, prefix: "j.")]
        return Place(near: qualified(near), far: qualified(far), order: order)
    }

    private func orderTerms(_ place: Place, _ writer: QueryWriter) throws -> [String] {
        guard !place.order.isEmpty else { return try writer.orderTerms(specification.orders, of: writer.root) }
        return try specification.orders.flatMap { try writer.orderTerms($0) } + place.order
    }

    private func filter(
        _ relation: Relation, _ owner: TableDescription, _ keys: ParameterBuffer?, _ place: Place,
        _ writer: QueryWriter
    ) throws -> String {
        var conditions: [String] = []
        if let keys {
            conditions.append(isOwned(relation, by: owner, keys, place, writer))
        } else if !relation.isInJoinTable {
            conditions += place.near.map { "\($0) IS NOT NULL" }
        }
        if let condition = ofGiven.specification.condition { conditions.append("(\(try writer.condition(condition)))") }
        return conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    }

    /// The condition that an object is of one of the owners.
    private func isOwned(
        _ relation: Relation, by owner: TableDescription, _ keys: ParameterBuffer, _ place: Place,
        _ writer: QueryWriter
    ) -> String {
        let position = writer.nextPosition
        for list in keys.lists { writer.bind(list: list) }
        let types = owner.keyIndices.map { owner.properties[$0].columnType ?? .int64 }
        func isIn(_ columns: [String], _ dialect: any Dialect) -> String {
            dialect.isIn(zip(columns, types).map { (name: $0, type: $1) }, from: position)
        }
        guard case .inverseReference(let property, _) = relation.storage,
            let reference = description.columns.relation(property), reference.alternate != nil
        else { return isIn(place.near, writer.dialect) }
        // The objects hold a unique property of their owners in place of the key.
        return writer.timed { dialect in
            let held = reference.held(dialect) { isIn([$0], dialect) }
            return held.map { "\(place.near[0]) IN \($0)" } ?? isIn(place.near, dialect)
        }
    }
}
