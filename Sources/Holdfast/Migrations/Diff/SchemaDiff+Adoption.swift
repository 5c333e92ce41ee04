// Tables that are somebody else's: nothing in them is changed, and little is asked of them.

extension SchemaDiff {
    func isAdopted(_ definition: TableDefinition) -> Bool { journal.adopted.contains(definition.name) }

    /// The error about a change of a table that is somebody else's.
    static func adopted(_ table: String) -> DatabaseError {
        DatabaseError(
            .conflict,
            "The table \"\(table)\" is adopted, so that it is neither changed nor dropped. Release it first, if it has "
                + "become yours. Nothing was changed.",
            table: table)
    }

    /// Refuses an adopted table that lacks a column of its mapping, or in which what the mapping declares can't be kept
    /// without a change of it.
    func checkAdoption(_ definition: TableDefinition, _ problems: inout SchemaProblems) {
        for rule in definition.deleteRules where rule.needsTrigger {
            let table = rule.triggerTable(owner: definition.name)
            guard journal.adopted.contains(table) else { continue }
            problems.add(
                refusal(
                    table, "needs a trigger for the delete rule of \"\(rule.property)\"",
                    "Leave the rule out, and delete by `delete(_:including:)`", [rule.property]))
        }
        guard isAdopted(definition) else { return }
        if definition.logged.log != .none {
            problems.add(
                refusal(definition.name, "needs triggers for the change log", TableDefinition.remedyForLog, []))
        }
        if definition.search != nil {
            problems.add(
                refusal(
                    definition.name, "needs an index for its search",
                    "Leave out `search` of @Table, and search the table by SQL of your own", []))
        }
        guard let table = snapshot.tables[definition.name] else {
            problems.add(refusal(definition.name, "does not exist", "Name it by @Table(\"…\")", []))
            return
        }
        for column in definition.columns where !table.columns.contains(where: { $0.name == column.name }) {
            let near = table.columns.first { $0.name.lowercased() == column.name.lowercased() }
            problems.add(
                refusal(
                    definition.name,
                    "has no column \"\(column.name)\"" + (near.map { ", but one \"\($0.name)\"" } ?? ""),
                    "Name the column of \"\(column.property)\" by @Column(\"…\"), or leave the property out by @Transient",
                    [column.property]))
        }
        let keys = table.foreignKeys.map {
            DifferingKey(columns: $0.columns, table: $0.table, targets: $0.targetColumns)
        }
        if let differing = definition.differingKey(keys) {
            problems.add(refusal(definition.name, differing.problem, differing.remedy, differing.properties))
        }
        for key in definition.foreignKeys where key.isDenial {
            let isKept = table.foreignKeys.contains { found in
                found.columns == key.columns && found.table.lowercased() == key.table.lowercased()
                    && found.schema == key.schema
                    && [.restrict, .noAction].contains(found.onDelete)
            }
            if isKept { continue }
            problems.add(
                refusal(
                    definition.name, "has no foreign key that refuses what the delete rule `.deny` has to",
                    "Leave the rule out", definition.columns.filter { key.columns.contains($0.name) }.map(\.property)))
        }
    }

    /// Refuses an adopted table that has no key by which a table of ours can refer to it.
    func checkReferences(of definition: TableDefinition, _ problems: inout SchemaProblems) {
        for key in definition.foreignKeys where key.schema == nil && journal.adopted.contains(key.table) {
            guard let target = snapshot.tables[key.table] else { continue }
            let columns = Set(key.targetColumns)
            let isUnique =
                Set(target.keyColumns) == columns
                || target.allIndexes.contains { $0.isUnique && $0.columns.map(Set.init) == columns }
            if isUnique { continue }
            problems.add(
                refusal(
                    key.table,
                    "has no primary or unique key of (\(key.targetColumns.joined(separator: ", "))), to which "
                        + "\"\(definition.name)\" could refer",
                    "Mark what is its key by @PrimaryKey, or declare its type as `readOnly`",
                    definition.columns.filter { key.columns.contains($0.name) }.map(\.property)))
        }
    }

    private func refusal(
        _ table: String, _ problem: String, _ remedy: String, _ properties: [String]
    ) -> DatabaseError {
        DatabaseError(
            .conflict, "The adopted table \"\(table)\" \(problem). \(remedy). Nothing was changed.", table: table,
            properties: properties)
    }
}

/// A foreign key of a table that exists, for the question whether it leads to what a reference holds.
struct DifferingKey {
    let columns: [String]
    let table: String
    let targets: [String]

    /// The column that each column leads to, whatever their order and case.
    fileprivate var pairs: [String: String] {
        Dictionary(
            zip(columns, targets).map { ($0.lowercased(), $1.lowercased()) }, uniquingKeysWith: { first, _ in first })
    }
}

extension TableDefinition {
    /// What to do where a table of others can't be logged.
    static let remedyForLog =
        "Leave out `log` of @Table and the type in Schema(logging:), and observe the table by means of its own"

    /// The foreign key that leads to other columns than a reference of the mapping; nil if there is none.
    ///
    /// In a column with other values than it expects, a reference would find nothing, or the wrong row.
    func differingKey(
        _ found: [DifferingKey]
    ) -> (problem: String, remedy: String, properties: [String])? {
        for key in foreignKeys {
            let wanted = DifferingKey(columns: key.columns, table: key.table, targets: key.targetColumns).pairs
            let alike = found.filter { found in
                found.table.lowercased() == key.table.lowercased() && found.targets.count == found.columns.count
                    && Set(found.columns.map { $0.lowercased() }) == Set(wanted.keys)
            }
            guard let other = alike.first, !alike.contains(where: { $0.pairs == wanted }) else { continue }
            let (columns, targets) = (other.columns.joined(separator: ", "), other.targets.joined(separator: ", "))
            return (
                "refers by (\(columns)) to (\(targets)) of \"\(key.table)\", and its mapping to (\(key.targetColumns.joined(separator: ", ")))",
                "Name the property of (\(targets)) by `@Relation(references:)`, or mark it by @PrimaryKey there if nothing refers to another key",
                self.columns.filter { key.columns.contains($0.name) }.map(\.property)
            )
        }
        return nil
    }
}
