/// A difference between a database and what `migrate` made of it, as ``Database/drift(_:fileID:line:)-(Schema,_,_)``
/// finds it.
///
/// ```swift
/// for drift in try await db.drift(schema) { print(drift) }
/// // The column "title" of "note" accepts NULL; it should be NOT NULL.
/// // The index "by_hand" of "note" is in no model: (rank).
/// ```
public struct SchemaDrift: Hashable, Sendable {
    /// The kind of thing that differs.
    ///
    /// ```swift
    /// for drift in try await db.drift(schema) {
    ///     if case .index(let name) = drift.element, case .unknown = drift.difference { print("by hand:", name) }
    /// }
    /// ```
    public enum Element: Hashable, Sendable {
        /// The table as a whole.
        case table
        /// A column, by its name.
        case column(String)
        /// The primary key.
        case primaryKey
        /// An index, by its name.
        case index(String)
        /// A UNIQUE constraint, by its columns.
        case uniqueConstraint([String])
        /// A foreign key, by its columns.
        case foreignKey([String])
        /// A CHECK constraint, by its condition.
        case check(String)
        /// A trigger, by its name; those of delete rules begin with `holdfast_`.
        case trigger(String)
        /// An addition of the ``Schema``, by its kind and name; ``SchemaDrift/table`` is its table, or its own name.
        case addition(SchemaAddition.Kind, name: String)
    }

    /// How something differs.
    public enum Difference: Hashable, Sendable {
        /// The models need it, and the database lacks it. The text describes it in the engine's words.
        case missing(String)
        /// The database has it, and no model declares it. The text describes it in the engine's words.
        case unknown(String)
        /// The database has it otherwise than the models need it. Both texts are in the engine's words.
        case changed(expected: String, found: String)
    }

    /// The table that differs.
    public var table: String
    /// The part of the table that differs.
    public var element: Element
    /// The difference.
    public var difference: Difference

    /// Creates a difference.
    public init(table: String, element: Element, difference: Difference) {
        (self.table, self.element, self.difference) = (table, element, difference)
    }
}

extension SchemaDrift: CustomStringConvertible {
    /// A sentence that says what differs, and how.
    ///
    /// ```swift
    /// SchemaDrift(table: "note", element: .index("by_hand"), difference: .unknown("(rank)")).description
    /// // The index "by_hand" of "note" is in no model: (rank).
    /// ```
    public var description: String {
        switch difference {
        case .missing(let text): "\(subject) is missing\(text.isEmpty ? "" : ": \(text)")."
        case .unknown(let text): "\(subject) is in no model\(text.isEmpty ? "" : ": \(text)")."
        case .changed(let expected, let found): "\(subject) is \(found); it should be \(expected)."
        }
    }

    private var subject: String {
        func named(_ kind: String, _ name: String) -> String { "The \(kind) \"\(name)\" of \"\(table)\"" }
        func of(_ kind: String, _ columns: [String]) -> String {
            "The \(kind) (\(columns.joined(separator: ", "))) of \"\(table)\""
        }
        return switch element {
        case .table: "The table \"\(table)\""
        case .column(let name): named("column", name)
        case .primaryKey: "The primary key of \"\(table)\""
        case .index(let name): named("index", name)
        case .uniqueConstraint(let columns): of("UNIQUE constraint", columns)
        case .foreignKey(let columns): of("foreign key", columns)
        case .check(let condition):
            "The CHECK constraint \(condition.hasPrefix("(") ? condition : "(\(condition))") of \"\(table)\""
        case .trigger(let name): named("trigger", name)
        case .addition(.rows, let name): "The addition of rows \"\(name)\""
        case .addition(let kind, let name):
            kind.table == nil ? "The \(kind.noun) \"\(name)\"" : named(kind.noun, name)
        }
    }
}
