/// The statements by which objects of one mapping are read and written: where a save becomes SQL.
///
/// Pure: from a description and a dialect to text. ``TableStatements`` keeps what it renders.
struct TableSQL {
    let description: TableDescription
    private(set) var dialect: any Dialect
    /// Whether rows are meant that have expired, or are marked as deleted, as well, as where a deletion takes along
    /// what refers to its rows.
    let includesHidden: Bool

    init(description: TableDescription, dialect: any Dialect, includesHidden: Bool = false) {
        (self.description, self.dialect, self.includesHidden) = (description, dialect, includesHidden)
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

    var table: String { dialect.quoted(description.tableName) }
    /// The rows that statements read.
    var source: String { includesHidden ? table : description.source(dialect) }
    var sourceName: String { includesHidden ? table : description.sourceName(dialect) }

    func source(of other: TableDescription, as name: String) -> String {
        includesHidden ? "\(dialect.quoted(other.tableName)) AS \(name)" : other.source(as: name, dialect)
    }

    /// The clause by which statements change the rows that meet a condition.
    func filter(_ condition: String) -> String {
        includesHidden ? " WHERE \(condition)" : description.filter(condition, dialect)
    }

    /// The condition that finds a row by its key.
    ///
    /// `"id" = $1 AND "line" = $2`
    func keyCondition(from position: Int) -> String { equality(description.keyColumns, from: position) }

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
    ///
    /// - Parameter computed: The values of columns of a row that exists which are not those of the new one, as SQL.
    func upsert(_ mask: PropertyMask, _ upsert: Upsert, computed: [String: String] = [:]) -> String {
        let returned = description.returnedColumns(upsert.returned, dialect)
        return insert(mask, returningKey: false) + onConflict(upsert, computed: computed)
            + (returned.isEmpty ? "" : dialect.returning(returned))
    }

    /// The clause of an upsert that follows the values.
    ///
    /// ` ON CONFLICT ("id") DO UPDATE SET "x" = excluded."x"`
    func onConflict(_ upsert: Upsert, computed: [String: String] = [:]) -> String {
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
                return "\(name) = \(computed[column] ?? value)"
            }
        // A struct that is saved whole was read before, and says what it knows; who asks for an upsert knows nothing.
        // Where nothing is read back, a row that has expired counts as not written, and is seen to then. One that is
        // marked as deleted is there again.
        let condition =
            upsert.isExplicit
            ? (upsert.isSilent ? description.hasNotExpired(table, dialect) : nil)
            : description.versionColumn.map { "\(table).\(dialect.quoted($0)) = \(dialect.insertedValue($0))" }
        return dialect.updateOnConflict(key: key, assignments: Array(assignments), condition: condition)
    }

    /// Inserts a row, unless that is in the way of one that exists; the last parameter, a number, comes back with its
    /// key if it was inserted.
    ///
    /// `INSERT INTO "person" ("name") VALUES ($1) ON CONFLICT DO NOTHING RETURNING CAST($2 AS bigint), "id"`
    func insertOrIgnore(_ mask: PropertyMask) -> String {
        let number = dialect.placeholder(description.columnCount(mask) + 1)
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

    /// Deletes the row that has the key.
    ///
    /// `DELETE FROM "project" WHERE "id" = $1`
    func delete() -> String { "DELETE FROM \(table)\(filter(keyCondition(from: 1)))" }

    func equality(_ columns: [String], from position: Int) -> String {
        columns.enumerated()
            .map { "\(dialect.quoted($1)) = \(dialect.placeholder(position + $0))" }
            .joined(separator: " AND ")
    }
}

extension TableDescription {
    /// The column of the version.
    var versionColumn: String? { versionIndex.flatMap { properties[$0].columnName } }

    /// The version of a row that is counted up by SQL: NULL, which the column refuses, where its type holds no more.
    ///
    /// - Parameter column: The column, as it is to be written.
    func countedUp(_ column: String) -> String {
        let limit = versionLimit
        return limit == .max ? "\(column) + 1" : "CASE WHEN \(column) < \(limit) THEN \(column) + 1 END"
    }

    /// The greatest version.
    var versionLimit: Int64 {
        versionIndex.flatMap { properties[$0].columnType?.integers?.upperBound } ?? .max
    }

    /// The columns by which an update of some properties finds its rows: the key, and the version if that is counted
    /// up.
    func conditionColumns(_ mask: PropertyMask) -> [String] {
        guard let versionIndex, mask.contains(versionIndex), let versionColumn else { return keyColumns }
        return keyColumns + [versionColumn]
    }
}
