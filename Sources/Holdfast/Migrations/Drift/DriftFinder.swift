/// Compares tables as the engine describes them with those that `migrate` makes: pure, from values to values.
struct DriftFinder {
    let schema: DatabaseSchema
    let dialect: any Dialect
    /// The additions of the schema, and what the database has of them.
    var additions: [SchemaAdditions.State] = []

    /// The differences of additions that are missing, or were made by other statements.
    private func additionDrift() -> [SchemaDrift] {
        additions.filter { !$0.isThere || $0.isOther }.map { state in
            let addition = state.addition
            return SchemaDrift(
                table: addition.kind.table ?? addition.name, element: .addition(addition.kind, name: addition.name),
                difference: state.isThere
                    ? .changed(expected: "made by those of the schema", found: "made by other statements")
                    : .missing(""))
        }
    }

    /// Whether a difference is one of what the schema adds.
    private func isAdded(_ drift: SchemaDrift) -> Bool {
        guard case .unknown = drift.difference else { return false }
        let kind: SchemaAddition.Kind
        let name: String
        switch drift.element {
        case .index(let index): (kind, name) = (.index(table: drift.table), index)
        case .trigger(let trigger): (kind, name) = (.trigger(table: drift.table), trigger)
        default: return false
        }
        return additions.contains { $0.addition.kind == kind && $0.addition.name == name }
    }

    /// The differences of each table, in the order of the definitions.
    func drift(from definitions: [TableDefinition]) -> [SchemaDrift] {
        var triggers: [String: [String]] = [:]
        for definition in definitions {
            for rule in definition.deleteRules where rule.needsTrigger {
                triggers[rule.triggerTable(owner: definition.name), default: []].append(rule.name)
            }
        }
        let drift = definitions.flatMap { definition -> [SchemaDrift] in
            guard let table = schema.table(definition.name) else {
                return [SchemaDrift(table: definition.name, element: .table, difference: .missing(""))]
            }
            let comparison = TableComparison(table: table, definition: definition, dialect: dialect)
            let logTriggers = definition.logTriggers(besides: table.columns.map(\.name), dialect).map(\.name)
            var expected = (triggers[definition.name] ?? []) + logTriggers
            if let search = definition.search, dialect.search?.isKeptByTriggers == true {
                expected += SearchIndex.Event.allCases.map(search.trigger)
            }
            return comparison.columnDrift() + comparison.primaryKey() + comparison.indexes() + comparison.search()
                + comparison.foreignKeys() + comparison.constraints() + comparison.triggers(expected)
        }
        return drift.filter { !isAdded($0) } + additionDrift()
    }
}

/// One table, as it is and as it should be.
private struct TableComparison {
    let table: DatabaseSchema.Table
    let definition: TableDefinition
    let dialect: any Dialect

    func drift(_ element: SchemaDrift.Element, _ difference: SchemaDrift.Difference) -> SchemaDrift {
        SchemaDrift(table: definition.name, element: element, difference: difference)
    }

    // MARK: Columns

    func columnDrift() -> [SchemaDrift] {
        let expected = definition.columns.compactMap { column -> SchemaDrift? in
            guard let found = table.column(column.name) else {
                return drift(.column(column.name), .missing(dialect.typeName(of: column)))
            }
            if column.isGenerated, found.generated != nil { return nil }
            let (old, new) = (description(of: column, found), description(of: found, column))
            return old == new ? nil : drift(.column(column.name), .changed(expected: old, found: new))
        }
        let names = Set(definition.columns.map(\.name))
        let unknown = table.columns.filter { !names.contains($0.name) }.map {
            drift(.column($0.name), .unknown($0.typeName + ($0.isNullable ? "" : " NOT NULL")))
        }
        return expected + unknown
    }

    /// A column as it should be.
    private func description(of column: ColumnDefinition, _ found: DatabaseSchema.Column) -> String {
        let stored = dialect.storedTypeName(of: column)
        // Engines differ in the case of their types' names: what is equal otherwise is written as it was found.
        let isOfType = stored.lowercased() == found.typeName.lowercased()
        var text = isOfType ? found.typeName : stored
        if let collation = dialect.collation(of: column) { text += " COLLATE \(collation)" }
        if !column.isNullable { text += " NOT NULL" }
        if let value = defaultExpression(of: column, found) { text += " DEFAULT \(value)" }
        if isGeneratedKey(column) { text += ", made by the database" }
        if column.isGenerated { text += " GENERATED ALWAYS AS …" }
        return text
    }

