/// Relations: what leads to rows, and what they lead to.
extension TableSQL {
    /// Reads the objects of a relation in a join table with the keys of their owners, in the order of the array.
    ///
    /// `SELECT j."project_id", j."meeting_id", t."id", t."topic" FROM "project_meetings" AS j`
    /// `LEFT JOIN "meeting" AS t ON t."id" = j."meeting_id" WHERE j."project_id" = ANY($1)`
    /// `ORDER BY j."project_id", j."position"`
    ///
    /// A key in the join table without its row comes with NULLs, so that a missing target is noticed.
    ///
    /// - Parameters:
    ///   - target: The description of the related type.
    ///   - isReversed: Whether the objects of this type are the elements, and those of the other the owners.
    ///   - ofAll: Whether those of all owners are read.
    ///   - terms: An order that goes before that of the array.
    func selectRelated(
        _ array: JoinTable, target: TableDescription, isReversed: Bool, ofAll: Bool, orderedBy terms: [String] = []
    ) -> String {
        let elements = array.elementColumns.map(\.name)
        let (near, far) = isReversed ? (elements, array.ownerColumns) : (array.ownerColumns, elements)
        let columns = target.loadedColumns(from: "t", isQualified: true, dialect)
        let columnList = qualified("j", near + far) + ", " + columns.joined(separator: ", ")
        let condition = ofAll ? "" : " WHERE \(isIn(near, prefix: "j.", ofKeyOf: description))"
        let own =
            isReversed
            ? qualified("j", far + (array.position.map { [$0] } ?? [])) : elementOrder(array, prefix: "j.")
        let order = ([qualified("j", near)] + terms + [own]).joined(separator: ", ")
        return
            "SELECT \(columnList) FROM \(dialect.quoted(array.name)) AS j "
            + "LEFT JOIN \(source(of: target, as: "t")) ON \(matches(far, target))\(condition) ORDER BY \(order)"
    }

    func qualified(_ prefix: String, _ names: [String]) -> String {
        names.map { "\(prefix).\(dialect.quoted($0))" }.joined(separator: ", ")
    }

    /// Says that columns of a join table, which is called `j`, hold the key of a row, which is called `t`.
    func matches(_ columns: [String], _ target: TableDescription) -> String {
        zip(columns, target.keyColumns)
            .map { "t.\(dialect.quoted($1)) = j.\(dialect.quoted($0))" }
            .joined(separator: " AND ")
    }

    /// Reads the keys of the objects of a relation in a join table with the keys of their owners.
    ///
    /// `SELECT "project_id", "meeting_id" FROM "project_meetings" ORDER BY "project_id", "position"`
    func selectLinks(_ array: JoinTable, isReversed: Bool, ofAll: Bool) -> String {
        let elements = array.elementColumns.map(\.name)
        let (near, far) = isReversed ? (elements, array.ownerColumns) : (array.ownerColumns, elements)
        let condition = ofAll ? "" : " WHERE \(isIn(near, ofKeyOf: description))"
        let order =
            isReversed
            ? dialect.list(near + far + (array.position.map { [$0] } ?? []))
            : "\(dialect.list(near)), \(elementOrder(array))"
        return "SELECT \(dialect.list(near + far)) FROM \(dialect.quoted(array.name))\(condition)"
            + " ORDER BY \(order)"
    }

    /// Reads the objects to which a join table leads, those of several links several times.
    ///
    /// `SELECT t."id", t."topic" FROM "project_meetings" AS j JOIN "meeting" AS t ON t."id" = j."meeting_id"`
    /// `ORDER BY j."meeting_id"`
    ///
    /// The order is that of two indexes, so that nothing is sorted. To read each object once would be `EXISTS`, for
    /// which a server that has no statistics of the join table yet looks up row by row.
    ///
    /// - Parameter isReversed: Whether the objects of this type are the owners, and those of the other the elements.
    func selectLinked(_ array: JoinTable, isReversed: Bool) -> String {
        let far = isReversed ? array.ownerColumns : array.elementColumns.map(\.name)
        let columns = description.loadedColumns(from: "t", isQualified: true, dialect)
        return "SELECT \(columns.joined(separator: ", "))"
            + " FROM \(dialect.quoted(array.name)) AS j JOIN \(source(of: description, as: "t")) ON \(matches(far, description))"
            + " ORDER BY \(qualified("j", far))"
    }

    /// Reads the rows whose columns hold one of the keys of another type: the holders of a reference.
    ///
    /// `SELECT "id", "project_id" FROM "milestone" WHERE "project_id" = ANY($1) ORDER BY "id"`
    ///
    /// - Parameter terms: An order that goes before that of the keys.
    func selectReferring(
        _ columns: [String], to owner: TableDescription, orderedBy terms: [String] = []
    ) -> String {
        let order = (terms + [keyOrder]).joined(separator: ", ")
        return "\(selection) WHERE \(refers(columns, toKeyOf: owner)) ORDER BY \(order)"
    }

    /// Reads only the keys of the same, each followed by that of its holder.
    ///
    /// `SELECT "id", "project_id" FROM "milestone" WHERE "project_id" = ANY($1)`
    func selectReferringKeys(_ columns: [String], to owner: TableDescription) -> String {
        "SELECT \(dialect.list(description.keyColumns + columns)) FROM \(source) WHERE \(refers(columns, toKeyOf: owner))"
    }

