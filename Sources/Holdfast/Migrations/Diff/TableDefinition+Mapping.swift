extension TableDefinition {
    /// The table of a mapping.
    init(_ description: TableDescription) {
        let layout = description.columns
        name = description.tableName.name
        schema = description.tableName.schema
        formerNames = description.formerTables
        primaryKey = description.keyColumns
        hasGeneratedKey = description.hasGeneratedKey
        columns = layout.all.map { column in
            let property = description.properties[column.property]
            return ColumnDefinition(
                name: column.name, type: column.type, isNullable: column.isNullable, storage: column.storage,
                isGenerated: property.isGenerated, cases: property.cases, defaultValue: property.definedDefault,
                property: property.name,
                formerNames: description.formerNames(of: column))
        }
        search = SearchIndex(description)
        logged = LoggedTable(
            log: description.log, table: description.tableName.name, keyColumns: primaryKey,
            ownerKeyColumns: primaryKey)
        foreignKeys = layout.relations.compactMap { description.foreignKey(of: $0) }
        deleteRules = layout.relations.compactMap { description.deleteRule(of: $0) }
        checks = description.checks.map { CheckDefinition($0, of: description) }
        let table = name
        func index(_ columns: [String], isUnique: Bool) -> IndexDefinition {
            IndexDefinition(on: table, columns, isUnique: isUnique)
        }
        let declared = description.indexes.map { IndexDefinition($0, of: description) }
        var indexes: [IndexDefinition] = []
        for (position, property) in description.properties.enumerated() {
            let columns = layout.columnNames(of: position)
            guard !columns.isEmpty else { continue }
            if property.isUnique { indexes.append(index(columns, isUnique: true)) }
            // A reference is always looked up by: when its target is deleted, and from the other side.
            let isReference = layout.relation(position).map { !$0.isArray } ?? false
            // The index of the key does for columns that the key begins with, and so does one that the model declares.
            let isCovered =
                layout.sharedMask.contains(position) && primaryKey.starts(with: columns)
                || declared.contains { $0.condition == nil && $0.columns.starts(with: columns) }
            if property.isIndexed || isReference && !property.isUnique && !isCovered {
                indexes.append(index(columns, isUnique: false))
            }
        }
        indexes += declared
        var seen = Set<String>()
        self.indexes = indexes.filter { seen.insert($0.name).inserted }
    }

    /// The join table of an array property.
    init(_ joinTable: JoinTable, owner: TableDescription, property: PropertyMapping) {
        func column(
            _ name: String, _ type: ColumnType, isNullable: Bool = false, formerly: [String] = []
        ) -> ColumnDefinition {
            ColumnDefinition(
                name: name, type: type, isNullable: isNullable, storage: .native, defaultValue: nil,
                property: property.name, formerNames: formerly.filter { $0 != name })
        }
        name = joinTable.name.name
        schema = joinTable.name.schema
        formerNames = owner.formerJoinTables(of: property).filter { $0 != joinTable.name.name }
        isJoinTable = true
        let owners = zip(joinTable.ownerColumns, owner.keyIndices).map { name, index in
            column(
                name, owner.properties[index].columnType ?? .int64, formerly: owner.formerReferences(toKey: index))
        }
        let shared = joinTable.sharedParts
        columns =
            owners + (joinTable.position.map { [column($0, .int64)] } ?? [])
            + joinTable.elementColumns.enumerated().filter { shared[$0.offset] == nil }.map { position, element in
                let target = property.shape.target?.description
                let formerly = target.map { $0.formerReferences(toKey: $0.keyIndices[position]) }
                return column(
                    element.name, element.type, isNullable: element.isNullable, formerly: formerly ?? [])
            }
        primaryKey =
            (joinTable.isPositionGenerated ? [] : joinTable.ownerColumns)
            + (joinTable.position.map { [$0] }
                ?? zip(joinTable.elementColumns, shared).filter { $0.1 == nil }.map(\.0.name))
        logged = LoggedTable(
            log: owner.log, table: owner.tableName.name, keyColumns: joinTable.ownerColumns,
            ownerKeyColumns: owner.keyColumns, array: property.name, formerArrays: property.formerStems)
        hasGeneratedKey = joinTable.isPositionGenerated
        // The index of any other key does, which begins with the owner.
        indexes = hasGeneratedKey ? [IndexDefinition(on: name, joinTable.ownerColumns, isUnique: false)] : []
        foreignKeys = [
            ForeignKeyDefinition(
                columns: joinTable.ownerColumns, table: owner.tableName.name, targetColumns: owner.keyColumns,
                onDelete: property.deleteRule == .deny ? .restrict : .cascade, isDenial: property.deleteRule == .deny)
        ]
        if let target = joinTable.target {
            let elements = joinTable.elementColumns.map(\.name)
            indexes.append(IndexDefinition(on: name, elements, isUnique: false))
            if property.shape.target?.description.isReadOnly == true || !property.hasForeignKey { return }
            // Deleting an object takes it out of every array that held it, unless its own side of the relation denies
            // that.
            let isDenied = property.shape.target?.description.columns.relations.contains { other in
                guard case .inverseJoinTable(_, let table) = other.storage else { return false }
                return table == joinTable && other.deleteRule == .deny
            }
            foreignKeys.append(
                ForeignKeyDefinition(
                    columns: elements, table: target.table.name, targetColumns: target.keyColumns,
                    onDelete: isDenied == true ? .restrict : .cascade, isDenial: isDenied == true,
                    schema: target.table.schema == schema ? nil : target.table.schema))
        }
    }
}

