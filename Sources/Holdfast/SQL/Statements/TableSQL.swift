/// The statements by which objects of one mapping are read and written: where a save becomes SQL.
///
/// Pure: from a description and a dialect to text. ``TableStatements`` keeps what it renders.
struct TableSQL {
    let description: TableDescription
    private(set) var dialect: any Dialect
    /// The rows that are meant; nil for all, as where a deletion takes along what refers to its rows.
    let seen: SeenRows?

    init(description: TableDescription, dialect: any Dialect, seen: SeenRows? = SeenRows()) {
        (self.description, self.dialect, self.seen) = (description, dialect, seen)
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
    var source: String { seen.map { description.source(dialect, $0) } ?? table }
    var sourceName: String { seen == nil ? table : description.sourceName(dialect) }
    /// The rows in which statements look for those of objects that the program has already.
    var sourceOfHeld: String { seen.map { description.source(dialect, $0.ofHeld) } ?? table }

    func source(of other: TableDescription, as name: String) -> String {
        seen == nil ? "\(dialect.quoted(other.tableName)) AS \(name)" : other.source(as: name, dialect)
    }

    /// The clause by which statements change the rows of objects that the program has already.
    func filter(_ condition: String) -> String {
        seen.map { description.filter(condition, dialect, $0.ofHeld) } ?? " WHERE \(condition)"
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

/// An insertion, which drivers write as well where they make one statement of many.
@_spi(Driver) extension Dialect {
    /// The statement that inserts a row whose values in `columns` are its parameters.
    ///
    /// `INSERT INTO "project" ("name", "code") VALUES ($1, $2)`
    public func insert(_ columns: [String], into table: TableName) -> String {
        let values = columns.isEmpty ? "DEFAULT VALUES" : "(\(list(columns))) VALUES (\(placeholders(columns.count)))"
        return "INSERT INTO \(quoted(table)) \(values)"
    }
}
