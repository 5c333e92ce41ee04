/// How one engine's SQL is written: pure functions from values to text, without a connection.
public protocol Dialect: Sendable {
    /// The engine's name for people and for telemetry: `sqlite`, `postgresql`. Nothing may compare it.
    var name: String { get }

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
    var tableOptions: String { get }

    /// What follows a nullable column in CREATE INDEX so that NULLs come first, with a leading space; empty where they do.
    var nullsFirstInIndex: String { get }

    /// Whether a NOT NULL column can be added only with a default, even to a table without rows.
    var needsDefaultForAddedColumn: Bool { get }

    /// The statement that begins a transaction.
    func begin(_ isolation: IsolationLevel, readOnly: Bool) -> String

    /// The statement that takes the lock under which schemas are changed, to run first in a write transaction; nil where
    /// such a transaction already excludes all others.
    var schemaLock: String? { get }

    /// The statement to run after rows were inserted with keys of the caller into a table whose keys the engine makes,
    /// so that it makes none of them again; nil where the engine sees to that itself.
    func advanceGeneratedKey(table: String, column: String) -> String?

    /// The clause of a SELECT that locks its rows until the transaction ends, with a leading space; empty where a writing
    /// transaction already excludes all others.
    var rowLock: String { get }

    /// The statement that removes all rows of a table, and what it returns is the number of them.
    func deleteAll(table: String) -> String
}

extension Dialect {
    /// A name in double quotes, quotes inside doubled.
    public func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    public func deleteAll(table: String) -> String { "DELETE FROM \(quoted(table))" }

    /// Names in double quotes, separated by commas.
    func list(_ names: some Sequence<String>) -> String {
        names.map(quoted).joined(separator: ", ")
    }

    /// `count` placeholders from `first` on, separated by commas.
    func placeholders(_ count: Int, from first: Int = 1) -> String {
        (first..<first + count).map(placeholder).joined(separator: ", ")
    }
}
