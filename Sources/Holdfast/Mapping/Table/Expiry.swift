/// The column with the instant from which an object is gone.
struct Expiry: Sendable {
    /// The position of the property.
    let property: Int
    let column: String
    let storage: ValueStorage
    let isNullable: Bool

    /// The order of the index on the column.
    ///
    /// `"until" NULLS FIRST`
    func order(_ dialect: any Dialect) -> String {
        dialect.orderTerm(dialect.quoted(column), isDescending: false, nullsFirst: isNullable ? true : nil)
    }

    /// The condition that a row has expired, which an index on the column can answer; nil if the engine has no time for
    /// it.
    ///
    /// `"session"."until" <= statement_timestamp()`
    ///
    /// - Parameter prefix: What the table is called, if columns have to be told apart.
    func hasPassed(_ prefix: String?, _ dialect: any Dialect) -> String? {
        dialect.currentTime?.value(in: storage).map { now in
            "\(prefix.map { $0 + "." } ?? "")\(dialect.quoted(column)) <= \(now)"
        }
    }
}

/// What statements see of a table: the rows that have not expired. Every statement that the library writes takes its
/// tables from here.
extension TableDescription {
    /// The table as a source of rows, under a name.
    ///
    /// ```sql
    /// "project" AS t0
    /// (SELECT * FROM "session" WHERE ("until" <= statement_timestamp()) IS NOT TRUE) AS t0
    /// ```
    ///
    /// Engines read such a subquery as if its condition were that of the statement.
    func source(as name: String, _ dialect: any Dialect) -> String {
        let table = dialect.quoted(tableName)
        return isThere(nil, dialect).map { "(SELECT * FROM \(table) WHERE \($0)) AS \(name)" } ?? "\(table) AS \(name)"
    }

    /// The table as a source of rows, under its own name.
    func source(_ dialect: any Dialect) -> String {
        expiry == nil ? dialect.quoted(tableName) : source(as: dialect.quoted(tableName.name), dialect)
    }

    /// What the columns of ``source(_:)`` are named by.
    func sourceName(_ dialect: any Dialect) -> String {
        expiry == nil ? dialect.quoted(tableName) : dialect.quoted(tableName.name)
    }

    /// The condition that a row has not expired; nil for a type whose objects don't.
    ///
    /// No index is asked for it: one would find what has expired, which is little, and not what has not.
    func isThere(_ prefix: String?, _ dialect: any Dialect) -> String? {
        expiry?.hasPassed(prefix, dialect).map { "(\($0)) IS NOT TRUE" }
    }

    /// The clause by which a statement changes rows that have not expired, and meet a condition.
    func filter(_ condition: String?, _ dialect: any Dialect) -> String {
        let table = dialect.quoted(tableName)
        guard let isThere = isThere(table, dialect) else { return condition.map { " WHERE \($0)" } ?? "" }
        return " WHERE \(isThere)" + (condition.map { " AND (\($0))" } ?? "")
    }
}
