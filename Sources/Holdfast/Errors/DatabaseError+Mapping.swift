extension TableDescription {
    /// The error with the properties' names in place of the columns'.
    func explained(_ error: DatabaseError) -> DatabaseError {
        var error = error
        // Engines tell the name without the schema.
        if error.table == nil || error.table == tableName.name { error.table = table }
        guard error.table == table else { return error }
        if error.properties.isEmpty, let constraint = error.constraint {
            error.properties = columnNames(ofConstraint: constraint)
        }
        error.properties = error.properties.map { column in
            index(ofColumn: column).map { properties[$0].name } ?? column
        }
        return error
    }

    /// The columns that a constraint or index of ours is over, by its name.
    private func columnNames(ofConstraint constraint: String) -> [String] {
        let definition = TableDefinition(self)
        if constraint == definition.primaryKeyName { return definition.primaryKey }
        return definition.indexes.first { $0.name == constraint }?.columns.filter { !$0.isEmpty } ?? []
    }
}
