/// A table as it should be: what a mapping asks for, and what a migration creates.
public struct TableDefinition: Hashable, Sendable {
    /// The name of the table.
    public var name: String
    /// The columns in the order of the table.
    public var columns: [ColumnDefinition]
    /// The columns of the primary key, in its order.
    public var primaryKey: [String]
    /// Whether the engine makes the values of the primary key.
    public var hasGeneratedKey: Bool
    /// The indexes, without that of the primary key.
    public var indexes: [IndexDefinition]
    /// The foreign keys of the table.
    public var foreignKeys: [ForeignKeyDefinition]
    /// The actions on the objects of a deleted row that no foreign key performs.
    public var deleteRules: [DeleteRuleDefinition] = []
    /// Whether it holds the elements of arrays.
    public var isJoinTable = false

    /// The name of the primary key's constraint.
    var primaryKeyName: String { Naming.shortened("\(name)_pkey") }
}

/// A column as it should be.
public struct ColumnDefinition: Hashable, Sendable {
    /// The name of the column.
    public var name: String
    /// The logical type of the column.
    public var type: ColumnType
    /// Whether the column accepts NULL.
    public var isNullable: Bool
    /// How dates and decimals are laid out in it.
    public var storage: ValueStorage
    /// The constant that rows get which exist when the column is added; as SQL it depends on the dialect.
    var defaultValue: DefaultValue?
    /// The property of which it was made, for error messages.
    public var property: String
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

/// An index as it should be.
///
/// Unique keys are unique indexes, so that NULLs sort in them as they do in queries.
public struct IndexDefinition: Hashable, Sendable {
    /// Its name: that of the table and the columns, and `key` if it is unique, else `idx`.
    public var name: String
    /// The columns, in its order.
    public var columns: [String]
    /// Whether no two rows may have the same values in all of them.
    public var isUnique: Bool
}

/// A foreign key as it should be.
public struct ForeignKeyDefinition: Hashable, Sendable {
    /// The action on referencing rows when the referenced row is deleted.
    public enum Action: String, Hashable, Sendable {
        /// They are deleted too.
        case cascade = "CASCADE"
        /// They refer to nothing.
        case setNull = "SET NULL"
        /// The deletion is refused.
        case restrict = "RESTRICT"
        /// The deletion is refused, if they still refer to it when the statement is done; only of tables that exist.
        case noAction = "NO ACTION"
        /// They refer to what their columns have for a default; only of tables that exist.
        case setDefault = "SET DEFAULT"
    }

    /// The columns that refer.
    public var columns: [String]
    /// The table that they refer to.
    public var table: String
    /// The columns there, in the same order.
    public var targetColumns: [String]
    /// The action on referencing rows.
    public var onDelete: Action

    /// The name of the constraint on `table`.
    func name(on table: String) -> String { Naming.shortened("\(table)_\(columns.joined(separator: "_"))_fkey") }
}
