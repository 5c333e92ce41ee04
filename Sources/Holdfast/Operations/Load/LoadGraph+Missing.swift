import Logging

/// Objects that are left out: since a key of theirs leads to no row, or for what they lack.
extension LoadGraph {
    /// Settles where keys lead to no row.
    func resolveMissing() throws {
        try omitLacking()
        var omitted: [NodeID] = []
        var areSettled = scope.missingTarget != .throw
        for table in tables { omitted += try settleMissing(of: table, &areSettled) }
        // References to missing rows were taken out by now, and an object may have to be left out because it lacks one.
        guard !omitted.isEmpty else {
            if areSettled { try omitLacking() }
            return
        }
        // Whoever needs what is left out is left out too.
        omit(omitted, with: try needers())
        for table in tables { try removeDropped(from: table) }
        try omitLacking()
    }

    /// Leaves out objects that lack something, and whoever leads to them.
    private func omitLacking() throws {
        guard scope.omitsLacking else { return }
        let omitted = omitUnreadable() + tables.flatMap { $0.omitLacking() }
        guard !omitted.isEmpty else { return }
        omit(omitted, with: try holders())
        for table in tables { try requireNeeded(by: table) }
        for table in tables { try rememberOmitted(of: table) }
        for table in tables { try removeDropped(from: table) }
    }

    /// Leaves out rows with values that don't fit, if the scope says so, and logs how many there are.
    ///
    /// - Returns: Those rows, once.
    private func omitUnreadable() -> [NodeID] {
        guard scope.omitsUnreadable else { return [] }
        var omitted: [NodeID] = []
        for (table, maker) in zip(tables, makers) {
            let rowIndices = maker.unreadableRows().filter { table.omit($0) }
            guard !rowIndices.isEmpty else { continue }
            core.configuration.telemetry.logger.warning(
                "Objects were left out, since values that are stored of them don't fit their properties.",
                metadata: ["table": "\(table.description.table)", "count": "\(rowIndices.count)"])
            omitted += rowIndices.map { NodeID(table: table.tableIndex, index: $0) }
        }
        return omitted
    }

    /// Leaves out whoever depends on what is left out, and whoever depends on those.
    private func omit(_ omitted: [NodeID], with dependents: [NodeID: [NodeID]]) {
        var omitted = omitted
        while let node = omitted.popLast() {
            for dependent in dependents[node] ?? [] where tables[Int(dependent.table)].omit(Int(dependent.index)) {
                omitted.append(dependent)
            }
        }
    }

    /// Settles where keys in rows of a table lead to no row.
    ///
    /// - Parameter areSettled: Set to true if anything was taken out.
    /// - Returns: The rows that are left out for it.
    private func settleMissing(of table: LoadTable, _ areSettled: inout Bool) throws -> [NodeID] {
        var omitted: [NodeID] = []
        for relation in table.columns.relations {
            let rowIndices = table[relation].rowsWithMissing(besides: table.omitted)
            guard let first = rowIndices.first else { continue }
            let choice = self.choice(for: relation)
            if choice == .throw || choice == .nil && relation.isNeeded {
                throw leadsNowhere(relation, of: table, row: first)
            }
            areSettled = true
            table[relation].removeMissing(of: rowIndices)
            guard choice == .skip, !relation.isArray else { continue }
            omitted += rowIndices.filter { table.omit($0) }.map { NodeID(table: table.tableIndex, index: $0) }
        }
        return omitted
    }

    /// Decides what becomes of a key that leads to no row.
    ///
    /// If objects of the target type expire, or are only marked as deleted, it is what the deletion of the row will
    /// bring about: an object that needs its target is left out, any other reference becomes nil.
    private func choice(for relation: Relation) -> MissingTarget {
        guard relation.target.description.hidesRows else { return scope.missingTarget }
        return relation.isNeeded ? .skip : .nil
    }

    private func leadsNowhere(_ relation: Relation, of table: LoadTable, row: Int) -> DatabaseError {
        let description = table.description
        var error = DatabaseError(
            .notFound,
            "\"\(relation.name)\" of a row of \"\(description.table)\" leads to no row of \"\(relation.target.description.table)\". Choose with `missingTarget` what is to become of it.",
            table: description.table, properties: [relation.name])
        if core.configuration.telemetry.showsKeys {
            error.shownKey = description.exposed(table.rows.key(ofRow: row)).shown
        }
        return error
    }

    /// For each object, the objects that can't be made without it, since they need it as the target of a reference.
    private func needers() throws -> [NodeID: [NodeID]] {
        var needers: [NodeID: [NodeID]] = [:]
        for table in tables {
            for relation in table.columns.relations where relation.isNeeded && !relation.isArray {
                let target = try self.table(of: relation.target)
                table[relation].forEach { row, index in
                    needers[NodeID(table: target.tableIndex, index: index), default: []]
                        .append(NodeID(table: table.tableIndex, index: row))
                }
            }
        }
        return needers
    }

    /// For each object, those that are left out with it: whoever refers to it; and the owner of an array that has to
    /// have elements, or whose owner can't remember that it lacks some, as a struct.
    private func holders() throws -> [NodeID: [NodeID]] {
        var holders: [NodeID: [NodeID]] = [:]
        for table in tables {
            let description = table.description
            for relation in table.columns.relations where !relation.target.isLazy {
                let target = try self.table(of: relation.target)
                guard
                    !relation.isArray || description.omitMask.contains(relation.property)
                        || !description.remembersLeftOut
                else { continue }
                table[relation].forEach { row, index in
                    guard !table.hasObject(row) else { return }
                    holders[NodeID(table: target.tableIndex, index: index), default: []]
                        .append(NodeID(table: table.tableIndex, index: row))
                }
            }
        }
        return holders
    }

    /// Throws if an object that exists already refers to one that is left out, and either needs it or can't remember
    /// that it was left out.
    private func requireNeeded(by table: LoadTable) throws {
        for (relation, rowIndices) in try rowsLeadingToDropped(of: table)
        where relation.isNeeded || !table.description.remembersLeftOut {
            if case .inverseReference = relation.storage { continue }
            guard rowIndices.contains(where: { table.hasObject($0) }) else { continue }
            throw DatabaseError(
                .notFound,
                "\"\(relation.name)\" of \(table.description.type) leads to a \(relation.target.description.type) that is left out for what it lacks.",
                table: table.description.table, properties: [relation.name])
        }
    }

    /// Marks relations to omitted rows as incomplete, so that they count as not loaded: otherwise, saving their owner
    /// would remove the omitted rows from the relation in the database.
    private func rememberOmitted(of table: LoadTable) throws {
        for (relation, rowIndices) in try rowsLeadingToDropped(of: table) {
            // A foreign key on the other side is not lost by a save of this side.
            if case .inverseReference = relation.storage { continue }
            table[relation].noteIncomplete(rowIndices)
        }
    }

    /// The rows of a table that lead to what is left out, by relation.
    private func rowsLeadingToDropped(of table: LoadTable) throws -> [(relation: Relation, rowIndices: Set<Int>)] {
        try table.columns.relations.compactMap { relation in
            guard !relation.target.isLazy else { return nil }
            let omitted = try self.table(of: relation.target).omitted
            return omitted.isEmpty ? nil : (relation, table[relation].rowIndices(leadingTo: omitted))
        }
    }

    /// Removes the links to omitted rows.
    private func removeDropped(from table: LoadTable) throws {
        for relation in table.columns.relations where !relation.target.isLazy {
            let target = try self.table(of: relation.target)
            if !target.omitted.isEmpty { table[relation].removeTargets(target.omitted) }
        }
    }
}
