extension Query {
    /// Returns the statement that fetches the objects, without its parameters and without a database.
    ///
    /// ```swift
    /// print(try Query(Project.self).where { $0.name == "Apollo" }.sql(for: .sqlite))
    /// // SELECT t0."id", t0."name" FROM "project" AS t0 WHERE t0."name" COLLATE BINARY = ? ORDER BY t0."id"
    /// ```
    ///
    /// - Parameter driver: `.sqlite` or `.postgres`, of the module of that name.
    public func sql(for driver: DriverType) throws -> String { try printed(driver.dialect).sql }

    /// Returns the parameters of the statement in order, for people.
    ///
    /// They are values, so keep them out of logs.
    ///
    /// ```swift
    /// print(try Query(Project.self).where { $0.name == "Apollo" }.parameters(for: .sqlite))    // ["'Apollo'"]
    /// ```
    public func parameters(for driver: DriverType) throws -> [String] {
        let dialect = driver.dialect
        let parameters = try printed(dialect).parameters
        return parameters.withRow(0) { cells in
            cells.map { cell in
                cell.kind == .list
                    ? "\(parameters.lists[Int(truncatingIfNeeded: cell.payload)].cells.count) values"
                    : dialect.literal(cell, type: .text)
            }
        }
    }

    private func printed(_ dialect: any Dialect) throws -> QuerySQL.Rendering {
        let description = Model.ownDescription
        try description.validate()
        try description.checkScopes(dialect)
        try specification.join?.description.checkScopes(dialect)
        return try QuerySQL(specification: specification, description: description, dialect: dialect).select()
    }
}
