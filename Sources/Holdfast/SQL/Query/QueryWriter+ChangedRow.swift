/// Values of the row that a statement changes.
extension QueryWriter {
    /// Writes a value that a property of the row is set to: where relations lead to it, as a subquery, which has one
    /// row in any case.
    ///
    /// `(SELECT t1."discount" FROM (SELECT 1 AS one) AS one LEFT JOIN "customer" AS t1 ON t1."id" =
    /// "bill"."customer_id")`
    ///
    /// - Parameter target: The row, by whose name its own columns are written.
    /// - Throws: ``DatabaseError/Code/unsupported`` where it reads other rows of the same table, some of which engines
    ///   have changed by then, and others not.
    func ofRow(_ target: QueryObject, _ property: PropertyMapping, _ write: () throws -> String) throws -> String {
        let one = "(SELECT 1 AS one) AS one"
        let source = QuerySource(one)
        let row = QueryObject(description, source: source, alias: target.table(self))
        namedTables = []
        let sql = try withRoot(row, write)
        guard !namedTables.contains(description.table) else {
            throw DatabaseError(
                .unsupported,
                "An update by a query sets \"\(property.name)\" to what other rows of \"\(description.table)\" hold, which it changes, too. Read that first.",
                table: description.table, properties: [property.name])
        }
        return source.sql == one ? sql : "(SELECT \(sql) FROM \(source.sql))"
    }
}
