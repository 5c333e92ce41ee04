/// Statements that ask for what relations and arrays lead to.
extension LoadTable {
    /// Asks for the rows that references lead to and that are not here; nil if there are none.
    ///
    /// - Parameter isUnbounded: Whether the load follows relations to the end.
    func requestForWanted(isUnbounded: Bool) throws -> LoadRequest? {
        let (keys, chain) = try takeWanted(isUnbounded: isUnbounded)
        guard !keys.cells.isEmpty else { return nil }
        let shape = LoadedRows.Shape.rows(width: rows.width)
        if let chain {
            var limit = ParameterBuffer(width: 1)
            limit.append(.integer(Int64(chain.steps)))
            let statement = try statements.rendered(.chain(property: chain.property))
            return LoadRequest(statement, keys.lists(followedBy: limit), shape) { self.addPrefetched($0.rows) }
        }
        let isOne = keys.rowIndices.count == 1
        return LoadRequest(
            isOne ? statements.selectOne : statements.selectMany, isOne ? keys : keys.asLists, shape, into: self
        ) { self.rows.add($0.rows) }
    }

    /// The keys of owners as list parameters of a statement; none if the statement is for all rows of the table.
    func keysOfOwners(_ owners: [Int]?) -> (ofAll: Bool, keys: ParameterBuffer) {
        guard let owners, !rows.holdsAll || owners.count < rows.count else { return (true, .none) }
        return (false, rows.keys(of: owners).asLists)
    }

    /// Asks for what a relation that a join table keeps leads to.
    ///
    /// - Parameters:
    ///   - owners: The owners; nil for all that the table has, whose rows are taken before.
    ///   - readsApart: Whether the links of all owners, and the rows that they lead to, are read by a statement each.
    /// - Returns: The last one asks for the links; one before it for the rows that they lead to, unless these come
    ///   along, or are here.
    func requestsForLinks(
        _ relation: Relation, of owners: [Int]?, into target: LoadTable, readsApart: Bool
    ) throws -> [LoadRequest] {
        let (ofAll, keys) = keysOfOwners(owners)
        let (near, far) = (description.keyIndices.count, target.description.keyIndices.count)
        // Rows that come with links may be of owners, too, whose own links are asked for later.
        let ownerCount = owners.map { _ in rows.count }
        // By its links alone, an array can't be put in an order of its objects.
        guard relation.order.isEmpty, target.rows.holdsAll || ofAll && readsApart else {
            let statement = try statements.rendered(.related(property: relation.property, ofAll: ofAll))
            let shape = LoadedRows.Shape.links(near: near, far: far, width: target.rows.width)
            let request = LoadRequest(statement, keys, shape, into: target) { found in
                let indices = target.rows.add(found.rows)
                self.append(found.owners, to: relation, ofFirst: ownerCount) { link in
                    let row = found.targetRows[link]
                    return row < 0 ? nil : Int32(truncatingIfNeeded: indices[Int(row)])
                }
            }
            return [request]
        }
        var requests: [LoadRequest] = []
        if !target.rows.holdsAll {
            let statement = try statements.rendered(.linked(property: relation.property))
            requests.append(
                LoadRequest(statement, .none, .distinct(target.columns), into: target) {
                    target.rows.add($0.rows, keys: $0.keys)
                })
        }
        let statement = try statements.rendered(.links(property: relation.property, ofAll: ofAll))
        let links = LoadRequest(statement, keys, .owned(near: near, width: far)) { found in
            let index = target.rows.index
            self.append(found.owners, to: relation, ofFirst: ownerCount) { link in
                index[found.rows.key(ofRow: link, count: far)]
            }
        }
        return requests + [links]
    }

    /// Appends the links of the first `count` rows; nil stands for all rows that the statement which selects all has
    /// returned.
    func append(
        _ owners: OwnerRuns, to relation: Relation, ofFirst count: Int?, target: (Int) -> Int32?
    ) {
        self[relation].append(owners, among: 0..<(count ?? rows.fetchedCount), in: rows.index, target: target)
    }

    /// Asks for the rows of another table that refer to rows of this one.
    ///
    /// - Parameter property: The property by which they refer to them.
    func requestForHolders(
        _ relation: Relation, _ property: Int, of owners: [Int], into target: LoadTable
    ) throws -> LoadRequest {
        let statement = try statements.rendered(.holders(property: relation.property))
        let shape = LoadedRows.Shape.rows(width: target.rows.width)
        return LoadRequest(statement, rows.keys(of: owners).asLists, shape, into: target) { found in
            try self.addHolders(found.rows, relation, property, to: target)
        }
    }

    func addHolders(
        _ found: StoredRows, _ relation: Relation, _ property: Int, to target: LoadTable
    ) throws {
        let holders = target.rows.add(found)
        let reference = target.columns.referenceCells(property)
        let owners = (0..<found.rowCount).map { row in
            reference.key(in: found.row(row)).flatMap { rows.rowIndex(of: $0) }
        }
        if relation.isArray { return self[relation].appendHolders(holders, of: owners) }
        guard self[relation].setHolders(holders, of: owners, rowCount: rows.count) else {
            throw DatabaseError(
                .decoding,
                "Several rows of \"\(target.description.table)\" hold the key of one row of \"\(description.table)\", whose \"\(relation.name)\" can be only one. Make it an array, or the other side `@Unique`.",
                table: description.table, properties: [relation.name])
        }
    }

    /// Asks for the elements of arrays of values.
    ///
    /// - Parameter owners: The owners; nil for all that the table has, whose rows are taken before.
    func requestsForElements(of owners: [Int]?) throws -> [LoadRequest] {
        let (ofAll, keys) = keysOfOwners(owners)
        let width = description.keyIndices.count
        return try columns.elementArrays.filter { mask.contains($0) }.map { property in
            let elementWidth = columns.joinTables[property]?.elementColumns.count ?? 1
            let statement = try statements.rendered(
                .elements(property: property, ofAll: ofAll, withPositions: false))
            return LoadRequest(statement, keys, .owned(near: width, width: elementWidth)) {
                self.collect(property, $0)
            }
        }
    }
}
