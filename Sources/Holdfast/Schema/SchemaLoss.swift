/// A change that can lose something, which a ``Schema`` allows `migrate` to make.
///
/// ```swift
/// Schema(Note.self, allowing: [.dropping(column: "subtitle", of: "note"), .dropping(table: "draft")])
/// ```
///
/// An allowance can stay in the program: it is skipped where its change was made before, and in a new database.
public struct SchemaLoss: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case table(String)
        case column(String, table: String)
        case narrowing(String, table: String)
        case requiring(String, table: String)
    }

    let kind: Kind

    /// Drops a table, with its rows.
    ///
    /// ```sql
    /// DROP TABLE "draft"
    /// ```
    ///
    /// It is refused while a model has the table, or another table refers to it.
    public static func dropping(table: String) -> SchemaLoss { SchemaLoss(kind: .table(table)) }

    /// Drops a column, with its values and its indexes.
    ///
    /// ```sql
    /// ALTER TABLE "note" DROP COLUMN "subtitle"
    /// ```
    ///
    /// It is refused while a model has the column. An earlier version of the program that still runs fails from then
    /// on.
    public static func dropping(column: String, of table: String) -> SchemaLoss {
        SchemaLoss(kind: .column(column, table: table))
    }

    /// Gives a column a type that holds fewer values, such as an `Int32` in place of an `Int64`.
    ///
    /// ```sql
    /// ALTER TABLE "item" ALTER COLUMN "amount" TYPE integer USING CAST("amount" AS integer) -- PostgreSQL
    /// ```
    ///
    /// It is refused, and nothing is changed, if a row has a value that does not fit.
    public static func narrowing(column: String, of table: String) -> SchemaLoss {
        SchemaLoss(kind: .narrowing(column, table: table))
    }

    /// Makes a column NOT NULL whose property is no longer optional.
    ///
    /// ```sql
    /// UPDATE "note" SET "rank" = 0 WHERE "rank" IS NULL
    /// ALTER TABLE "note" ALTER COLUMN "rank" SET NOT NULL -- PostgreSQL; SQLite makes the table anew
    /// ```
    ///
    /// Rows without a value get the default of the property, if it has a constant one. If it has none, the change is
    /// refused as long as there is such a row. An earlier version of the program that still writes nil fails from then
    /// on.
    public static func requiring(column: String, of table: String) -> SchemaLoss {
        SchemaLoss(kind: .requiring(column, table: table))
    }
}
