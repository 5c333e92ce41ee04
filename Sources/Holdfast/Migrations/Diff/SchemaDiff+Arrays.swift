// Values that become arrays, and arrays that become values.

extension SchemaDiff {
    /// The steps by which values change their place, and the changes by which the journal follows.
    struct Moves {
        var steps: [SchemaStep] = []
        /// The steps that drop the columns that values have left, when the log's triggers name them no more.
        var drops: [SchemaStep] = []
        var bookkeeping: [JournalChange] = []
    }

    func moves(_ definitions: [TableDefinition], _ problems: inout SchemaProblems) throws -> Moves {
        refuseUnasked(definitions, &problems)
        var moves = Moves()
        for loss in allowed.inOrder({ "\($0)" < "\($1)" }) {
            try problems.collect {
                switch loss.kind {
                case .wrapping(let column, let table, let array): try wrap(column, table, array, definitions, &moves)
                case .unwrapping(let array, let column, let table, let keepsFirst):
                    try unwrap(array, column, table, keepsFirst: keepsFirst, definitions, &moves)
                case .table, .column, .narrowing, .requiring, .log, .search: break
                }
            }
        }
        return moves
    }

    // MARK: A value becomes an array

    /// Makes each value the one element of an array.
    ///
    /// `INSERT INTO "note_tags" ("note_id", "position", "value") SELECT "id", 0, "tag" FROM "note" WHERE "tag" IS NOT
    /// NULL`
    private func wrap(
        _ name: String, _ tableName: String, _ arrayName: String, _ definitions: [TableDefinition], _ moves: inout Moves
    ) throws {
        guard let table = snapshot.tables[tableName], table.columns.contains(where: { $0.name == name }) else { return }
        guard let owner = definitions.first(where: { $0.name == tableName }),
            let array = definitions.first(where: { $0.name == arrayName }), array.isArray(of: tableName),
            let key = array.foreignKeys.first, let value = array.columns.last
        else {
            throw DatabaseError(
                .conflict,
                "\"\(name)\" of \"\(tableName)\" is to become an array in \"\(arrayName)\", which no model has. Nothing was changed.",
                table: tableName, properties: [name])
        }
        if let property = owner.columns.first(where: { $0.name == name })?.property {
            throw conflict(owner, "Its column \"\(name)\" is to become an array, but a model has it", [property])
        }
        if snapshot.tables[arrayName] != nil {
            // It was done before, and somebody else has a column of that name now.
            guard journal.hasMade(table: tableName, column: name) else { return }
            throw conflict(
                array, "It exists, so that \"\(name)\" of \"\(tableName)\" can't be moved there", [value.property])
        }
        let converted = try converted(name, of: tableName, to: value, of: array)
        let columns = key.columns + [JoinTable.positionColumn, JoinTable.valueColumn]
        let condition = "\(dialect.quoted(name)) IS NOT NULL"
        let action = SchemaChange.wrapColumn(name, table: tableName, array: arrayName)
        moves.steps.append(
            SchemaStep(
                SchemaStatement(.updateRows(table: arrayName)),
                "INSERT INTO \(dialect.quoted(arrayName)) (\(dialect.list(columns))) "
                    + "SELECT \(dialect.list(key.targetColumns)), 0, \(converted) "
                    + "FROM \(dialect.quoted(tableName)) WHERE \(condition)", dialect, for: action))
        // An optional array has a column that tells whether it is nil.
        if let presence = owner.columns.first(where: { $0.property == value.property }) {
            let isThere = dialect.literal(.boolean(true), type: .boolean)
            moves.steps.append(
                SchemaStep(
                    SchemaStatement(.updateRows(table: tableName)),
                    "UPDATE \(dialect.quoted(tableName)) SET \(dialect.quoted(presence.name)) = \(isThere) "
                        + "WHERE \(condition)", dialect, for: action))
        }
        moves.drops += try dropSteps(name, of: tableName, definitions, for: action)
        moves.bookkeeping.append(.forget(column: name, table: tableName))
    }

