/// Rows that are marked as deleted, and stay.
extension TableSQL {
    /// Marks the rows that have one of the keys: the time first, and then a list for each part of the key.
    ///
    /// `UPDATE "note" SET "deleted_at" = $1 WHERE "note"."deleted_at" IS NULL AND ("id" = ANY($2))`
    func mark(_ deletion: DeletionDate) -> String {
        "UPDATE \(table) SET \(marks(deletion, dialect.placeholder(1)))"
            + description.filter(hasKey(from: 2), dialect, SeenRows().ofHeld)
    }

    /// Takes the mark off the rows that have one of the keys.
    ///
    /// `UPDATE "note" SET "deleted_at" = NULL WHERE "note"."deleted_at" IS NOT NULL AND ("id" = ANY($1))`
    func restore(_ deletion: DeletionDate) -> String {
        "UPDATE \(table) SET \(marks(deletion, "NULL"))"
            + description.filter(hasKey(from: 1), dialect, SeenRows(deleted: .only).ofHeld)
    }

    /// Reads the keys of the rows that are there and have one of the keys, and locks them.
    ///
    /// `SELECT "id" FROM (SELECT * FROM "note" WHERE "deleted_at" IS NULL) AS "note" WHERE "id" = ANY($1) FOR UPDATE`
    func lockKeys() -> String {
        "SELECT \(dialect.list(description.keyColumns)) FROM \(sourceOfHeld) WHERE \(hasKey(from: 1))\(dialect.rowLock)"
    }

    /// Reads all columns of the rows that are marked and have one of the keys, and locks them.
    ///
    /// `SELECT "id", "title", "deleted_at" FROM (SELECT * FROM "note" WHERE "deleted_at" IS NOT NULL) AS "note" WHERE
    /// "id" = ANY($1) FOR UPDATE`
    func lockMarked() -> String {
        let name = dialect.quoted(description.tableName.name)
        let columns = description.selectedColumns(description.fullMask, from: name, isQualified: false, dialect)
        let source = description.source(as: name, dialect, SeenRows(deleted: .only).ofHeld)
        return "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
            + " WHERE \(hasKey(from: 1))\(dialect.rowLock)"
    }

    private func hasKey(from position: Int) -> String {
        dialect.isIn(
            zip(description.keyColumns, description.keyIndices).map { column, key in
                (name: dialect.quoted(column), type: description.properties[key].columnType ?? .int64)
            }, from: position)
    }

    /// What is set in a row whose mark is set or taken off: that counts as an update of it.
    private func marks(_ deletion: DeletionDate, _ value: String) -> String {
        "\(dialect.quoted(deletion.column)) = \(value)"
            + (description.versionColumn.map {
                ", \(dialect.quoted($0)) = \(description.countedUp(dialect.quoted($0)))"
            } ?? "")
    }
}
