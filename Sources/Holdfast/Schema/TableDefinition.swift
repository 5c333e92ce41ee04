/// A table as it should be: what a mapping asks for, and what a migration creates.
public struct TableDefinition: Hashable, Sendable {
    public var name: String
    public var columns: [ColumnDefinition]
    /// The columns of the primary key, in its order.
    public var primaryKey: [String]
    /// Whether the engine makes the values of the primary key.
    public var hasGeneratedKey: Bool
    public var indexes: [IndexDefinition]
    public var foreignKeys: [ForeignKeyDefinition]

    /// The name of the primary key's constraint.
    var primaryKeyName: String { Naming.shortened("\(name)_pkey") }
}

/// A column as it should be.
public struct ColumnDefinition: Hashable, Sendable {
    public var name: String
    public var type: ColumnType
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
    /// What happens to the rows that refer, when the row they refer to is deleted.
    public enum Action: String, Hashable, Sendable {
        /// They are deleted too.
        case cascade = "CASCADE"
        /// They refer to nothing.
        case setNull = "SET NULL"
        /// The deletion is refused.
        case restrict = "RESTRICT"
    }

    /// The columns that refer.
    public var columns: [String]
    /// The table that they refer to.
    public var table: String
    /// The columns there, in the same order.
    public var targetColumns: [String]
    /// What happens to the rows that refer.
    public var onDelete: Action
}

extension TableDefinition {
    /// The table of a mapping.
    init(_ description: TableDescription) {
        name = description.table
        primaryKey = description.keyColumns
        hasGeneratedKey = description.hasGeneratedKey
        foreignKeys = []
        columns = description.properties.compactMap { property in
            guard let column = property.columnName, let type = property.columnType else { return nil }
            return ColumnDefinition(
                name: column, type: type, isNullable: property.isNullable, storage: property.storage,
                defaultValue: property.definedDefault, property: property.name)
        }
        let table = description.table
        func index(_ columns: [String], isUnique: Bool) -> IndexDefinition {
            let suffix = isUnique ? "key" : "idx"
            return IndexDefinition(
                name: Naming.shortened("\(table)_\(columns.joined(separator: "_"))_\(suffix)"), columns: columns,
                isUnique: isUnique)
        }
        var indexes: [IndexDefinition] = []
        for property in description.properties {
            guard let column = property.columnName else { continue }
            if property.isUnique { indexes.append(index([column], isUnique: true)) }
            if property.isIndexed { indexes.append(index([column], isUnique: false)) }
        }
        for composite in description.indexes {
            let columns = composite.properties.compactMap { name in
                description.index(ofProperty: name).flatMap { description.properties[$0].columnName }
            }
            indexes.append(index(columns, isUnique: composite.isUnique))
        }
        var seen = Set<String>()
        self.indexes = indexes.filter { seen.insert($0.name).inserted }
    }

    /// The join table of an array property.
    init(_ joinTable: JoinTable, owner: TableDescription, property: String) {
        name = joinTable.name
        let owners = zip(joinTable.ownerColumns, owner.keyIndices).map { column, index in
            ColumnDefinition(
                name: column, type: owner.properties[index].columnType ?? .int64, isNullable: false, storage: .native,
                defaultValue: nil, property: property)
        }
        columns =
            owners + [
                ColumnDefinition(
                    name: JoinTable.positionColumn, type: .int64, isNullable: false, storage: .native,
                    defaultValue: nil, property: property),
                ColumnDefinition(
                    name: JoinTable.valueColumn, type: joinTable.element, isNullable: joinTable.elementIsNullable,
                    storage: .native, defaultValue: nil, property: property),
            ]
        primaryKey = joinTable.ownerColumns + [JoinTable.positionColumn]
        hasGeneratedKey = false
        indexes = []
        foreignKeys = [
            ForeignKeyDefinition(
                columns: joinTable.ownerColumns, table: owner.table, targetColumns: owner.keyColumns, onDelete: .cascade
            )
        ]
    }
}

extension PropertyMapping {
    /// The default that its column is defined with: what is declared, and for an optional array that it is nil.
    fileprivate var definedDefault: DefaultValue? {
        if shape.isArray {
            var buffer = ParameterBuffer(width: 1)
            buffer.append(.boolean(false))
            return DefaultValue(buffer: buffer)
        }
        return isKey ? nil : defaultValue.map(DefaultValue.init)
    }
}

extension TableDescription {
    /// The tables that the mapping needs, its own first.
    var definitions: [TableDefinition] {
        [TableDefinition(self)]
            + arrayIndices.compactMap { index in
                joinTable(ofArray: index).map {
                    TableDefinition($0, owner: self, property: properties[index].name)
                }
            }
    }
}
