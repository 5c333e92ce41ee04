/// Something that the database needs besides tables, and no type can say: a view, a trigger, a full-text table, rows.
///
/// ```swift
/// let schema = Schema(Note.self, adding: [
///     .view("open_note", "CREATE VIEW open_note AS SELECT * FROM note WHERE closed_at IS NULL"),
///     .table("note_search", engine: .sqlite, "CREATE VIRTUAL TABLE note_search USING fts5(title, body)"),
///     .rows("countries", "INSERT INTO country (code, name) VALUES ('NZ', 'New Zealand')"),
/// ])
/// try await db.migrate(schema)
/// ```
///
/// `migrate` makes what is not there when the types have their tables, and before migrations that run
/// ``Migration/Phase/afterTypes``: in new databases, in old ones, and where somebody has dropped it.
/// ``Database/schemaPlan(for:fileID:line:)-(Schema,_,_)`` shows its statements, and
/// ``Database/drift(_:fileID:line:)-(Schema,_,_)`` reports what is missing.
///
/// The database remembers a hash of the statements. If a later version of the program has other ones, views, triggers,
/// functions and indexes are dropped and made anew; what holds data is refused with ``DatabaseError/Code/conflict``,
/// until it has another name. Views also stand aside while columns are altered or dropped.
///
/// A name is looked for as it is written: engines write what is not quoted in their own way, such as PostgreSQL in
/// lower case.
public struct SchemaAddition: Sendable {
    /// The kind of an addition.
    public typealias Kind = SchemaAdditionKind

    /// The kind.
    public let kind: Kind
    /// The name: that of the view, trigger or table itself; of rows and others, any that no other has.
    public let name: String
    /// The time at which it is made.
    public let phase: Migration.Phase
    let engine: DriverType?
    let statements: [SQLFragment]
    let check: SQLFragment?

    private init(
        _ kind: Kind, _ name: String, _ phase: Migration.Phase = .afterTypes, engine: DriverType?,
        _ statements: [SQLFragment], check: SQLFragment? = nil
    ) {
        (self.kind, self.name, self.phase, self.engine) = (kind, name, phase, engine)
        (self.statements, self.check) = (statements, check)
    }

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - name: The name of the view.
    ///   - engine: The engine whose databases need it, such as `.sqlite`; nil for all.
    ///   - statements: The statements that make it.
    public static func view(
        _ name: String, engine: DriverType? = nil, _ statements: SQLFragment...
    ) -> SchemaAddition { SchemaAddition(.view, name, engine: engine, statements) }

    /// Makes a table that no type has, or a materialized view.
    ///
    /// ```swift
    /// .table("note_search", engine: .sqlite, "CREATE VIRTUAL TABLE note_search USING fts5(title, content='note')")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - engine: The engine whose databases need it; nil for all.
    ///   - statements: The statements that make it.
    public static func table(
        _ name: String, engine: DriverType? = nil, _ statements: SQLFragment...
    ) -> SchemaAddition { SchemaAddition(.table, name, engine: engine, statements) }

    /// Makes an index that no type can declare.
    ///
    /// ```swift
    /// .index("note_words", of: "note", engine: .postgres,
    ///        "CREATE INDEX note_words ON note USING gin (to_tsvector('english', title))")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the index.
    ///   - table: Its table.
    ///   - engine: The engine whose databases need it; nil for all.
    ///   - statements: The statements that make it.
    public static func index(
        _ name: String, of table: String, engine: DriverType? = nil, _ statements: SQLFragment...
    ) -> SchemaAddition { SchemaAddition(.index(table: table), name, engine: engine, statements) }

    /// Makes a trigger.
    ///
    /// - Parameters:
    ///   - name: The name of the trigger.
    ///   - table: Its table.
    ///   - engine: The engine whose databases need it; nil for all.
    ///   - statements: The statements that make it.
    public static func trigger(
        _ name: String, of table: String, engine: DriverType? = nil, _ statements: SQLFragment...
    ) -> SchemaAddition { SchemaAddition(.trigger(table: table), name, engine: engine, statements) }