    /// A column as it is.
    private func description(of found: DatabaseSchema.Column, _ column: ColumnDefinition) -> String {
        var text = found.typeName
        if let collation = found.collation { text += " COLLATE \(collation)" }
        if !found.isNullable { text += " NOT NULL" }
        if let value = found.defaultExpression { text += " DEFAULT \(value)" }
        if let generated = found.generated { text += " GENERATED ALWAYS AS (\(generated.expression))" }
        // Values that the program gives are kept, whether or not the database could make one.
        if found.identity != nil, isGeneratedKey(column) || found.identity == .always {
            text += ", made by the database"
        }
        return text
    }

    private func isGeneratedKey(_ column: ColumnDefinition) -> Bool {
        definition.hasGeneratedKey && definition.primaryKey == [column.name]
    }

    /// The default that a column should have as SQL, spelled like the present default if both mean the same.
    private func defaultExpression(of column: ColumnDefinition, _ found: DatabaseSchema.Column) -> String? {
        // Of the key's own making.
        if found.identity != nil { return found.defaultExpression }
        guard let value = column.defaultValue else {
            // A column that was added to an empty table may have had to have one.
            let zero = dialect.literal(column.type.zero, type: column.type)
            return found.defaultExpression == zero ? zero : nil
        }
        let literal = value.literal(dialect, column.type)
        let expression = DefaultExpression(literal, type: column.type)
        guard let text = found.defaultExpression, expression.isSame(as: text) else { return literal }
        return text
    }

    // MARK: Keys and indexes

    func primaryKey() -> [SchemaDrift] {
        guard let key = table.primaryKey else { return [drift(.primaryKey, .missing(list(definition.primaryKey)))] }
        if key.columns == definition.primaryKey { return [] }
        return [drift(.primaryKey, .changed(expected: list(definition.primaryKey), found: list(key.columns)))]
    }

    func indexes() -> [SchemaDrift] {
        var unknown = table.indexes.filter { !$0.name.hasPrefix(SearchIndex.namePrefix) }
        let expected = definition.indexes.compactMap { index -> SchemaDrift? in
            let found =
                unknown.firstIndex { $0.name == index.name }
                ?? unknown.firstIndex {
                    $0.isValid && index.isPlain && $0.columns == index.columns && $0.isUnique == index.isUnique
                        && !$0.terms.contains(where: \.isDescending)
                }
            guard let found = found.map({ unknown.remove(at: $0) }) else {
                // Constraints have indexes of their own.
                let isConstrained = table.uniqueConstraints.contains { $0.columns == index.columns }
                return isConstrained ? nil : drift(.index(index.name), .missing(description(of: index)))
            }
            let (old, new) = (description(of: index, found), description(of: found))
            return old == new ? nil : drift(.index(found.name), .changed(expected: old, found: new))
        }
        return expected + unknown.map { drift(.index($0.name), .unknown(description(of: $0))) }
    }

    /// The index of a search, where it is one of the table; another one may be another program's.
    func search() -> [SchemaDrift] {
        guard let search = definition.search, dialect.search?.isKeptByTriggers == false,
            !table.searchIndexes(isComplete: true).contains(search.name)
        else { return [] }
        return [drift(.index(search.name), .missing("search \(list(search.columns))"))]
    }

    /// An index as it should be; in the engine's words as far as these can't be compared with what was declared.
    private func description(of index: IndexDefinition, _ found: DatabaseSchema.Index? = nil) -> String {
        let terms = index.terms.enumerated().map { number, term in
            let isThere = term.isExpression && found?.terms.indices.contains(number) == true
            let expression = isThere ? found?.terms[number].expression : nil
            return (expression ?? term.text) + (term.isDescending ? " DESC" : "")
        }
        let condition = index.condition.map { found?.condition ?? $0 }
        return (index.isUnique ? "UNIQUE " : "") + list(terms) + (condition.map { " WHERE \($0)" } ?? "")
    }

