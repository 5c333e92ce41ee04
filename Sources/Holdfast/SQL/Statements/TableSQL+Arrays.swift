/// Join tables of arrays.
extension TableSQL {
    /// Inserts an element of an array.
    ///
    /// `INSERT INTO "project_tags" ("project_id", "position", "value") VALUES ($1, $2, $3)`
    func insertElement(_ array: JoinTable) -> String {
        dialect.insert(array.insertedColumns, into: array.name)
    }

    /// Deletes one element of an array: by its position, or by its key if the join table has no positions.
    ///
    /// `DELETE FROM "project_tags" WHERE "project_id" = $1 AND "position" = $2`
    func deleteElement(_ array: JoinTable) -> String {
        "DELETE FROM \(dialect.quoted(array.name)) WHERE \(equality(array.conditionColumns, from: 1))"
    }

    /// Reads which elements of the arrays of some owners lead to objects that are outside of the scopes of their type.
    ///
    /// `SELECT j."list_id", j."position" FROM "list_posts" AS j LEFT JOIN (SELECT * FROM "post" WHERE
    /// ("post"."published_at" IS NOT NULL)) AS t ON t."id" = j."post_id" WHERE j."list_id" = ANY($1) AND t."id" IS
    /// NULL`
    func selectOutside(_ array: JoinTable, _ target: TableDescription) -> String {
        let seen = target.source(as: "t", dialect, SeenRows(deleted: .included))
        let isMissing = target.keyColumns.prefix(1).map { " AND t.\(dialect.quoted($0)) IS NULL" }.joined()
        return "SELECT \(qualified("j", array.conditionColumns)) FROM \(dialect.quoted(array.name)) AS j"
            + " LEFT JOIN \(seen) ON \(matches(array.elementColumns.map(\.name), target))"
            + " WHERE \(isIn(array.ownerColumns, prefix: "j.", ofKeyOf: description))\(isMissing)"
    }

    /// Reads the elements of an array, in order, of some owners or of all.
    ///
    /// `SELECT "project_id", "value" FROM "project_tags" WHERE "project_id" = ANY($1) ORDER BY "project_id",
    /// "position"`
    ///
    /// - Parameters:
    ///   - ofAll: Whether the elements of all owners are read; else a list parameter for each key column says of which.
    ///   - withPositions: Whether the position comes between owner and element.
    func selectElements(_ array: JoinTable, ofAll: Bool, withPositions: Bool) -> String {
        let condition = ofAll ? "" : " WHERE \(isIn(array.ownerColumns, ofKeyOf: description))"
        let columns =
            array.ownerColumns + (withPositions ? array.position.map { [$0] } ?? [] : [])
            + array.elementColumns.map(\.name)
        return "SELECT \(dialect.list(columns)) FROM \(dialect.quoted(array.name))"
            + "\(condition) ORDER BY \(ownerOrder(array)), \(elementOrder(array))"
    }

    /// The order of the elements of one owner: by their positions, or by their keys if there are none.
    func elementOrder(_ array: JoinTable, prefix: String = "") -> String {
        if let position = array.position { return prefix + dialect.quoted(position) }
        return array.elementColumns
            .map { prefix + dialect.quoted($0.name) + ($0.type == .text ? dialect.codePointCollation : "") }
            .joined(separator: ", ")
    }

    func ownerOrder(_ array: JoinTable, prefix: String = "") -> String {
        zip(array.ownerColumns, description.keyIndices).map { column, index in
            prefix + dialect.quoted(column)
                + (description.properties[index].columnType == .text ? dialect.codePointCollation : "")
        }.joined(separator: ", ")
    }
}
