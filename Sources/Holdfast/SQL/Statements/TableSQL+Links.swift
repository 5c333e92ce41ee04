/// Links that are made and undone without what else there is.
extension TableSQL {
    /// Inserts elements of arrays that are not there, at the end: each with its owner, and the number that it has among
    /// those of the statement, as lists.
    ///
    /// `INSERT INTO "project_members" ("project_id", "position", "person_id")`
    /// `SELECT list.c0, COALESCE((SELECT max(j."position") FROM "project_members" AS j WHERE j."project_id" =
    /// list.c0),` `-1024) + 1024 * list.c2, list.c1 FROM unnest($1, $2, $3) AS list(c0, c1, c2)` `WHERE NOT EXISTS
    /// (SELECT 1 FROM "project_members" AS j WHERE j."project_id" = list.c0 AND j."person_id" = list.c1)` `ORDER BY
    /// list.c2`
    func link(_ array: JoinTable) -> String {
        let own = array.ownElementColumns
        let list = dialect.list(ownerTypes + own.map(\.type) + [.int64], from: 1)
        let values = list.columns.map { "list.\($0)" }
        let (owner, element) = (values.prefix(ownerTypes.count), values.dropFirst(ownerTypes.count).dropLast())
        let number = values.last ?? "1"
        let table = dialect.quoted(array.name)
        func found(_ columns: [String], _ values: some Sequence<String>) -> String {
            zip(columns, values).map { "j.\(dialect.quoted($0)) = \($1)" }.joined(separator: " AND ")
        }
        let isOwned = found(array.ownerColumns, owner)
        var inserted = Array(owner)
        if array.givesPositions, let position = array.position {
            let last = "SELECT max(j.\(dialect.quoted(position))) FROM \(table) AS j WHERE \(isOwned)"
            inserted.append("COALESCE((\(last)), -\(JoinTable.stride)) + \(JoinTable.stride) * \(number)")
        }
        inserted += element
        let isThere =
            "SELECT 1 FROM \(table) AS j WHERE \(isOwned) AND \(found(own.map(\.name), element))"
        return "INSERT INTO \(table) (\(dialect.list(array.insertedColumns)))"
            + " SELECT \(inserted.joined(separator: ", ")) FROM \(list.source)"
            + " WHERE NOT EXISTS (\(isThere)) ORDER BY \(number)"
            // A set has each element once; a position is given to one only, since whoever gives them locks the owner.
            + (array.position == nil ? dialect.ignoreConflicts : "")
    }

    /// Deletes elements of arrays wherever they are in them: each with its owner, as lists.
    ///
    /// `DELETE FROM "project_members" WHERE ("project_id", "person_id") IN (SELECT * FROM unnest($1, $2))`
    func unlink(_ array: JoinTable) -> String {
        let own = array.ownElementColumns
        let columns = zip(array.ownerColumns, ownerTypes) + own.map { ($0.name, $0.type) }
        return "DELETE FROM \(dialect.quoted(array.name)) WHERE "
            + dialect.isIn(columns.map { (name: dialect.quoted($0), type: $1) }, from: 1)
    }

    /// Selects which owners a table links with the elements that come with them, as lists.
    ///
    /// `SELECT DISTINCT "user_id" FROM "membership" WHERE ("user_id", "team_id") IN (SELECT * FROM unnest($1, $2))`
    func selectLinked(_ array: JoinTable) -> String {
        let own = array.ownElementColumns
        let columns = zip(array.ownerColumns, ownerTypes) + own.map { ($0.name, $0.type) }
        return "SELECT DISTINCT \(dialect.list(array.ownerColumns)) FROM \(dialect.quoted(array.name)) WHERE "
            + dialect.isIn(columns.map { (name: dialect.quoted($0), type: $1) }, from: 1)
    }

    private var ownerTypes: [ColumnType] {
        description.keyIndices.map { description.properties[$0].columnType ?? .int64 }
    }
}

extension JoinTable {
    /// The columns that hold an element and nothing of its owner.
    var ownElementColumns: [Column] { zip(elementColumns, sharedParts).filter { $0.1 == nil }.map(\.0) }
}
