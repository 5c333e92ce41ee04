extension DatabaseContext {
    /// Loads a column of an object that is loaded on demand.
    ///
    /// ```swift
    /// try await db.loadColumn(\.file, of: attachment)
    /// // SELECT t0."id", t0."name", t0."file" FROM "attachment" AS t0 WHERE t0."id" IN …
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` if the property has no column of its own;
    ///   ``DatabaseError/Code/notFound`` if the object has no key, or its row is gone.
    public func loadColumn<Model: TableObject & AnyObject, Value>(
        _ property: KeyPath<Model, Value>, of object: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await loadColumn(property, of: [object], fileID: fileID, line: line)
    }

    /// Loads a column of many objects together.
    ///
    /// ```swift
    /// try await db.loadColumn(\.file, of: attachments)    // one statement
    /// ```
    ///
    /// An object that has the column already keeps its value, and unsaved changes of other properties stay.
    ///
    /// - Parameters:
    ///   - property: The property to load; also one that a query left out, by `properties`.
    ///   - objects: The objects whose property is set.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/invalidValue`` if the property has no column of its own;
    ///   ``DatabaseError/Code/notFound`` if an object has no key, or its row is gone; the others then have the column.
    public func loadColumn<Model: TableObject & AnyObject, Value>(
        _ property: KeyPath<Model, Value>, of objects: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let plan = try access(fileID, line).core.plan(for: Model.self)
        let description = plan.description
        guard let index = description.index(ofKeyPath: property), case .column = description.properties[index].kind
        else {
            throw DatabaseError(
                .invalidValue, "The property has no column of its own in the table of \(description.type).",
                table: description.table)
        }
        let keys = try objects.map { try plan.key(of: $0) }
        try await loadColumn(index, of: zip(keys, objects).map { ($0, $1) }, plan, fileID: fileID, line: line)
    }

    /// Loads the columns that are loaded on demand, for whoever needs whole objects.
    func loadColumnsOnDemand<Model: TableObject>(
        of objects: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let plan = try access(fileID, line).core.plan(for: Model.self)
        guard !plan.description.masks.onDemand.isEmpty, !objects.isEmpty else { return }
        let keyed = try objects.map { (try plan.key(of: $0), $0) }
        for index in plan.description.masks.onDemand.indices {
            try await loadColumn(index, of: keyed, plan, fileID: fileID, line: line)
        }
    }

    private func loadColumn<Model: TableObject>(
        _ index: Int, of objects: [(key: Key, object: Model)], _ plan: MappingPlan<Model>, fileID: StaticString,
        line: UInt
    ) async throws {
        var missing = objects.filter { _, object in
            var isMissing = false
            plan.mapping.changes?(object) { isMissing = $0.unloaded.contains(index) }
            return isMissing
        }
        let (table, name) = (plan.description.table, plan.description.properties[index].name)
        // With those without which no object could be made, though none is.
        let names = plan.description.properties.filter { !$0.canBeLeftOut }.map(\.name) + [name]
        // Several instances of one row are completed one after the other, by a statement each.
        while !missing.isEmpty {
            let known = KnownObjects()
            var (keys, rest): ([Key], [(key: Key, object: Model)]) = ([], [])
            for (key, object) in missing {
                if known.object(of: Model.self, withKey: key) == nil {
                    known.add(object as AnyObject, of: Model.self, withKey: key)
                    keys.append(key)
                } else {
                    rest.append((key, object))
                }
            }
            let found = try await query(Model.self).at(fileID, line)
                .properties(names).depth(0).keyed(keys).ofHeld.fetch(known: known)
            guard found.count == keys.count else {
                throw DatabaseError(
                    .notFound, "A row of \"\(table)\" is gone of which a column was to be loaded.", table: table,
                    properties: [name])
            }
            missing = rest
        }
    }
}
