/// The statements by which tables are created and changed: pure, from definitions and a dialect to text.
struct SchemaSQL {
    let dialect: any Dialect

    /// Creates a table.
    ///
    /// `CREATE TABLE "project" ("id" …, "name" text COLLATE "C" NOT NULL)`
    ///
    /// - Parameters:
    ///   - later: The foreign keys that are added when all tables are there.
    ///   - name: The name that the table gets for now, where it is another one.
    ///   - leftovers: Further columns, as they are to be written.
    func createTable(
        _ table: TableDefinition, without later: [ForeignKeyDefinition] = [], as name: String? = nil,
        leftovers: [String] = []
    ) -> String {
        var lines = table.columns.map { column in
            if table.hasGeneratedKey, table.primaryKey == [column.name],
                let definition = dialect.generatedKeyDefinition(column.type)
            {
                return "\(dialect.quoted(column.name)) \(definition)"
            }
            // With its column, with which engines drop it.
            return self.column(column)
                + (check(column, of: table.name).map { " \($0)" } ?? "")
        }
        lines += leftovers
        if !table.hasGeneratedKey {
            lines.append(
                "CONSTRAINT \(dialect.quoted(table.primaryKeyName)) PRIMARY KEY (\(dialect.list(table.primaryKey)))")
        }
        lines += table.foreignKeys.filter { !later.contains($0) }.map { foreignKey($0, on: table.name) }
        lines += table.checks.map(check)
        let options = dialect.tableOptions(isJoinTable: table.isJoinTable && !table.hasGeneratedKey)
        return "CREATE TABLE \(dialect.quoted(name ?? table.name)) (\n    \(lines.joined(separator: ",\n    "))\n)"
            + (options.isEmpty ? "" : " " + options)
    }

    /// Adds a column.
    ///
    /// `ALTER TABLE "project" ADD COLUMN "code" text COLLATE "C"`
    ///
    /// - Parameters:
    ///   - key: The foreign key that the column alone is, where it has to come with the column.
    func addColumn(
        _ column: ColumnDefinition, to table: String, with key: ForeignKeyDefinition? = nil
    ) -> String {
        var text = "ALTER TABLE \(dialect.quoted(table)) ADD COLUMN \(self.column(column))"
        if let check = check(column, of: table) { text += " \(check)" }
        if let key { text += " CONSTRAINT \(dialect.quoted(key.name(on: table))) \(references(key))" }
        return text
    }

    /// Adds a foreign key.
    ///
    /// `ALTER TABLE "project" ADD CONSTRAINT "project_lead_id_fkey" FOREIGN KEY ("lead_id") REFERENCES "person" ("id")
    /// ON DELETE SET NULL`
    func addForeignKey(_ key: ForeignKeyDefinition, to table: String) -> String {
        "ALTER TABLE \(dialect.quoted(table)) ADD \(foreignKey(key, on: table))"
    }

    /// Drops a foreign key.
    ///
    /// `ALTER TABLE "project" DROP CONSTRAINT "project_lead_id_fkey"`
    func dropForeignKey(_ name: String, from table: String) -> String {
        "ALTER TABLE \(dialect.quoted(table)) DROP CONSTRAINT \(dialect.quoted(name))"
    }

    /// Creates an index.
    ///
    /// `CREATE UNIQUE INDEX "project_code_key" ON "project" ("code" NULLS FIRST)`
    ///
    /// - Parameters:
    ///   - nullable: The columns that take NULL.
    ///   - isConcurrent: Whether others write meanwhile.
    func createIndex(
        _ index: IndexDefinition, on table: String, nullable: Set<String>, isConcurrent: Bool
    ) -> String {
        let terms = index.terms.map { term in
            if let document = term.document { return "(\(expression(document)))" + dialect.nullsFirstInIndex }
            if term.isExpression { return "(\(term.text))" }
            let mayBeNull = nullable.contains(term.text) && !dialect.nullsFirstInIndex.isEmpty
            if !term.isDescending { return dialect.quoted(term.text) + (mayBeNull ? dialect.nullsFirstInIndex : "") }
            // Where NULLs can be placed, queries place them last in descending order.
            return dialect.quoted(term.text) + " DESC" + (mayBeNull ? " NULLS LAST" : "")
        }
        return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(keyword(isConcurrent))\(dialect.quoted(index.name))"
            + " ON \(dialect.quoted(table)) (\(terms.joined(separator: ", ")))"
            + (index.condition.map { " WHERE \($0)" } ?? "")
    }

