/// The statements by which objects of one mapping are read and written: where a save becomes SQL.
///
/// Pure: from a description and a dialect to text. ``TableStatements`` keeps what it renders.
struct TableSQL {
    let description: TableDescription
    private(set) var dialect: any Dialect
    /// Whether rows are meant that have expired as well, as where a deletion takes along what refers to its rows.
    let includesExpired: Bool

    init(description: TableDescription, dialect: any Dialect, includesExpired: Bool = false) {
        (self.description, self.dialect, self.includesExpired) = (description, dialect, includesExpired)
    }

    /// What one of the functions writes, with the time of a clock as a parameter behind the others, if it has the time.
    ///
    /// `text(after: 1) { $0.selectOne() }`
    ///
    /// - Parameter count: The number of the others.
    func text(after count: Int, _ write: (TableSQL) -> String) -> TimedSQL {
        dialect.takingTime(at: count + 1) { dialect in
            var sql = self
            sql.dialect = dialect
            return write(sql)
        }
    }

    /// The same of a function that may write nothing.
    func text(after count: Int, ifAny write: (TableSQL) -> String?) -> TimedSQL? {
        let text = text(after: count) { write($0) ?? "" }
        return text.sql.isEmpty ? nil : text
    }

    private var table: String { dialect.quoted(description.tableName) }
    /// The rows that statements read.
    private var source: String { includesExpired ? table : description.source(dialect) }
    private var sourceName: String { includesExpired ? table : description.sourceName(dialect) }

    private func source(of other: TableDescription, as name: String) -> String {
        includesExpired ? "\(dialect.quoted(other.tableName)) AS \(name)" : other.source(as: name, dialect)
    }

    /// The clause by which statements change the rows that meet a condition.
    private func filter(_ condition: String) -> String {
        includesExpired ? " WHERE \(condition)" : description.filter(condition, dialect)
    }

    /// The condition that finds a row by its key.
    ///
    /// `"id" = $1 AND "line" = $2`
    private func keyCondition(from position: Int) -> String { equality(description.keyColumns, from: position) }

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
        dialect.insert(description.columnNames(mask), into: description.tableName)
            + (returningKey ? dialect.returning(description.keyColumns.map(dialect.quoted)) : "")
    }

    /// Inserts a row, or updates the one that has its unique key.
    ///
    /// `INSERT INTO "point" ("id", "x") VALUES ($1, $2) ON CONFLICT ("id") DO UPDATE SET "x" = excluded."x"`
    func upsert(_ mask: PropertyMask, _ upsert: Upsert) -> String {
        let returned = description.returnedColumns(upsert.returned, dialect)
        return insert(mask, returningKey: false) + onConflict(upsert)
            + (returned.isEmpty ? "" : dialect.returning(returned))
    }

    /// The clause of an upsert that follows the values.
    ///
    /// ` ON CONFLICT ("id") DO UPDATE SET "x" = excluded."x"`
    func onConflict(_ upsert: Upsert) -> String {
        let key = description.columnNames(upsert.key)
        let changed = description.columnNames(upsert.updated)
        // Without a column to set, a row that exists is still locked, so that its arrays can be replaced, and returned.
        let assignments =
            changed.isEmpty
            ? key.prefix(1).map { "\(dialect.quoted($0)) = \(table).\(dialect.quoted($0))" }
            : changed.map { column in
                let name = dialect.quoted(column)
                let isVersion = column == description.versionColumn
                let value = isVersion ? description.countedUp("\(table).\(name)") : dialect.insertedValue(column)
                return "\(name) = \(value)"
            }
        // A struct that is saved whole was read before, and says what it knows; who asks for an upsert knows nothing.
        // Where nothing is read back, a row that has expired counts as not written, and is seen to then.
        let condition =
            upsert.isExplicit
            ? (upsert.isSilent ? description.isThere(table, dialect) : nil)
            : description.versionColumn.map { "\(table).\(dialect.quoted($0)) = \(dialect.insertedValue($0))" }
        return dialect.updateOnConflict(key: key, assignments: Array(assignments), condition: condition)
    }

    /// Inserts a row, unless that is in the way of one that exists; the last parameter, a number, comes back with its
    /// key if it was inserted.
    ///
    /// `INSERT INTO "person" ("name") VALUES ($1) ON CONFLICT DO NOTHING RETURNING CAST($2 AS bigint), "id"`
    func insertOrIgnore(_ mask: PropertyMask) -> String {
        let number = dialect.placeholder(description.columnNames(mask).count + 1)
        let counted = "CAST(\(number) AS \(dialect.typeName(.int64)))"
        return insert(mask, returningKey: false) + dialect.ignoreConflicts
            + dialect.returning([counted] + description.keyColumns.map(dialect.quoted))
    }

    /// Writes some columns of the row that has the key; and the version, if that is one of them, which is then counted
    /// up.
    ///
    /// `UPDATE "project" SET "name" = $1 WHERE "id" = $2`
    /// `UPDATE "project" SET "name" = $1, "version" = $2 WHERE "id" = $3 AND "version" = $4`
    func update(_ mask: PropertyMask) -> String {
        let columns = description.columnNames(mask)
        let assignments = columns.enumerated()
            .map { "\(dialect.quoted($1)) = \(dialect.placeholder($0 + 1))" }
            .joined(separator: ", ")
        return "UPDATE \(table) SET \(assignments)"
            + filter(equality(description.conditionColumns(mask), from: columns.count + 1))
    }

    /// Looks for the row that has the key, and locks it.
    ///
    /// `SELECT 1 FROM "project" WHERE "id" = $1 FOR UPDATE`
    func lock() -> String { "SELECT 1 FROM \(source) WHERE \(keyCondition(from: 1))\(dialect.rowLock)" }

    /// Reads the rows that have one of the keys, and locks them.
    ///
    /// `SELECT "id", "text", "version" FROM "page" WHERE "id" = ANY($1) FOR UPDATE`
    func lockMany() -> String { selectMany() + dialect.rowLock }

    func exists() -> String { "SELECT 1 FROM \(source) WHERE \(keyCondition(from: 1))" }

    /// Tells whether a row has one of the keys.
    ///
    /// `SELECT 1 FROM "person" WHERE "id" = ANY($1) LIMIT 1`
    func existsAny() -> String {
        "SELECT 1 FROM \(source) WHERE \(isIn(description.keyColumns, ofKeyOf: description)) LIMIT 1"
    }

    /// Deletes the row that has the key.
    ///
    /// `DELETE FROM "project" WHERE "id" = $1`
    func delete() -> String { "DELETE FROM \(table)\(filter(keyCondition(from: 1)))" }

    func count() -> String { "SELECT count(*) FROM \(source)" }

    private var selection: String {
        let columns = description.selectedColumns(description.fullMask, from: sourceName, isQualified: false, dialect)
        return "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
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

// MARK: Join tables of arrays

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
    private func elementOrder(_ array: JoinTable, prefix: String = "") -> String {
        if let position = array.position { return prefix + dialect.quoted(position) }
        return array.elementColumns
            .map { prefix + dialect.quoted($0.name) + ($0.type == .text ? dialect.codePointCollation : "") }
            .joined(separator: ", ")
    }

    private func ownerOrder(_ array: JoinTable, prefix: String = "") -> String {
        zip(array.ownerColumns, description.keyIndices).map { column, index in
            prefix + dialect.quoted(column)
                + (description.properties[index].columnType == .text ? dialect.codePointCollation : "")
        }.joined(separator: ", ")
    }
}

