import Logging

/// How many objects a load brings: bounded where that is configured, and noticed where it is many.
extension LoadGraph {
    /// How many objects that nobody asked for are worth a warning.
    static var noticedCount: Int { 5_000 }

    /// How many objects there are.
    var objectCount: Int { tables.reduce(0) { $0 + $1.rows.count } }

    /// - Parameter root: The table of the type that is loaded.
    /// - Throws: ``DatabaseError/Code/unsupported`` if there are more objects than one load may bring.
    func checkSize(from root: LoadTable) throws {
        guard let maximum = core.configuration.loading.maximumObjects, objectCount > maximum else { return }
        throw root.description.tooManyObjects(maximum, relation: busiestRelation())
    }

    /// Warns if most of many objects came along: once for each relation that brings them.
    func noteSize(from root: LoadTable, asked: Int) {
        let count = objectCount - asked
        guard count > Self.noticedCount, let (owner, relation) = busiestRelation(onlyUnnamed: true),
            core.warnings.isFirst(about: "many objects by \(owner.table).\(relation.name)")
        else { return }
        core.configuration.telemetry.logger.warning(
            "A load of \(root.description.type) brought thousands of objects that it was not asked for itself, most of them through \"\(relation.name)\" of \(owner.type). Mark that relation .onDemand, or load with a depth.",
            metadata: [
                "type": "\(root.description.type)", "relation": "\(owner.type).\(relation.name)", "objects": "\(count)",
            ])
    }

    /// The relation that leads to the most objects, and the type that has it.
    ///
    /// - Parameter onlyUnnamed: Whether relations are passed over that are followed only where they are named.
    private func busiestRelation(onlyUnnamed: Bool = false) -> (owner: TableDescription, relation: Relation)? {
        var busiest: (owner: TableDescription, relation: Relation)?
        var greatest = 0
        for table in tables {
            for relation in table.columns.relations where !onlyUnnamed || relation.loading == .eager {
                guard let index = tableIndices[ObjectIdentifier(relation.target.type)] else { continue }
                // Many may lead to one.
                let count = min(table[relation].count, tables[index].rows.count)
                if count > greatest { (greatest, busiest) = (count, (table.description, relation)) }
            }
        }
        return busiest
    }
}

extension TableDescription {
    /// The error about a load of the type that brings more objects than the configuration allows.
    func tooManyObjects(
        _ maximum: Int, relation: (owner: TableDescription, relation: Relation)?
    ) -> DatabaseError {
        let cause = relation.map { ", most of them through \"\($0.relation.name)\" of \($0.owner.type)" } ?? ""
        let remedy =
            relation == nil
            ? "Ask for fewer, or stream them" : "Mark that relation .onDemand, or load with a depth"
        return DatabaseError(
            .unsupported,
            "A load of \(type) brings more than \(maximum) objects\(cause); `loading.maximumObjects` allows no more. \(remedy).",
            table: table, properties: relation.map { [$0.relation.name] } ?? [])
    }
}
