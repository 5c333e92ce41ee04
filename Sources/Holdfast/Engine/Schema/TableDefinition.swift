/// A table as a mapping requires it and a migration creates it.
public struct TableDefinition: Hashable, Sendable {
    /// The name of the table.
    public var name: String
    /// The schema of the table, if it is another one than that in which `migrate` makes tables.
    public var schema: String? = nil
    /// The columns in the order of the table.
    public var columns: [ColumnDefinition]
    /// The columns of the primary key, in its order.
    public var primaryKey: [String]
    /// Whether the engine generates the values of the primary key.
    public var hasGeneratedKey: Bool
    /// The indexes, without that of the primary key.
    public var indexes: [IndexDefinition]
    /// The foreign keys of the table.
    public var foreignKeys: [ForeignKeyDefinition]
    /// The actions on the objects of a deleted row that no foreign key performs.
    public var deleteRules: [DeleteRuleDefinition] = []
    /// The CHECK constraints over its columns, without those of the cases of an enum.
    public var checks: [CheckDefinition] = []
    /// Whether it is a join table.
    public var isJoinTable = false
    /// The index for full text search; nil for none.
    public var search: SearchIndex? = nil
    /// The names that it may have had before, the latest first.
    var formerNames: [String] = []
    /// What the change log keeps of it, and under which names.
    var logged = LoggedTable(table: "", keyColumns: [], ownerKeyColumns: [])

    /// The name of the primary key's constraint.
    var primaryKeyName: String { Naming.key(of: name) }
}

/// A column as a mapping requires it.
///
/// ```sql
/// "title" text COLLATE "C" NOT NULL -- PostgreSQL
/// ```
public struct ColumnDefinition: Hashable, Sendable {
    /// The name of the column.
    public var name: String
    /// The logical type of the column.
    public var type: ColumnType
    /// Whether the column accepts NULL.
    public var isNullable: Bool
    /// The form of values in the column.
    public var storage: ValueStorage
    /// Whether the database computes the column, so that no migration makes it.
    public var isGenerated = false
    /// The values that its CHECK constraint admits; empty if it has none.
    public var cases: [Case] = []
    /// The constant that rows get which exist when the column is added; as SQL it depends on the dialect.
    var defaultValue: DefaultValue?
    /// The property of the column, for error messages.
    public var property: String
    /// The names that it may have had before, the latest first.
    var formerNames: [String] = []
}

/// A constant for a DEFAULT clause.
struct DefaultValue: Hashable, Sendable {
    let buffer: ParameterBuffer

    static func == (left: DefaultValue, right: DefaultValue) -> Bool {
        left.buffer.bytes == right.buffer.bytes && left.buffer.cells.first?.payload == right.buffer.cells.first?.payload
    }

    func hash(into hasher: inout Hasher) { hasher.combine(buffer.bytes) }

    func literal(_ dialect: any Dialect, _ type: ColumnType) -> String {
        buffer.withRow(0) { cells in cells.first.map { dialect.literal($0, type: type) } ?? "NULL" }
    }
}

/// An index as a mapping requires it.
///
/// ```sql
/// CREATE UNIQUE INDEX "project_code_key" ON "project" ("code" NULLS FIRST)
/// ```
///
/// Unique keys are unique indexes, so that NULLs sort in them as they do in queries.
public struct IndexDefinition: Hashable, Sendable {
    /// One term of an index.
    public struct Term: Hashable, Sendable {
        /// The name of the column, or else an expression.
        public var text: String
        /// Whether the text is an expression in SQL.
        public var isExpression = false
        /// Whether greater values come first.
        public var isDescending = false
        /// The value inside a document whose expression it is; as SQL it depends on the dialect.
        var document: DocumentValue?
    }

    /// A value inside a document, in an index.
    struct DocumentValue: Hashable, Sendable {
        var column: String
        let path: JSONPath
        let type: JSONScalarType
    }

    /// The name: table, columns, and `key` if it is unique, else `idx`; in front of that, a hash of what is not plain.
    public var name: String
    /// The terms, in its order.
    public var terms: [Term]
    /// Whether the combination of values is unique.
    public var isUnique: Bool
    /// The condition that its rows meet, in SQL; nil if it has all rows.
    public var condition: String?

    /// The columns, in its order; an expression is given as an empty name.
    public var columns: [String] { terms.map { $0.isExpression ? "" : $0.text } }

    /// Whether it is over all rows and ascending columns.
    var isPlain: Bool { condition == nil && terms.allSatisfy { !$0.isExpression && !$0.isDescending } }

    /// Creates the definition of an index of columns.
    init(on table: String, _ columns: [String], isUnique: Bool) {
        self.init(on: table, columns.map { Term(text: $0) }, isUnique: isUnique)
    }

    /// Creates the definition of an index.
    init(on table: String, _ terms: [Term], isUnique: Bool, where condition: String? = nil) {
        (name, self.terms, self.isUnique, self.condition) = ("", terms, isUnique, condition)
        name = Naming.index(of: table, terms.filter { !$0.isExpression }.map(\.text) + variant, isUnique: isUnique)
    }

    /// The definition of the index as it was when a column of documents had another name.
    func formerly(_ column: String, called former: String, on table: String) -> IndexDefinition {
        let terms = terms.map { term in
            guard var document = term.document, document.column == column else { return term }
            document.column = former
            return Term(document)
        }
        return IndexDefinition(on: table, terms, isUnique: isUnique, where: condition)
    }

    /// A part of the name that tells apart indexes of the same columns; none if it is plain.
    private var variant: [String] {
        if isPlain { return [] }
        let texts = terms.map { ($0.isExpression ? $0.text : "") + ($0.isDescending ? " DESC" : "") }
        return [String(Naming.hash((texts + [condition ?? ""]).joined(separator: "\n")).prefix(8))]
    }
}

extension IndexDefinition.Term {
    /// A value inside a document: its expression is the one that queries write.
    init(_ document: IndexDefinition.DocumentValue) {
        self.init(
            text: "\(document.column).\(document.path) as \(document.type)", isExpression: true, document: document)
    }
}

/// A foreign key as a mapping requires it.
///
/// ```sql
/// FOREIGN KEY ("lead_id") REFERENCES "person" ("id") ON DELETE SET NULL
/// ```
public struct ForeignKeyDefinition: Hashable, Sendable {
    /// The action on referencing rows when the referenced row is deleted.
    public enum Action: String, Hashable, Sendable {
        /// They are deleted too.
        case cascade = "CASCADE"
        /// Their columns become NULL.
        case setNull = "SET NULL"
        /// The deletion is refused.
        case restrict = "RESTRICT"
        /// The deletion is refused if references remain after the statement; only in existing tables.
        case noAction = "NO ACTION"
        /// Their columns get their defaults; only in existing tables.
        case setDefault = "SET DEFAULT"
    }

    /// The referencing columns.
    public var columns: [String]
    /// The referenced table.
    public var table: String
    /// The referenced columns, in the same order.
    public var targetColumns: [String]
    /// The action on referencing rows.
    public var onDelete: Action
    /// Whether a delete rule asks for that action, so that it is not enough if something else refuses.
    var isDenial = false
    /// The schema of the referenced table, if it is another one.
    public var schema: String? = nil

    /// The referenced table with its schema.
    public var target: TableName { TableName(schema: schema, table) }

    /// The name of the constraint on `table`.
    func name(on table: String) -> String { Self.name(of: columns, on: table) }

    static func name(of columns: [String], on table: String) -> String {
        Naming.shortened("\(table)_\(columns.joined(separator: "_"))_fkey")
    }
}
