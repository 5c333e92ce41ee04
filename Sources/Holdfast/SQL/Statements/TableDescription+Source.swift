/// What statements see of a table: the rows that have not expired, are not marked as deleted, and are inside of the
/// scopes of the type. Every statement that the library writes takes its tables from here.
extension TableDescription {
    /// The table as a source of rows, under a name.
    ///
    /// ```sql
    /// "project" AS t0
    /// (SELECT * FROM "session" WHERE ("until" <= statement_timestamp()) IS NOT TRUE) AS t0
    /// (SELECT * FROM "note" WHERE "deleted_at" IS NULL) AS t0
    /// (SELECT * FROM "post" WHERE ("post"."published_at" IS NOT NULL)) AS t0
    /// ```
    ///
    /// Engines read such a subquery as if its condition were that of the statement.
    func source(as name: String, _ dialect: any Dialect, _ seen: SeenRows = SeenRows()) -> String {
        let table = dialect.quoted(tableName)
        return isThere(nil, dialect, seen).map { "(SELECT * FROM \(table) WHERE \($0)) AS \(name)" }
            ?? "\(table) AS \(name)"
    }

    /// The table as a source of rows, under its own name.
    func source(_ dialect: any Dialect, _ seen: SeenRows = SeenRows()) -> String {
        hidesRows ? source(as: dialect.quoted(tableName.name), dialect, seen) : dialect.quoted(tableName)
    }

    /// What the columns of ``source(_:)`` are named by.
    func sourceName(_ dialect: any Dialect) -> String {
        hidesRows ? dialect.quoted(tableName.name) : dialect.quoted(tableName)
    }

    /// The condition that a row is there for whoever asks for it: it has not expired, is not marked as deleted, and is
    /// inside of the scopes of its type; nil for a type all of whose rows are.
    func isThere(_ prefix: String?, _ dialect: any Dialect, _ seen: SeenRows = SeenRows()) -> String? {
        guard hidesRows else { return nil }
        var conditions = hasNotExpired(prefix, dialect).map { [$0] } ?? []
        if let isChosen = deletion?.condition(seen.deleted, prefix, dialect) { conditions.append(isChosen) }
        if !scopes.isEmpty { conditions += scopeConditions(dialect, seen) }
        return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }

    /// The condition that a row has not expired; nil for a type whose objects don't.
    ///
    /// No index is asked for it: one would find what has expired, which is little, and not what has not.
    func hasNotExpired(_ prefix: String?, _ dialect: any Dialect) -> String? {
        expiry?.hasPassed(prefix, dialect).map { "(\($0)) IS NOT TRUE" }
    }

    /// The clause by which a statement changes rows that are there, and meet a condition.
    func filter(_ condition: String?, _ dialect: any Dialect, _ seen: SeenRows = SeenRows()) -> String {
        let table = dialect.quoted(tableName)
        guard let isThere = isThere(table, dialect, seen) else { return condition.map { " WHERE \($0)" } ?? "" }
        return " WHERE \(isThere)" + (condition.map { " AND (\($0))" } ?? "")
    }

    /// The columns of properties as a statement selects them: those of a type that the engine alone knows as text.
    ///
    /// - Parameter prefix: What the table is called.
    func selectedColumns(
        _ mask: PropertyMask, from prefix: String, isQualified: Bool, _ dialect: any Dialect
    ) -> [String] {
        selectedColumns(mask, PropertyMask(), from: prefix, isQualified: isQualified, dialect)
    }

    /// All columns as a load selects them of which nothing else was asked: those that are loaded on demand as NULL.
    func loadedColumns(from prefix: String, isQualified: Bool, _ dialect: any Dialect) -> [String] {
        selectedColumns(fullMask, masks.onDemand, from: prefix, isQualified: isQualified, dialect)
    }

    private func selectedColumns(
        _ mask: PropertyMask, _ nullMask: PropertyMask, from prefix: String, isQualified: Bool, _ dialect: any Dialect
    ) -> [String] {
        columns.all.filter { mask.contains($0.property) }.map { column in
            if nullMask.contains(column.property) { return "NULL" }
            let name = dialect.quoted(column.name)
            guard columns.alternateMask.contains(column.property), let relation = columns.relation(column.property)
            else { return readable(isQualified ? "\(prefix).\(name)" : name, column.property, dialect) }
            // The subquery is named after its column: otherwise, it would have the name of the other table's key, by
            // which rows may be ordered.
            return relation.key(heldIn: "\(prefix).\(name)", dialect) + " AS \(name)"
        }
    }

    /// The columns of properties as they are returned by the statement that has written them: what they hold.
    func returnedColumns(_ mask: PropertyMask, _ dialect: any Dialect) -> [String] {
        columns.all.filter { mask.contains($0.property) }.map {
            readable(dialect.quoted($0.name), $0.property, dialect)
        }
    }

    /// A column as it can be read: as text, if it is of a type that the engine alone knows.
    private func readable(_ sql: String, _ property: Int, _ dialect: any Dialect) -> String {
        properties[property].textForm == .ofColumnType ? dialect.text(ofColumnType: sql) ?? sql : sql
    }
}
