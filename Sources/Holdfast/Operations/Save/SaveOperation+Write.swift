/// Sending what is more than one row: in a transaction, unless one statement does it all.
extension SaveOperation {
    func write(_ graph: SaveGraph, _ schedule: SaveGraph.Schedule) async throws {
        enterQueue(graph)
        if graph.hasHooks || graph.readsRows, case .database(let core) = access.kind {
            // Hooks get the transaction, and so do the objects: as inside an explicit one. And what was read back of
            // rows of others is set in objects before the COMMIT, since it may not fit.
            try await Database(core: core).run(.readCommitted, for: LeasePurpose("save", at: access.site)) {
                transaction in
                try await send(graph, schedule, through: transaction._access, need: .write)
            }
            return
        }
        try await send(graph, schedule, through: access, need: graph.need)
    }

    private func send(
        _ graph: SaveGraph, _ schedule: SaveGraph.Schedule, through access: DatabaseAccess,
        need: DatabaseAccess.Need
    ) async throws {
        let isRegistered = try await access.perform(need, purpose: "save") { session, scope in
            leaveQueue(graph)
            try await graph.send(schedule, through: session, in: scope)
            guard let scope else { return false }
            // Before the objects' own: what is registered last is undone first.
            if graph.hasSetReferences { scope.register(undoing: [graph.undoReferences]) }
            try graph.writeBack(undoingIn: scope)
            if graph.hasHooks {
                try await scope.lendToHooks { transaction in
                    for objects in graph.savedObjects { try await objects.runDidSave(in: transaction) }
                }
                for objects in graph.savedObjects { objects.registerAfterCommit(with: scope) }
            }
            return true
        }
        if !isRegistered { try graph.writeBack(undoingIn: nil) }
    }

    /// Tells that the save waits for a connection, where a transaction may have it in which another save waits for this
    /// one.
    func enterQueue(_ graph: SaveGraph) {
        guard access.isOutsideTransaction else { return }
        graph.core.saveWaiters.enqueue(graph.saveID, in: graph.core.id)
        graph.isQueued = true
    }
}

/// The order in which rows are sent, and sending them on one connection.
extension SaveGraph {
    /// The order in which the rows of a save are sent, determined before any of them is.
    struct Schedule {
        /// Insertions in their order: a batch, or some of its rows.
        var insertions: [(table: SaveTable, batch: SaveBatch, rowIndices: [Int]?)] = []
        /// References that are set after all rows were inserted, by table and property.
        var deferred: [(table: SaveTable, property: Int, edges: [SaveBatch.Edge])] = []
    }