    /// Makes a function.
    ///
    /// If the first statement begins with CREATE OR REPLACE, other statements of a later version need not drop the
    /// function, on which a trigger may rely.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - phase: Whether it is made before the types get their tables, or afterwards.
    ///   - engine: The engine whose databases need it; nil for all.
    ///   - statements: The statements that make it.
    public static func function(
        _ name: String, phase: Migration.Phase = .afterTypes, engine: DriverType? = nil, _ statements: SQLFragment...
    ) -> SchemaAddition { SchemaAddition(.function, name, phase, engine: engine, statements) }

    /// Makes an extension of the engine available, before the types get their tables.
    ///
    /// ```swift
    /// .extension("pg_trgm", engine: .postgres)    // CREATE EXTENSION IF NOT EXISTS "pg_trgm"
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the extension.
    ///   - engine: The engine whose databases need it; nil for all.
    public static func `extension`(_ name: String, engine: DriverType? = nil) -> SchemaAddition {
        SchemaAddition(.extension, name, .beforeTypes, engine: engine, [])
    }

    /// Inserts rows that the program counts on.
    ///
    /// - Parameters:
    ///   - name: A name of your own.
    ///   - engine: The engine whose databases need them; nil for all.
    ///   - statements: The statements that insert them. Interpolated values are bound.
    ///   - query: A query that returns a row if they are there; nil if they are to be inserted once, under this name.
    public static func rows(
        _ name: String, engine: DriverType? = nil, _ statements: SQLFragment..., isThere query: SQLFragment? = nil
    ) -> SchemaAddition { SchemaAddition(.rows, name, engine: engine, statements, check: query) }

    /// Makes anything else.
    ///
    /// ```swift
    /// .other("public access", engine: .postgres, "GRANT SELECT ON note TO reader",
    ///        isThere: "SELECT 1 WHERE has_table_privilege('reader', 'note', 'SELECT')")
    /// ```
    ///
    /// - Parameters:
    ///   - name: A name of your own.
    ///   - phase: Whether it is made before the types get their tables, or afterwards.
    ///   - engine: The engine whose databases need it; nil for all.
    ///   - statements: The statements that make it.
    ///   - query: A query that returns a row if it is there.
    public static func other(
        _ name: String, phase: Migration.Phase = .afterTypes, engine: DriverType? = nil, _ statements: SQLFragment...,
        isThere query: SQLFragment
    ) -> SchemaAddition { SchemaAddition(.other, name, phase, engine: engine, statements, check: query) }

    /// A hash of the statements, by which it is noticed that they have changed.
    var checksum: String { Naming.hash(statements.map(\.checkedText).joined(separator: "\n")) }

    /// Whether it is the one of a kind and a name that another is.
    func isSame(as other: SchemaAddition) -> Bool { kind == other.kind && name == other.name }

    /// Whether its statements replace what is there.
    var replaces: Bool {
        guard case .text(let text)? = statements.first?.pieces.first else { return false }
        return RawStatementText(text).parts.starts(with: ["create", "or", "replace"])
    }
}

extension SchemaAddition.Kind {
    /// The table that it belongs to, if it is a part of one.
    var table: String? {
        switch self {
        case .index(let table), .trigger(let table): table
        case .view, .table, .function, .extension, .rows, .other: nil
        }
    }

    /// The word for it.
    var noun: String {
        switch self {
        case .view: "view"
        case .table: "table"
        case .index: "index"
        case .trigger: "trigger"
        case .function: "function"
        case .extension: "extension"
        case .rows: "rows"
        case .other: "addition"
        }
    }

    /// Whether the previous version of the program may notice when it is made.
    var isNoticed: Bool {
        switch self {
        case .view, .table, .function, .extension, .rows: false
        case .index, .trigger, .other: true
        }
    }
}

extension SchemaAddition {
    /// The steps that make it.
    ///
    /// - Parameter sql: What the engine says about it, if it knows its kind.
    func creation(_ dialect: any Dialect, _ sql: AdditionSQL?) throws -> [SchemaStep] {
        let texts = try sql?.create.map { [$0] } ?? statements.map { try $0.render(dialect).sql }
        return texts.map { SchemaStep(SchemaStatement(.makeAddition(kind, name: name)), $0, dialect) }
    }

    /// The step that drops it, to be made anew.
    func removal(_ dialect: any Dialect, _ sql: AdditionSQL?) -> [SchemaStep] {
        [sql?.drop].compactMap(\.self).map {
            SchemaStep(SchemaStatement(.dropAddition(kind, name: name)), $0, dialect)
        }
    }
}