    // MARK: An array becomes a value

    /// Makes the one element of each array a value.
    ///
    /// `UPDATE "note" SET "tag" = (SELECT "value" FROM "note_tags" WHERE "note_id" = "note"."id" …) WHERE EXISTS (…)`
    private func unwrap(
        _ arrayName: String, _ name: String, _ tableName: String, keepsFirst: Bool, _ definitions: [TableDefinition],
        _ moves: inout Moves
    ) throws {
        guard let array = snapshot.tables[arrayName], let table = snapshot.tables[tableName],
            journal.hasMade(table: arrayName, column: JoinTable.valueColumn)
        else { return }
        if let definition = definitions.first(where: { $0.name == arrayName }) {
            throw conflict(
                definition, "It is to become a column of \"\(tableName)\", but a model has it",
                definition.columns.suffix(1).map(\.property))
        }
        guard let owner = definitions.first(where: { $0.name == tableName }),
            let column = owner.columns.first(where: { $0.name == name }),
            let key = array.foreignKeys.first(where: { $0.table == tableName && $0.schema == nil }),
            let value = array.columns.first(where: { $0.name == JoinTable.valueColumn }),
            array.keyColumns == key.columns + [JoinTable.positionColumn]
        else {
            throw DatabaseError(
                .conflict,
                "\"\(arrayName)\" is to become \"\(name)\" of \"\(tableName)\". It is no array of values of that table, or no model has the column. Nothing was changed.",
                table: arrayName, properties: [name])
        }
        if table.columns.contains(where: { $0.name == name }) {
            throw conflict(
                owner, "It has a column \"\(name)\" already, so that \"\(arrayName)\" can't be moved there",
                [column.property])
        }
        let converted = try converted(JoinTable.valueColumn, of: arrayName, to: column, of: owner)
        let elements = dialect.quoted(arrayName)
        let isOwn = zip(key.columns, key.targetColumns).map { column, target in
            "\(elements).\(dialect.quoted(column)) = \(dialect.quoted(tableName)).\(dialect.quoted(target))"
        }.joined(separator: " AND ")
        let action = SchemaChange.unwrapArray(arrayName, column: name, table: tableName)
        var step = SchemaStep(
            SchemaStatement(.updateRows(table: tableName)),
            "UPDATE \(dialect.quoted(tableName)) SET \(dialect.quoted(name)) = (SELECT \(converted) FROM \(elements) "
                + "WHERE \(isOwn) ORDER BY \(dialect.quoted(JoinTable.positionColumn)) LIMIT 1) "
                + "WHERE EXISTS (SELECT 1 FROM \(elements) WHERE \(isOwn))", dialect, for: action,
            losesData: keepsFirst)
        func obstruct(_ query: String, _ what: String) {
            step.obstacles.append(
                .init(
                    query: "\(query) LIMIT 1",
                    error: "The table \"\(arrayName)\" can't become \"\(name)\" of \"\(tableName)\". \(what). "
                        + "Nothing was changed.",
                    table: arrayName, property: column.property))
        }
        if !keepsFirst {
            obstruct(
                "SELECT 1 FROM \(elements) GROUP BY \(dialect.list(key.columns)) HAVING count(*) > 1",
                "An array has more than one element. Allow all but the first to be lost by `keepsFirst: true`")
        }
        if value.isNullable, !column.isNullable {
            obstruct(
                "SELECT 1 FROM \(elements) WHERE \(dialect.quoted(JoinTable.valueColumn)) IS NULL",
                "An element is nil, which the property can't be")
        }
        moves.steps.append(step)
        moves.steps.append(
            SchemaStep(
                SchemaStatement(.dropTable(arrayName), targets: array.foreignKeys.map(\.table)),
                "DROP TABLE \(elements)", dialect, for: action, losesData: keepsFirst))
        moves.bookkeeping.append(.forget(column: nil, table: arrayName))
        // The column that told an optional array that is nil from an empty one.
        let presence = arrayName.dropFirst(tableName.count + 1) + "_present"
        if arrayName.hasPrefix(tableName + "_"), journal.hasMade(table: tableName, column: String(presence)),
            table.columns.contains(where: { $0.name == presence }),
            !owner.columns.contains(where: { $0.name == presence })
        {
            moves.drops += try dropSteps(String(presence), of: tableName, definitions, for: action)
            moves.bookkeeping.append(.forget(column: String(presence), table: tableName))
        }
    }

