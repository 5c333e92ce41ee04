/// The mapping of one property to its column or join table: what every property has, and its kind.
///
/// It is one reference wherever it goes: it has so many parts that to copy them is much code (decision 0069).
public final class PropertyMapping: Sendable {
    /// The Swift name, which conditions, orders and errors use.
    public let name: String
    /// Its own name as columns are named, to which a reference adds the names of key columns.
    let columnStem: String
    /// The former names of its columns and tables, without suffixes, the latest first.
    let formerStems: [String]
    /// The key path, by which queries find the property.
    public let keyPath: any AnyKeyPath & Sendable
    /// What it is in the database.
    let kind: PropertyKind
    /// The storage of the value in its column.
    public let storage: ValueStorage
    /// The form of the column's text, such as that of a date, if queries compare the text by the value that it stands
    /// for.
    let textForm: TextForm?
    /// Whether results leave out objects in which it is nil or empty.
    public let isOmittedIfMissing: Bool
    /// When it can be set.
    let setting: Setting

    // What is asked for each row is taken from the kind once.

    /// The columns or the table that the property needs.
    public let shape: PropertyShape
    /// The column on the model's own table; nil for an array that can't be nil.
    public let columnName: String?
    /// The type of the column on the model's own table.
    let columnType: ColumnType?
    /// Whether the column takes NULL.
    let isNullable: Bool

    /// When a property can be set.
    enum Setting: Sendable {
        /// Only as the object is made.
        case once
        /// Whenever; and an object can be made without it, if it is optional or has an initial value.
        case always(canBeLeftOut: Bool)
    }

    init(
        name: String, columnStem: String, formerStems: [String], keyPath: any AnyKeyPath & Sendable,
        kind: PropertyKind, storage: ValueStorage, textForm: TextForm?, isOmittedIfMissing: Bool, setting: Setting
    ) {
        self.name = name
        self.columnStem = columnStem
        self.formerStems = formerStems
        self.keyPath = keyPath
        self.kind = kind
        self.storage = storage
        self.textForm = textForm
        self.isOmittedIfMissing = isOmittedIfMissing
        self.setting = setting
        switch kind {
        case .column(let column):
            shape = .column(column.type, isNullable: column.isOptional)
            columnName = column.name
            columnType = column.type
            isNullable = column.isOptional && !column.traits.isRequired && column.role != .key
        case .reference(let reference):
            shape = .reference(reference.relation.target, isNullable: reference.isOptional)
            (columnName, columnType) = (nil, nil)
            isNullable = reference.isOptional && !reference.traits.isRequired
        case .array(let values):
            let presence = values.array.presence
            shape = .array(
                element: values.element, elementIsNullable: values.elementIsNullable, isOptional: presence != nil)
            (columnName, columnType) = (presence, presence.map { _ in .boolean })
            isNullable = false
        case .objects(let objects):
            let presence = objects.array.presence
            shape = .objects(objects.relation.target, isOptional: presence != nil)
            (columnName, columnType) = (presence, presence.map { _ in .boolean })
            isNullable = false
        case .inverse(let inverse):
            (columnName, columnType) = (nil, nil)
            switch inverse.count {
            case .one:
                shape = .reference(inverse.relation.target, isNullable: inverse.isOptional)
                isNullable = inverse.isOptional
            case .many:
                shape = .objects(inverse.relation.target, isOptional: inverse.isOptional)
                isNullable = false
            }
        }
    }

    /// The storage in which queries have its values.
    var queryStorage: ValueStorage { textForm == nil ? storage : .native }

    /// Whether it can be set in an object that exists.
    var isWritable: Bool { if case .always = setting { true } else { false } }
    /// Whether an object can be made without it, and get it later.
    var canBeLeftOut: Bool { if case .always(canBeLeftOut: true) = setting { true } else { false } }
}
