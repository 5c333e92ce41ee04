/// The mapping of one property to its column or join table.
///
/// It is one reference wherever it goes: it has so many parts that to copy them is much code (decision 0069).
public final class PropertyMapping: Sendable {
    /// The Swift name, which conditions, orders and errors use.
    public let name: String
    /// The column on the model's own table; nil for an array that can't be nil.
    public let columnName: String?
    /// The columns or the table that the property needs.
    public let shape: PropertyShape
    /// The storage of the value in its column.
    public let storage: ValueStorage
    /// The form of the column's text, such as that of a date, if queries compare the text by the value that it stands
    /// for.
    let textForm: TextForm?
    /// Whether the database computes its column, which is only read.
    public let isGenerated: Bool
    /// The values that its CHECK constraint admits; empty if it has none.
    let cases: [ColumnDefinition.Case]
    /// Whether it is part of the primary key.
    public let isKey: Bool
    /// Whether its values are unique.
    public let isUnique: Bool
    /// Whether its column has an index of its own.
    public let isIndexed: Bool
    /// Whether its column is NOT NULL although the property is optional.
    public let isRequired: Bool
    /// The kind of timestamp that it is; nil if it is none.
    public let timestamp: TimestampKind?
    /// Whether it counts the updates of the row.
    public let isVersion: Bool
    /// Whether it is the instant from which the object is gone.
    public let expires: Bool
    /// Whether results leave out objects in which it is nil or empty.
    public let isOmittedIfMissing: Bool
    /// The key path, by which queries find the property.
    public let keyPath: any AnyKeyPath & Sendable
    /// The join table of an array.
    let joinTable: String?
    /// The name that was declared for its column or table.
    let givenColumn: String?
    /// The names that were declared for the columns of a reference, one for each part of the key.
    let givenColumns: [String]
    /// The names that were declared for its join table.
    let joinTableNames: JoinTableNames?
    /// Whether the database checks that a reference leads to a row.
    let hasForeignKey: Bool
    /// The former names of its columns and tables, without suffixes, the latest first.
    let formerStems: [String]
    /// Its own name as columns are named, to which a reference adds the names of key columns.
    let columnStem: String
    /// The property at the other end that holds the key.
    let inverse: (any AnyKeyPath & Sendable)?
    /// The unique property of the target that it holds, if it is not the target's key.
    let references: (any AnyKeyPath & Sendable)?
    /// The rule for its target objects when the owner is deleted.
    let deleteRule: DeleteRule
    /// When the objects that it leads to are loaded.
    let loading: RelationLoading
    /// Whether it can be set in an object that exists.
    let isWritable: Bool
    /// Whether an object can be made without it, and get it later: it can be set, and is optional or has an initial
    /// value.
    let canBeLeftOut: Bool
    /// A constant default, encoded: one cell, or none.
    let defaultValue: ParameterBuffer?
    /// The constant default of an array; nil if it has none.
    let arrayDefault: ArrayDefault?

    init(
        name: String, columnName: String?, shape: PropertyShape, storage: ValueStorage, textForm: TextForm?,
        isGenerated: Bool, cases: [ColumnDefinition.Case], isKey: Bool, isUnique: Bool, isIndexed: Bool,
        isRequired: Bool, timestamp: TimestampKind?, isVersion: Bool, expires: Bool, isOmittedIfMissing: Bool,
        keyPath: any AnyKeyPath & Sendable, joinTable: String?, givenColumn: String?, givenColumns: [String],
        joinTableNames: JoinTableNames?, hasForeignKey: Bool, formerStems: [String], columnStem: String,
        inverse: (any AnyKeyPath & Sendable)?, references: (any AnyKeyPath & Sendable)?, deleteRule: DeleteRule,
        loading: RelationLoading, isWritable: Bool, canBeLeftOut: Bool, defaultValue: ParameterBuffer?,
        arrayDefault: ArrayDefault?
    ) {
        self.name = name
        self.columnName = columnName
        self.shape = shape
        self.storage = storage
        self.textForm = textForm
        self.isGenerated = isGenerated
        self.cases = cases
        self.isKey = isKey
        self.isUnique = isUnique
        self.isIndexed = isIndexed
        self.isRequired = isRequired
        self.timestamp = timestamp
        self.isVersion = isVersion
        self.expires = expires
        self.isOmittedIfMissing = isOmittedIfMissing
        self.keyPath = keyPath
        self.joinTable = joinTable
        self.givenColumn = givenColumn
        self.givenColumns = givenColumns
        self.joinTableNames = joinTableNames
        self.hasForeignKey = hasForeignKey
        self.formerStems = formerStems
        self.columnStem = columnStem
        self.inverse = inverse
        self.references = references
        self.deleteRule = deleteRule
        self.loading = loading
        self.isWritable = isWritable
        self.canBeLeftOut = canBeLeftOut
        self.defaultValue = defaultValue
        self.arrayDefault = arrayDefault
    }

    /// The content of a constant array, as far as it matters.
    enum ArrayDefault: Sendable {
        case empty, filled
    }

    /// The storage in which queries have its values.
    var queryStorage: ValueStorage { textForm == nil ? storage : .native }

    /// Whether the column takes NULL.
    var isNullable: Bool {
        switch shape {
        case .column(_, let isNullable): isNullable && !isRequired && !isKey
        case .reference(_, let isNullable): isNullable && !isRequired
        case .array, .objects: false
        }
    }

    /// The type of the column on the model's own table.
    var columnType: ColumnType? {
        switch shape {
        case .column(let type, _): type
        case .array(_, _, let isOptional), .objects(_, let isOptional): isOptional ? .boolean : nil
        case .reference: nil
        }
    }
}
