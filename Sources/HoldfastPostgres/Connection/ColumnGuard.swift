internal import CPostgres
@_spi(Driver) import Holdfast

/// The columns of a change that a change of type could round, by which the server refuses to run it once their types
/// have changed.
///
/// The server keeps the types of a prepared statement's parameters. When a column has another type by now, it converts
/// the values as an assignment does, and rounds: 1.5, sent as a `numeric`, becomes 2 in a column that is a `bigint` by
/// now. But it refuses a prepared statement whose results would have other types than before (0A000, "cached plan must
/// not change result type"), and then the statement is prepared again, and the value is checked. Decision 0033.
struct ColumnGuard {
    /// How the server is made to notice.
    enum Method {
        /// The statement returns the columns, which costs least for one row.
        ///
        /// `INSERT INTO "item" ("name", "price") VALUES ($1, $2) RETURNING "id", "price"`
        case returning
        /// A statement that selects them goes in front, in one implicit transaction with it: for changes of any number
        /// of rows, and where policies and rules would treat rows that are returned in another way.
        ///
        /// `SELECT "price" FROM "item" LIMIT 0`
        case selecting
        /// A statement that compares their types in the catalog goes behind, in the same transaction: for users who may
        /// not read the columns.
        ///
        /// By then, the change keeps others from altering the table.
        case comparing
        /// Not at all: the user may not read the catalog either.
        case none

        /// How to make it notice where this is not allowed.
        var next: Method {
            switch self {
            case .returning: .selecting
            case .selecting: .comparing
            case .comparing, .none: .none
            }
        }
    }

    /// The columns to guard, with their names as SQL writes them.
    private let expressions: [String]
    /// Their names, as the catalog has them.
    private let names: [String]
    /// Their numbers, counted from 0, among the parameters; nil for one whose value is computed.
    private let parameters: [Int?]
    private let table: String
    private let isFirst: Bool
    let method: Method

    /// - Parameters:
    ///   - change: What the statement does.
    ///   - types: The types of its columns. If they are not known, the values tell.
    ///   - parameters: Its rows.
    ///   - method: How the server is to notice, if the statement allows for it.
    /// - Returns: Nil if there is nothing to guard.
    init?(_ change: Statement.RowChange, _ types: [ColumnType?], _ parameters: ParameterBuffer, by method: Method) {
        if method == .none { return nil }
        var (expressions, names): ([String], [String]) = ([], [])
        var positions: [Int?] = []
        let columnOfParameter = change.columnOfParameter
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
                case .null, .boolean, .blob, .uuid, .json, .list: continue
                }
            }
            // Of a few bytes; or NULL, since a text may be long. Both are reported with the precision of the column.
            expressions.append(isShort ? quoted : "(ARRAY[\(quoted)])[2]")
            names.append(name)
            positions.append(columnOfParameter.firstIndex(of: column))
        }
        if expressions.isEmpty { return nil }
        (self.expressions, self.names, self.parameters) = (expressions, names, positions)
        (table, isFirst) = (PostgresDialect().quoted(change.table), !change.returnsRows)
        self.method = if case .set = change { .selecting } else { method }
    }

    /// How many columns the statement returns after those that it was asked for.
    var count: Int { method == .returning ? expressions.count : 0 }

    /// The clause that is added to the statement's SQL.
    var returning: String {
        method == .returning ? (isFirst ? " RETURNING " : ", ") + expressions.joined(separator: ", ") : ""
    }

    /// Selects the columns, and no row.
    ///
    /// Its transaction keeps others from changing their types.
    var selection: String { "SELECT \(PostgresDialect().list(names)) FROM \(table) LIMIT 0" }

    /// Fails if a column has another type than was named for its parameter, and keeps it until the transaction ends.
    ///
    /// `*=` compares records, and refuses those whose columns have different types before it looks at their values.
    ///
    /// - Parameters:
    ///   - types: The types of the statement's parameters.
    ///   - columns: The description of all columns that it writes. Those whose types are not these, such as domains,
    ///     are left out.
    func comparison(_ types: [UInt32], _ change: Statement.RowChange, _ columns: ServerResult) -> StatementPlan.Command?
    {
        let dialect = PostgresDialect()
        var (named, compared): ([UInt32], [String]) = ([], [])
        for (name, parameter) in zip(names, parameters) {
            guard let parameter, parameter < types.count, let column = change.columns.firstIndex(of: name),
                column < columns.columnCount,
                PQftype(columns.raw, Int32(truncatingIfNeeded: column)) == types[parameter]
            else { continue }
            named.append(types[parameter])
            compared.append("guarded.\(dialect.quoted(name))")
        }
        if named.isEmpty { return nil }
        let places = named.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return .compare(
            // Without the cast, the parser would compare each pair of columns by an operator of their type.
            "SELECT ROW(\(places))::pg_catalog.record OPERATOR(pg_catalog.*=) ROW(\(compared.joined(separator: ", "))) "
                + "FROM (SELECT) AS one LEFT JOIN \(table) AS guarded ON false",
            named)
    }

    /// Asks for the names, types and precisions of the columns, as SQL has them in a list of VALUES.
    ///
    /// `('price'::name, 1700::oid, -1)`
    var types: StatementPlan.Command {
        let places = names.indices.map { "$\($0 + 2)" }.joined(separator: ", ")
        let sql = """
            SELECT pg_catalog.string_agg(
                pg_catalog.format('(%L::pg_catalog.name, %s::pg_catalog.oid, %s)', attname, atttypid, atttypmod), ', ')
            FROM pg_catalog.pg_attribute
            WHERE attrelid = pg_catalog.to_regclass($1) AND attname IN (\(places))
            """
        return .query(sql, [table] + names)
    }

    /// Fails if a column has another type than it had: for a column that has, it looks for a table of a name that none
    /// can have.
    ///
    /// - Parameter known: The answer to ``types``.
    func catalogComparison(_ known: ServerResult) -> StatementPlan.Command? {
        guard known.rowCount == 1, PQgetisnull(known.raw, 0, 0) == 0, let values = PQgetvalue(known.raw, 0, 0) else {
            return nil
        }
        return .run(
            """
            SELECT pg_catalog.concat('the type of ', a.attname)::pg_catalog.regclass
            FROM pg_catalog.pg_attribute AS a
            JOIN (VALUES \(String(cString: values))) AS known (name, type, modifier) ON a.attname = known.name
            WHERE a.attrelid = pg_catalog.to_regclass(\(PostgresDialect().quotedText(table)))
            AND (a.atttypid <> known.type OR a.atttypmod <> known.modifier)
            """)
    }

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
