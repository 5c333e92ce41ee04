/// What is rendered at its first use.
extension TableStatements {
    func render(_ variant: Variant) throws -> Statement {
        let table = description.table
        return switch variant {
        case .insert(let mask, let returningKey):
            Self.insert(mask, returningKey: returningKey, description, sql)
        case .upsert(let mask, let upsert): try self.upsert(mask, upsert)
        case .insertOrIgnore(let mask):
            Statement(
                sql.insertOrIgnore(mask), isBrief: true, table: table,
                rowChange: .upsert(
                    table: description.tableName, columns: description.columnNames(mask), returnsRows: true),
                columnTypes: description.columnTypes(mask))
        case .update(let mask):
            Statement(
                sql.text(after: description.columnCount(mask) + description.conditionColumns(mask).count) {
                    $0.update(mask)
                },
                isBrief: true, table: table, rowChange: update(mask), columnTypes: description.columnTypes(mask),
                isTold: true)
        case .elements(let property, let ofAll, let withPositions):
            try onElements(property) { sql.selectElements($0, ofAll: ofAll, withPositions: withPositions) }
        case .insertElement(let property):
            insertElement(try joinTable(property))
        case .deleteElement(let property): try onElements(property, deletion: .elements) { sql.deleteElement($0) }
        case .related(let property, let ofAll):
            try related(property) { [key = ofAll ? 0 : description.keyIndices.count] relation, table, isReversed in
                let terms = try sql.orderTerms(of: relation, named: "t")
                return sql.text(after: key) {
                    $0.selectRelated(
                        table, target: relation.target.description, isReversed: isReversed, ofAll: ofAll,
                        orderedBy: terms)
                }
            }
        case .links(let property, let ofAll):
            try related(property) { _, table, isReversed in
                TimedSQL(sql: sql.selectLinks(table, isReversed: isReversed, ofAll: ofAll))
            }
        case .linked(let property):
            try related(property) { [dialect = sql.dialect] relation, table, isReversed in
                TableSQL(description: relation.target.description, dialect: dialect)
                    .text(after: 0) { $0.selectLinked(table, isReversed: isReversed) }
            }
        case .holders(let property): try holders(property)
        case .chain(let property):
            chain(description.columns.columnNames(of: property))
        case .link(let property): try onElements(property) { sql.link($0) }
        case .unlink(let property): try onElements(property, deletion: .elements) { sql.unlink($0) }
        case .mark: try marking(after: 1, value: 0) { $0.mark($1) }
        case .restore: try marking(after: 0, value: nil) { $0.restore($1) }
        case .lockKeys:
            Statement(sql.text(after: description.keyIndices.count) { $0.lockKeys() }, table: table)
        case .lockMarked:
            Statement(sql.text(after: description.keyIndices.count) { $0.lockMarked() }, table: table)
        }
    }

    private func upsert(_ mask: PropertyMask, _ upsert: Upsert) throws -> Statement {
        let columns = description.columnNames(mask)
        let computed = try upsert.changes?.sets(after: columns.count, description, sql.dialect) ?? [:]
        let text = sql.text(after: columns.count + (upsert.changes?.parameters.width ?? 0)) {
            $0.upsert(mask, upsert, computed: computed)
        }
        // The time is a parameter of a row: a driver that makes one statement of many has no place for it.
        let onConflict =
            upsert.returned.isEmpty && !text.takesTime && text.scopeValues.isEmpty ? sql.onConflict(upsert) : nil
        return Statement(
            text, isBrief: true, table: description.table,
            rowChange: .upsert(
                table: description.tableName, columns: columns, returnsRows: !upsert.returned.isEmpty,
                onConflict: onConflict),
            columnTypes: description.columnTypes(mask))
    }

    /// Its parameters are lists of keys, after what the mark is set to.
    private func marking(
        after count: Int, value: Int?, _ write: (TableSQL, DeletionDate) -> String
    ) throws -> Statement {
        let deletion = try description.requiredDeletion()
        let version = description.versionColumn.map { [$0] } ?? []
        return Statement(
            sql.text(after: count + description.keyIndices.count) { write($0, deletion) }, table: description.table,
            rowChange: .set(
                table: description.tableName, columns: [deletion.column] + version,
                parameters: [value] + version.map { _ in nil }),
            isTold: true)
    }

    /// Its parameters are lists of keys, and the number of steps.
    private func chain(_ columns: [String]) -> Statement {
        Statement(sql.text(after: columns.count + 1) { $0.selectChain(columns) }, table: description.table)
    }

    /// What an update does to rows.
    ///
    /// Whether one is gone is a condition beyond its key, of which drivers that update many at once know nothing.
    private func update(_ mask: PropertyMask) -> Statement.RowChange {
        let (table, columns) = (description.tableName, description.columnNames(mask))
        return !description.hidesHeldRows
            ? .update(table: table, columns: columns, keyColumns: description.conditionColumns(mask))
            : .set(table: table, columns: columns, parameters: columns.indices.map(\.self))
    }

    private func related(
        _ property: Int, _ render: (Relation, JoinTable, Bool) throws -> TimedSQL
    ) throws -> Statement {
        guard let relation = description.columns.relation(property) else { throw noArray(property) }
        switch relation.storage {
        case .joinTable(let table):
            return Statement(try render(relation, table, false), table: table.name.description)
        case .inverseJoinTable(_, let table):
            return Statement(try render(relation, table, true), table: table.name.description)
        case .reference, .inverseReference: throw noArray(property)
        }
    }

    private func holders(_ property: Int) throws -> Statement {
        guard let relation = description.columns.relation(property),
            case .inverseReference(_, let columns) = relation.storage
        else { throw noArray(property) }
        let other = TableSQL(description: relation.target.description, dialect: sql.dialect)
        let terms = try other.orderTerms(of: relation, named: other.sourceName)
        let text = other.text(after: description.keyIndices.count) {
            $0.selectReferring(columns, to: description, orderedBy: terms)
        }
        return Statement(text, table: relation.target.description.table)
    }

    private func onElements(
        _ property: Int, deletion: Statement.Deletion? = nil, _ render: (JoinTable) -> String
    ) throws -> Statement {
        let table = try joinTable(property)
        return Statement(render(table), table: table.name.description, deletion: deletion)
    }

    private func insertElement(_ table: JoinTable) -> Statement {
        let elements = zip(table.elementColumns, table.sharedParts).filter { $0.1 == nil }
        return Statement(
            sql.insertElement(table), table: table.name.description,
            rowChange: .insert(table: table.name, columns: table.insertedColumns, generatedKey: nil),
            columnTypes: description.keyIndices.map { description.properties[$0].columnType }
                + (table.givesPositions ? [.int64] : []) + elements.map(\.0.type))
    }

    private func joinTable(_ property: Int) throws -> JoinTable {
        guard let table = description.columns.joinTables[property] else { throw noArray(property) }
        return table
    }

    private func noArray(_ property: Int) -> DatabaseError {
        DatabaseError(.conflict, "The mapping of \(description.type) has no array at position \(property).")
    }
}
