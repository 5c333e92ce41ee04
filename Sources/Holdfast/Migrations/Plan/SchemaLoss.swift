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
        case wrapping(String, table: String, array: String)
        case log(table: String)
        case search(table: String)
        case unwrapping(String, column: String, table: String, keepsFirst: Bool)
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

    /// Ends the log of a table, which its model no longer asks for.
    ///
    /// ```sql
    /// DROP TRIGGER "holdfast_log_note_insert_…" ON "note" -- PostgreSQL
    /// ```
    ///
    /// Without it, a table that is logged stays so: other programs may read the log. What was logged stays until it is
    /// trimmed.
    public static func leavingLog(of table: String) -> SchemaLoss { SchemaLoss(kind: .log(table: table)) }

    /// Drops the search index of a table, which its model no longer declares.
    ///
    /// ```sql
    /// DROP INDEX "holdfast_search_note_…" -- PostgreSQL
    /// ```
    ///
    /// Without it, the index stays: other programs may search by it.
    public static func leavingSearch(of table: String) -> SchemaLoss { SchemaLoss(kind: .search(table: table)) }

    /// Moves the values of a column into the table of an array of values, where its property has become an array.
    ///
    /// ```sql
    /// INSERT INTO "note_tags" ("note_id", "position", "value")
    ///     SELECT "id", 0, "tag" FROM "note" WHERE "tag" IS NOT NULL
    /// ALTER TABLE "note" DROP COLUMN "tag"
    /// ```
    ///
    /// A value becomes the one element of its array, and nil an empty array, or nil if the array is optional. No value
    /// is lost, but an earlier version of the program that still runs does not find the column.
    ///
    /// - Parameters:
    ///   - column: The column that the property had.
    ///   - table: The table of the type.
    ///   - array: The table of the array.
    public static func wrapping(column: String, of table: String, into array: String) -> SchemaLoss {
        SchemaLoss(kind: .wrapping(column, table: table, array: array))
    }

    /// Moves the elements of an array of values into a column, where the property of the array has become a value.
    ///
    /// ```sql
    /// UPDATE "note" SET "tag" = (SELECT "value" FROM "note_tags" WHERE …) WHERE EXISTS (…)
    /// DROP TABLE "note_tags"
    /// ```
    ///
    /// It is refused, and nothing is changed, if an array has more than one element, unless all but the first may be
    /// lost. Rows with an empty array get nil, or the default of the property.
    ///
    /// - Parameters:
    ///   - array: The table that the array had.
    ///   - column: The column of the property.
    ///   - table: The table of the type.
    ///   - keepsFirst: Whether the first element of each array is kept and the others are lost.
    public static func unwrapping(
        array: String, into column: String, of table: String, keepsFirst: Bool = false
    ) -> SchemaLoss {
        SchemaLoss(kind: .unwrapping(array, column: column, table: table, keepsFirst: keepsFirst))
    }
}
