/// The types that a program stores, and the changes to its database that can't be found by comparing the types with
/// the database.
///
/// ```swift
/// let schema = Schema(Note.self, Person.self, migrations: [
///     Migration("2026-11-24 headline") { $0.rename(column: "title", of: "note", to: "headline") }
/// ])
/// try await db.migrate(schema)
/// ```
public struct Schema: Sendable {
    /// The types that the program stores.
    public var types: [any TableObject.Type]
    /// The named migrations, in the order in which they are run.
    public var migrations: [Migration]
    /// The changes that may lose something.
    public var allowed: [SchemaLoss]
    /// The version of the application's schema; nil if it does not count versions.
    ///
    /// `migrate` gives it to the database, and refuses a database that has a greater one:
    ///
    /// ```swift
    /// try await db.migrate(Schema(Note.self, version: 7))    // conflict, if the database has version 8
    /// ```
    public var version: Int?
    /// The earliest version of the program that can use the database once it has this version; nil for no earlier one.
    ///
    /// ```swift
    /// try await db.migrate(Schema(Note.self, version: 7, acceptsProgramsFrom: 5))
    /// ```
    ///
    /// `migrate` stores it in the database. A program of version 5 or 6 that starts afterwards, as when a deployment is
    /// rolled back, finds that it is accepted: its `migrate` does nothing, whatever migrations the database has had,
    /// and it reads and writes what it knows. One of version 4 is refused with ``DatabaseError/Code/conflict``.
    ///
    /// So say it of releases that only add to what the accepted versions use, and let these have a ``version``, too.
    /// `migrate` refuses a statement that can't be true: a table or a column that accepted versions use is renamed, or
    /// gets a column that they don't fill and that has no default. What is dropped by name is believed to be unused by
    /// them.
    public var acceptsProgramsFrom: Int?
    /// Whether the indexes of filled tables are built while others write, where the engine can.
    ///
    /// ```swift
    /// try await db.migrate(Schema(Note.self, buildsIndexesConcurrently: true))
    /// // CREATE INDEX CONCURRENTLY "note_title_idx" ON "note" ("title")    (PostgreSQL)
    /// ```
    ///
    /// PostgreSQL builds them after the transaction in which everything else is done, one by one. Building waits,
    /// without a timeout, for all transactions of the database that are open, and takes about twice as long; cancel the
    /// task to end it. If it fails, what was committed before stays, and the next `migrate` drops what is half-built
    /// and builds it anew. It is refused behind a transaction pooler, which gives a migration no session of its own.
    ///
    /// On SQLite, where writers wait for each other in any case, they are built as always.
    public var buildsIndexesConcurrently: Bool

    /// The types whose tables are somebody else's, besides ``types``:
    /// ``Database/adopt(_:fileID:line:)-(TableObject....,_,_)`` says what that means.
    ///
    /// ```swift
    /// Schema(Review.self, adopting: [Artist.self, Album.self])
    /// ```
    public var adopted: [any TableObject.Type]

    /// The types whose changes are logged though they don't say so themselves: see
    /// ``Database/changes(of:after:limit:)``.
    ///
    /// ```swift
    /// Schema(Note.self, logging: [Note.self])
    /// ```
    public var logged: [any TableObject.Type]

    /// What the database needs besides tables, and no type can say: views, triggers, full-text tables, rows.
    ///
    /// ```swift
    /// Schema(Note.self, adding: [
    ///     .view("open_note", "CREATE VIEW open_note AS SELECT * FROM note WHERE closed_at IS NULL"),
    /// ])
    /// ```
    public var additions: [SchemaAddition]

    /// The indexes that types get besides those that they declare.
    private(set) var indexes: [(type: any TableObject.Type, index: TableIndex)] = []

    /// Returns the schema with more indexes of a type, such as those that only some programs need.
    ///
    /// ```swift
    /// Schema(Note.self).indexing(Note.self, by: .index("title", .descending("createdAt")))
    /// ```
    ///
    /// As all indexes, they stay where a schema does not name them. A unique one of a type whose objects expire also
    /// counts rows that have expired, until they are swept.
    ///
    /// `migrate` throws ``DatabaseError/Code/conflict`` for a type of which it makes no table.
    public func indexing<Model: TableObject>(_ type: Model.Type, by indexes: TableIndex...) -> Schema {
        indexing(type, by: indexes)
    }

    /// Returns the schema with more indexes of a type, from a list.
    public func indexing<Model: TableObject>(_ type: Model.Type, by indexes: [TableIndex]) -> Schema {
        var schema = self
        schema.indexes += indexes.map { (type, $0) }
        return schema
    }

    /// Creates a schema of types, types of adopted tables, migrations, additions, what may be lost, and versions.
    public init(
        _ types: any TableObject.Type..., adopting adopted: [any TableObject.Type] = [],
        logging logged: [any TableObject.Type] = [],
        migrations: [Migration] = [], adding additions: [SchemaAddition] = [], allowing allowed: [SchemaLoss] = [],
        version: Int? = nil, acceptsProgramsFrom: Int? = nil, buildsIndexesConcurrently: Bool = false
    ) {
        self.init(
            types: types, adopting: adopted, logging: logged, migrations: migrations, adding: additions,
            allowing: allowed, version: version, acceptsProgramsFrom: acceptsProgramsFrom,
            buildsIndexesConcurrently: buildsIndexesConcurrently)
    }

    /// Creates a schema of a list of types, types of adopted tables, migrations, additions, what may be lost, and
    /// versions.
    public init(
        types: [any TableObject.Type], adopting adopted: [any TableObject.Type] = [],
        logging logged: [any TableObject.Type] = [],
        migrations: [Migration] = [], adding additions: [SchemaAddition] = [], allowing allowed: [SchemaLoss] = [],
        version: Int? = nil, acceptsProgramsFrom: Int? = nil, buildsIndexesConcurrently: Bool = false
    ) {
        (self.types, self.adopted, self.migrations, self.allowed) = (types, adopted, migrations, allowed)
        (self.logged, self.additions, self.acceptsProgramsFrom) = (logged, additions, acceptsProgramsFrom)
        (self.version, self.buildsIndexesConcurrently) = (version, buildsIndexesConcurrently)
    }
}