// MARK: Relations

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
    func selectRelated(_ array: JoinTable, target: TableDescription, isReversed: Bool, ofAll: Bool) -> String {
        let elements = array.elementColumns.map(\.name)
        let (near, far) = isReversed ? (elements, array.ownerColumns) : (array.ownerColumns, elements)
        let columns = target.selectedColumns(target.fullMask, from: "t", isQualified: true, dialect)
        let columnList = qualified("j", near + far) + ", " + columns.joined(separator: ", ")
        let condition = ofAll ? "" : " WHERE \(isIn(near, prefix: "j.", ofKeyOf: description))"
        let order =
            isReversed
            ? qualified("j", near + far + (array.position.map { [$0] } ?? []))
            : qualified("j", near) + ", " + elementOrder(array, prefix: "j.")
        return
            "SELECT \(columnList) FROM \(dialect.quoted(array.name)) AS j "
            + "LEFT JOIN \(source(of: target, as: "t")) ON \(matches(far, target))\(condition) ORDER BY \(order)"
    }

    private func qualified(_ prefix: String, _ names: [String]) -> String {
        names.map { "\(prefix).\(dialect.quoted($0))" }.joined(separator: ", ")
    }

    /// Says that columns of a join table, which is called `j`, hold the key of a row, which is called `t`.
    private func matches(_ columns: [String], _ target: TableDescription) -> String {
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
        let columns = description.selectedColumns(description.fullMask, from: "t", isQualified: true, dialect)
        return "SELECT \(columns.joined(separator: ", "))"
            + " FROM \(dialect.quoted(array.name)) AS j JOIN \(source(of: description, as: "t")) ON \(matches(far, description))"
            + " ORDER BY \(qualified("j", far))"
    }

    /// Reads the rows whose columns hold one of the keys of another type: the holders of a reference.
    ///
    /// `SELECT "id", "project_id" FROM "milestone" WHERE "project_id" = ANY($1) ORDER BY "id"`
    func selectReferring(_ columns: [String], to owner: TableDescription) -> String {
        "\(selection) WHERE \(refers(columns, toKeyOf: owner)) ORDER BY \(keyOrder)"
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
        "SELECT 1 FROM \(source) WHERE \(isIn(description.keyColumns, ofKeyOf: description))"
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

    /// Deletes all rows.
    func deleteAll() -> String {
        guard !includesExpired, let isThere = description.isThere(nil, dialect) else {
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

    /// A condition that a reference leads to one of the keys of a type.
    private func refers(_ columns: [String], toKeyOf owner: TableDescription) -> String {
        let held = description.alternateRelation(columns)?.held(dialect) { key in
            dialect.isIn([(name: key, type: owner.properties[owner.keyIndices[0]].columnType ?? .int64)], from: 1)
        }
        guard let held, let column = columns.first else { return isIn(columns, ofKeyOf: owner) }
        return "\(dialect.quoted(column)) IN \(held)"
    }

    /// A condition that columns hold one of the keys of a type, given as a list parameter for each.
    private func isIn(_ columns: [String], prefix: String = "", ofKeyOf owner: TableDescription) -> String {
        dialect.isIn(
            zip(columns, owner.keyIndices).map { column, key in
                (name: prefix + dialect.quoted(column), type: owner.properties[key].columnType ?? .int64)
            }, from: 1)
    }

    private func equality(_ columns: [String], from position: Int) -> String {
        columns.enumerated()
            .map { "\(dialect.quoted($1)) = \(dialect.placeholder(position + $0))" }
            .joined(separator: " AND ")
    }
}
