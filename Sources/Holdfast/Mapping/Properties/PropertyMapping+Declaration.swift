extension PropertyMapping {
    /// A property as it was declared, which may make no sense: what becomes of it, and what is wrong with it.
    struct Declaration {
        let shape: PropertyShape
        let options: DeclaredOptions
        let isKey: Bool
        /// Whether its owners remember what was not loaded: objects of a class whose changes are tracked.
        let ownerRemembers: Bool
        /// Whether its type is one of instants.
        let isInstant: Bool

        /// The roles that were declared.
        private var roles: [PropertyRole] {
            (isKey ? [.key] : []) + (options.isGenerated ? [.generated] : []) + options.roles
        }

        /// The role of its column; nil if there are two that exclude each other.
        private var role: PropertyRole? { roles.reduce(.plain) { $0?.joined(with: $1) } }

        /// What it is in the database.
        ///
        /// - Parameters:
        ///   - name: The name of its column, from which those of tables are made.
        ///   - table: The table of its owner.
        ///   - cases: The values that its CHECK constraint admits.
        ///   - defaultValue: The constant default of a value in a column.
        ///   - arrayDefault: The constant default of an array.
        func kind(
            named name: String, in table: String, cases: [ColumnDefinition.Case], defaultValue: ParameterBuffer?,
            arrayDefault: ArrayDefault?
        ) -> PropertyKind {
            switch shape {
            case .column(let type, let isOptional):
                let role = role ?? (isKey ? .key : .plain)
                var traits = options.traits
                // By it, the objects that are gone are found.
                if role.expires, !traits.isUnique { traits.isIndexed = true }
                return .column(
                    ColumnProperty(
                        name: Naming.shortened(name), type: type, isOptional: isOptional, role: role, traits: traits,
                        cases: cases, defaultValue: defaultValue, loading: options.relation.loading ?? .eager))
            case .array(let element, let elementIsNullable, let isOptional):
                return .array(
                    ArrayProperty(
                        element: element, elementIsNullable: elementIsNullable,
                        array: array(named: name, in: table, isOptional: isOptional, arrayDefault)))
            case .reference(let target, let isOptional):
                if let keyPath = options.relation.inverse {
                    return .inverse(
                        InverseProperty(
                            relation: relation(to: target), count: .one, isOptional: isOptional, keyPath: keyPath))
                }
                return .reference(
                    ReferenceProperty(
                        relation: relation(to: target), isOptional: isOptional, names: referenceNames,
                        held: options.relation.references.map { .unique($0) }
                            ?? .key(hasForeignKey: options.relation.hasForeignKey),
                        traits: options.traits))
            case .objects(let target, let isOptional):
                if let keyPath = options.relation.inverse {
                    return .inverse(
                        InverseProperty(
                            relation: relation(to: target, loading: ownerRemembers ? .onDemand : .eager),
                            count: .many(arrayDefault), isOptional: isOptional, keyPath: keyPath,
                            through: options.relation.through))
                }
                return .objects(
                    ObjectsProperty(
                        relation: relation(to: target),
                        array: array(named: name, in: table, isOptional: isOptional, arrayDefault),
                        names: options.joinTable, hasForeignKey: options.relation.hasForeignKey))
            }
        }

        /// - Parameter loading: When it is loaded if nothing is declared of that (decision 0075).
        private func relation(
            to target: RelationTarget, loading: RelationLoading = .eager
        ) -> RelationProperty {
            RelationProperty(
                target: target, deleteRule: options.relation.deleteRule ?? .nullify,
                loading: options.relation.loading ?? loading, order: options.relation.order,
                orphans: options.relation.orphans)
        }

        private var referenceNames: ReferenceProperty.Names {
            options.columns.isEmpty ? options.column.map { .stem($0) } ?? .derived : .columns(options.columns)
        }

        private func array(
            named name: String, in table: String, isOptional: Bool, _ defaultValue: ArrayDefault?
        ) -> ArrayTraits {
            let given = options.joinTable?.table ?? options.column
            return ArrayTraits(
                table: Naming.shortened(given ?? "\(table)_\(name)"), givenTable: given,
                presence: isOptional ? Naming.shortened(name + "_present") : nil, defaultValue: defaultValue)
        }
    }
}

