import Holdfast

/// Columns that a change returns beside its own results, so that the server refuses to run it once their types have
/// changed.
///
/// The server keeps the types of a prepared statement's parameters. When a column has another type by now, it converts
/// the values as an assignment does, and rounds: 1.5, sent as a `numeric`, becomes 2 in a column that is a `bigint` by
/// now. But it refuses a prepared statement whose results would have other types than before (0A000, "cached plan must
/// not change result type"), and then the statement is prepared again, and the value is checked. Decision 0033.
///
/// `INSERT INTO "item" ("name", "price") VALUES ($1, $2) RETURNING "id", "price"`
struct ColumnGuard {
    /// The columns to guard, with their names as SQL writes them.
    private let expressions: [String]
    /// Their names, as the catalog has them.
    private let names: [String]
    private let table: String
    private let isFirst: Bool

    /// - Parameters:
    ///   - change: What the statement does.
    ///   - types: The types of its columns. If they are not known, the values tell.
    ///   - parameters: Its rows.
    /// - Returns: Nil if there is nothing to guard.
    init?(_ change: Statement.RowChange, _ types: [ColumnType?], _ parameters: ParameterBuffer) {
        var (expressions, names): ([String], [String]) = ([], [])
        for (column, name) in change.columns.enumerated() {
            let quoted = PostgresDialect().quoted(name)
            let isShort: Bool
            if column < types.count {
                switch types[column] {
                case .int16, .int32, .int64, .float, .double, .decimal, .timestamp: isShort = true
                case .text: isShort = false
                // No assignment makes another value of one of these, and a timestamp of the library's may be rounded.
                case .boolean, .blob, .uuid, .json, nil: continue
                }
            } else {
                switch Self.kind(of: column, parameters) {
                case .integer, .real, .decimal, .timestamp: isShort = true
                case .text, nil: isShort = false
                default: continue
                }
            }
            // Of a few bytes, and the type that is reported includes its precision; or without a value, that may be
            // long.
            expressions.append(isShort ? quoted : "CASE WHEN false THEN \(quoted) END")
            names.append(name)
        }
        if expressions.isEmpty { return nil }
        (self.expressions, self.names) = (expressions, names)
        (table, isFirst) = (PostgresDialect().quoted(change.table), !change.returnsRows)
    }

    var count: Int { expressions.count }

    /// What is added to the statement's SQL.
    var returning: String { (isFirst ? " RETURNING " : ", ") + expressions.joined(separator: ", ") }

    /// Asks whether the columns can be returned: returns a row if so.
    ///
    /// It takes the right to read them, policies check rows that are returned, and rules refuse to return any.
    var check: StatementPlan.Command {
        let places = names.indices.map { "$\($0 + 2)" }.joined(separator: ", ")
        let sql = """
            SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
            WHERE c.oid = pg_catalog.to_regclass($1) AND c.relkind IN ('r', 'p')
            AND NOT c.relhasrules AND NOT c.relrowsecurity AND a.attname IN (\(places))
            GROUP BY c.oid HAVING pg_catalog.bool_and(pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT'))
            """
        return .query(sql, [table] + names)
    }

    /// The kind of the first value that a column has; nil if it has none.
    private static func kind(of column: Int, _ parameters: ParameterBuffer) -> Cell.Kind? {
        for index in stride(from: column, to: parameters.cells.count, by: max(parameters.width, 1)) {
            let kind = parameters.cells[index].kind
            if kind != .null { return kind }
        }
        return nil
    }
}

extension Statement.RowChange {
    var table: String {
        switch self {
        case .insert(let table, _, _), .update(let table, _, _), .upsert(let table, _, _): table
        }
    }

    /// The columns that the first parameters are stored in.
    var columns: [String] {
        switch self {
        case .insert(_, let columns, _), .update(_, let columns, _), .upsert(_, let columns, _): columns
        }
    }

    /// The columns that the parameters after those are compared with.
    var keyColumns: [String] {
        switch self {
        case .update(_, _, let keyColumns): keyColumns
        case .insert, .upsert: []
        }
    }

    var returnsRows: Bool {
        switch self {
        case .insert(_, _, let generatedKey): generatedKey != nil
        case .update: false
        case .upsert(_, _, let returnsRows): returnsRows
        }
    }

    /// Selects the columns, for their types to be described: it is parsed, and not run.
    ///
    /// `SELECT "name", "price" FROM "item"`
    var selection: String {
        let dialect = PostgresDialect()
        return "SELECT \(columns.map(dialect.quoted).joined(separator: ", ")) FROM \(dialect.quoted(table))"
    }
}