    // MARK: Both

    /// The values of a column as SQL, as they are in another one.
    private func converted(
        _ name: String, of table: String, to column: ColumnDefinition, of definition: TableDefinition
    ) throws -> String {
        let known = journal.entry(table: table, column: name)
        guard let known, let old = known.columnType, known.storage == column.storage.recorded,
            old == column.type || TypeChange(from: old, to: column.type) == .widening
        else {
            throw conflict(
                definition,
                "\"\(name)\" of \"\(table)\" holds \(known?.description ?? "what somebody else has stored"), and not \(JournalEntry.Contents(column).description). Move the values by a Migration",
                [column.property])
        }
        return old == column.type
            ? dialect.quoted(name) : dialect.converted(dialect.quoted(name), from: old, to: column.type)
    }

    /// Refuses that a value has become an array, or an array a value, and nobody says what happens to what is stored.
    private func refuseUnasked(_ definitions: [TableDefinition], _ problems: inout SchemaProblems) {
        let names = Set(definitions.map(\.name))
        for array in definitions where snapshot.tables[array.name] == nil {
            guard let table = array.foreignKeys.first?.table, array.isArray(of: table),
                let owner = definitions.first(where: { $0.name == table }), let found = snapshot.tables[table]
            else { continue }
            let column = found.columns.first { column in
                Naming.shortened("\(table)_\(column.name)") == array.name
                    && journal.hasMade(table: table, column: column.name)
                    && !owner.columns.contains { $0.name == column.name }
            }
            guard let column = column?.name, !allowed.decide(column: column, of: table) else { continue }
            problems.add(
                conflict(
                    owner,
                    "Its column \"\(column)\" has become an array. Allow its values to be moved by `.wrapping(column: \"\(column)\", of: \"\(table)\", into: \"\(array.name)\")`, or the column to be dropped by `.dropping(column: \"\(column)\", of: \"\(table)\")`",
                    array.columns.suffix(1).map(\.property)))
        }
        for owner in definitions {
            guard let found = snapshot.tables[owner.name] else { continue }
            for column in owner.columns where !found.columns.contains(where: { $0.name == column.name }) {
                let array = Naming.shortened("\(owner.name)_\(column.name)")
                guard !names.contains(array), !allowed.decide(array: array),
                    journal.hasMade(table: array, column: JoinTable.valueColumn)
                else { continue }
                problems.add(
                    conflict(
                        owner,
                        "Its array \"\(column.name)\" has become a value. Allow the elements to be moved by `.unwrapping(array: \"\(array)\", into: \"\(column.name)\", of: \"\(owner.name)\")`, or the array to be dropped by `.dropping(table: \"\(array)\")`",
                        [column.property]))
            }
        }
    }
}

extension TableDefinition {
    /// Whether it has the elements of an array of values of a table.
    fileprivate func isArray(of table: String) -> Bool {
        isJoinTable && foreignKeys.count == 1 && foreignKeys[0].table == table
            && columns.last?.name == JoinTable.valueColumn && schema == nil
    }
}

extension Set<SchemaLoss> {
    /// Whether it is allowed what becomes of a column that is an array now.
    fileprivate func decide(column: String, of table: String) -> Bool {
        contains { loss in
            switch loss.kind {
            case .wrapping(column, table, _), .column(column, table): true
            default: false
            }
        }
    }

    /// Whether it is allowed what becomes of the table of an array that is a column now.
    fileprivate func decide(array: String) -> Bool {
        contains { loss in
            switch loss.kind {
            case .unwrapping(array, _, _, _), .table(array): true
            default: false
            }
        }
    }
}