    private func description(of index: DatabaseSchema.Index) -> String {
        let terms = index.terms.map { ($0.column ?? $0.expression ?? "") + ($0.isDescending ? " DESC" : "") }
        return (index.isValid ? "" : "invalid ") + (index.isUnique ? "UNIQUE " : "") + list(terms)
            + (index.condition.map { " WHERE \($0)" } ?? "")
    }

    func foreignKeys() -> [SchemaDrift] {
        var unknown = table.foreignKeys
        let expected = definition.foreignKeys.compactMap { key -> SchemaDrift? in
            let found = unknown.firstIndex {
                $0.columns == key.columns && $0.table == key.table && $0.schema == key.schema
                    && $0.targetColumns == key.targetColumns
            }
            guard let found = found.map({ unknown.remove(at: $0) }) else {
                return drift(.foreignKey(key.columns), .missing(description(of: key)))
            }
            // RESTRICT and NO ACTION both refuse; they differ in when.
            let acts = found.onDelete == key.onDelete || key.onDelete == .restrict && found.onDelete == .noAction
            if acts, found.onUpdate == .noAction { return nil }
            return drift(
                .foreignKey(key.columns), .changed(expected: description(of: key), found: description(of: found)))
        }
        return expected + unknown.map { drift(.foreignKey($0.columns), .unknown(description(of: $0))) }
    }

    private func description(of key: ForeignKeyDefinition) -> String {
        "REFERENCES \(key.target) \(list(key.targetColumns)) ON DELETE \(key.onDelete.rawValue)"
    }

    private func description(of key: DatabaseSchema.ForeignKey) -> String {
        "REFERENCES \(TableName(schema: key.schema, key.table)) \(list(key.targetColumns)) ON DELETE \(key.onDelete.rawValue)"
            + (key.onUpdate == .noAction ? "" : " ON UPDATE \(key.onUpdate.rawValue)")
    }

    // MARK: Constraints and triggers

    func constraints() -> [SchemaDrift] {
        let unique = table.uniqueConstraints.filter { constraint in
            !definition.indexes.contains { $0.isUnique && $0.columns == constraint.columns }
        }
        var (others, missing) = (table.checks, [String]())
        for column in definition.columns where !column.cases.isEmpty {
            let name = Naming.check(of: definition.name, column.name)
            let found = others.firstIndex { check in
                guard let found = check.name else { return false }
                // Where nothing renames it, it keeps its name when the column gets another.
                let isKept =
                    dialect.renameConstraint(found, to: name, on: definition.name) == nil && check.isOwn
                return (found == name || isKept) && check.cases(like: column.cases) == Set(column.cases)
            }
            if let found {
                others.remove(at: found)
            } else {
                missing.append(SchemaSQL(dialect: dialect).isCase(column))
            }
        }
        for check in definition.checks {
            if let index = others.firstIndex(where: { $0.name == check.constraint }) {
                others.remove(at: index)
            } else {
                missing.append(SchemaSQL(dialect: dialect).condition(check))
            }
        }
        var checks = others.map(\.expression)
        for column in definition.columns where table.column(column.name) != nil {
            guard let check = dialect.check(column.type, column: column.name) else { continue }
            if let index = checks.firstIndex(of: check) { checks.remove(at: index) } else { missing.append(check) }
        }
        return unique.map { drift(.uniqueConstraint($0.columns), .unknown("")) }
            + missing.map { drift(.check($0), .missing("")) } + checks.map { drift(.check($0), .unknown("")) }
    }

    func triggers(_ expected: [String]) -> [SchemaDrift] {
        let missing = expected.filter { !table.triggers.contains($0) }
        // One delete rule may have several triggers, named after it.
        var unknown = table.triggers.filter { name in !expected.contains { name.hasPrefix($0) } }
        // Another program may have asked for the log.
        if definition.logged.log == .none { unknown.removeAll { LogTrigger.log(ofTrigger: $0) != nil } }
        // And for a search.
        unknown.removeAll { SearchIndex.parts(ofTrigger: $0) != nil }
        return missing.map { drift(.trigger($0), .missing("")) } + unknown.map { drift(.trigger($0), .unknown("")) }
    }

    private func list(_ columns: [String]) -> String { "(\(columns.joined(separator: ", ")))" }
}
