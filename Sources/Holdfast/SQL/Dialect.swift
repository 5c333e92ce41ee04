/// How one engine's SQL is written: pure functions from values to text, without a connection.
public protocol Dialect: QueryDialect {
    /// The engine's name for people and for telemetry: `sqlite`, `postgresql`. Nothing may compare it.
    var name: String { get }

    /// The statement that names the tables whose columns can hold values of any type, a row each; nil where the engine
    /// has none.
    var looseTablesQuery: String? { get }

    /// The dialect for a database in which those tables are loose: see ``QueryDialect/trusted(_:_:of:)``.
    func distrusting(_ tables: Set<String>) -> any Dialect

    /// The placeholder of the parameter at `position`, counted from 1.
    func placeholder(_ position: Int) -> String

    /// The clause that makes a text sort by Unicode code point, with a leading space.
    var codePointCollation: String { get }

    /// The engine's type for a column, with its collation where it needs one: `bigint`, `text COLLATE "C"`.
    func typeName(_ type: ColumnType) -> String

    /// The engine's type for a column as introspection reports it: without collation.
    func storedTypeName(_ type: ColumnType) -> String

    /// The definition of a primary key column whose values the engine makes, without the name.
    var generatedKeyDefinition: String { get }

    /// A CHECK expression that keeps values of `type` in `column` valid where the engine's own type does not, or nil.
    func check(_ type: ColumnType, column: String) -> String?

    /// A constant as SQL text: for DEFAULT clauses, which take no parameters.
    func literal(_ cell: Cell, type: ColumnType) -> String

    /// What follows the closing parenthesis of CREATE TABLE: `STRICT`, or nothing.
    ///
    /// - Parameter isJoinTable: Whether the table holds the elements of arrays, which are looked up by the primary key
    ///   alone: so rows can lie in its order, where the engine has a choice.
    func tableOptions(isJoinTable: Bool) -> String

    /// What follows a nullable column in CREATE INDEX so that NULLs come first, with a leading space; empty where they do.
    var nullsFirstInIndex: String { get }

    /// Whether a NOT NULL column can be added only with a default, even to a table without rows.
    var needsDefaultForAddedColumn: Bool { get }

    /// Whether foreign keys can be added to tables that exist, and dropped from them.
    var canAlterForeignKeys: Bool { get }

    /// The statements that create the trigger of a delete rule.
    ///
    /// It must fire for rows that foreign keys and other triggers delete, and end where rows hold each other in a circle.
    ///
    /// - Parameters:
    ///   - rule: The rule, one that needs a trigger: not ``DeleteRule/deny`` of a join table.
    ///   - owner: The table of the rows that hold others.
    func createDeleteRule(_ rule: DeleteRuleDefinition, on owner: TableDefinition) -> [String]

    /// The statements that drop the trigger of a delete rule.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - table: The table that has the trigger.
    func dropDeleteRule(_ name: String, on table: String) -> [String]

    /// The statement that begins a transaction.
    func begin(_ isolation: IsolationLevel, readOnly: Bool) -> String

    /// How to take the lock under which schemas are changed, first thing in a write transaction; nil where such a
    /// transaction already excludes all others.
    var schemaLock: SchemaLock? { get }

    /// The statement to run after rows were inserted with keys of the caller into a table whose keys the engine makes,
    /// so that it makes none of them again; nil where the engine sees to that itself.
    func advanceGeneratedKey(table: String, column: String) -> String?

    /// The clause of a SELECT that locks its rows until the transaction ends, with a leading space; empty where a writing
    /// transaction already excludes all others.
    var rowLock: String { get }

    /// The condition that is true of the rows whose columns equal one row of the lists that are bound from `position` on.
    ///
    /// There is one list for each column, all of one length, each a ``ParameterBuffer/append(list:)``; so it is one
    /// statement, and the same one, for any number of rows.
    ///
    /// ```sql
    /// "id" = ANY ($1::bigint[])                         -- PostgreSQL
    /// "id" IN (SELECT c0 FROM holdfast_list(?) AS list) -- SQLite
    /// ```
    ///
    /// - Parameters:
    ///   - columns: The columns: their names as they are to be written, quoted, and their types.
    ///   - position: The position of the first list among the parameters, counted from 1.
    func isIn(_ columns: [(name: String, type: ColumnType)], from position: Int) -> String

