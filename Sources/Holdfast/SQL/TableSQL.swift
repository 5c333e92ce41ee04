/// The statements by which objects of one mapping are read and written: where a save becomes SQL.
///
/// Pure: from a description and a dialect to text. ``MappingPlan`` keeps what it renders.
struct TableSQL {
    let description: TableDescription
    let dialect: any Dialect

    private var table: String { dialect.quoted(description.table) }

    /// The condition that finds a row by its key.
    ///
    /// `"id" = $1 AND "line" = $2`
    private func keyCondition(from position: Int) -> String {
        description.keyColumns.enumerated()
            .map { "\(dialect.quoted($1)) = \(dialect.placeholder(position + $0))" }
            .joined(separator: " AND ")
    }

    /// The columns of the key, in code point order where they are text.
    private var keyOrder: String {
        description.keyIndices.compactMap { index in
            let property = description.properties[index]
            guard let column = property.columnName else { return nil }
            return dialect.quoted(column) + (property.columnType == .text ? dialect.codePointCollation : "")
        }.joined(separator: ", ")
    }

    /// Inserts a row.
    ///
    /// `INSERT INTO "project" ("name", "code") VALUES ($1, $2) RETURNING "id"`
    func insert(_ mask: PropertyMask, returningKey: Bool) -> String {
        let columns = description.columns(mask)
        let values =
            columns.isEmpty
            ? "DEFAULT VALUES"
            : "(\(dialect.list(columns))) VALUES (\(dialect.placeholders(columns.count)))"
        return "INSERT INTO \(table) \(values)"
            + (returningKey ? " RETURNING \(dialect.list(description.keyColumns))" : "")
    }

    /// Inserts a row, or puts it in the place of the one that has its key.
    ///
    /// `INSERT INTO "point" ("id", "x") VALUES ($1, $2) ON CONFLICT ("id") DO UPDATE SET "x" = excluded."x"`
    ///
    /// - Parameter created: The column of a creation time that an existing row keeps; it is returned.
    func upsert(_ mask: PropertyMask, keepingCreated created: String?) -> String {
        let keys = Set(description.keyColumns)
        let changed = description.columns(mask).filter { !keys.contains($0) && $0 != created }
        // Without a column to set, a row that exists is still locked, so that its arrays can be replaced.
        let assigned = changed.isEmpty ? description.keyColumns : changed
        let action =
            assigned.map { "\(dialect.quoted($0)) = excluded.\(dialect.quoted($0))" }.joined(separator: ", ")
        return insert(mask, returningKey: false)
            + " ON CONFLICT (\(dialect.list(description.keyColumns))) DO UPDATE SET \(action)"
            + (created.map { " RETURNING \(dialect.quoted($0))" } ?? "")
    }

    /// Writes some columns of the row that has the key.
    ///
    /// `UPDATE "project" SET "name" = $1 WHERE "id" = $2`
    func update(_ mask: PropertyMask) -> String {
        let columns = description.columns(mask)
        let assignments = columns.enumerated()
            .map { "\(dialect.quoted($1)) = \(dialect.placeholder($0 + 1))" }
            .joined(separator: ", ")
        return "UPDATE \(table) SET \(assignments) WHERE \(keyCondition(from: columns.count + 1))"
    }

    /// Looks for the row that has the key, and locks it.
    ///
    /// `SELECT 1 FROM "project" WHERE "id" = $1 FOR UPDATE`
    func lock() -> String { "SELECT 1 FROM \(table) WHERE \(keyCondition(from: 1))\(dialect.rowLock)" }

    func exists() -> String { "SELECT 1 FROM \(table) WHERE \(keyCondition(from: 1))" }

    /// Deletes the row that has the key.
    ///
    /// `DELETE FROM "project" WHERE "id" = $1`
    func delete() -> String { "DELETE FROM \(table) WHERE \(keyCondition(from: 1))" }

    func count() -> String { "SELECT count(*) FROM \(table)" }

    private var selection: String { "SELECT \(dialect.list(description.columns(description.fullMask))) FROM \(table)" }

    /// Reads all rows, in the order of their keys.
    ///
    /// `SELECT "id", "name" FROM "project" ORDER BY "id"`
    func selectAll() -> String { "\(selection) ORDER BY \(keyOrder)" }

    /// Reads the row that has the key.
    ///
    /// `SELECT "id", "name" FROM "project" WHERE "id" = $1`
    func selectOne() -> String { "\(selection) WHERE \(keyCondition(from: 1))" }

    /// Reads the rows that have one of the keys.
    ///
    /// `SELECT "id", "name" FROM "project" WHERE "id" IN ($1, $2, $3, $4)`
    func select(keyCount: Int) -> String {
        "\(selection) WHERE \(membership(of: description.keyColumns, keyCount: keyCount))"
    }

    private func membership(of columns: [String], keyCount: Int) -> String {
        if columns.count == 1 {
            return "\(dialect.list(columns)) IN (\(dialect.placeholders(keyCount)))"
        }
        let rows = (0..<keyCount).map { "(\(dialect.placeholders(columns.count, from: $0 * columns.count + 1)))" }
        return "(\(dialect.list(columns))) IN (VALUES \(rows.joined(separator: ", ")))"
    }
}

// MARK: Join tables of arrays

extension TableSQL {
    /// Inserts an element of an array.
    ///
    /// `INSERT INTO "project_tags" ("project_id", "position", "value") VALUES ($1, $2, $3)`
    func insertElement(_ array: JoinTable) -> String {
        let columns = array.ownerColumns + [JoinTable.positionColumn, JoinTable.valueColumn]
        return "INSERT INTO \(dialect.quoted(array.name)) (\(dialect.list(columns))) "
            + "VALUES (\(dialect.placeholders(columns.count)))"
    }

    /// Deletes all elements of an array of one owner.
    ///
    /// `DELETE FROM "project_tags" WHERE "project_id" = $1`
    func deleteElements(_ array: JoinTable) -> String {
        let condition = array.ownerColumns.enumerated()
            .map { "\(dialect.quoted($1)) = \(dialect.placeholder($0 + 1))" }
            .joined(separator: " AND ")
        return "DELETE FROM \(dialect.quoted(array.name)) WHERE \(condition)"
    }

    /// Reads the elements of an array, in order, of some owners or of all.
    ///
    /// `SELECT "project_id", "value" FROM "project_tags" WHERE "project_id" IN ($1, $2) ORDER BY "project_id", "position"`
    ///
    /// - Parameter keyCount: The number of owners; nil for all.
    func selectElements(_ array: JoinTable, keyCount: Int?) -> String {
        let condition = keyCount.map { " WHERE \(membership(of: array.ownerColumns, keyCount: $0))" } ?? ""
        let owners = zip(array.ownerColumns, description.keyIndices).map { column, index in
            dialect.quoted(column)
                + (description.properties[index].columnType == .text ? dialect.codePointCollation : "")
        }
        return "SELECT \(dialect.list(array.ownerColumns + [JoinTable.valueColumn])) FROM \(dialect.quoted(array.name))"
            + "\(condition) ORDER BY \(owners.joined(separator: ", ")), \(dialect.quoted(JoinTable.positionColumn))"
    }
}
