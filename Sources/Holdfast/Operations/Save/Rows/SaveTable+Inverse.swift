/// Relations that the other side keeps.
extension SaveTable {
    /// Objects of another table that an owner let go.
    struct Release {
        let description: TableDescription
        /// The reference of theirs that leads to the owner.
        let property: Int
        /// The keys of those whose reference is NULL now.
        let cleared: Set<ElementKey>
        /// The keys of those that another client has given to another owner meanwhile.
        let moved: Set<ElementKey>
        /// The keys of those that are to be deleted, which are locked.
        var orphans = StoredRows(width: 0)
        /// Whose objects they are.
        let relation: Relation
    }

    /// Releases objects that the owners of a batch no longer hold: their foreign keys to those owners become NULL.
    ///
    /// It comes before anything else, so that whatever takes the place of an object that was let go finds it free.
    func sendReleases(
        _ batch: SaveBatch, of tables: [SaveTable], through session: Session
    ) async throws -> [Release] {
        let owners = owners(of: batch)
        var releases: [Release] = []
        for links in batch.links {
            guard let relation = description.columns.relation(links.property),
                case .inverseReference(let property, let columns) = relation.storage
            else { continue }
            // Objects that others put in meanwhile stay.
            let taken = batch.takenOut[links.property].map { TakenOut($0, of: owners) }
            if taken?.isEmpty == true { continue }
            let kept = kept(links, of: batch, relation, property, tables)
            let release = try await release(relation, property, columns, owners, taken, keeping: kept, session)
            if let release { releases.append(release) }
        }
        return releases
    }

    /// The keys of the objects that stay, or say by themselves whom they belong to.
    private func kept(
        _ links: ArrayLinks, of batch: SaveBatch, _ relation: Relation, _ property: Int, _ tables: [SaveTable]
    ) -> Set<ElementKey> {
        var kept = Set<ElementKey>()
        for row in batch.entries.indices {
            for element in links.elements(ofRow: row) { kept.insert(links.keys.withRow(element) { ElementKey($0) }) }
        }
        for table in tables where table.description === relation.target.description {
            for batch in table.batches where batch.group.action != .update || batch.group.mask.contains(property) {
                for entry in batch.entries { kept.insert(table.elementKey(of: entry.index)) }
            }
        }
        return kept
    }

    private func release(
        _ relation: Relation, _ property: Int, _ columns: [String], _ owners: ParameterBuffer,
        _ taken: TakenOut?, keeping: Set<ElementKey>, _ session: Session
    ) async throws -> Release? {
        let other = relation.target.description
        let sql = TableSQL(description: other, dialect: session.dialect)
        let width = other.keyIndices.count
        let texts = session.core.statementTexts
        let referring = texts.statement(
            sql.text(after: owners.width) { $0.selectReferringKeys(columns, to: description) }, table: other.table)
        let released = try await session.run(referring, owners.asLists) { rows in
            // Each with its owner.
            var result = ParameterBuffer(width: width + columns.count)
            while let cells = try rows.next() {
                let key = ElementKey(UnsafeBufferPointer(start: cells, count: width))
                let owner = ElementKey(UnsafeBufferPointer(start: cells + width, count: columns.count))
                if keeping.contains(key) || taken?.contains(key, of: owner) == false { continue }
                for part in 0..<result.width { result.append(copying: cells[part]) }
            }
            return result
        }
        guard !released.cells.isEmpty else { return nil }
        if relation.orphans == .delete {
            let lost = try await orphans(among: released, referring, owners, relation, session)
            return Release(
                description: other, property: property, cleared: [], moved: lost.moved, orphans: lost.rows,
                relation: relation)
        }
        guard let cleared = other.releasedColumns(of: property) else {
            throw DatabaseError(
                .notNullViolation,
                "\"\(relation.name)\" of \(description.type) no longer holds a \(other.type), whose \"\(other.properties[property].name)\" can't be nil. Delete it, or give it to another.",
                table: other.table, properties: [other.properties[property].name])
        }
        let text = sql.text(after: released.width) { $0.release(cleared, finding: columns) }
        let done = try await session.collect(texts.statement(text, table: other.table), released, width: width)
        let clearedKeys = Set(done.rowIndices.map { row in done.withRow(row) { ElementKey($0) } })
        // Objects that another client has given to another owner meanwhile stay with it: this owner has lost them
        // either way.
        let moved = Set(released.rowIndices.map { row in released.withRow(row) { ElementKey($0, prefix: width) } })
            .subtracting(clearedKeys)
        if !moved.isEmpty {
            let isHeld = try await session.run(referring, owners.asLists) { rows in
                var isHeld = false
                while let cells = try rows.next() {
                    if moved.contains(ElementKey(UnsafeBufferPointer(start: cells, count: width))) { isHeld = true }
                }
                return isHeld
            }
            if isHeld { throw other.passedOver }
        }
        return Release(
            description: other, property: property, cleared: clearedKeys, moved: moved, relation: relation)
    }
}

/// What was taken out of a relation that the other side keeps, owner by owner.
struct TakenOut {
    /// By the keys of the owners; nil of one of which it is not known.
    private let ofOwners: [ElementKey: Set<ElementKey>?]
    let isEmpty: Bool

    init(_ taken: [Set<ElementKey>?], of owners: ParameterBuffer) {
        isEmpty = taken.allSatisfy { $0?.isEmpty == true }
        ofOwners = Dictionary(
            zip(owners.rowIndices.map { row in owners.withRow(row) { ElementKey($0) } }, taken)
        ) { first, _ in first }
    }

    /// Whether an owner may have let an object go.
    func contains(_ key: ElementKey, of owner: ElementKey) -> Bool {
        guard let taken = ofOwners[owner] else { return ofOwners.values.contains { $0?.contains(key) ?? true } }
        return taken?.contains(key) ?? true
    }
}