    /// Sets a reference to NULL in the row that has the key, if it still leads to the holder that comes after the key
    /// among the parameters.
    ///
    /// `UPDATE "milestone" SET "project_id" = NULL WHERE "id" = $1 AND "project_id" = $2 RETURNING "id"`
    ///
    /// - Parameters:
    ///   - released: The columns that become NULL.
    ///   - columns: All columns of the reference.
    func release(_ released: [String], finding columns: [String]) -> String {
        let nulls = released.map { "\(dialect.quoted($0)) = NULL" }.joined(separator: ", ")
        return "UPDATE \(table) SET \(nulls)" + filter(equality(description.keyColumns + columns, from: 1))
            + dialect.returning(description.keyColumns.map(dialect.quoted))
    }

    /// Sets a reference to NULL in the rows that lead to one of the keys, or have one themselves.
    ///
    /// `UPDATE "milestone" SET "project_id" = NULL WHERE "project_id" = ANY($1)`
    ///
    /// - Parameters:
    ///   - columns: The columns of the reference.
    ///   - owner: The table of the keys.
    ///   - finding: The columns in which the keys are; nil for the primary key.
    func detach(_ columns: [String], from owner: TableDescription, by finding: [String]?) -> String {
        let nulls = columns.map { "\(dialect.quoted($0)) = NULL" }.joined(separator: ", ")
        let condition =
            finding.map { refers($0, toKeyOf: owner) } ?? isIn(owner.keyColumns, ofKeyOf: owner)
        return "UPDATE \(table) SET \(nulls)" + filter(condition)
    }

    /// Deletes the links of the rows that have one of the keys.
    ///
    /// `DELETE FROM "project_meetings" WHERE "project_id" = ANY($1)`
    ///
    /// - Parameter near: The columns of the join table that hold the keys.
    func deleteLinks(_ array: JoinTable, near: [String]) -> String {
        "DELETE FROM \(dialect.quoted(array.name)) WHERE \(isIn(near, ofKeyOf: description))"
    }

    /// Reads the values of columns of the rows that have one of the keys: what a reference leads to.
    ///
    /// `SELECT DISTINCT "lead_id" FROM "project" WHERE "id" = ANY($1)`
    func selectReferred(_ columns: [String]) -> String {
        var keys = dialect.list(columns)
        if let relation = description.alternateRelation(columns), let column = columns.first {
            keys = relation.key(heldIn: "\(sourceName).\(dialect.quoted(column))", dialect)
        }
        return "SELECT DISTINCT \(keys) FROM \(source) WHERE \(isIn(description.keyColumns, ofKeyOf: description))"
    }

    /// Looks for the rows that have one of the keys.
    func selectExisting() -> String {
        "SELECT 1 FROM \(sourceOfHeld) WHERE \(isIn(description.keyColumns, ofKeyOf: description))"
    }

    /// Reads the rows that have one of the keys, and those that they lead to by a reference to the same table, over so
    /// many steps as the last parameter says.
    ///
    /// `WITH RECURSIVE chain(k0, step) AS (SELECT list.c0, 1 FROM unnest($1) AS list(c0) UNION ALL SELECT t."next_id",
    /// …`
    ///
    /// - Parameter columns: The columns of the reference.
    func selectChain(_ columns: [String]) -> String {
        let types = description.keyIndices.map { description.properties[$0].columnType ?? .int64 }
        let list = dialect.list(types, from: 1)
        let names = columns.indices.map { "k\($0)" }
        let start = zip(list.columns, types).map { "list.\($0)" + ($1 == .text ? dialect.codePointCollation : "") }
        let next = columns.map { "t.\(dialect.quoted($0))" }
        let match = zip(description.keyColumns, names).map { "t.\(dialect.quoted($0)) = chain.\($1)" }
        let isThere = next.map { "\($0) IS NOT NULL" }
        return "WITH RECURSIVE chain(\(names.joined(separator: ", ")), step) AS ("
            + "SELECT \(start.joined(separator: ", ")), 1 FROM \(list.source) "
            + "UNION ALL SELECT \(next.joined(separator: ", ")), chain.step + 1 FROM chain JOIN \(source(of: description, as: "t"))"
            + " ON \(match.joined(separator: " AND ")) WHERE chain.step < \(dialect.placeholder(columns.count + 1))"
            + " AND \(isThere.joined(separator: " AND "))) "
            + "\(selection) WHERE (\(dialect.list(description.keyColumns))) IN (SELECT \(names.joined(separator: ", ")) FROM chain)"
    }

    /// A condition that a reference leads to one of the keys of a type.
    func refers(_ columns: [String], toKeyOf owner: TableDescription) -> String {
        let held = description.alternateRelation(columns)?.held(dialect) { key in
            dialect.isIn([(name: key, type: owner.properties[owner.keyIndices[0]].columnType ?? .int64)], from: 1)
        }
        guard let held, let column = columns.first else { return isIn(columns, ofKeyOf: owner) }
        return "\(dialect.quoted(column)) IN \(held)"
    }

    /// A condition that columns hold one of the keys of a type, given as a list parameter for each.
    func isIn(_ columns: [String], prefix: String = "", ofKeyOf owner: TableDescription) -> String {
        dialect.isIn(
            zip(columns, owner.keyIndices).map { column, key in
                (name: prefix + dialect.quoted(column), type: owner.properties[key].columnType ?? .int64)
            }, from: 1)
    }
}