// MARK: Problems

extension PropertyMapping.Declaration {
    /// What is wrong with it, as what is said of it.
    ///
    /// - Parameters:
    ///   - mapping: What became of it.
    ///   - earlier: The properties before it.
    func problems(of mapping: PropertyMapping, after earlier: [PropertyMapping]) -> [String] {
        var problems: [String] = []
        let isTimestamp = roles.contains { $0.timestamp != nil }
        if isKey || options.traits.isUnique || options.traits.isIndexed || isTimestamp, shape.hasTable {
            problems.append("is an array, which can't be a key, unique, indexed or a timestamp")
        }
        let count = problems.count
        for role in roles { problems += self.problems(with: role, of: mapping, after: earlier) }
        if role == nil, problems.count == count {
            problems.append("has two roles, of which a column has one: a key, a timestamp, a version, an expiry")
        }
        let relation = options.relation
        let isColumn = if case .column = shape { true } else { false }
        if relation.inverse != nil || relation.deleteRule != nil || (relation.loading != nil && !isColumn),
            shape.target == nil
        {
            problems.append("is no relation, so @Relation says nothing of it")
        }
        if !relation.order.isEmpty { problems += problemsOfOrder }
        if relation.orphans == .delete, relation.inverse == nil || relation.through != nil || shape.target == nil {
            problems.append("is no relation whose other side holds the key, so it has no orphans to delete")
        }
        if relation.through != nil { problems += problemsOfLinks }
        if isColumn, relation.loading == .onDemand { problems += problemsOnDemand(of: mapping) }
        problems += problemsOfNames
        if shape.target != nil, options.storage != .native {
            problems.append("is a relation, which is stored as the key that it leads to is")
        }
        let traits = options.traits
        if relation.inverse != nil,
            traits.isUnique || traits.isIndexed || traits.isRequired || options.column != nil
                || !options.formerNames.names.isEmpty
        {
            problems.append("is the other side of a relation, so it has no column to describe")
        }
        if options.isOmittedIfMissing, !shape.isOptional, !shape.hasTable {
            problems.append("is always there, so no object can be left out for lack of it")
        }
        return problems
    }

    /// What is wrong with the order that was declared.
    private var problemsOfOrder: [String] {
        guard case .objects(let target, _) = shape, !target.isLazy else {
            return ["is no array of objects, so it has no order"]
        }
        var problems: [String] = []
        if options.relation.through != nil { problems.append("goes through another type, in the order of keys") }
        if options.relation.inverse == nil, options.joinTable.map({ $0.position != nil }) ?? true {
            problems.append("has positions, by which it is ordered. Remove the order, or make it a set")
        }
        return problems
    }

    /// What is wrong with it as an array that goes through another type.
    private var problemsOfLinks: [String] {
        guard case .objects = shape, options.relation.inverse != nil else {
            return ["goes through another type, which only an array of objects does, with an inverse of that type"]
        }
        return options.relation.deleteRule ?? .nullify == .nullify
            ? [] : ["goes through another type, and the delete rules of that say what becomes of its objects"]
    }

    /// What is wrong with it as a column that is loaded on demand.
    private func problemsOnDemand(of mapping: PropertyMapping) -> [String] {
        var problems: [String] = []
        if !ownerRemembers {
            problems.append(
                "can't be loaded on demand: a struct, or a class without `changes`, can't remember what was not")
        }
        if role != .plain, role != .generated {
            problems.append("has a role for which it is always loaded, so it can't be loaded on demand")
        } else if !mapping.canBeLeftOut {
            problems.append(
                "has no value before it is loaded on demand. Make it a `var` that is optional or has a default")
        }
        if options.isOmittedIfMissing {
            problems.append("decides whether its object is left out, so it is always loaded")
        }
        return problems
    }

