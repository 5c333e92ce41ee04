// What the kind of a property says, for those who need no more of it.

extension PropertyMapping {
    /// What its value is for; that of a property without a column of its own is plain.
    var role: PropertyRole { if case .column(let column) = kind { column.role } else { .plain } }
    /// Whether it is part of the primary key.
    public var isKey: Bool { role == .key }
    /// Whether it counts the updates of the row.
    public var isVersion: Bool { role == .version }
    /// The kind of timestamp that it is; nil if it is none.
    public var timestamp: TimestampKind? { role.timestamp }
    /// Whether it is the instant from which the object is gone.
    public var expires: Bool { role.expires }
    /// Whether the database computes its column, which is only read.
    public var isGenerated: Bool { role.isGenerated }
}

extension PropertyMapping {
    private var traits: ColumnTraits? {
        switch kind {
        case .column(let column): column.traits
        case .reference(let reference): reference.traits
        case .array, .objects, .inverse: nil
        }
    }

    /// Whether its values are unique.
    public var isUnique: Bool { traits?.isUnique ?? false }
    /// Whether its column has an index of its own.
    public var isIndexed: Bool { traits?.isIndexed ?? false }
    /// Whether its column is NOT NULL although the property is optional.
    public var isRequired: Bool { traits?.isRequired ?? false }

    /// The values that its CHECK constraint admits; empty if it has none.
    var cases: [ColumnDefinition.Case] { if case .column(let column) = kind { column.cases } else { [] } }

    /// A constant default, encoded: one cell, or none.
    var defaultValue: ParameterBuffer? { if case .column(let column) = kind { column.defaultValue } else { nil } }
}

extension PropertyMapping {
    /// What it has as a relation; nil if it is none.
    private var relation: RelationProperty? {
        switch kind {
        case .reference(let reference): reference.relation
        case .objects(let objects): objects.relation
        case .inverse(let inverse): inverse.relation
        case .column, .array: nil
        }
    }

    /// The rule for its target objects when the owner is deleted.
    var deleteRule: DeleteRule { relation?.deleteRule ?? .nullify }
    /// When it is loaded, or the objects that it leads to.
    var loading: RelationLoading {
        if case .column(let column) = kind { return column.loading }
        return relation?.loading ?? .eager
    }

    /// What becomes of an object that is taken out of it.
    var orphans: OrphanRule { relation?.orphans ?? .detach }

    /// The order of an array of objects that was declared.
    var order: [Ordering] { relation?.order ?? [] }

    /// The property at the other end that holds the key; nil if this one does.
    var inverse: (any AnyKeyPath & Sendable)? { if case .inverse(let inverse) = kind { inverse.keyPath } else { nil } }

    /// The unique property of the target that it holds, if it is not the target's key.
    var references: (any AnyKeyPath & Sendable)? {
        if case .reference(let reference) = kind, case .unique(let keyPath) = reference.held { keyPath } else { nil }
    }

    /// Whether the database checks that what it holds leads to a row.
    var hasForeignKey: Bool {
        switch kind {
        case .reference(let reference): if case .key(hasForeignKey: false) = reference.held { false } else { true }
        case .objects(let objects): objects.hasForeignKey
        case .column, .array, .inverse: true
        }
    }
}

extension PropertyMapping {
    private var array: ArrayTraits? {
        switch kind {
        case .array(let values): values.array
        case .objects(let objects): objects.array
        case .column, .reference, .inverse: nil
        }
    }

    /// The join table of an array.
    var joinTable: String? { array?.table }

    /// The names that were declared for its join table.
    var joinTableNames: JoinTableNames? { if case .objects(let objects) = kind { objects.names } else { nil } }

    /// The constant default of an array; nil if it has none.
    var arrayDefault: ArrayDefault? {
        if case .inverse(let inverse) = kind, case .many(let value) = inverse.count { return value }
        return array?.defaultValue
    }

    /// The name that was declared for the column of a reference, or for the table of an array.
    var givenColumn: String? {
        if case .reference(let reference) = kind, case .stem(let name) = reference.names { return name }
        return array?.givenTable
    }

    /// The names that were declared for the columns of a reference, one for each part of the key.
    var givenColumns: [String] {
        if case .reference(let reference) = kind, case .columns(let names) = reference.names { names } else { [] }
    }
}
