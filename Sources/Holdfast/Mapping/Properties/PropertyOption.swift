/// A declaration about a property besides its name and type.
public struct PropertyOption: Sendable {
    enum Kind {
        case unique, indexed, required, initialized, version, omitIfMissing
        case column(String)
        case timestamp(TimestampKind)
        case storage(ValueStorage)
        case inverse(any AnyKeyPath & Sendable)
        case deleteRule(DeleteRule)
        case loading(RelationLoading)
    }

    let kind: Kind

    /// No two rows may have the same value.
    public static let unique = PropertyOption(kind: .unique)
    /// An index makes conditions and orders on the property fast.
    public static let indexed = PropertyOption(kind: .indexed)
    /// The column is NOT NULL although the property is optional.
    public static let required = PropertyOption(kind: .required)
    /// A new object has a value for it, so that a query can leave it out; known already of optional properties, and of
    /// those with a constant default.
    public static let initialized = PropertyOption(kind: .initialized)

    /// The property counts the updates of its row, so that two that know the same row do not undo each other's.
    public static let version = PropertyOption(kind: .version)
    /// An object that lacks it is left out when it is read.
    public static let omitIfMissing = PropertyOption(kind: .omitIfMissing)

    /// The name of the column (of an array: of the join table), in place of the one made of the property's name.
    public static func column(_ name: String) -> PropertyOption { PropertyOption(kind: .column(name)) }
    /// The property is set to the time when its object is inserted, or saved.
    public static func timestamp(_ kind: TimestampKind) -> PropertyOption { PropertyOption(kind: .timestamp(kind)) }
    /// How the column lays the value out.
    public static func storage(_ storage: ValueStorage) -> PropertyOption { PropertyOption(kind: .storage(storage)) }
    /// The property of the related type that holds the key, of which this one is the other side.
    public static func inverse(_ keyPath: any AnyKeyPath & Sendable) -> PropertyOption {
        PropertyOption(kind: .inverse(keyPath))
    }
    /// Sets the rule for the related objects when the object is deleted.
    public static func deleteRule(_ rule: DeleteRule) -> PropertyOption { PropertyOption(kind: .deleteRule(rule)) }
    /// When the related objects are loaded.
    public static func loading(_ loading: RelationLoading) -> PropertyOption { PropertyOption(kind: .loading(loading)) }
}

/// The options of one property, together.
struct DeclaredOptions {
    var column: String?
    var storage = ValueStorage.native
    var timestamp: TimestampKind?
    var isUnique = false
    var isIndexed = false
    var isRequired = false
    var isInitialized = false
    var isVersion = false
    var isOmittedIfMissing = false
    var inverse: (any AnyKeyPath & Sendable)?
    var deleteRule: DeleteRule?
    var loading: RelationLoading?

    init(_ options: [PropertyOption]) {
        for option in options {
            switch option.kind {
            case .unique: isUnique = true
            case .indexed: isIndexed = true
            case .required: isRequired = true
            case .initialized: isInitialized = true
            case .version: isVersion = true
            case .omitIfMissing: isOmittedIfMissing = true
            case .column(let name): column = name
            case .timestamp(let kind): timestamp = kind
            case .storage(let chosen): storage = chosen
            case .inverse(let keyPath): inverse = keyPath
            case .deleteRule(let rule): deleteRule = rule
            case .loading(let chosen): loading = chosen
            }
        }
    }
}

/// When a timestamp property is set.
public enum TimestampKind: Sendable {
    /// When the object is inserted; a value that an optional property already has is kept.
    case created
    /// Whenever the object is inserted or changed.
    case modified
}

/// An index over several columns, by the names of their properties.
public struct TableIndex: Hashable, Sendable {
    /// The names of the properties, in the order of the index.
    public let properties: [String]
    /// Whether no two rows may have the same values in all of them.
    public let isUnique: Bool

    /// An index over `properties`.
    public static func index(_ properties: String...) -> TableIndex {
        TableIndex(properties: properties, isUnique: false)
    }

    /// A unique key over `properties`.
    public static func unique(_ properties: String...) -> TableIndex {
        TableIndex(properties: properties, isUnique: true)
    }
}
