/// Writes the statements of named migrations: pure, from what a database has to statements and to what it has then.
///
/// The plan of a migration and the migration itself are written here alike. The migration asks the engine what it has
/// after each step; the plan goes on from what the step makes of it.
struct MigrationWriter {
    var schema: PlannedSchema

    /// One thing to do.
    enum Work {
        /// Runs a statement with its parameters, if it has any.
        case statement(SchemaStep, ParameterBuffer?)
        /// Calls a closure of the application.
        case closure(SchemaStep, @Sendable (Transaction) async throws -> Void)
        /// Lets the journal follow.
        case note(JournalChange)

        var step: SchemaStep? {
            switch self {
            case .statement(let step, _), .closure(let step, _): step
            case .note: nil
            }
        }
    }

    private var dialect: any Dialect { schema.dialect }

    /// Drops the delete rules of all tables.
    ///
    /// They name tables and columns in ways that no engine follows everywhere. What the types need is made again.
    mutating func dropDeleteRules(for id: String) -> [Work] {
        var work: [Work] = []
        for (table, known) in schema.snapshot.tables.inOrder({ $0.key < $1.key })
        where !schema.journal.adopted.contains(table) {
            for rule in known.ruleTriggers {
                for (index, sql) in dialect.dropDeleteRule(rule, on: table).enumerated() {
                    work.append(
                        step(SchemaStatement(.dropDeleteRule(name: rule, table: table), index: index), sql, of: id))
                }
            }
            schema.snapshot.tables[table]?.dropOwnTriggers()
        }
        return work
    }

    /// What one step of a migration takes.
    mutating func work(for step: Migration.Step, of id: String) throws -> [Work] {
        if let table = step.tables.first(where: schema.journal.adopted.contains) { throw SchemaDiff.adopted(table) }
        switch step {
        case .renameTable(let table, let name): return rename(of: id) { $0.rename(table: table, to: name) }
        case .renameColumn(let column, let table, let name):
            return rename(of: id) { $0.rename(column: column, of: table, to: name) }
        case .changeType(let column, let table, let type, let value):
            return try changeType(of: column, in: table, to: type, using: value, for: id)
        case .dropTable(let table): return try drop(table: table, of: id)
        case .dropColumn(let column, let table): return try drop(column: column, of: table, for: id)
        case .sql(let fragment):
            let (sql, parameters) = try fragment.render(dialect)
            var step = SchemaStep(SchemaStatement(.runMigration(id: id)), sql, dialect)
            step.unknown = .statement
            return [.statement(step, parameters)]
        case .data(let body):
            let name = String(id.map { $0.isNewline ? " " : $0 })
            var step = SchemaStep(
                SchemaStatement(.runMigration(id: id)), "-- data of the migration \"\(name)\"", dialect)
            step.unknown = .closure
            return [.closure(step, body)]
        }
    }

    /// The error of a migration.
    ///
    /// - Parameters:
    ///   - step: The index of the step that failed.
    ///   - isNew: Whether the database had no tables before.
    static func naming(
        _ error: DatabaseError, _ migration: Migration, step: Int, isNew: Bool
    ) -> DatabaseError {
        let remedy =
            isNew && migration.purpose == nil
            ? "The database is new: if the migration is about what earlier versions have stored, say "
                + "`for: .existingData`. " : ""
        var error = error
        error.message =
            "The migration \"\(migration.id)\" failed in statement \(step + 1) of \(migration.steps.count). "
            + "\(SchemaProblems.ending) \(remedy)"
            + (error.code == .notMigrated && error.engineCode != nil
                ? "A table or a column that it names does not exist at this point." : error.message)
        return error
    }

    // MARK: Steps

    private mutating func rename(of id: String, _ change: (inout SchemaRenames) -> Void) -> [Work] {
        var renames = SchemaRenames(schema.snapshot, schema.journal, dialect)
        change(&renames)
        (schema.snapshot, schema.journal) = (renames.snapshot, renames.journal)
        return renames.steps.map { step($0.statement, $0.sql, of: id) } + renames.bookkeeping.map { .note($0) }
    }

    private mutating func drop(table: String, of id: String) throws -> [Work] {
        let other = schema.snapshot.tables.values.filter { other in
            other.name != table && other.foreignKeys.contains { $0.table == table && $0.schema == nil }
        }
        if let other = other.map(\.name).min() { throw Self.isReferred(table, by: other) }
        let targets = schema.snapshot.targets(of: nil, in: table)
        let work = followed(SchemaStatement(.dropTable(table), targets: targets), "DROP TABLE \(quoted(table))", of: id)
        return [work, note(.forget(column: nil, table: table))]
    }

    /// The error about a table that can't be dropped.
    static func isReferred(_ table: String, by other: String) -> DatabaseError {
        DatabaseError(.conflict, "The table \"\(table)\" can't be dropped: \"\(other)\" refers to it.", table: table)
    }

