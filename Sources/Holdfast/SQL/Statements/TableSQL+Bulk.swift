/// All rows of a table, those that have expired, and those of many keys.
extension TableSQL {
    /// Deletes all rows.
    func deleteAll() -> String {
        guard let seen, let isThere = description.isThere(nil, dialect, seen) else {
            return dialect.deleteAll(table: description.tableName)
        }
        return "DELETE FROM \(table) WHERE \(isThere)"
    }

    func selectKeys() -> String { "SELECT \(dialect.list(description.keyColumns)) FROM \(source)" }

    /// Finds the rows that have expired and hold one of some values, and locks them.
    ///
    /// - Parameter columns: The columns of the values, a list parameter for each; none for all that have expired.
    /// - Returns: Nil for a type whose objects don't expire.
    func selectExpired(holding columns: [TableColumns.Column]) -> String? {
        guard let hasPassed = description.expiry?.hasPassed(nil, dialect) else { return nil }
        let values = columns.map { (name: dialect.quoted($0.name), type: $0.type) }
        // By an index of the values: few have them, and how many have expired is not known.
        let condition = values.isEmpty ? "" : " AND \(dialect.isIn(values, from: 1))"
        return "SELECT \(dialect.list(description.keyColumns)) FROM \(table) WHERE (\(hasPassed)) IS TRUE\(condition)"
            + dialect.rowLock
    }

    /// Finds rows that have expired, the first of them first, and locks those that nobody else has locked.
    ///
    /// `SELECT "id" FROM "session" WHERE "until" <= statement_timestamp() ORDER BY "until" NULLS FIRST, "id" LIMIT 500
    /// FOR UPDATE SKIP LOCKED`
    ///
    /// - Parameters:
    ///   - limit: How many.
    ///   - followsOne: Whether only those are found that come behind the row with a key: none if that is gone.
    /// - Returns: Nil for a type whose objects don't expire.
    func selectExpired(limit: Int, followingOne followsOne: Bool) -> String? {
        guard let expiry = description.expiry, let hasPassed = expiry.hasPassed(nil, dialect) else { return nil }
        let keys = dialect.list(description.keyColumns)
        let place = "\(dialect.quoted(expiry.column)), \(keys)"
        let isBehind = " AND (\(place)) > (SELECT \(place) FROM \(table) WHERE \(keyCondition(from: 1)))"
        return "SELECT \(keys) FROM \(table) WHERE \(hasPassed)\(followsOne ? isBehind : "")"
            + " ORDER BY \(expiry.order(dialect)), \(keys)\(dialect.limit(limit, offset: 0))\(dialect.freeRowLock)"
    }

    /// Reads when the next row expires, and what time it is.
    ///
    /// `SELECT "until", statement_timestamp() FROM "session" WHERE "until" > statement_timestamp() ORDER BY "until"
    /// LIMIT 1`
    ///
    /// - Returns: Nil for a type whose objects don't expire.
    func selectNextExpiry() -> String? {
        guard let expiry = description.expiry, let time = dialect.currentTime, let now = time.value(in: expiry.storage)
        else { return nil }
        let column = dialect.quoted(expiry.column)
        return "SELECT \(column), \(time.timestamp) FROM \(table) WHERE \(column) > \(now)"
            + " ORDER BY \(expiry.order(dialect))\(dialect.limit(1, offset: 0))"
    }

    /// Deletes the rows that have one of the keys.
    ///
    /// `DELETE FROM "project" WHERE "id" = ANY($1)`
    func deleteMany() -> String {
        "DELETE FROM \(table)\(filter(isIn(description.keyColumns, ofKeyOf: description)))"
    }
}
