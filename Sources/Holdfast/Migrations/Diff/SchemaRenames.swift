/// Renames of tables and columns, and of all that is named after them: pure, from what a database has to statements and
/// to what it has then.
struct SchemaRenames {
    let dialect: any Dialect
    private(set) var snapshot: SchemaTables
    private(set) var journal: SchemaJournal
    private(set) var steps: [SchemaStep] = []
    /// The changes by which the journal follows.
    private(set) var bookkeeping: [JournalChange] = []
    private var hasDroppedRules = false

    /// Starts from what a database has.
    init(_ snapshot: SchemaTables, _ journal: SchemaJournal, _ dialect: any Dialect) {
        (self.snapshot, self.journal, self.dialect) = (snapshot, journal, dialect)
    }

    /// Renames what the models say had other names before, where the new names are not there yet.
    ///
    /// Where it can't be told which table or column is meant, that is a problem.
    mutating func follow(_ definitions: [TableDefinition], _ problems: inout SchemaProblems) {
        let definitions = definitions.filter { !journal.adopted.contains($0.name) }
        for definition in definitions where snapshot.tables[definition.name] == nil {
            let found = definition.formerNames.filter { snapshot.tables[$0] != nil && !journal.adopted.contains($0) }
            guard let former = found.first else { continue }
            if found.count > 1 {
                problems.add(ambiguous(definition, "the tables \"\(found[0])\" and \"\(found[1])\"", []))
            }
            rename(table: former, to: definition.name)
            guard let array = definition.logged.array else { continue }
            for former in definition.logged.formerArrays where former != array {
                renameInLog(column: former, of: definition.logged.table, to: array)
            }
        }
        for definition in definitions where snapshot.tables[definition.name] != nil {
            let swapped = checkSwaps(definition, &problems)
            // A name may become free only when its column has got another one.
            while renameOneColumn(of: definition, besides: swapped, &problems) {}
        }
    }

    private mutating func renameOneColumn(
        of definition: TableDefinition, besides swapped: Set<String>, _ problems: inout SchemaProblems
    ) -> Bool {
        guard let table = snapshot.tables[definition.name] else { return false }
        let existing = Set(table.columns.map(\.name))
        for column in definition.columns where !existing.contains(column.name) && !swapped.contains(column.name) {
            let found = column.formerNames.filter(existing.contains)
            guard let former = found.first else { continue }
            if found.count > 1 {
                problems.add(
                    ambiguous(definition, "the columns \"\(found[0])\" and \"\(found[1])\"", [column.property]))
            }
            rename(column: former, of: definition.name, to: column.name)
            renameIndexes(of: definition, intoDocuments: column.name, formerly: former)
            return true
        }
        return false
    }

    /// Renames the indexes of values in a column of documents, whose names have a hash of it.
    private mutating func renameIndexes(
        of definition: TableDefinition, intoDocuments column: String, formerly former: String
    ) {
        for index in definition.indexes {
            let old = index.formerly(column, called: former, on: definition.name).name
            guard old != index.name,
                let position = snapshot.tables[definition.name]?.indexes.firstIndex(where: { $0.name == old })
            else { continue }
            run(.renameIndex(table: definition.name), dialect.renameIndex(old, to: index.name))
            if dialect.canRenameIndexes {
                snapshot.tables[definition.name]?.indexes[position].name = index.name
            } else {
                // It was dropped instead, and is made again.
                snapshot.tables[definition.name]?.indexes.remove(at: position)
                snapshot.tables[definition.name]?.dependents.removeAll { $0.name == old }
            }
        }
    }

    /// Refuses two columns that have each other's former names: afterwards nothing would tell that it was done.
    ///
    /// - Returns: These columns.
    private func checkSwaps(_ definition: TableDefinition, _ problems: inout SchemaProblems) -> Set<String> {
        var swapped = Set<String>()
        for column in definition.columns {
            for other in definition.columns
            where column.name < other.name && column.formerNames.contains(other.name)
                && other.formerNames.contains(column.name)
            {
                swapped.formUnion([column.name, other.name])
                problems.add(
                    DatabaseError(
                        .conflict,
                        "\"\(column.property)\" and \"\(other.property)\" are each renamed from the other. Swap their "
                            + "columns by a Migration. Nothing was changed.",
                        table: definition.name, properties: [column.property, other.property]))
            }
        }
        return swapped
    }

