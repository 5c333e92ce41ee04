/// The tables, views and types of a database, as the engine describes them.
///
/// ``DatabaseContext/schema(_:includingSizes:fileID:line:)`` reads it, also of tables that no model of the program
/// maps:
///
/// ```swift
/// for table in try await db.schema().tables {
///     print(table.name, table.columns.map { "\($0.name) \($0.typeName)" })
/// }
/// ```
///
/// Texts such as types, defaults and conditions are the engine's own and differ between engines. Everything is sorted
/// by name in code point order, except columns, which are in the order of their table or key.
public struct DatabaseSchema: Hashable, Sendable {
    /// The name of the schema: `public` or another of PostgreSQL; `main` or the name of an attached file of SQLite.
    public var name: String
    /// The tables, without those that the engine keeps for itself.
    public var tables: [Table] = []
    /// The views.
    public var views: [View] = []
    /// The enum types; SQLite has none.
    public var enumerations: [Enumeration] = []
    /// The domains; SQLite has none.
    public var domains: [Domain] = []

    /// Creates a schema without tables.
    public init(name: String) { self.name = name }

    /// Returns the table with that exact name, or nil.
    ///
    /// ```swift
    /// try await db.schema().table("project")?.primaryKey?.columns    // ["id"]
    /// ```
    public func table(_ name: String) -> Table? {
        tables.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// Returns the view with that exact name, or nil.
    ///
    /// ```swift
    /// try await db.schema().view("open_project")?.definition    // "SELECT …"
    /// ```
    public func view(_ name: String) -> View? { views.first { $0.name.utf8.elementsEqual(name.utf8) } }
}

extension DatabaseSchema {
    /// A view.
    ///
    /// ```sql
    /// CREATE VIEW "open_project" AS SELECT "id", "name" FROM "project" WHERE "end_date" IS NULL
    /// ```
    public struct View: Hashable, Sendable {
        /// The exact name of the view.
        public var name: String
        /// The columns of the view; empty if the engine can't tell them, as when a table of the view is gone.
        public var columns: [Column] = []
        /// The query, as the engine keeps or writes it: `SELECT …`.
        public var definition: String
        /// Whether its rows are stored: a materialized view of PostgreSQL.
        public var isMaterialized = false

        /// Creates a view.
        public init(name: String, definition: String) {
            self.name = name
            self.definition = definition
        }
    }

    /// An enum type.
    ///
    /// ```sql
    /// CREATE TYPE "mood" AS ENUM ('sad', 'ok', 'happy')
    /// ```
    public struct Enumeration: Hashable, Sendable {
        /// The exact name of the type.
        public var name: String
        /// The values in their order.
        public var values: [String] = []

        /// Creates an enum type.
        public init(name: String) { self.name = name }
    }

    /// A type with conditions of its own.
    ///
    /// ```sql
    /// CREATE DOMAIN "percentage" AS integer CHECK (VALUE BETWEEN 0 AND 100)
    /// ```
    public struct Domain: Hashable, Sendable {
        /// The exact name of the domain.
        public var name: String
        /// The type that it restricts, in the engine's words.
        public var typeName: String
        /// Whether its values can be NULL.
        public var isNullable = true
        /// The default of its columns, as SQL; nil for none.
        public var defaultExpression: String?
        /// The conditions on its values.
        public var checks: [Check] = []

        /// Creates a domain.
        public init(name: String, typeName: String) {
            self.name = name
            self.typeName = typeName
        }
    }
}