    /// Orders the insertions by foreign keys.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` where new objects refer to each other in a cycle of references none
    ///   of which can be nil.
    func schedule() throws -> Schedule {
        var schedule = Schedule()
        for table in tables {
            for batch in table.batches where batch.group.action == .insertOrIgnore && batch.leadsToOthers {
                throw DatabaseError(
                    .unsupported,
                    "Objects that refer to each other can't be inserted or ignored together: one of the \"\(table.description.table)\" refers to one that may be ignored. Insert those that are referred to before.",
                    table: table.description.table)
            }
        }
        if tables.count == 1, tables[0].batches.count == 1, tables[0].batches[0].edges.isEmpty {
            let batch = tables[0].batches[0]
            if batch.group.action != .update { schedule.insertions = [(tables[0], batch, nil)] }
            return schedule
        }
        let inserting = tables.flatMap { table in
            table.batches.filter { $0.group.action != .update }.map { (table: table, batch: $0) }
        }
        guard inserting.contains(where: { !$0.batch.edges.isEmpty }) else {
            schedule.insertions =
                inserting.contains { $0.batch.group.action == .insertOrIgnore }
                ? tables.flatMap(inGivenOrder) : inserting.map { ($0.table, $0.batch, nil) }
            return schedule
        }
        // Nodes are numbered by table and row, with gaps for those that are not inserted.
        var bases: [Int] = []
        var kinds: [Int32] = []
        for table in tables {
            bases.append(kinds.count)
            kinds += [Int32](repeating: Int32(table.tableIndex), count: table.count)
        }
        func number(_ node: NodeID) -> Int { bases[Int(node.table)] + Int(node.index) }
        var edges: [InsertOrder.Edge] = []
        for (table, batch) in inserting {
            let alternatives = table.description.alternatives
            for edge in batch.edges {
                edges.append(
                    .init(
                        owner: number(edge.owner), target: number(edge.target),
                        isRequired: !table.description.properties[edge.property].isNullable
                            || table.description.columns.sharedMask.contains(edge.property)
                            || table.description.columns.alternateMask.contains(edge.property)
                            || alternatives.contains(edge.property)))
            }
        }
        let order = InsertOrder(tables: kinds, edges: edges)
        if let stuck = order.stuck { throw cycle(tables[Int(kinds[stuck])].description) }
        var position = 0
        var deferred: [DeferredKey: [SaveBatch.Edge]] = [:]
        for (table, batch) in inserting {
            for index in batch.edges.indices {
                if order.deferred.contains(position) {
                    if batch.group.action.explicitUpsert != nil {
                        throw DatabaseError(
                            .unsupported,
                            "A \(table.description.type) to be inserted or updated is in a cycle of new objects, or in a long chain of them. Save what it refers to before.",
                            table: table.description.table,
                            properties: [table.description.properties[batch.edges[index].property].name])
                    }
                    batch.edges[index].isDeferred = true
                    deferred[DeferredKey(table: table.tableIndex, property: batch.edges[index].property), default: []]
                        .append(batch.edges[index])
                }
                position += 1
            }
        }
        var ranked: [(rank: Int, table: SaveTable, batch: SaveBatch, rowIndices: [Int]?)] = []
        for (table, batch) in inserting {
            var indicesByRank: [Int: [Int]] = [:]
            for (row, entry) in batch.entries.enumerated() {
                indicesByRank[order.ranks[bases[table.tableIndex] + entry.index], default: []].append(row)
            }
            for (rank, chosen) in indicesByRank {
                ranked.append((rank, table, batch, indicesByRank.count == 1 ? nil : chosen))
            }
        }
        ranked = ranked.inOrder { $0.rank < $1.rank }
        schedule.insertions = ranked.map { ($0.table, $0.batch, $0.rowIndices) }
        schedule.deferred = deferred.inOrder { ($0.key.table, $0.key.property) < ($1.key.table, $1.key.property) }
            .map { (tables[$0.key.table], $0.key.property, $0.value) }
        return schedule
    }

    /// The rows of a table in the order in which they were given: of those that are in each other's way the first is
    /// inserted.
    private func inGivenOrder(
        _ table: SaveTable
    ) -> [(table: SaveTable, batch: SaveBatch, rowIndices: [Int]?)] {
        let rows = table.batches.flatMap { batch in
            batch.entries.enumerated().map { (index: $1.index, batch: batch, row: $0) }
        }
        var result: [(table: SaveTable, batch: SaveBatch, rowIndices: [Int]?)] = []
        for (_, batch, row) in rows.sorted(by: { $0.index < $1.index }) {
            if result.last?.batch === batch {
                result[result.count - 1].rowIndices?.append(row)
            } else {
                result.append((table, batch, [row]))
            }
        }
        return result
    }

    private struct DeferredKey: Hashable {
        let table: Int
        let property: Int
    }

    private func cycle(_ description: TableDescription) -> DatabaseError {
        DatabaseError(
            .conflict,
            "New objects, a \(description.type) among them, refer to each other in a cycle of references that can't be nil, so none can be inserted first. Make one of the references optional.",
            table: description.table)
    }

    /// Whether objects become what their rows are, which may not fit.
    var readsRows: Bool {
        tables.contains { $0.batches.contains { $0.group.action.explicitUpsert.map { !$0.isSilent } ?? false } }
    }

    /// The access that the save needs: all or nothing, unless one statement does it all.
    var need: DatabaseAccess.Need { !readsRows && soleBatch != nil ? .write : .atomic }

