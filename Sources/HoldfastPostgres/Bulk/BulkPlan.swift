internal import CPostgres
@_spi(Driver) import Holdfast

/// How the rows of a change are sent together, by COPY or by arrays.
enum BulkPlan {
    /// From how many rows on it pays.
    static let leastRows = 64
    /// Up to how many bytes the values of an UPDATE go as arrays, each of which the server holds in one piece, of less
    /// than 1 GiB.
    static let greatestArrays = 1 << 28

    /// A name that no table of the caller's statement is shadowed by, as both engines quote it.
    private static func quoted(_ name: String) -> String { PostgresDialect().quoted(name) }

    private static func quoted(_ table: TableName) -> String { PostgresDialect().quoted(table) }

    /// The statement that takes rows.
    ///
    /// `COPY "project" ("name", "id") FROM STDIN (FORMAT binary)`
    static func copy(into table: TableName, columns: [String]) -> String {
        "COPY \(quoted(table)) (\(columns.map(quoted).joined(separator: ", "))) FROM STDIN (FORMAT binary)"
    }

    /// The INSERT of one row, which is parsed before a COPY and not run.
    ///
    /// It tells the types that the columns have now: the plan of a kept statement says what they were when it was
    /// prepared. And its parsing locks the table until the transaction ends, so that they stay. (A query of the catalog
    /// would not do. In a transaction with a snapshot it shows the types of that time, while COPY takes rows by those
    /// of now.)
    ///
    /// `INSERT INTO "project" ("name") VALUES ($1) RETURNING "id"`
    static func probe(_ table: TableName, columns: [String], generatedKey: String?) -> String {
        let values = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(quoted(table)) (\(columns.map(quoted).joined(separator: ", "))) VALUES (\(values))"
            + (generatedKey.map { " RETURNING \(quoted($0))" } ?? "")
    }

    /// The tables to which COPY does what INSERT does.
    ///
    /// COPY passes rules over, is refused where rows have owners by policy, and tells nothing of what a trigger, or the
    /// server behind a foreign partition, made of a key. $1 is the table's name as SQL writes it.
    private static let copyable = """
        FROM pg_catalog.pg_class AS c
        WHERE c.oid = pg_catalog.to_regclass($1) AND c.relkind IN ('r', 'p') AND NOT c.relhasrules
        AND NOT c.relrowsecurity AND NOT EXISTS (
            SELECT FROM pg_catalog.pg_trigger AS t
            WHERE (t.tgrelid = c.oid OR t.tgrelid IN (SELECT p.relid FROM pg_catalog.pg_partition_tree(c.oid) AS p))
            AND NOT t.tgisinternal AND t.tgtype & 7 = 7)
        AND NOT EXISTS (
            SELECT FROM pg_catalog.pg_partition_tree(c.oid) AS p JOIN pg_catalog.pg_class AS f ON f.oid = p.relid
            WHERE f.relkind = 'f')
        """

    /// Tells whether COPY does to a table what INSERT does: returns one row if so.
    static let check = "SELECT 1 \(copyable)"

    /// Takes $3 keys from the sequence of a table's column, $2; none where COPY is not the same.
    static let reserve = """
        SELECT pg_catalog.nextval(pg_catalog.pg_get_serial_sequence($1, $2)::pg_catalog.regclass)
        FROM pg_catalog.generate_series(1, $3::bigint)
        WHERE pg_catalog.to_regclass($1) IS NOT NULL AND pg_catalog.pg_get_serial_sequence($1, $2) IS NOT NULL
        AND EXISTS (SELECT \(copyable))
        """

    /// The statement that updates the rows of lists.
    ///
    /// `UPDATE "project" SET "name" = list.c0 FROM ROWS FROM (unnest($1::text[]), unnest($2::bigint[])) AS list(c0, c1)
    /// WHERE "project"."id" = list.c1`
    ///
    /// Not `unnest($1, $2)`, which the server knows only without the name of its schema.
    ///
    /// - Parameter types: The types of the parameters: of the columns, then of the key.
    /// - Returns: Nil if there are no arrays of one of the types that we know.
    static func update(_ table: TableName, columns: [String], keyColumns: [String], types: [UInt32]) -> String? {
        guard let list = list(types) else { return nil }
        let assignments = columns.enumerated().map { "\(quoted($1)) = list.c\($0)" }
        let matches = keyColumns.enumerated().map { "\(quoted(table)).\(quoted($1)) = list.c\(columns.count + $0)" }
        return "UPDATE \(quoted(table)) SET \(assignments.joined(separator: ", ")) FROM \(list) "
            + "WHERE \(matches.joined(separator: " AND "))"
    }

    /// The statement that inserts the rows of lists, or updates those that are in their way.
    ///
    /// `INSERT INTO "point" ("id", "x") SELECT c0, c1 FROM ROWS FROM (unnest($1::bigint[]), unnest($2::float8[])) AS
    /// list(c0, c1) ON CONFLICT ("id") DO UPDATE SET "x" = excluded."x"`
    ///
    /// It is refused where two of the rows have one key; row by row, the last of them stays.
    ///
    /// - Returns: Nil if there are no arrays of one of the types that we know.
    static func upsert(_ table: TableName, columns: [String], onConflict: String, types: [UInt32]) -> String? {
        list(types).map { list in
            "INSERT INTO \(quoted(table)) (\(columns.map(quoted).joined(separator: ", "))) "
                + "SELECT \(names(types)) FROM \(list)\(onConflict)"
        }
    }

    /// Lists of the parameters as a table: one row for each element.
    private static func list(_ types: [UInt32]) -> String? {
        var lists: [String] = []
        for (index, type) in types.enumerated() {
            guard let array = WireType.arrayName(of: type) else { return nil }
            lists.append("pg_catalog.unnest($\(index + 1)::\(array))")
        }
        return "ROWS FROM (\(lists.joined(separator: ", "))) AS list(\(names(types)))"
    }

    private static func names(_ types: [UInt32]) -> String {
        types.indices.map { "c\($0)" }.joined(separator: ", ")
    }
}

extension WireType {
    /// The name of the arrays of one of the server's own types, as SQL writes it.
    static func arrayName(of type: UInt32) -> String? {
        let name: String? =
            switch type {
            case 16: "bool"
            case 17: "bytea"
            case 20: "int8"
            case 21: "int2"
            case 23: "int4"
            case 25: "text"
            case 114: "json"
            case 700: "float4"
            case 701: "float8"
            case 1043: "varchar"
            case 1082: "date"
            case 1114: "timestamp"
            case 1184: "timestamptz"
            case 1700: "numeric"
            case 2950: "uuid"
            case 3802: "jsonb"
            default: nil
            }
        return name.map { "pg_catalog.\($0)[]" }
    }
}

extension DatabaseError {
    /// Whether sending the rows one by one may tell which of them caused the error: for errors that data can cause, and
    /// for what COPY does differently from INSERT.
    var isOfRows: Bool {
        guard let state = engineCode else { return false }
        return ["21", "22", "23", "42", "0A", "44", "P0"].contains(String(state.prefix(2)))
    }
}
