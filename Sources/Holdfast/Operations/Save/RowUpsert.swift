/// An upsert of structs each of which is one row, after which nothing is read back: without a graph, and mostly by one
/// statement.
///
/// Where a row that has expired is in the way, fewer are written than were given. Only then are such rows looked for
/// and deleted, and what they were in the way of is sent again (decision 0052).
struct RowUpsert<Model: TableObject> {
    private let access: DatabaseAccess
    private let plan: MappingPlan<Model>
    private let group: SaveBatch.Group
    private let statement: Statement
    /// Where the key is in a row.
    private let keySlots: [Int]

    private var description: TableDescription { plan.description }

    /// - Returns: nil where there is more to the upsert than rows and their primary keys.
    init?(_ access: DatabaseAccess, key: PropertyMask, updated: PropertyMask?) throws {
        plan = try access.core.plan(for: Model.self)
        let description = plan.description
        guard plan.isOneRow, !description.isClass, !description.hasGeneratedKey, key == description.keyMask else {
            return nil
        }
        let wanted = try description.group(
            of: .upsert(key: key, updated: updated), lacksKey: false, nil, lacksCreated: { false })
        guard let wanted, let upsert = wanted.action.explicitUpsert,
            description.expiry == nil || description.meetsOnlyKey(wanted.mask)
        else { return nil }
        let silent = Upsert(key: key, updated: upsert.updated, returned: PropertyMask(), isExplicit: true)
        self.access = access
        group = SaveBatch.Group(action: .upsert(silent), mask: wanted.mask, generatesKeys: false)
        statement = try plan.statements.rendered(.upsert(wanted.mask, silent))
        let slots = description.slots(wanted.mask)
        keySlots = description.keyIndices.map { Int(slots[$0]) }
    }

    /// Writes the values in their order: all, or none.
    func run(_ values: [Model]) async throws {
        guard !values.isEmpty else { return }
        let rows = try encode(values)
        if case .transaction(let scope) = access.kind, let attempt = scope.session.attempt, attempt.isRetryable,
            !attempt.hasRead(Model.self)
        {
            try attempt.noteOlder()
        }
        do {
            try await access.runningAgainIfRefused(while: { true }) {
                if values.count == 1, access.isOutsideTransaction, try await writeAlone(rows) { return }
                try await access.perform(.atomic, purpose: "upsert") { session, _ in
                    try await write(rows, through: session)
                    session.note { changes(rows) }
                }
            }
        } catch var error as DatabaseError {
            error.objectIndex = values.count > 1 ? error.row(among: values.count) : nil
            throw description.explained(error)
        }
    }

    private func encode(_ values: [Model]) throws -> ParameterBuffer {
        var encoder = RowEncoder(description, mask: group.mask)
        encoder.cells.reserveCells(rows: values.count)
        let stamp = RowStamp(description, group, try description.timestamps())
        var (firstCell, writtenBack) = (0, PropertyMask())
        for (index, value) in values.enumerated() {
            do {
                try plan.mapping.encode(value, &encoder)
                try encoder.cells.buffer.requireEncodedKey(index, of: description)
                if keySlots.contains(where: { encoder.cells.buffer.cells[firstCell + $0].isNull }) {
                    throw description.lacksKey
                }
                try stamp?.apply(to: &encoder.cells.buffer, from: firstCell, writtenBack: &writtenBack)
            } catch var error as DatabaseError {
                if values.count > 1 { error.objectIndex = index }
                throw error
            }
            firstCell = encoder.cells.buffer.cells.count
            if index == 255 { encoder.cells.reserveBytes(rows: values.count, encoded: 256) }
        }
        return encoder.cells.buffer
    }

    /// Writes a row outside of a transaction by its one statement.
    ///
    /// - Returns: Whether it is written. If not, nothing was done.
    private func writeAlone(_ rows: ParameterBuffer) async throws -> Bool {
        var written = 0
        let hasRun = try await access.runBriefly(
            .write, statement, rows, purpose: "upsert", telling: { written > 0 ? changes(rows) : [] }
        ) { source in
            while try source.next() != nil {}
            written = source.affectedRows
        }
        if !hasRun {
            written = try await access.perform(.write, purpose: "upsert") { session, _ in
                let written = try await session.execute(statement, rows)
                if written > 0 { session.note { changes(rows) } }
                return written
            }
        }
        return written > 0
    }

    private func write(_ rows: ParameterBuffer, through session: Session) async throws {
        let written = try await session.execute(statement, rows)
        if written >= rows.rowCount { return }
        guard description.expiry != nil else { throw description.passedOver }
        // Those that were in the way are locked: nobody else sweeps them now.
        let expired = try await description.expiredRows(inWayOf: rows, group.mask, through: session)
        let width = keySlots.count
        let keys = Set(expired.flatMap { found in (0..<found.rowCount).map { found.key(ofRow: $0, count: width) } })
        let again = rows.rowIndices.filter { row in key(of: row, in: rows).map { keys.contains($0) } ?? false }
        guard written + again.count >= rows.rowCount else { throw description.passedOver }
        try await DeleteGraph(core: session.core).delete(expired, of: Model.self, through: session)
        if try await session.execute(statement, rows.selecting(again)) < again.count { throw description.passedOver }
    }

    private func key(of row: Int, in rows: ParameterBuffer) -> Key? {
        var key = ParameterBuffer(width: keySlots.count)
        for slot in keySlots { key.append(rows.cells[row * rows.width + slot], of: rows) }
        return key.key(ofRow: 0)
    }

    /// What was done, for those who observe.
    private func changes(_ rows: ParameterBuffer) -> [TableChanges] {
        let compared = access.core.observations.comparedProperties(of: description.table)
        let slots = description.slots(ofProperties: compared, in: group.mask)
        let changes = rows.rowIndices.map { row in
            ObjectChange(kind: .saved, key: key(of: row, in: rows), values: rows.values(slots, ofRow: row))
        }
        return [TableChanges(table: description.table, changes: changes)]
    }
}