extension PropertyMapping {
    /// The default in the definition of the property's column: the declared one, or false for the column that tells
    /// whether an optional array is not nil.
    fileprivate var definedDefault: DefaultValue? {
        if shape.hasTable {
            var buffer = ParameterBuffer(width: 1)
            buffer.append(.boolean(false))
            return DefaultValue(buffer: buffer)
        }
        // The default of an array is not encoded in the form in which engines write arrays.
        return isKey || storage.isArray ? nil : defaultValue.map(DefaultValue.init)
    }
}

extension TableDescription {
    /// The tables that the mapping needs, its own first.
    var definitions: [TableDefinition] {
        [TableDefinition(self)]
            + columns.joinTables.inOrder { $0.key < $1.key }
            .map { TableDefinition($0.value, owner: self, property: properties[$0.key]) }
    }

    /// The foreign key of a reference: what happens to the row that refers when the other is deleted is the delete rule
    /// of the other side, if that has the relation too.
    fileprivate func foreignKey(of relation: Relation) -> ForeignKeyDefinition? {
        guard case .reference(let columns) = relation.storage, properties[relation.property].hasForeignKey else {
            return nil
        }
        let target = relation.target.description
        // It may be a view, which nothing can refer to.
        if target.isReadOnly { return nil }
        let back = otherSide(of: relation)
        let action: ForeignKeyDefinition.Action
        switch back?.deleteRule {
        case .cascade: action = .cascade
        case .deny: action = .restrict
        case .nullify, nil: action = releasedColumns(of: relation.property) == columns ? .setNull : .restrict
        }
        return ForeignKeyDefinition(
            columns: columns, table: target.tableName.name, targetColumns: target.columns(heldBy: relation),
            onDelete: action,
            isDenial: back?.deleteRule == .deny,
            schema: target.tableName.schema == tableName.schema ? nil : target.tableName.schema)
    }

    /// The database's action on the objects of a relation when a row is deleted; nil if there is none, or if a foreign
    /// key of the other table does it.
    fileprivate func deleteRule(of relation: Relation) -> DeleteRuleDefinition? {
        guard relation.deleteRule != .nullify else { return nil }
        let source: DeleteRuleDefinition.Source
        switch relation.storage {
        case .reference(let columns): source = .columns(columns)
        case .joinTable(let table):
            source = .joinTable(
                table.name.name, ownerColumns: table.ownerColumns, targetColumns: table.elementColumns.map(\.name))
        case .inverseJoinTable(_, let table):
            source = .joinTable(
                table.name.name, ownerColumns: table.elementColumns.map(\.name), targetColumns: table.ownerColumns)
        case .inverseReference: return nil
        }
        let target = relation.target.description
        var definition = DeleteRuleDefinition(
            owner: tableName.name, property: relation.name, rule: relation.deleteRule,
            target: target.tableName.name, targetKey: target.columns(heldBy: relation), source: source)
        definition.leadsElsewhere = target.tableName.schema != tableName.schema
        return definition
    }
}

extension IndexDefinition {
    /// An index that a type declares.
    init(_ declared: TableIndex, of description: TableDescription) {
        let layout = description.columns
        // What is nil here was refused before, as a problem of the index.
        func documentTerm(_ name: String, _ path: String, _ type: JSONScalarType?) -> Term? {
            guard let position = description.index(ofProperty: name), let type, let path = try? JSONPath(path),
                let column = layout.columnNames(of: position).first
            else { return nil }
            return Term(DocumentValue(column: column, path: path, type: type))
        }
        let terms = declared.terms.flatMap { term -> [Term] in
            switch term.source {
            case .expression(let sql): [Term(text: sql, isExpression: true)]
            case .json(let name, let path, let type): documentTerm(name, path, type).map { [$0] } ?? []
            case .property(let name):
                description.index(ofProperty: name).map { index in
                    layout.columnNames(of: index).map { Term(text: $0, isDescending: term.isDescending) }
                } ?? []
            }
        }
        self.init(
            on: description.tableName.name, terms, isUnique: declared.isUnique, where: declared.condition)
    }
}
