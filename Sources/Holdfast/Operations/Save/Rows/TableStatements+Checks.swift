/// Rows that are written by one statement each, and need nothing else.
extension TableStatements {

    /// Throws unless rows that an update was sent for are there, and hold what was sent.
    ///
    /// - Parameter count: How many of them the engine counted.
    func requireUpdated(
        _ rows: ParameterBuffer, _ mask: PropertyMask, of owners: ParameterBuffer, count: Int, through session: Session
    ) async throws {
        guard count != owners.rowCount else { return }
        for row in owners.rowIndices {
            let key = owners.selecting([row])
            let isThere = try await session.run(exists, key) { try $0.next() != nil }
            if !isThere { throw missing(row, owners, showsKeys: session.core.configuration.telemetry.showsKeys) }
        }
        // Values of one row, which were found to be the same, may have been written once.
        let distinct = Set(owners.rowIndices.map { row in owners.withRow(row) { ElementKey($0) } })
        if rows.width > 0, count < distinct.count {
            try await requireStored(rows, mask, of: owners, through: session)
        }
    }

    /// Throws unless rows hold what was sent for them, of which the engine counted fewer than were sent.
    ///
    /// Most often a trigger or a rule of the table passed over the others. But engines don't count what a trigger
    /// writes in place of a view's rows, so it is the rows themselves that tell.
    ///
    /// - Parameters:
    ///   - mask: The properties that were sent.
    ///   - owners: The keys of the rows; nil if they are among what was sent.
    /// - Throws: ``DatabaseError/Code/engine``, with the position of the first row that is not as it was sent.
    func requireStored(
        _ rows: ParameterBuffer, _ mask: PropertyMask, of owners: ParameterBuffer? = nil, through session: Session
    ) async throws {
        let (sent, full) = (description.slots(mask), description.slots(description.fullMask))
        let keys = owners ?? keys(in: rows, sent)
        let width = columns.all.count
        let found = try await session.collect(ofHeldRows.selectMany, keys.asLists, width: width)
        var stored: [ElementKey: Int] = [:]
        for row in found.rowIndices { stored[part(description.keyIndices, of: found, row, full)] = row }
        let written = mask.subtracting(columns.joinTableMask).subtracting(columns.alternateMask).indices.filter {
            sent[$0] >= 0
        }
        for row in rows.rowIndices {
            let storedRow = stored[keys.withRow(row) { ElementKey($0) }]
            let isThere =
                storedRow.map { part(written, of: found, $0, full) == part(written, of: rows, row, sent) } ?? false
            guard !isThere else { continue }
            var error = description.passedOver
            error.objectIndex = row
            throw error
        }
    }

    /// Returns the values of some properties in a row, as a key.
    private func part(_ properties: [Int], of rows: ParameterBuffer, _ row: Int, _ slots: [Int32]) -> ElementKey {
        rows.withRow(row) { cells in
            let parts = properties.flatMap { property in
                (0..<columns.ranges[property].count).map { cells[Int(slots[property]) + $0] }
            }
            return parts.withUnsafeBufferPointer { ElementKey($0) }
        }
    }

    private func keys(in rows: ParameterBuffer, _ slots: [Int32]) -> ParameterBuffer {
        var keys = ParameterBuffer(width: description.keyIndices.count)
        for row in rows.rowIndices {
            for property in description.keyIndices {
                keys.append(rows.cells[row * rows.width + Int(slots[property])], of: rows)
            }
        }
        return keys
    }

    func missing(_ row: Int, _ owners: ParameterBuffer, showsKeys: Bool) -> DatabaseError {
        var error = DatabaseError(
            .notFound,
            "A row of \"\(description.table)\" to be updated is gone. Insert the object if it is to exist again.",
            table: description.table)
        error.objectIndex = row
        if showsKeys {
            error.shownKey = owners.withRow(row) { cells in
                cells.baseAddress.map { description.exposed(Key(cells: $0, count: cells.count)).shown }
            }
        }
        return error
    }

    func missingResult() -> DatabaseError {
        DatabaseError(
            .engine, "The engine did not return a row for each object written to \"\(description.table)\".",
            table: description.table)
    }
}

extension TableDescription {
    /// The error about rows that a statement was to write and did not.
    var passedOver: DatabaseError {
        DatabaseError(
            .engine,
            "The engine did not write every row that it was given for \"\(table)\": a trigger or a rule of the table passes some over, or changes them. None of the objects counts as saved; what the trigger stored instead may be there.",
            table: table)
    }
}

extension TableDescription {
    /// Whether the keys are numbers, which a generator counts.
    var hasCountedKey: Bool {
        keyIndices.first.flatMap { properties[$0].columnType?.isInteger } ?? false
    }

    /// Throws unless the database has made a key of the property's kind.
    ///
    /// In a transaction, that is rolled back; a row that was inserted by itself is there.
    func requireMade(_ key: Cell) throws {
        var names: [String] { keyIndices.map { properties[$0].name } }
        if key.isNull {
            throw DatabaseError(
                .notNullViolation,
                "The database made no key for a row of \"\(table)\": the column has no default, identity or trigger. Give the \(type) a key; a row without one may be there.",
                table: table, properties: names)
        }
        guard hasCountedKey, key.kind != .integer else { return }
        throw DatabaseError(
            .decoding,
            "The database made a key of the kind \(key.kind) for a row of \"\(table)\", but \(type) has an integer: the table has a key column of another type. Declare the property of that type; unless it was in a transaction, the row is there, and a retry inserts another.",
            table: table, properties: names)
    }
}

extension DatabaseError {
    /// Returns the index of the row that the error is about, among `count` rows; nil if it is not known.
    func row(among count: Int) -> Int? { objectIndex ?? (count == 1 && isAboutRow ? 0 : nil) }

    /// Whether it is what a row holds that was refused.
    private var isAboutRow: Bool {
        switch code {
        case .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation, .invalidValue, .notFound: true
        default: false
        }
    }
}
