/// What a property is in the database, with what only such a property has.
enum PropertyKind: Sendable {
    /// A value in a column.
    case column(ColumnProperty)
    /// An object, whose key is in columns of the own table.
    case reference(ReferenceProperty)
    /// Values in a table of their own.
    case array(ArrayProperty)
    /// Objects, whose keys are in a join table.
    case objects(ObjectsProperty)
    /// An object or objects that hold the key of this one: the other side of a relation.
    case inverse(InverseProperty)
}

/// What a property has that is a value in a column.
struct ColumnProperty: Sendable {
    var name: String
    var type: ColumnType
    /// Whether the property can be nil; its column may be NOT NULL nevertheless.
    var isOptional: Bool
    var role: PropertyRole
    var traits: ColumnTraits
    /// The values that its CHECK constraint admits; empty if it has none.
    var cases: [ColumnDefinition.Case]
    /// A constant default, encoded: one cell.
    var defaultValue: ParameterBuffer?
    /// When it is loaded.
    var loading: RelationLoading
}

/// What a property has that holds the key of an object.
struct ReferenceProperty: Sendable {
    /// The names that its columns were given.
    enum Names: Sendable {
        case derived
        /// That of a key with one part, or what comes before the names of the parts.
        case stem(String)
        /// One for each part of the key.
        case columns([String])
    }

    /// What it holds of the object that it leads to.
    enum Held: Sendable {
        /// The key.
        case key(hasForeignKey: Bool)
        /// The value of a unique property, which always has a foreign key.
        case unique(any AnyKeyPath & Sendable)
    }

    var relation: RelationProperty
    var isOptional: Bool
    var names: Names
    var held: Held
    var traits: ColumnTraits
}

/// What a property has that is an array of values.
struct ArrayProperty: Sendable {
    var element: ColumnType
    var elementIsNullable: Bool
    var array: ArrayTraits
}

/// What a property has that is an array of objects.
struct ObjectsProperty: Sendable {
    var relation: RelationProperty
    var array: ArrayTraits
    /// The names that were declared for its join table.
    var names: JoinTableNames?
    /// Whether the database checks that keys lead to rows.
    var hasForeignKey: Bool
}

/// What a property has whose relation other objects keep.
struct InverseProperty: Sendable {
    /// How many objects it leads to.
    enum Count: Sendable {
        case one
        case many(ArrayDefault?)

        var isMany: Bool { if case .many = self { true } else { false } }
    }

    var relation: RelationProperty
    var count: Count
    var isOptional: Bool
    /// The property at the other end that holds the key.
    var keyPath: any AnyKeyPath & Sendable
    /// The property of the type that links both which leads on from there, if there is such a type between them; then
    /// ``keyPath`` is one of that type, too.
    var through: (any AnyKeyPath & Sendable)? = nil
}

/// What every relation has.
struct RelationProperty: Sendable {
    var target: RelationTarget
    /// The rule for its target objects when the owner is deleted.
    var deleteRule: DeleteRule
    /// When the objects that it leads to are loaded.
    var loading: RelationLoading
    /// The order in which an array has them; by their keys, or their positions, if it is empty.
    var order: [Ordering]
    /// What becomes of an object that is taken out.
    var orphans: OrphanRule
}

/// What an array has that has a table of its own.
struct ArrayTraits: Sendable {
    /// The name of the table.
    var table: String
    /// The name that was declared for it.
    var givenTable: String?
    /// The column that tells nil from empty; nil for an array that can't be nil.
    var presence: String?
    /// Its constant default; nil if it has none.
    var defaultValue: ArrayDefault?
}

/// The content of a constant array, as far as it matters.
enum ArrayDefault: Sendable {
    case empty, filled
}
