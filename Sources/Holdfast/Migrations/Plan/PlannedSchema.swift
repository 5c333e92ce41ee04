/// The schema that a database will have once planned steps have run: a pure value, so that planning can go on from it.
struct PlannedSchema {
    let dialect: any Dialect
    var snapshot: SchemaTables
    var journal: SchemaJournal

    /// Follows steps.
    ///
    /// A table that is made anew is followed by ``remake(_:)`` instead, since its statements do not say what it
    /// becomes.
    mutating func follow(_ steps: [SchemaStep]) {
        for step in steps { follow(step) }
    }

    /// Replaces tables by those that a rebuild makes of them.
    mutating func remake(_ tables: [DatabaseSchema.Table]) {
        for table in tables { snapshot.tables[table.name] = table }
    }

    private mutating func follow(_ step: SchemaStep) {
        let isFirst = step.statement.index == 0
        switch step.statement.change {
        case .createTable(let definition):
            snapshot.tables[definition.name] = DatabaseSchema.Table(definition, dialect)
        case .dropTable(let table): snapshot.tables[table] = nil
        case .addForeignKey(let key, let table):
            let keys = (snapshot.tables[table]?.foreignKeys ?? []) + [DatabaseSchema.ForeignKey(key, on: table)]
            snapshot.tables[table]?.foreignKeys = keys.inOrder { ($0.name ?? "") < ($1.name ?? "") }
        case .dropForeignKey(let name, let table):
            snapshot.tables[table]?.foreignKeys.removeAll { $0.name == name }
        case .addTableCheck(let check, let table):
            let added = DatabaseSchema.Check(check, dialect)
            snapshot.tables[table]?.checks.append(added)
        case .dropTableCheck(let name, let table): snapshot.tables[table]?.checks.removeAll { $0.name == name }
        case .createIndex(let index, let table): create(index, on: table, step.sql)
        case .dropIndex(let name, let table): drop(index: name, of: table)
        case .createDeleteRule(let rule, let owner):
            var columns: [String] = []
            if case .columns(let held) = rule.source { columns = held }
            if isFirst { create(rule.name, of: columns, on: rule.triggerTable(owner: owner), step.sql) }
        case .createLogTrigger(let name, let table):
            if isFirst { create(name, of: step.trigger?.columns ?? [], on: table, step.sql) }
        case .createSearch(let index, let table):
            if dialect.search?.isKeptByTriggers == true {
                if let trigger = step.searchTrigger { create(trigger, of: index.columns, on: table, step.sql) }
            } else if isFirst {
                create(index, on: table)
            }
        case .dropSearch(let name, let table):
            drop(index: name, of: table)
            for event in SearchIndex.Event.allCases { drop(trigger: "\(name)_\(event.rawValue)", of: table) }
        case .dropDeleteRule(let name, let table), .dropLogTrigger(let name, let table):
            drop(trigger: name, of: table)
        case .addColumn(let column, let table): add(column, step.key, to: table)
        case .dropColumn(let column, let table): drop(column, of: table)
        case .changeType, .setNotNull, .dropNotNull, .setDefault, .setCollation, .setCheck, .dropCheck: alter(step)
        // Names are followed where they are given: see `SchemaRenames`.
        case .renameTable, .renameColumn, .renameIndex, .renameForeignKey, .renameCheck, .renameGeneratedKey,
            .updateRows, .copyRows, .replaceTable:
            return
        // No single statement does these, or nothing is known of what it does.
        case .alterColumn, .wrapColumn, .unwrapArray, .runMigration, .makeAddition, .dropAddition:
            return
        }
    }

    // MARK: Columns

    private mutating func add(_ column: ColumnDefinition, _ key: ForeignKeyDefinition?, to name: String) {
        guard var table = snapshot.tables[name], !table.columns.contains(where: { $0.name == column.name }) else {
            return
        }
        table.columns.append(DatabaseSchema.Column(column, dialect))
        table.checks += DatabaseSchema.Check(column, of: name, dialect).map { [$0] } ?? []
        table.foreignKeys += key.map { [DatabaseSchema.ForeignKey($0, on: name)] } ?? []
        snapshot.tables[name] = table
    }

    private mutating func drop(_ column: String, of name: String) {
        guard var table = snapshot.tables[name] else { return }
        table.columns.removeAll { $0.name == column }
        table.foreignKeys.removeAll { $0.columns.contains(column) }
        table.uniqueConstraints.removeAll { $0.columns.contains(column) }
        table.checks.removeAll { $0.column == column }
        snapshot.tables[name] = table
        for index in table.indexes where index.needs(column) { drop(index: index.name, of: name) }
    }

