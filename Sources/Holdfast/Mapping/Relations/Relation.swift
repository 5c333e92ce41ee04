/// A property that leads to other objects, with what it takes of their mapping.
struct Relation: Sendable {
    /// Where it is stored.
    enum Storage: Sendable {
        /// The target's key is in columns of the owner's table.
        case reference(columns: [String])
        /// The targets' keys are in a join table.
        case joinTable(JoinTable)
        /// The owner's key is in columns of the target's table, which belong to the target's property.
        case inverseReference(property: Int, columns: [String])
        /// The keys are in the join table of the target's property; or, where that is nil, in the table of a type that
        /// links both.
        case inverseJoinTable(property: Int?, JoinTable)
    }

    /// The position of the property.
    let property: Int
    let name: String
    let target: RelationTarget
    let storage: Storage
    let isArray: Bool
    /// Whether an object can't be made without it.
    let isNeeded: Bool
    let deleteRule: DeleteRule
    let loading: RelationLoading
    /// The order of an array that was declared.
    var order: [Ordering] = []
    /// What becomes of an object that is taken out.
    var orphans = OrphanRule.detach
    /// The unique property of the target that a reference holds in its column; nil for the target's key.
    ///
    /// Statements translate between the two, so that rows, once they are read, have keys for all references.
    var alternate: Int? = nil

    /// The property of the other side, if that holds the key.
    var inverseProperty: Int? {
        switch storage {
        case .reference, .joinTable: nil
        case .inverseReference(let property, _): property
        case .inverseJoinTable(let property, _): property
        }
    }

    /// The type whose objects are its links, if they are objects.
    var linkType: JoinTable.LinkType? {
        if case .inverseJoinTable(_, let table) = storage { table.linkType } else { nil }
    }

    /// Whether the other side holds the key, so that nothing of it is stored with its owner.
    var isInverse: Bool {
        switch storage {
        case .reference, .joinTable: false
        case .inverseReference, .inverseJoinTable: true
        }
    }

    /// Whether a join table keeps the keys.
    var isInJoinTable: Bool {
        switch storage {
        case .joinTable, .inverseJoinTable: true
        case .reference, .inverseReference: false
        }
    }
}