    private func ambiguous(_ definition: TableDefinition, _ what: String, _ properties: [String]) -> DatabaseError {
        let name = properties.first.map { "\"\($0)\" of \"\(definition.name)\"" } ?? "\"\(definition.name)\""
        return DatabaseError(
            .conflict,
            "\(name) was renamed, and the database has \(what), which are both among its former names. Nothing was changed.",
            table: definition.name, properties: properties)
    }

    // MARK: Single renames

    /// Renames a table, and what is named after it.
    mutating func rename(table: String, to name: String) {
        dropDeleteRules()
        let isKnown = snapshot.tables[table] != nil
        step(.renameTable(table, to: name), "ALTER TABLE \(quoted(table)) RENAME TO \(quoted(name))")
        note(.renameTable(table, to: name))
        followInLog(
            "UPDATE holdfast_log SET table_name = \(dialect.literal(name)) WHERE table_name = \(dialect.literal(table))"
        )
        renameDependents(.renameTable(table, to: name))
        guard isKnown, var renamed = snapshot.tables.removeValue(forKey: table) else { return }
        renamed.name = name
        snapshot.tables[name] = renamed
        for other in snapshot.tables.keys {
            guard let count = snapshot.tables[other]?.foreignKeys.count else { continue }
            for index in 0..<count
            where snapshot.tables[other]?.foreignKeys[index].table == table
                && snapshot.tables[other]?.foreignKeys[index].schema == nil
            {
                snapshot.tables[other]?.foreignKeys[index].table = name
            }
        }
        nameAnew(name, formerly: table)
        run(.renameIndex(table: name), dialect.renameIndex(Naming.key(of: table), to: Naming.key(of: name)))
        for column in renamed.keyColumns where renamed.keyColumns.count == 1 {
            dialect.renameGeneratedKey(of: table, column, to: name, column).map {
                run(.renameGeneratedKey(table: name), $0)
            }
        }
    }

    /// Renames a column, and what is named after it.
    mutating func rename(column: String, of table: String, to name: String) {
        dropDeleteRules()
        step(
            .renameColumn(column, table: table, to: name),
            "ALTER TABLE \(quoted(table)) RENAME COLUMN \(quoted(column)) TO \(quoted(name))")
        note(.renameColumn(column, table: table, to: name))
        renameInLog(column: column, of: table, to: name)
        renameDependents(.renameColumn(column, table: table, to: name))
        guard var renamed = snapshot.tables[table] else { return }
        func new(_ old: String) -> String { old == column ? name : old }
        let isGenerated = renamed.keyColumns == [column]
        for index in renamed.columns.indices where renamed.columns[index].name == column {
            renamed.columns[index].name = name
        }
        let keyColumns = renamed.keyColumns.map(new)
        renamed.primaryKey?.columns = keyColumns
        for index in renamed.uniqueConstraints.indices {
            renamed.uniqueConstraints[index].columns = renamed.uniqueConstraints[index].columns.map(new)
        }
        snapshot.tables[table] = renamed
        for other in snapshot.tables.keys {
            guard let keys = snapshot.tables[other]?.foreignKeys else { continue }
            for (index, key) in keys.enumerated() where key.table == table && key.schema == nil {
                snapshot.tables[other]?.foreignKeys[index].targetColumns = key.targetColumns.map(new)
            }
        }
        nameAnew(table, formerly: table, column: column, to: name)
        if isGenerated {
            dialect.renameGeneratedKey(of: table, column, to: table, name).map {
                run(.renameGeneratedKey(table: table), $0)
            }
        }
    }