    private mutating func alter(_ step: SchemaStep) {
        var definition: ColumnDefinition?
        if case .alterColumn(let column, _) = step.action { definition = column }
        func change(_ name: String, _ table: String, _ body: (inout DatabaseSchema.Column) -> Void) {
            guard var changed = snapshot.tables[table],
                let index = changed.columns.firstIndex(where: { $0.name == name })
            else { return }
            body(&changed.columns[index])
            snapshot.tables[table] = changed
        }
        switch step.statement.change {
        case .changeType(let name, let table, _, let type, _):
            change(name, table) { column in
                column.typeName = definition.map(dialect.storedTypeName) ?? dialect.storedTypeName(type)
                column.collation = dialect.collation(
                    definition.map(dialect.typeName) ?? dialect.typeName(type), of: column.typeName)
            }
        case .setNotNull(let name, let table): change(name, table) { $0.isNullable = false }
        case .dropNotNull(let name, let table): change(name, table) { $0.isNullable = true }
        case .setDefault(let name, let table):
            let value = definition?.defaultValue?.literal(dialect, definition?.type ?? .text)
            change(name, table) { $0.defaultExpression = value }
        case .setCollation(let name, let table):
            change(name, table) { $0.collation = definition.flatMap(dialect.collation) }
        case .setCheck(let name, let table, _, _), .dropCheck(let name, let table):
            snapshot.tables[table]?.checks.removeAll { $0.isOwn(of: name) }
            let check = definition.flatMap { DatabaseSchema.Check($0, of: table, dialect) }
            snapshot.tables[table]?.checks += check.map { [$0] } ?? []
        default: return
        }
    }

    // MARK: Indexes and triggers

    private mutating func create(_ index: IndexDefinition, on name: String, _ sql: String) {
        let indexes = (snapshot.tables[name]?.indexes ?? []) + [DatabaseSchema.Index(index)]
        snapshot.tables[name]?.indexes = indexes.inOrder { $0.name < $1.name }
        depend(name, DatabaseSchema.Dependent(name: index.name, sql: sql, isTrigger: false))
    }

    private mutating func create(_ search: SearchIndex, on name: String) {
        var index = DatabaseSchema.Index(name: search.name)
        index.expressionColumns = search.columns
        let indexes = (snapshot.tables[name]?.indexes ?? []) + [index]
        snapshot.tables[name]?.indexes = indexes.inOrder { $0.name < $1.name }
    }

    private mutating func drop(trigger name: String, of table: String) {
        snapshot.tables[table]?.triggers.removeAll { $0 == name }
        snapshot.tables[table]?.idleTriggers.remove(name)
        snapshot.tables[table]?.triggerColumns[name] = nil
        snapshot.tables[table]?.dependents.removeAll { $0.name == name }
    }

    private mutating func drop(index: String, of name: String) {
        snapshot.tables[name]?.indexes.removeAll { $0.name == index }
        snapshot.tables[name]?.dependents.removeAll { $0.name == index }
    }

    private mutating func create(_ trigger: String, of columns: [String], on name: String, _ sql: String) {
        snapshot.tables[name]?.triggers.append(trigger)
        snapshot.tables[name]?.triggers.sort()
        snapshot.tables[name]?.triggerColumns[trigger] = columns
        depend(name, DatabaseSchema.Dependent(name: trigger, sql: sql, isTrigger: true))
    }

    private mutating func depend(_ name: String, _ dependent: DatabaseSchema.Dependent) {
        if dialect.tableRebuild != nil { snapshot.tables[name]?.dependents.append(dependent) }
    }
}

// MARK: What definitions become

extension DatabaseSchema.Table {
    /// The table that a definition becomes, before its indexes and triggers are made.
    init(_ definition: TableDefinition, _ dialect: any Dialect) {
        self.init(
            name: definition.name, columns: definition.columns.map { DatabaseSchema.Column($0, dialect) },
            primaryKey: definition.primaryKey)
        foreignKeys = definition.foreignKeys.map { DatabaseSchema.ForeignKey($0, on: definition.name) }
        checks =
            definition.columns.compactMap { DatabaseSchema.Check($0, of: definition.name, dialect) }
            + definition.checks.map { DatabaseSchema.Check($0, dialect) }
    }
}

extension DatabaseSchema.Column {
    fileprivate init(_ column: ColumnDefinition, _ dialect: any Dialect) {
        self.init(
            name: column.name, typeName: dialect.storedTypeName(of: column), isNullable: column.isNullable,
            defaultExpression: column.defaultValue?.literal(dialect, column.type))
        collation = dialect.collation(of: column)
    }
}

extension DatabaseSchema.Check {
    fileprivate init(_ check: CheckDefinition, _ dialect: any Dialect) {
        self.init(name: check.constraint, expression: SchemaSQL(dialect: dialect).condition(check))
    }

    fileprivate init?(_ column: ColumnDefinition, of table: String, _ dialect: any Dialect) {
        if column.cases.isEmpty { return nil }
        self.init(
            name: Naming.check(of: table, column.name), expression: SchemaSQL(dialect: dialect).isCase(column))
        self.column = column.name
    }
}

extension DatabaseSchema.ForeignKey {
    fileprivate init(_ key: ForeignKeyDefinition, on table: String) {
        self.init(
            name: key.name(on: table), columns: key.columns, table: key.table, targetColumns: key.targetColumns,
            onDelete: key.onDelete, schema: key.schema)
    }
}

extension DatabaseSchema.Index {
    fileprivate init(_ index: IndexDefinition) {
        self.init(
            name: index.name,
            terms: index.terms.map { $0.isExpression ? .init(expression: $0.text) : .init(column: $0.text) },
            isUnique: index.isUnique, condition: index.condition)
        expressionColumns = index.terms.compactMap { $0.document?.column }
    }
}