    private mutating func drop(column: String, of table: String, for id: String) throws -> [Work] {
        try SchemaDiff.refuseDropping(column, of: schema.snapshot.tables[table], dialect)
        var work = dropIndexes(of: column, table, id)
        let targets = schema.snapshot.targets(of: column, in: table)
        work.append(
            followed(
                SchemaStatement(.dropColumn(column, table: table), targets: targets),
                "ALTER TABLE \(quoted(table)) DROP COLUMN \(quoted(column))", of: id))
        return work + [note(.forget(column: column, table: table))]
    }

    private mutating func changeType(
        of column: String, in table: String, to type: ColumnType, using value: SQLFragment?, for id: String
    ) throws -> [Work] {
        guard let existing = schema.snapshot.tables[table]?.columns.first(where: { $0.name == column }) else {
            throw DatabaseError(
                .notMigrated, "There is no column \"\(column)\" in a table \"\(table)\".", table: table,
                properties: [column])
        }
        let text = try converted(column, table, to: type, using: value)
        let alter = "ALTER TABLE \(quoted(table))"
        var work = dropIndexes(of: column, table, id)
        let change = SchemaStatement(
            .changeType(column: column, table: table, from: existing.typeName, to: type, isComputed: value != nil))
        if dialect.tableRebuild == nil {
            if existing.defaultExpression != nil {
                work.append(
                    followed(
                        SchemaStatement(.setDefault(column: column, table: table)),
                        "\(alter) ALTER COLUMN \(quoted(column)) DROP DEFAULT",
                        of: id))
            }
            work.append(
                followed(
                    change, "\(alter) ALTER COLUMN \(quoted(column)) TYPE \(dialect.typeName(type)) USING \(text)",
                    of: id))
        } else {
            let name = Naming.shortened("holdfast_new_\(column)")
            var added = DatabaseSchema.Column(
                name: name, typeName: dialect.storedTypeName(type), isNullable: existing.isNullable,
                defaultExpression: existing.isNullable ? nil : dialect.literal(type.zero, type: type))
            let replacement = SchemaStatement(.replaceTable(table))
            let definition = SchemaSQL(dialect: dialect).leftover(added, type)
            work.append(step(replacement, "\(alter) ADD COLUMN \(definition)", of: id))
            work.append(step(change, "UPDATE \(quoted(table)) SET \(quoted(name)) = \(text)", of: id))
            work.append(step(replacement, "\(alter) DROP COLUMN \(quoted(column))", of: id))
            work.append(step(replacement, "\(alter) RENAME COLUMN \(quoted(name)) TO \(quoted(column))", of: id))
            added.name = column
            schema.snapshot.tables[table]?.checks.removeAll { $0.isOwn(of: column) }
            schema.snapshot.tables[table]?.columns.removeAll { $0.name == column }
            schema.snapshot.tables[table]?.columns.append(added)
        }
        return work + [note(.setType(type, storage: 0, column: column, table: table))]
    }

    private mutating func dropIndexes(of column: String, _ table: String, _ id: String) -> [Work] {
        (schema.snapshot.tables[table]?.indexes ?? []).filter { $0.needs(column) }.map { index in
            followed(
                SchemaStatement(.dropIndex(index.name, table: table)), "DROP INDEX \(quoted(index.name))", of: id)
        }
    }

    /// The new value of a column, as SQL.
    private func converted(
        _ column: String, _ table: String, to type: ColumnType, using value: SQLFragment?
    ) throws -> String {
        if let value {
            let (sql, parameters) = try value.render(dialect)
            if parameters.width == 0 { return sql }
            throw DatabaseError(
                .unsupported, "The expression for \"\(column)\" has interpolated values. Write them as SQL.",
                table: table, properties: [column])
        }
        if let old = schema.journal.entry(table: table, column: column)?.columnType,
            old == type || TypeChange(from: old, to: type) == .widening
        {
            return dialect.converted(quoted(column), from: old, to: type)
        }
        throw DatabaseError(
            .invalidValue,
            "What becomes of the values of \"\(column)\" is not known: give an expression (`using:`).", table: table,
            properties: [column])
    }

    // MARK: Parts

    private func quoted(_ name: String) -> String { dialect.quoted(name) }

    private func step(_ statement: SchemaStatement, _ sql: String, of id: String) -> Work {
        var losesData = statement.change.drops
        // What an expression of the application makes of a value, it may make of several.
        if case .changeType(_, _, _, _, isComputed: true) = statement.change { losesData = true }
        return .statement(SchemaStep(statement, sql, dialect, for: .runMigration(id: id), losesData: losesData), nil)
    }

    /// A statement that the schema follows.
    private mutating func followed(_ statement: SchemaStatement, _ sql: String, of id: String) -> Work {
        let work = step(statement, sql, of: id)
        schema.follow([work.step].compactMap(\.self))
        return work
    }

    private mutating func note(_ change: JournalChange) -> Work {
        schema.journal.follow(change)
        return .note(change)
    }
}