    /// The value inside a document as queries write it: a plan without that of a dialect which can't is refused.
    private func expression(_ document: IndexDefinition.DocumentValue) -> String {
        dialect.documents?.value(at: document.path, in: dialect.quoted(document.column), as: document.type) ?? ""
    }

    /// Drops an index.
    ///
    /// `DROP INDEX "project_code_key"`
    func dropIndex(_ name: String, isConcurrent: Bool) -> String {
        "DROP INDEX \(keyword(isConcurrent))\(dialect.quoted(name))"
    }

    private func keyword(_ isConcurrent: Bool) -> String {
        isConcurrent ? dialect.concurrentIndexes.map { $0.keyword + " " } ?? "" : ""
    }

    private func foreignKey(_ key: ForeignKeyDefinition, on table: String) -> String {
        "CONSTRAINT \(dialect.quoted(key.name(on: table))) FOREIGN KEY (\(dialect.list(key.columns))) \(references(key))"
    }

    private func references(_ key: ForeignKeyDefinition) -> String {
        // Without its schema where it is the same one, which some engines take for granted.
        let target = key.schema == nil ? dialect.quoted(key.table) : dialect.quoted(key.target)
        return "REFERENCES \(target) (\(dialect.list(key.targetColumns))) ON DELETE \(key.onDelete.rawValue)"
    }

    /// The CHECK constraint of a column whose values are the cases of an enum.
    ///
    /// `CONSTRAINT "holdfast_note_kind_check" CHECK ("kind" IN ('a', 'b'))`
    func check(_ column: ColumnDefinition, of table: String) -> String? {
        if column.cases.isEmpty { return nil }
        return "CONSTRAINT \(dialect.quoted(Naming.check(of: table, column.name))) CHECK (\(isCase(column)))"
    }

    /// A CHECK constraint over the columns of a table.
    ///
    /// `CONSTRAINT "holdfastcheck_1a2b3c4d_dates" CHECK (starts_at <= ends_at)`
    func check(_ check: CheckDefinition) -> String {
        "CONSTRAINT \(dialect.quoted(check.constraint)) CHECK (\(enclosable(condition(check))))"
    }

    /// Text that a parenthesis can follow: behind a comment, on a line of its own.
    func enclosable(_ text: String) -> String { text.contains("--") ? text + "\n" : text }

    /// What a CHECK constraint asks of rows.
    func condition(_ check: CheckDefinition) -> String {
        switch check.requirement {
        case .sql(let text): return text
        case .exactlyOne(let groups):
            let counts = groups.map { columns in
                let isMissing = columns.map { "\(dialect.quoted($0)) IS NULL" }.joined(separator: " OR ")
                return "CASE WHEN \(isMissing) THEN 0 ELSE 1 END"
            }
            return "\(counts.joined(separator: " + ")) = 1"
        }
    }

    /// The condition that a column has the value of a case: unknown for NULL.
    func isCase(_ column: ColumnDefinition, isNegated: Bool = false) -> String {
        let values = column.cases.map { $0.literal(dialect) }.joined(separator: ", ")
        return "\(dialect.quoted(column.name)) \(isNegated ? "NOT " : "")IN (\(values))"
    }

    /// A column that no property has any more, as it was.
    func leftover(_ column: DatabaseSchema.Column, _ type: ColumnType) -> String {
        var text = "\(dialect.quoted(column.name)) \(dialect.typeName(type))"
        if !column.isNullable { text += " NOT NULL" }
        if let value = column.defaultExpression { text += " DEFAULT \(value)" }
        if let check = dialect.check(type, column: column.name) { text += " CHECK (\(check))" }
        return text
    }

    private func column(_ column: ColumnDefinition) -> String {
        var text = "\(dialect.quoted(column.name)) \(dialect.typeName(of: column))"
        if !column.isNullable { text += " NOT NULL" }
        if let value = column.defaultValue { text += " DEFAULT \(value.literal(dialect, column.type))" }
        if let check = dialect.check(column.type, column: column.name) { text += " CHECK (\(check))" }
        return text
    }
}

extension ColumnType {
    /// The value that a row without any would have, of which none exists.
    var zero: Cell {
        switch self {
        case .boolean: .boolean(false)
        case .int16, .int32, .int64: .integer(0)
        case .float, .double: .real(0)
        case .timestamp: .timestamp(0)
        case .decimal, .text, .blob, .uuid, .json: Cell(kind: .text)
        }
    }
}
