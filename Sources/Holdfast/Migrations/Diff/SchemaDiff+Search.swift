// The indexes of full text search.

extension SchemaDiff {
    /// Creates the search indexes of types, in place of those of other columns.
    ///
    /// One that no type declares any more is left: other programs may rely on it. Only an allowance ends it.
    func searchSteps(_ definitions: [TableDefinition], _ problems: inout SchemaProblems) -> [SchemaStep] {
        definitions.flatMap { definition -> [SchemaStep] in
            let table = snapshot.tables[definition.name]
            let isLeft = allowed.contains(.leavingSearch(of: definition.name))
            let search = dialect.search
            if definition.search != nil, let obstacle = search.map(\.obstacle) ?? "The driver has no full text search."
            {
                problems.add(Self.lacksSearch(definition.name, obstacle))
                return []
            }
            guard let search else { return [] }
            var lost = table?.searchIndexes(isComplete: false) ?? []
            if let name = definition.search?.name {
                lost.removeAll { $0 == name }
            } else if !isLeft {
                let columns = Set(allowed.compactMap { $0.droppedColumn(of: definition.name) })
                lost.removeAll { table?.searchIndex($0, needsOneOf: columns) != true }
            }
            let drops = lost.flatMap { dropSearchSteps($0, on: definition.name, search) }
            guard let index = definition.search,
                table?.searchIndexes(isComplete: true).contains(index.name) != true
            else { return drops }
            return drops
                + search.create(index, on: definition.name).enumerated().map { number, statement in
                    let change = SchemaChange.createSearch(index, table: definition.name)
                    var step = SchemaStep(SchemaStatement(change, index: number), statement.sql, dialect)
                    step.searchTrigger = statement.trigger
                    return step
                }
        }
    }

    private func dropSearchSteps(_ name: String, on table: String, _ search: any SearchDialect) -> [SchemaStep] {
        search.drop(name, on: table).enumerated().map { number, sql in
            SchemaStep(SchemaStatement(.dropSearch(name: name, table: table), index: number), sql, dialect)
        }
    }

    private static func lacksSearch(_ table: String, _ obstacle: String) -> DatabaseError {
        DatabaseError(
            .unsupported, "The table \"\(table)\" can't be searched. \(obstacle) Nothing was changed.", table: table)
    }
}

extension DatabaseSchema.Table {
    /// The names of the search indexes.
    ///
    /// - Parameter isComplete: Whether only those are named that queries can use.
    func searchIndexes(isComplete: Bool) -> [String] {
        let own = indexes.filter { $0.name.hasPrefix(SearchIndex.namePrefix) && ($0.isValid || !isComplete) }
        var events: [String: Int] = [:]
        for trigger in triggers {
            guard let (index, _) = SearchIndex.parts(ofTrigger: trigger) else { continue }
            events[index, default: 0] += 1
        }
        let kept = events.filter { !isComplete || $0.value == SearchIndex.Event.allCases.count }.keys
        return own.map(\.name) + kept.sorted()
    }

    /// Whether a search index reads one of some columns.
    fileprivate func searchIndex(_ name: String, needsOneOf columns: Set<String>) -> Bool {
        if indexes.contains(where: { $0.name == name && !columns.isDisjoint(with: $0.expressionColumns) }) {
            return true
        }
        return SearchIndex.Event.allCases.contains { event in
            !columns.isDisjoint(with: triggerColumns["\(name)_\(event.rawValue)"] ?? [])
        }
    }
}

extension SchemaLoss {
    /// The column of a table that is dropped.
    fileprivate func droppedColumn(of table: String) -> String? {
        switch kind {
        case .column(let column, table: table), .wrapping(let column, table: table, array: _): column
        default: nil
        }
    }
}
