/// Arrays of which the other side keeps the join table.
extension SaveTable {
    /// Refuses changes of arrays whose elements the other side keeps.
    func checkInverseJoinTables(_ batch: SaveBatch, of tables: [SaveTable], through session: Session) async throws {
        let owners = owners(of: batch)
        for links in batch.links {
            guard let relation = description.columns.relation(links.property),
                case .inverseJoinTable(_, let joinTable) = relation.storage
            else { continue }
            // The empty array of a new object does not say that nothing leads to the object.
            let isNew = batch.group.action.hasNewArrays || verb.extendsToReached && batch.group.action != .update
            if isNew, links.targets.isEmpty { continue }
            // Links that are objects can be several of one pair, and the array then has its element as often.
            let countsEach = relation.linkType != nil
            var held: [[ElementKey]: Int] = [:]
            let elements = ArrayElementRows(
                rows: links.keys, targets: links.targets, tables: tables,
                ranges: batch.entries.indices.map { links.elements(ofRow: $0) })
            for (row, range) in elements.ranges.enumerated() {
                let owner = owners.withRow(row) { ElementKey($0) }
                for element in range {
                    let pair = [owner, elements.key(element)]
                    held[pair] = countsEach ? (held[pair] ?? 0) + 1 : 1
                }
            }
            let (near, far) = (owners.width, links.keys.width)
            let sql = TableSQL(description: description, dialect: session.dialect)
            let text = sql.selectLinks(joinTable, isReversed: true, ofAll: false)
            let stored = try await session.run(
                session.core.statementTexts.statement(text, table: joinTable.name.description), owners.asLists
            ) { rows in
                var pairs: [[ElementKey]: Int] = [:]
                while let cells = try rows.next() {
                    let pair = [
                        ElementKey(UnsafeBufferPointer(start: cells, count: near)),
                        ElementKey(UnsafeBufferPointer(start: cells + near, count: far)),
                    ]
                    pairs[pair] = countsEach ? (pairs[pair] ?? 0) + 1 : 1
                }
                return pairs
            }
            let isKept = isNew ? held.allSatisfy { stored[$0] ?? 0 >= $1 } : held == stored
            if !isKept { throw description.otherSideKeeps(relation) }
        }
    }
}

extension TableDescription {
    /// The error about a relation that was changed on the side that does not keep it.
    func otherSideKeeps(_ relation: Relation) -> DatabaseError {
        let advice =
            relation.linkType.map {
                "objects of \($0.target.description.type) are its links. Insert and delete those, or call `link` and `unlink`."
            } ?? "the array on the other side holds the relation. Change that one."
        return DatabaseError(
            .unsupported, "\"\(relation.name)\" of \(type) was changed, but \(advice)", table: table,
            properties: [relation.name])
    }
}
