/// Relations of which a part is loaded.
extension LoadTable {
    /// Asks for a part of what a relation leads to, and remembers that there may be more.
    ///
    /// - Parameter owners: The rows from which it is followed.
    func requestForPart(
        _ part: RelationPart, of relation: Relation, _ owners: [Int], into target: LoadTable, in core: DatabaseCore
    ) throws -> LoadRequest {
        let (ofAll, keys) = keysOfOwners(owners)
        let sql = QuerySQL(part, of: relation, core.queryDialect)
        let (text, parameters) = try sql.selectPart(of: relation, from: description, keys: ofAll ? nil : keys)
        let statement = core.statementTexts.statement(text, table: target.description.table)
        self[relation].noteIncomplete(Set(owners))
        if case .inverseReference(let property, _) = relation.storage {
            return LoadRequest(statement, parameters, .rows(width: target.rows.width), into: target) { found in
                try self.addHolders(found.rows, relation, property, to: target)
            }
        }
        let (near, far) = (description.keyIndices.count, target.description.keyIndices.count)
        let shape = LoadedRows.Shape.links(near: near, far: far, width: target.rows.width)
        // Rows that come with links may be of owners, too.
        let ownerCount = ofAll ? nil : rows.count
        return LoadRequest(statement, parameters, shape, into: target) { found in
            let indices = target.rows.add(found.rows)
            self.append(found.owners, to: relation, ofFirst: ownerCount) { link in
                let row = found.targetRows[link]
                return row < 0 ? nil : Int32(truncatingIfNeeded: indices[Int(row)])
            }
        }
    }
}

extension LoadScope {
    /// Checks what is asked of parts of relations, before anything is sent.
    func checkParts(from description: TableDescription, _ dialect: any Dialect) throws {
        for (part, relation, owner) in including.parts(from: description) {
            guard relation.isArray, !relation.target.isLazy else {
                throw DatabaseError(
                    .invalidValue,
                    "\"\(relation.name)\" of \(owner.type) is no array of objects, so no part of it can be loaded.",
                    table: owner.table, properties: [relation.name])
            }
            guard owner.remembersLeftOut else {
                throw DatabaseError(
                    .unsupported,
                    "\(owner.type) can't remember that \"\(relation.name)\" holds a part of it: saved, the rest would be lost. Query the elements instead.",
                    table: owner.table, properties: [relation.name])
            }
            _ = try QuerySQL(part, of: relation, dialect).selectPart(of: relation, from: owner, keys: nil)
        }
    }
}