    /// What is wrong with it in one of its roles.
    private func problems(
        with role: PropertyRole, of mapping: PropertyMapping, after earlier: [PropertyMapping]
    ) -> [String] {
        var problems: [String] = []
        let isTimestamp = roles.contains { $0.timestamp != nil }
        switch role {
        case .plain: break
        case .key:
            if mapping.hasUnfitDates {
                problems.append(
                    "is a date in a column of texts or real numbers, which have no one form of an instant, so it can't be a key. Store it natively, or as `.seconds` or `.milliseconds`"
                )
            }
            if mapping.textForm == .ofColumnType {
                problems.append(
                    "is the text of a value of the column's own type, which has several forms, so it is no key")
            }
            if shape.target != nil { problems.append("is a relation, which can't be a key") }
            if isTimestamp, !shape.hasTable {
                problems.append("is a key, which never changes, so it is no timestamp")
            }
        case .timestamp(let kind):
            if !isInstant { problems.append("is a timestamp, which has to be a Date or a Date?") }
            if kind == .deleted, isInstant, !mapping.isNullable || !mapping.isWritable {
                problems.append(
                    "is the time of the deletion, which an object has only then, so it is a `var` of type Date?")
            }
        case .version:
            let isCounted = if case .column(let type, isNullable: false) = shape { type.isInteger } else { false }
            if !isCounted { problems.append("is a version, which has to be an integer that is never nil") }
            if isKey || !mapping.isWritable {
                problems.append("is a version, which changes, so it is a `var` and no key")
            }
            if earlier.contains(where: \.isVersion) {
                problems.append("is a second version: one counts all updates of a row")
            }
        case .expiry:
            if !isInstant {
                problems.append("is when objects expire, which has to be a Date or a Date?")
            } else if CurrentTime(timestamp: "now", microseconds: "now").value(in: options.storage) == nil {
                problems.append(
                    "is when objects expire, and is stored as text, or as days. Store it natively, or as seconds or milliseconds"
                )
            }
            if isKey || isTimestamp { problems.append("is when objects expire, so it is no key and no timestamp") }
            if earlier.contains(where: \.expires) {
                problems.append("is a second instant from which objects are gone: one is enough")
            }
        case .generated:
            let isColumn = if case .column = shape { true } else { false }
            if !isColumn { problems.append("is generated, which only a value in a column of its own can be") }
            if isKey || isTimestamp || roles.contains(.version) {
                problems.append("is generated by the database, so it is no key, no timestamp and no version")
            }
        }
        return problems
    }

    /// The declared names that it has no use for.
    private var problemsOfNames: [String] {
        var problems: [String] = []
        let relation = options.relation
        var (isReference, isArray) = (false, false)
        switch shape {
        case .reference: isReference = relation.inverse == nil
        case .objects: isArray = relation.inverse == nil
        case .column, .array: break
        }
        if !options.columns.isEmpty, !isReference || options.column != nil {
            problems.append("has several column names, which only a reference takes, once")
        }
        if let names = options.joinTable {
            if !isArray || options.column != nil {
                problems.append("names a join table, which only an array of objects has, once")
            }
            let all = [names.table, names.position].compactMap(\.self) + names.owner.names + names.element.names
            if all.contains("") { problems.append("has an empty name in its join table") }
        }
        if relation.references != nil, !isReference {
            problems.append("holds no key, so it names no property in place of one")
        }
        if !relation.hasForeignKey, !isReference, !isArray {
            problems.append("holds no key, so it has no foreign key to leave out")
        }
        if !relation.hasForeignKey, isReference, relation.references != nil {
            problems.append(
                "names a property in place of a key, and without a foreign key a value that leads nowhere would read as nil"
            )
        }
        return problems
    }
}
