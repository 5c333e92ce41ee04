/// The options of one property, together: all that was declared, also what makes no sense.
struct DeclaredOptions {
    var column: String?
    var columns: [String] = []
    var joinTable: JoinTableNames?
    var formerNames = FormerNames([])
    var storage = ValueStorage.native
    var traits = ColumnTraits()
    var check: ColumnCheck?
    var isInitialized = false
    var isOmittedIfMissing = false
    /// The roles besides that of a key, and of what is generated.
    var roles: [PropertyRole] = []
    var isGenerated = false
    var relation = DeclaredRelation()

    init(_ options: [PropertyOption]) {
        for option in options {
            switch option.kind {
            case .unique: traits.isUnique = true
            case .indexed: traits.isIndexed = true
            case .required: traits.isRequired = true
            case .initialized: isInitialized = true
            case .omitIfMissing: isOmittedIfMissing = true
            case .column(let name): column = name
            case .columns(let names): columns = names
            case .joinTable(let names): joinTable = names
            case .renamedFrom(let names): formerNames = names
            case .storage(let chosen): storage = chosen
            case .check(let chosen): check = chosen
            case .role(let role): if !roles.contains(role) { roles.append(role) }
            case .generated(let chosen): isGenerated = chosen
            case .foreignKey(let isEnforced): relation.hasForeignKey = isEnforced
            case .inverse(let keyPath): relation.inverse = keyPath
            case .through(let keyPath): relation.through = keyPath
            case .references(let keyPath): relation.references = keyPath
            case .deleteRule(let rule): relation.deleteRule = rule
            case .loading(let chosen): relation.loading = chosen
            case .order(let orders): relation.order = orders
            case .orphans(let rule): relation.orphans = rule
            }
        }
    }
}

/// What was declared of a relation.
struct DeclaredRelation {
    var inverse: (any AnyKeyPath & Sendable)?
    var through: (any AnyKeyPath & Sendable)?
    var references: (any AnyKeyPath & Sendable)?
    var hasForeignKey = true
    var deleteRule: DeleteRule?
    var loading: RelationLoading?
    var order: [Ordering] = []
    var orphans = OrphanRule.detach
}