    /// Renames the indexes and foreign keys of a table that are named after it and its columns.
    ///
    /// - Parameters:
    ///   - table: The table as it is called now.
    ///   - former: The table as it was called.
    ///   - column: The column that was renamed; nil for none.
    ///   - name: Its new name.
    private mutating func nameAnew(
        _ table: String, formerly former: String, column: String? = nil, to name: String = ""
    ) {
        func new(_ old: String) -> String { old == column ? name : old }
        guard var found = snapshot.tables[table] else { return }
        let indexes = found.indexes
        found.indexes = indexes.compactMap { index in
            var index = index
            let old = index.terms.compactMap(\.column)
            for term in index.terms.indices { index.terms[term].column = index.terms[term].column.map(new) }
            index.expressionColumns = index.expressionColumns.map(new)
            let columns = index.terms.compactMap(\.column)
            guard
                let name = Naming.rename(
                    index: index.name, of: former, old, to: table, columns, isUnique: index.isUnique),
                name != index.name
            else { return index }
            run(.renameIndex(table: table), dialect.renameIndex(index.name, to: name))
            // Where it was dropped instead, it is made again.
            if !dialect.canRenameIndexes { found.dependents.removeAll { $0.name == index.name } }
            index.name = name
            return dialect.canRenameIndexes ? index : nil
        }
        found.indexes = found.indexes.inOrder { $0.name < $1.name }
        found.foreignKeys = found.foreignKeys.map { key in
            var key = key
            let old = ForeignKeyDefinition.name(of: key.columns, on: former)
            key.columns = key.columns.map(new)
            let name = ForeignKeyDefinition.name(of: key.columns, on: table)
            if key.name == old, old != name, let sql = dialect.renameConstraint(old, to: name, on: table) {
                run(.renameForeignKey(table: table), sql)
                key.name = name
            }
            return key
        }
        found.checks = found.checks.map { check in
            var check = check
            guard check.isOwn, let column = check.column else { return check }
            let old = Naming.check(of: former, column)
            check.column = new(column)
            let name = Naming.check(of: table, new(column))
            if check.name == old, old != name, let sql = dialect.renameConstraint(old, to: name, on: table) {
                run(.renameCheck(table: table), sql)
                check.name = name
            }
            return check
        }
        snapshot.tables[table] = found
    }

    /// Drops the delete rules of all tables, once: they name tables and columns in ways that no engine follows
    /// everywhere, and what the types need is made again.
    private mutating func dropDeleteRules() {
        if hasDroppedRules { return }
        hasDroppedRules = true
        for (table, known) in snapshot.tables.inOrder({ $0.key < $1.key }) where !journal.adopted.contains(table) {
            steps += known.ruleTriggers.flatMap { dialect.dropDeleteRuleSteps($0, on: table) }
            snapshot.tables[table]?.dropOwnTriggers()
        }
    }

    /// Lets the texts of indexes and triggers follow, as far as it can be told what the engine makes of them.
    private mutating func renameDependents(_ change: SchemaChange) {
        for (name, table) in snapshot.tables where !table.dependents.isEmpty {
            let dependents = table.dependents.map { dependent in
                if let renamed = dialect.renamed(dependent, of: name, by: change) { return renamed }
                var unknown = dependent
                unknown.isExact = false
                return unknown
            }
            snapshot.tables[name]?.dependents = dependents
        }
    }

    // MARK: The change log

    /// Lets the entries follow that nobody may have read yet: who reads the log asks by the new names.
    private mutating func followInLog(_ sql: String) {
        guard snapshot.tables[LogTrigger.table] != nil else { return }
        run(.updateRows(table: LogTrigger.table), sql)
    }

    private mutating func renameInLog(column: String, of table: String, to name: String) {
        dialect.changeLog.map { followInLog($0.renameColumn(column, of: table, to: name)) }
    }

    // MARK: Text

    private mutating func run(_ change: SchemaChange, _ sql: String) {
        guard let last = steps.last else { return }
        step(change, sql, for: last.action)
    }

    private mutating func step(_ change: SchemaChange, _ sql: String, for action: SchemaChange? = nil) {
        steps.append(SchemaStep(SchemaStatement(change), sql, dialect, for: action))
    }

    private mutating func note(_ change: JournalChange) {
        bookkeeping.append(change)
        journal.follow(change)
    }

    private func quoted(_ name: String) -> String { dialect.quoted(name) }
}

extension Dialect {
    /// A text as a constant.
    func literal(_ text: String) -> String {
        var buffer = ParameterBuffer(width: 1)
        var text = text
        text.withUTF8 { buffer.append(.text, UnsafeRawBufferPointer($0)) }
        return buffer.withRow(0) { literal($0[0], type: .text) }
    }
}
