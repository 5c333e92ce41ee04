/// Reading rows, and locking them.
extension TableSQL {
    /// The columns of the key, in code point order where they are text.
    var keyOrder: String {
        description.keyIndices.compactMap { index in
            let property = description.properties[index]
            guard let column = property.columnName else { return nil }
            return dialect.quoted(column) + (property.columnType == .text ? dialect.codePointCollation : "")
        }.joined(separator: ", ")
    }

    /// Looks for the row that has the key, and locks it.
    ///
    /// `SELECT 1 FROM "project" WHERE "id" = $1 FOR UPDATE`
    func lock() -> String { "SELECT 1 FROM \(sourceOfHeld) WHERE \(keyCondition(from: 1))\(dialect.rowLock)" }

    /// Reads the rows that have one of the keys, and locks them.
    ///
    /// `SELECT "id", "text", "version" FROM "page" WHERE "id" = ANY($1) FOR UPDATE`
    func lockMany() -> String {
        let columns = description.selectedColumns(description.fullMask, from: sourceName, isQualified: false, dialect)
        return "SELECT \(columns.joined(separator: ", ")) FROM \(sourceOfHeld)"
            + " WHERE \(isIn(description.keyColumns, ofKeyOf: description))\(dialect.rowLock)"
    }

    func exists() -> String { "SELECT 1 FROM \(sourceOfHeld) WHERE \(keyCondition(from: 1))" }

    /// Tells whether a row has one of the keys.
    ///
    /// `SELECT 1 FROM "person" WHERE "id" = ANY($1) LIMIT 1`
    func existsAny() -> String {
        "SELECT 1 FROM \(source) WHERE \(isIn(description.keyColumns, ofKeyOf: description)) LIMIT 1"
    }

    func count() -> String { "SELECT count(*) FROM \(source)" }

    var selection: String {
        selection(description.loadedColumns(from: sourceName, isQualified: false, dialect))
    }

    private func selection(_ columns: [String]) -> String {
        "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
    }

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
    /// `SELECT "id", "name" FROM "project" WHERE "id" = ANY($1)`
    func selectMany() -> String {
        "\(selection) WHERE \(isIn(description.keyColumns, ofKeyOf: description))"
    }
}
