import Foundation

/// Takes the marks of deleted rows off: of those that are given, and of what was marked with them.
struct RestoreOperation<Model: TableObject> {
    let access: DatabaseAccess

    /// Restores the rows of `models`.
    ///
    /// - Returns: The number of rows that were marked.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func run(_ models: [Model]) async throws -> Int {
        try await run { graph, _ in
            for (index, model) in models.enumerated() {
                do {
                    try graph.give(model, checkingVersionAt: nil)
                } catch var error as DatabaseError {
                    if models.count > 1 { error.objectIndex = index }
                    throw error
                }
            }
        }
    }

    /// Restores the rows that a statement finds by their keys, and locks.
    ///
    /// - Returns: The number of rows that were marked.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func run(_ statement: Statement, _ parameters: ParameterBuffer) async throws -> Int {
        try await run { graph, session in
            let table = try graph.deletedObjects(of: Model.self).table
            table.add(try await session.copiedRows(statement, parameters, width: table.keyRows.width))
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func run(
        _ give: nonisolated(nonsending) (DeleteGraph, Session) async throws -> Void
    ) async throws -> Int {
        let description = try access.core.plan(for: Model.self).description
        try description.requireWritable()
        _ = try description.requiredDeletion()
        do {
            return try await access.runningAgainIfRefused(while: { true }) {
                // Made here, since it may be done again.
                let graph = DeleteGraph(core: access.core, choice: .permanent)
                let (count, rows, isRegistered) = try await access.perform(.atomic, purpose: "restore") {
                    session, scope in
                    try await give(graph, session)
                    guard !graph.isEmpty else { return (0, [] as [RestoredRows], true) }
                    let (count, rows) = try await graph.restore(through: session)
                    if let scope { scope.register(undoing: graph.showRestored(rows)) }
                    return (count, rows, scope != nil)
                }
                // Not before the COMMIT, which can fail.
                if !isRegistered { _ = graph.showRestored(rows) }
                return count
            }
        } catch let error as DatabaseError {
            throw await access.explained(error, of: description)
        }
    }
}

/// The rows of a table that are there again, by their keys, as they were while they were marked.
struct RestoredRows {
    let table: DeleteTable
    var rows: [Int: ParameterBuffer]
}

extension DeleteGraph {
    /// Takes the marks off what was given, and off what that owns and was marked at the same time.
    ///
    /// - Returns: How many of the rows given were marked, and all that were restored.
    func restore(through session: Session) async throws -> (count: Int, rows: [RestoredRows]) {
        var level: [(table: DeleteTable, keys: [Int], time: Date?)] = tables.filter { $0.keyCount > 0 }.map {
            ($0, Array(0..<$0.keyCount), nil)
        }
        var restored: [RestoredRows] = []
        var (count, isGiven) = (0, true)
        while !level.isEmpty {
            var next: [(table: DeleteTable, keys: [Int], time: Date?)] = []
            for (table, keys, time) in level {
                let found = try await table.lockMarked(keys, at: time, through: session)
                if found.isEmpty { continue }
                let indices = found.flatMap(\.rows.keys).sorted()
                let changed = try await session.execute(
                    try table.statements.rendered(.restore), table.keyRows.selecting(indices).asLists)
                if isGiven { count += changed }
                noteMarks([(table, indices)], through: session)
                for (time, rows) in found {
                    restored.append(RestoredRows(table: table, rows: rows))
                    for relation in table.description.columns.relations where relation.marksTarget {
                        let target = try self.table(of: relation.target)
                        let owned = try await related(relation, of: table, rows.keys.sorted(), session)
                        target.add(owned)
                        let indices = Set(
                            (0..<owned.rowCount).compactMap { target.keys[owned.key(ofRow: $0, count: owned.width)] })
                        if !indices.isEmpty { next.append((target, indices.sorted(), time)) }
                    }
                }
            }
            (level, isGiven) = (next, false)
        }
        return (count, restored)
    }

    /// Shows in the objects that were given, and in those that they hold and own, that their rows are there again.
    ///
    /// - Returns: What undoes that.
    func showRestored(_ rows: [RestoredRows]) -> [() -> Void] {
        let walk = RestorationWalk(graph: self, rows: rows)
        for objects in deletedObjects { objects.meetGiven(walk) }
        walk.run()
        return walk.undos
    }
}

extension DeleteTable {
    /// Locks the rows with some of the keys that are marked.
    ///
    /// - Parameter time: When they were marked; nil for any time.
    /// - Returns: By the times at which they were, the properties that a mark changes, as they are to be then.
    fileprivate func lockMarked(
        _ keys: [Int], at time: Date?, through session: Session
    ) async throws -> [(time: Date, rows: [Int: ParameterBuffer])] {
        let deletion = try description.requiredDeletion()
        let found = try await session.copiedRows(
            try statements.rendered(.lockMarked), keyRows.selecting(keys).asLists, width: description.columns.all.count)
        let slot = description.columns.ranges[deletion.property].lowerBound
        var result: [Date: [Int: ParameterBuffer]] = [:]
        for row in 0..<found.rowCount {
            let cells = found.row(row)
            guard let index = self.keys[description.columns.key(inRow: cells)] else { continue }
            let marked = try description.deletionTime(in: cells[slot], deletion)
            guard time == nil || time == marked else { continue }
            result[marked, default: [:]][index] = description.restoredRow(cells)
        }
        return result.sorted { $0.key < $1.key }.map { (time: $0.key, rows: $0.value) }
    }
}

extension TableDescription {
    /// The properties of a row that a mark changes, once that is taken off: one row of their columns.
    fileprivate func restoredRow(_ cells: UnsafePointer<Cell>) -> ParameterBuffer {
        let mask = markedMask
        var row = ParameterBuffer(width: columnCount(mask))
        for (slot, column) in columns.all.enumerated() where mask.contains(column.property) {
            if masks.deletion.contains(column.property) {
                row.append(.null)
            } else {
                row.append(.integer(cells[slot].integer &+ 1))
            }
        }
        return row
    }
}
