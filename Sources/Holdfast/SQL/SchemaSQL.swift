/// The statements by which tables are created and changed: pure, from definitions and a dialect to text.
struct SchemaSQL {
    let dialect: any Dialect

    /// Creates a table.
    ///
    /// `CREATE TABLE "project" ("id" …, "name" text COLLATE "C" NOT NULL)`
    func createTable(_ table: TableDefinition) -> String {
        var lines = table.columns.map { column in
            if table.hasGeneratedKey, table.primaryKey == [column.name] {
                return "\(dialect.quoted(column.name)) \(dialect.generatedKeyDefinition)"
            }
            return self.column(column, defaultValue: column.defaultValue)
        }
        if !table.hasGeneratedKey {
            lines.append(
                "CONSTRAINT \(dialect.quoted(table.primaryKeyName)) PRIMARY KEY (\(dialect.list(table.primaryKey)))")
        }
        for key in table.foreignKeys {
            lines.append(
                "FOREIGN KEY (\(dialect.list(key.columns))) REFERENCES \(dialect.quoted(key.table))"
                    + " (\(dialect.list(key.targetColumns))) ON DELETE \(key.onDelete.rawValue)")
        }
        let options = dialect.tableOptions.isEmpty ? "" : " \(dialect.tableOptions)"
        return "CREATE TABLE \(dialect.quoted(table.name)) (\n    \(lines.joined(separator: ",\n    "))\n)\(options)"
    }

    /// Adds a column.
    ///
    /// `ALTER TABLE "project" ADD COLUMN "code" text COLLATE "C"`
    ///
    /// - Parameter isEmpty: Whether the table has no rows, so that a column without a default can be NOT NULL.
    func addColumn(_ column: ColumnDefinition, to table: String, isEmpty: Bool) -> String {
        var text = "ALTER TABLE \(dialect.quoted(table)) ADD COLUMN "
        if column.defaultValue == nil, !column.isNullable, isEmpty, dialect.needsDefaultForAddedColumn {
            text += self.column(column, defaultLiteral: dialect.literal(column.type.zero, type: column.type))
        } else {
            text += self.column(column, defaultValue: column.defaultValue)
        }
        return text
    }

    /// Creates an index.
    ///
    /// `CREATE UNIQUE INDEX "project_code_key" ON "project" ("code" NULLS FIRST)`
    ///
    /// - Parameter nullable: The columns that take NULL.
    func createIndex(_ index: IndexDefinition, on table: String, nullable: Set<String>) -> String {
        let columns = index.columns.map {
            dialect.quoted($0) + (nullable.contains($0) ? dialect.nullsFirstInIndex : "")
        }
        return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(dialect.quoted(index.name))"
            + " ON \(dialect.quoted(table)) (\(columns.joined(separator: ", ")))"
    }

    private func column(_ column: ColumnDefinition, defaultValue: DefaultValue?) -> String {
        self.column(column, defaultLiteral: defaultValue.map { $0.literal(dialect, column.type) })
    }

    private func column(_ column: ColumnDefinition, defaultLiteral: String?) -> String {
        var text = "\(dialect.quoted(column.name)) \(dialect.typeName(column.type))"
        if !column.isNullable { text += " NOT NULL" }
        if let defaultLiteral { text += " DEFAULT \(defaultLiteral)" }
        if let check = dialect.check(column.type, column: column.name) { text += " CHECK (\(check))" }
        return text
    }
}

extension ColumnType {
    /// The value that a row without any would have, of which none exists.
    fileprivate var zero: Cell {
        switch self {
        case .boolean: .boolean(false)
        case .int16, .int32, .int64: .integer(0)
        case .float, .double: .real(0)
        case .timestamp: .timestamp(0)
        case .decimal, .text, .blob, .uuid, .json: Cell(kind: .text)
        }
    }
}
