/// A change of a schema, as a plan shows it, as it is found and followed, and as a ``Dialect`` is asked about it.
///
/// ```swift
/// for step in plan.steps {
///     if case .dropColumn(let column, let table) = step.action { print("\(table) loses \(column).") }
/// }
/// ```
///
/// There are cases besides, for drivers: what one statement of a change does that takes several. Plans show the change
/// itself, so a `switch` needs a `default`.
public enum SchemaChange: Hashable, Sendable {
    /// Creates a table.
    ///
    /// ```sql
    /// CREATE TABLE "project" ("id" …, "name" text COLLATE "C" NOT NULL)
    /// ```
    case createTable(TableDefinition)
    /// Adds a column to an existing table.
    ///
    /// ```sql
    /// ALTER TABLE "project" ADD COLUMN "code" text COLLATE "C"
    /// ```
    case addColumn(ColumnDefinition, table: String)
    /// Creates an index on a new or existing table.
    ///
    /// ```sql
    /// CREATE UNIQUE INDEX "project_code_key" ON "project" ("code" NULLS FIRST)
    /// ```
    case createIndex(IndexDefinition, table: String)
    /// Drops an index that was left half-built, to build it anew.
    ///
    /// ```sql
    /// DROP INDEX CONCURRENTLY "project_code_key"
    /// ```
    case dropIndex(String, table: String)
    /// Adds a foreign key that could not be created with its table or column.
    ///
    /// ```sql
    /// ALTER TABLE "project" ADD CONSTRAINT "project_lead_id_fkey" FOREIGN KEY …
    /// ```
    case addForeignKey(ForeignKeyDefinition, table: String)
    /// Drops a foreign key, to replace it by one with another ON DELETE.
    ///
    /// ```sql
    /// ALTER TABLE "project" DROP CONSTRAINT "project_lead_id_fkey"
    /// ```
    case dropForeignKey(name: String, table: String)
    /// Adds a CHECK constraint over several columns to an existing table.
    ///
    /// ```sql
    /// ALTER TABLE "booking" ADD CONSTRAINT "holdfastcheck_…_dates" CHECK (starts_at <= ends_at)
    /// ```
    case addTableCheck(CheckDefinition, table: String)
    /// Drops a CHECK constraint over several columns that was removed or changed.
    ///
    /// ```sql
    /// ALTER TABLE "booking" DROP CONSTRAINT "holdfastcheck_…_dates"
    /// ```
    case dropTableCheck(name: String, table: String)
    /// Creates the trigger of a delete rule, which may need several steps.
    ///
    /// ```sql
    /// CREATE TRIGGER "holdfast_project_lead_cascade" AFTER DELETE ON "project" …
    /// ```
    case createDeleteRule(DeleteRuleDefinition, owner: String)
    /// Drops the trigger of a delete rule that was removed or changed.
    ///
    /// ```sql
    /// DROP TRIGGER "holdfast_project_lead_cascade" ON "project" -- PostgreSQL; DROP FUNCTION follows
    /// ```
    case dropDeleteRule(name: String, table: String)
    /// Creates a trigger that logs the changes of a table, which may need several steps.
    ///
    /// ```sql
    /// CREATE TRIGGER "holdfast_log_person_insert_…" AFTER INSERT ON "person" …
    /// ```
    case createLogTrigger(name: String, table: String)
    /// Drops a trigger of the log, to replace it by one that logs other columns, or since the ``Schema`` allows
    /// for it.
    ///
    /// ```sql
    /// DROP TRIGGER "holdfast_log_person_insert_…" ON "person" -- PostgreSQL; DROP FUNCTION follows
    /// ```
    case dropLogTrigger(name: String, table: String)
    /// Creates an index for full text search, which takes several steps.
    ///
    /// ```sql
    /// CREATE INDEX "holdfast_search_note_…" ON "note" USING gin (holdfast_search_v1("title", "body")) -- PostgreSQL
    /// ```
    case createSearch(SearchIndex, table: String)
    /// Drops an index for full text search, to replace it by one of other columns, or since the ``Schema`` allows for
    /// it.
    ///
    /// ```sql
    /// DROP INDEX "holdfast_search_note_…" -- PostgreSQL
    /// ```
    case dropSearch(name: String, table: String)
    /// Renames a table, or what is named after it.
    ///
    /// ```sql
    /// ALTER TABLE "note" RENAME TO "memo"
    /// ```
    case renameTable(String, to: String)
    /// Renames a column, or what is named after it.
    ///
    /// ```sql
    /// ALTER TABLE "note" RENAME COLUMN "title" TO "headline"
    /// ```
    case renameColumn(String, table: String, to: String)
    /// Changes the type of a column, whether it accepts NULL, its default, collation or CHECK constraint.
    ///
    /// ```sql
    /// ALTER TABLE "note" ALTER COLUMN "rank" TYPE bigint  -- PostgreSQL; SQLite makes the table anew
    /// ```
    case alterColumn(ColumnDefinition, table: String)
    /// Makes the values of a column the elements of arrays, since the ``Schema`` allows for it.
    ///
    /// ```sql
    /// INSERT INTO "note_tags" ("note_id", "position", "value") SELECT "id", 0, "tag" FROM "note" …
    /// ```
    case wrapColumn(String, table: String, array: String)
    /// Makes the elements of arrays the values of a column, since the ``Schema`` allows for it.
    ///
    /// ```sql
    /// UPDATE "note" SET "tag" = (SELECT "value" FROM "note_tags" WHERE …) WHERE EXISTS (…)
    /// ```
    case unwrapArray(String, column: String, table: String)
    /// Drops a column, since the ``Schema`` allows for it.
    ///
    /// ```sql
    /// ALTER TABLE "note" DROP COLUMN "title"
    /// ```
    case dropColumn(String, table: String)
    /// Drops a table, since the ``Schema`` allows for it.
    ///
    /// ```sql
    /// DROP TABLE "note"
    /// ```
    case dropTable(String)
    /// Runs a statement of a named ``Migration``.
    ///
    /// ```sql
    /// UPDATE note SET headline = trim(headline)
    /// ```
    case runMigration(id: String)
    /// Makes an addition of the ``Schema``: a view, a trigger, rows.
    ///
    /// ```sql
    /// CREATE VIEW open_note AS SELECT * FROM note WHERE closed_at IS NULL
    /// ```
    case makeAddition(SchemaAdditionKind, name: String)
    /// Drops an addition of the ``Schema``, to make it anew.
    ///
    /// ```sql
    /// DROP VIEW "open_note"
    /// ```
    case dropAddition(SchemaAdditionKind, name: String)

