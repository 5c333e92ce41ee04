extension TableDescription {
    /// The error with the properties' names in place of the columns'.
    ///
    /// - Parameter known: Types that may refer to this one.
    func explained(_ error: DatabaseError, knowing known: [TableDescription] = []) -> DatabaseError {
        if error.foreignKeySide != nil { return namingReferences(error, knowing: known) }
        var error = error
        // Engines tell the name without the schema.
        if error.table == nil || error.table == tableName.name { error.table = table }
        guard error.table == table else { return error }
        if error.properties.isEmpty, let constraint = error.constraint {
            error.properties = columnNames(ofConstraint: constraint)
        }
        let columns = error.properties
        error.properties = columns.map { column in index(ofColumn: column).map { properties[$0].name } ?? column }
        if error.code == .uniqueViolation, error.engineCode != nil, !columns.isEmpty {
            error.message = DatabaseError.uniqueMessage(
                table: table, properties: error.properties, constraint: error.constraint)
        }
        if error.code == .notNullViolation, error.engineCode != nil, let column = columns.first,
            index(ofColumn: column) == nil
        {
            error.message =
                "The table \"\(table)\" has a column \"\(column)\" that needs a value, and \(type) does not know it: a newer "
                + "version of the program has probably migrated the table."
        }
        if error.lacksColumn { error.message = messageAboutUnknownColumn }
        if let type = error.unreadableType, let column = columns.first, let name = error.properties.first {
            error.message =
                "\"\(name)\" of \(self.type) can't be read: its column \"\(column)\" of \"\(table)\" is of the type \(type). "
                + "Declare it as a `String` with `@Column(storage: .text)`, or leave it out by `@Transient`."
        }
        return error
    }

    /// The message about a column that does not exist, where nobody can look which table lacks it.
    private var messageAboutUnknownColumn: String {
        "A column that the statement names does not exist: in \"\(table)\", in a table that \(type) has relations to, or in "
            + "SQL of the program's. If another program made the table, adopt it by `adopt`, and name its columns by "
            + "@Column; otherwise migrate the database."
    }

    /// The columns that a constraint or index of ours is over, by its name.
    private func columnNames(ofConstraint constraint: String) -> [String] {
        let definition = TableDefinition(self)
        if constraint == definition.primaryKeyName { return definition.primaryKey }
        return definition.indexes.first { $0.name == constraint }?.columns.filter { !$0.isEmpty } ?? []
    }
}