    /// The lists that are bound from `position` on as a table, named `list`, for a FROM clause.
    ///
    /// Its columns are those returned, in the lists' order, and `position`, which counts the rows: rows come in no order
    /// unless they are ordered by it. An engine may refuse more than a dozen lists, with
    /// ``DatabaseError/Code/unsupported``; SQLite takes 16, less the conditions on their columns.
    ///
    /// ```sql
    /// unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS list(c0, c1, position) -- PostgreSQL
    /// holdfast_list(?, ?) AS list                                                -- SQLite
    /// ```
    ///
    /// - Parameters:
    ///   - types: The types of the lists' values.
    ///   - position: The position of the first list among the parameters, counted from 1.
    func list(_ types: [ColumnType], from position: Int) -> (source: String, columns: [String])

    /// Whether a statement of the caller's may leave something in its session: a setting, a temporary table, a lock.
    ///
    /// A connection too many is closed rather than one too few; functions and procedures are not looked into.
    func changesSession(_ text: RawStatementText) -> Bool

    /// The clause of a statement that changes rows by which it returns values of them, with a leading space.
    ///
    /// `RETURNING "id", "version"`, unless a dialect has another.
    ///
    /// - Parameter values: Columns and expressions, as they are to be written; one at least.
    func returning(_ values: [String]) -> String

    /// The clause of an INSERT by which it changes the row that has the same unique key already, with a leading space.
    ///
    /// `ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name"`, unless a dialect has another.
    ///
    /// - Parameters:
    ///   - key: The columns of the unique key.
    ///   - assignments: What is set, as it is to be written.
    ///   - condition: What has to be true of the row, or it is left alone and not returned; nil for nothing.
    func updateOnConflict(key: [String], assignments: [String], condition: String?) -> String

    /// The value that a column would have been inserted with, within ``updateOnConflict(key:assignments:condition:)``.
    func insertedValue(_ column: String) -> String

    /// The clause of an INSERT by which it does nothing where a unique key is in its way, with a leading space.
    var ignoreConflicts: String { get }

    /// A term of an ORDER BY clause.
    ///
    /// - Parameters:
    ///   - sql: The value, as it is to be written.
    ///   - isDescending: Whether greater values come first.
    ///   - nullsFirst: Whether NULLs come before all values; nil where there are none, and a clause for them would only
    ///     keep an index from being used.
    func orderTerm(_ sql: String, isDescending: Bool, nullsFirst: Bool?) -> String

    /// Beginnings of names of tables that the engine keeps for itself, in lower case.
    ///
    /// Those of PostgreSQL, SQLite and this library are refused on every engine, so that a model can move.
    var reservedTablePrefixes: [String] { get }

    /// Names of columns that the engine has in every table, in lower case, beyond those of PostgreSQL and SQLite.
    var reservedColumns: Set<String> { get }

    /// The statement that removes all rows of a table, and what it returns is the number of them.
    func deleteAll(table: String) -> String
}

extension Dialect {
    /// A name in double quotes, quotes inside doubled.
    public func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    public func returning(_ values: [String]) -> String { " RETURNING " + values.joined(separator: ", ") }

    public func updateOnConflict(key: [String], assignments: [String], condition: String?) -> String {
        " ON CONFLICT (\(list(key))) DO UPDATE SET \(assignments.joined(separator: ", "))"
            + (condition.map { " WHERE " + $0 } ?? "")
    }

    public func insertedValue(_ column: String) -> String { "excluded." + quoted(column) }

    public var ignoreConflicts: String { " ON CONFLICT DO NOTHING" }

    public func orderTerm(_ sql: String, isDescending: Bool, nullsFirst: Bool?) -> String {
        sql + (isDescending ? " DESC" : "") + (nullsFirst.map { $0 ? " NULLS FIRST" : " NULLS LAST" } ?? "")
    }

    public var reservedTablePrefixes: [String] { [] }

    public var reservedColumns: Set<String> { [] }

    public func deleteAll(table: String) -> String { "DELETE FROM \(quoted(table))" }

    /// Names in double quotes, separated by commas.
    package func list(_ names: some Sequence<String>) -> String {
        names.map(quoted).joined(separator: ", ")
    }

    /// The statement that inserts a row whose values in `columns` are its parameters.
    ///
    /// `INSERT INTO "project" ("name", "code") VALUES ($1, $2)`
    public func insert(_ columns: [String], into table: String) -> String {
        let values = columns.isEmpty ? "DEFAULT VALUES" : "(\(list(columns))) VALUES (\(placeholders(columns.count)))"
        return "INSERT INTO \(quoted(table)) \(values)"
    }

    /// `count` placeholders from `first` on, separated by commas.
    func placeholders(_ count: Int, from first: Int = 1) -> String {
        (first..<first + count).map(placeholder).joined(separator: ", ")
    }
}

extension Dialect {
    public var looseTablesQuery: String? { nil }

    public func distrusting(_ tables: Set<String>) -> any Dialect { self }
}