    // MARK: What single statements do

    /// A column gets another type; `from` is the type as the engine calls it, and `isComputed` tells whether an
    /// expression of the application makes the new value.
    @_spi(Driver) case changeType(column: String, table: String, from: String, to: ColumnType, isComputed: Bool)
    /// A column becomes NOT NULL.
    @_spi(Driver) case setNotNull(column: String, table: String)
    /// A column accepts NULL from now on.
    @_spi(Driver) case dropNotNull(column: String, table: String)
    /// The default of a column is set or dropped.
    @_spi(Driver) case setDefault(column: String, table: String)
    /// The texts of a column are compared by another collation.
    @_spi(Driver) case setCollation(column: String, table: String)
    /// A column gets a CHECK constraint for the cases of an enum, in place of one that it may have had.
    ///
    /// `refusesMore` tells whether values are refused from now on that were admitted, `admitsMore` the opposite.
    @_spi(Driver) case setCheck(column: String, table: String, refusesMore: Bool, admitsMore: Bool)
    /// A column loses the CHECK constraint for the cases of an enum.
    @_spi(Driver) case dropCheck(column: String, table: String)
    /// A constraint is renamed.
    @_spi(Driver) case renameCheck(table: String)
    /// An index is renamed, or dropped where the engine can't rename it.
    @_spi(Driver) case renameIndex(table: String)
    /// A foreign key is renamed.
    @_spi(Driver) case renameForeignKey(table: String)
    /// The generator of a key is renamed.
    @_spi(Driver) case renameGeneratedKey(table: String)
    /// Rows of a table are updated.
    @_spi(Driver) case updateRows(table: String)
    /// The rows of a table are copied into the one that replaces it: see ``Dialect/tableRebuild``.
    @_spi(Driver) case copyRows(table: String)
    /// One of the other statements by which a table is made anew.
    @_spi(Driver) case replaceTable(String)

    /// The table that is changed, by its name before the change; nil where it is not known.
    public var table: String? {
        switch self {
        case .createTable(let definition): definition.name
        case .createDeleteRule(let rule, let owner): rule.triggerTable(owner: owner)
        case .dropTable(let table), .renameTable(let table, _), .addColumn(_, let table), .dropColumn(_, let table),
            .renameColumn(_, let table, _), .alterColumn(_, let table), .wrapColumn(_, let table, _),
            .unwrapArray(_, _, let table), .createIndex(_, let table), .dropIndex(_, let table),
            .addForeignKey(_, let table), .dropForeignKey(_, let table), .dropDeleteRule(_, let table),
            .addTableCheck(_, let table), .dropTableCheck(_, let table),
            .createSearch(_, let table), .dropSearch(_, let table),
            .createLogTrigger(_, let table), .dropLogTrigger(_, let table), .changeType(_, let table, _, _, _),
            .setNotNull(_, let table), .dropNotNull(_, let table), .setDefault(_, let table),
            .setCollation(_, let table), .setCheck(_, let table, _, _), .dropCheck(_, let table),
            .renameCheck(let table), .renameIndex(let table), .renameForeignKey(let table),
            .renameGeneratedKey(let table), .updateRows(let table), .copyRows(let table), .replaceTable(let table):
            table
        case .runMigration, .makeAddition, .dropAddition: nil
        }
    }

    /// Whether values are dropped.
    var drops: Bool {
        switch self {
        case .dropTable, .dropColumn: true
        default: false
        }
    }
}
