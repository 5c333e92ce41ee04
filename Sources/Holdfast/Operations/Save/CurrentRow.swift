/// The row of an object, as the database had it when a save or a deletion with an older version was refused.
struct CurrentRow: Sendable {
    let description: TableDescription
    /// All columns.
    let cells: ParameterBuffer
}

extension DatabaseError {
    /// Returns the object as the database has it now, from an error ``DatabaseError/Code/staleVersion``.
    ///
    /// ```swift
    /// do {
    ///     try await db.save(page)
    /// } catch let error as DatabaseError where error.code == .staleVersion {
    ///     guard let current = try error.currentObject(Page.self) else { throw error }
    ///     page.text = merged(page.text, current.text)
    ///     page.version = current.version
    ///     try await db.save(page)
    /// }
    /// ```
    ///
    /// It is a new object that counts as fetched; its relations and arrays count as not loaded.
    ///
    /// - Returns: The object; nil if the error has none, or one of another type.
    /// - Throws: ``DatabaseError/Code/unsupported`` if it can't be created without its relations (fetch it then);
    ///   ``DatabaseError/Code/decoding`` if the row does not fit the type.
    public func currentObject<Model: TableObject>(_ type: Model.Type = Model.self) throws -> Model? {
        let mapping = Model.ownMapping
        guard let currentRow = currentRow as? CurrentRow, currentRow.description === mapping.description else {
            return nil
        }
        let description = mapping.description
        let mask = description.columns.mask
            .subtracting(description.columns.referenceMask).subtracting(description.columns.joinTableMask)
        let unloaded = description.fullMask.subtracting(mask)
        let canBeMade = description.remembersLeftOut && description.needed(besides: mask).isEmpty
        guard unloaded.isEmpty || canBeMade else {
            throw DatabaseError(
                .unsupported,
                "No \(description.type) can be made without what it leads to. Fetch the object, or ask for `currentValue`.",
                table: description.table, properties: unloaded.indices.map { description.properties[$0].name })
        }
        let layout = description.columns.rowLayout(of: mask, description)
        return try currentRow.cells.withRow(0) { cells in
            guard let base = cells.baseAddress else { return nil }
            let model = try mapping.decode(Row(cells: base, layout: layout))
            mapping.changes?(model) { tracker in
                tracker.markPersisted()
                tracker.unloaded = unloaded
                tracker.keepKeys(
                    of: description.columns.referenceMask.subtracting(description.columns.alternateMask), in: base,
                    description)
            }
            mapping.keepOriginals(of: model)
            return model
        }
    }

    /// Returns the current value of one property in the database, from an error ``DatabaseError/Code/staleVersion``.
    ///
    /// ```swift
    /// let text = try error.currentValue(of: \Page.text)
    /// ```
    ///
    /// - Returns: The value; nil if the error has no row, or one of another type.
    /// - Throws: ``DatabaseError/Code/syntax`` for a property without a column, ``DatabaseError/Code/decoding`` if the
    ///   value does not fit.
    public func currentValue<Model: TableObject, Value: Storable>(of property: KeyPath<Model, Value>) throws -> Value? {
        let description = Model.ownDescription
        guard let currentRow = currentRow as? CurrentRow, currentRow.description === description else { return nil }
        let index = try description.requiredIndex(of: property)
        guard description.columns.mask.contains(index), description.columns.relation(index) == nil else {
            throw DatabaseError(
                .syntax, "\"\(description.properties[index].name)\" of \(description.type) is not a column.",
                table: description.table, properties: [description.properties[index].name])
        }
        let layout = description.fullLayout
        return try currentRow.cells.withRow(0) { cells in
            try cells.baseAddress.map {
                try Row(cells: $0, layout: layout).decode(at: index, storage: description.properties[index].storage)
            }
        }
    }
}
