import Foundation

/// Rows that are marked as deleted, and stay: those that were given, and what these own.
extension DeleteGraph {
    /// Whether rows are marked: those of a type with a time of deletion, unless the deletion is permanent.
    ///
    /// - Throws: ``DatabaseError/Code/unsupported`` if only some of what was given can be marked.
    var marksRows: Bool {
        get throws {
            guard !choice.isPermanent else { return false }
            let given = tables.filter { $0.keyCount > 0 }
            guard let first = given.first(where: { $0.description.deletion != nil }) else { return false }
            guard let other = given.first(where: { $0.description.deletion == nil }) else { return true }
            throw DatabaseError(
                .unsupported,
                "A \(first.description.type), which is only marked, and a \(other.description.type), whose row is deleted, were to be deleted together. Delete them apart, or permanently.",
                table: other.description.table)
        }
    }

    /// Marks what was given, with nothing else to be seen to.
    ///
    /// - Returns: How many of the rows were there.
    func markGiven(through session: Session) async throws -> Int {
        let time = try TableDescription.deletionTime()
        var count = 0
        let reached = tables.filter { $0.keyCount > 0 }.map { ($0, Array(0..<$0.keyCount)) }
        for (table, keys) in reached { count += try await mark(keys, of: table, at: time, through: session) }
        noteMarks(reached, through: session)
        markTime = time
        return count
    }

    /// Marks what was given and what that owns, all at one time, by which a restoration knows it again.
    ///
    /// - Returns: How many of the rows given were there.
    func mark(through session: Session, _ scope: TransactionScope?) async throws -> Int {
        let (reached, existing) = try await reachMarked(through: session)
        try await requireUndenied(reached, through: session)
        if let scope {
            try await scope.lendToHooks { transaction in
                for (table, keys) in reached {
                    try await deletedObjects(in: table)?.runWillDelete(keys, in: transaction)
                }
            }
        }
        let time = try TableDescription.deletionTime()
        for (table, keys) in reached { _ = try await mark(keys, of: table, at: time, through: session) }
        noteMarks(reached, through: session)
        markTime = time
        if let scope {
            try await scope.lendToHooks { transaction in
                for (table, keys) in reached {
                    try await deletedObjects(in: table)?.runDidDelete(keys, in: transaction)
                }
            }
            for objects in deletedObjects { objects.registerAfterCommit(with: scope) }
        }
        return existing
    }

    /// Rows, by the indices of their keys, with the paths by which others are marked with them.
    private typealias Level = [(table: DeleteTable, keys: [Int], node: RelationPaths.Node?)]

    /// Locks what was given and is there, and what that owns, level by level.
    ///
    /// - Returns: The rows, and how many of those given are there.
    private func reachMarked(
        through session: Session
    ) async throws -> (reached: [(DeleteTable, [Int])], existing: Int) {
        var level: Level = tables.filter { $0.keyCount > 0 }.map {
            ($0, Array(0..<$0.keyCount), choice.including.isEmpty ? nil : choice.including.root)
        }
        var reached: [(DeleteTable, [Int])] = []
        var seen: [ObjectIdentifier: Set<Int>] = [:]
        var (existing, isGiven) = (0, true)
        while !level.isEmpty {
            var next: Level = []
            for (table, keys, node) in level {
                let there = try await table.lockThere(keys, through: session)
                guard !there.isEmpty else { continue }
                if isGiven { existing += there.count }
                let new = there.filter { seen[ObjectIdentifier(table), default: []].insert($0).inserted }
                if !new.isEmpty { reached.append((table, new)) }
                for relation in table.description.columns.relations {
                    let path = node?.children[relation.name]
                    let isKept = isGiven && choice.keeping.contains(relation.name)
                    guard path != nil || relation.marksTarget && !isKept else { continue }
                    guard relation.target.description.deletion != nil else { throw cannotMark(relation) }
                    let target = try self.table(of: relation.target)
                    let start = target.keyCount
                    let found = try await related(relation, of: table, there, session)
                    target.add(found)
                    // What was reached before is gone through again only where a path leads on from there.
                    let indices =
                        path == nil
                        ? Array(start..<target.keyCount)
                        : Set((0..<found.rowCount).compactMap { target.keys[found.key(ofRow: $0, count: found.width)] })
                            .sorted()
                    if !indices.isEmpty { next.append((target, indices, path)) }
                }
            }
            (level, isGiven) = (next, false)
        }
        return (reached, existing)
    }

    private func cannotMark(_ relation: Relation) -> DatabaseError {
        let target = relation.target.description
        return DatabaseError(
            .unsupported,
            "\"\(relation.name)\" leads to a \(target.type), which has no time of deletion, so it can't be marked with what leads to it. Delete permanently.",
            table: target.table)
    }

    /// Throws if a relation that denies the deletion leads from rows to others that stay.
    private func requireUndenied(_ reached: [(DeleteTable, [Int])], through session: Session) async throws {
        var marked: [ObjectIdentifier: Set<Int>] = [:]
        for (table, keys) in reached { marked[ObjectIdentifier(table), default: []].formUnion(keys) }
        for (table, keys) in reached {
            for relation in table.description.columns.relations
            where relation.deleteRule == .deny && choice.including.root.children[relation.name] == nil {
                let target = try self.table(of: relation.target)
                let known = marked[ObjectIdentifier(target)] ?? []
                let start = target.keyCount
                let found = try await related(relation, of: table, keys, session)
                target.add(found)
                let indices = Set(
                    (0..<found.rowCount).compactMap {
                        target.keys[found.key(ofRow: $0, count: found.width)]
                    }
                ).subtracting(known)
                let isDenied = try await !target.lockUnmarked(indices.sorted(), through: session).isEmpty
                target.removeKeys(from: start)
                guard isDenied else { continue }
                throw DatabaseError(
                    .foreignKeyViolation,
                    "A \(table.description.type) can't be deleted while \"\(relation.name)\" leads to a \(relation.target.description.type). Nothing was deleted.",
                    table: table.description.table, properties: [relation.name])
            }
        }
    }

    /// Marks rows of a table.
    private func mark(
        _ keys: [Int], of table: DeleteTable, at time: Date, through session: Session
    ) async throws -> Int {
        let deletion = try table.description.requiredDeletion()
        let rows = table.keyRows.selecting(keys)
        var parameters = ParameterBuffer(width: 1 + rows.width)
        parameters.appendRow(0, of: try table.description.deletionTime(time, deletion))
        for part in 0..<rows.width { parameters.append(list: rows.column(part)) }
        return try await session.execute(try table.statements.rendered(.mark), parameters)
    }

    /// Tells those who observe that rows have got a mark, or have lost it.
    func noteMarks(_ rows: [(DeleteTable, [Int])], through session: Session) {
        session.note {
            rows.map { table, indices in
                let (chosen, objects) = (Set(indices), deletedObjects(in: table))
                let names = table.description.names(of: table.description.masks.deletion)
                let keys = table.keys.filter { chosen.contains($0.value) }.sorted { $0.value < $1.value }
                return TableChanges(
                    table: table.description.table,
                    changes: keys.map {
                        ObjectChange(
                            kind: .updated, key: $0.key, instance: objects?.instance($0.value), properties: names)
                    })
            }
        }
    }
}