    var hasHooks: Bool { tables.contains { $0.hasHooks && !$0.batches.isEmpty } || removesByHooks }

    /// Sends everything: what is let go, new rows, changed rows, references that had to wait, then the elements of
    /// arrays.
    ///
    /// - Parameter scope: The transaction of the hooks; nil if there are none.
    func send(
        _ schedule: Schedule, through session: Session, in scope: TransactionScope? = nil
    ) async throws {
        for table in tables where !table.description.columns.inverseMask.isEmpty {
            for batch in table.batches where batch.writesInverses && !batch.group.action.hasNewArrays {
                for release in try await table.sendReleases(batch, of: tables, through: session) {
                    try forget(release)
                    try await remove(release, through: session, in: scope)
                }
            }
        }
        for (table, batch, rowIndices) in schedule.insertions {
            batch.fillInKeys(from: tables)
            try await removeExpired(inWayOf: batch, rowIndices, of: table, through: session)
            try await table.send(
                batch, rowIndices: rowIndices, of: savedObjects[table.tableIndex], through: session)
        }
        for table in tables {
            for batch in table.batches where batch.group.action == .update {
                batch.fillInKeys(from: tables)
                try await removeExpired(inWayOf: batch, nil, of: table, through: session)
                try await table.send(batch, rowIndices: nil, of: savedObjects[table.tableIndex], through: session)
            }
        }
        for (table, property, edges) in schedule.deferred {
            try await table.sendDeferred(property, edges: edges, of: tables, through: session)
        }
        for table in tables {
            for batch in table.batches where batch.touchesArrays {
                try await table.sendArrays(batch, of: tables, through: session)
            }
        }
        for table in tables where !table.description.columns.inverseMask.isEmpty {
            for batch in table.batches where batch.touchesArrays && batch.writesInverses {
                try await table.checkInverseJoinTables(batch, of: tables, through: session)
            }
        }
        session.note { tables.map { $0.changes(for: core.observations) } }
    }

    /// Deletes what has expired and is in the way of rows, with what goes with it, as a sweep would.
    private func removeExpired(
        inWayOf batch: SaveBatch, _ rowIndices: [Int]?, of table: SaveTable, through session: Session
    ) async throws {
        guard table.description.expiry != nil, table.meetsExpired(batch) else { return }
        let rows = rowIndices.map { batch.encodedRows.selecting($0) } ?? batch.encodedRows
        let found = try await table.description.expiredRows(inWayOf: rows, batch.group.mask, through: session)
        if !found.isEmpty { try await savedObjects[table.tableIndex].delete(found, through: session) }
    }
}

/// What a batch holds for others, or of others.
extension SaveBatch {
    /// Puts the keys of rows that were inserted meanwhile where the batch refers to them.
    func fillInKeys(from tables: [SaveTable]) {
        // A reference that holds a unique property of its target has no generated key to wait for: it was encoded
        // already.
        let alternates = edges.first.map { tables[Int($0.owner.table)].description.columns.alternateMask }
        for edge in edges {
            if let alternates, !alternates.isEmpty, alternates.contains(edge.property) { continue }
            let target = tables[Int(edge.target.table)]
            if !sharedCells.isEmpty, !sharedCells[edge.property].isEmpty {
                setSharedKey(edge, from: target, in: tables[Int(edge.owner.table)])
                continue
            }
            for part in 0..<target.keys.width {
                if edge.isDeferred {
                    encodedRows.cells[edge.cell + part] = .null
                } else {
                    encodedRows.replace(
                        edge.cell + part, with: target.keys.cells[Int(edge.target.index) * target.keys.width + part],
                        of: target.keys)
                }
            }
        }
    }

    /// Whether its objects lead to others of the save.
    var leadsToOthers: Bool {
        !edges.isEmpty || links.contains { links in links.targets.contains { $0 != nil } }
    }

    /// Whether relations that the other side keeps are written.
    var writesInverses: Bool { group.action != .insertOrIgnore && group.action.explicitUpsert == nil }
}
