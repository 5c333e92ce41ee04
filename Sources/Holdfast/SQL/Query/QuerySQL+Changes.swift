extension QuerySQL {
    var lock: String { dialect.rowLock.isEmpty ? "" : dialect.rowLock + " OF t0" }

    /// Deletes the rows of the objects.
    ///
    /// `DELETE FROM "project" WHERE "project"."name" = $1`; where that needs a join, is ordered or cut,
    /// `DELETE FROM "project" WHERE "id" IN (SELECT t0."id" FROM "project" AS t0 … FOR UPDATE OF t0)`
    func delete() throws -> Rendering {
        try specification.validate()
        let table = dialect.quoted(description.tableName)
        let writer = makeWriter()
        return try ("DELETE FROM \(table)\(changed(writer))", writer.parameters)
    }

    /// The condition of a statement that changes rows.
    ///
    /// Where possible, it is a condition on the changed rows themselves: an engine that waited for another transaction
    /// then checks it again for what that transaction has left.
    private func changed(_ writer: QueryWriter) throws -> String {
        let table = dialect.quoted(description.tableName)
        if specification.isAll { return writer.timed { description.filter(nil, $0) } }
        let isCut = specification.isCut
        if isCut { try requireLockable() }
        if !isCut, specification.distinct.isEmpty, let condition = specification.condition {
            let target = QueryObject(description, source: QuerySource(table), alias: table)
            let start = writer.mark
            let written = try writer.withRoot(target) { try writer.condition(condition) }
            if target.source.sql == table { return writer.timed { description.filter(written, $0) } }
            writer.reset(to: start)
        }
        let keys = writer.root.key(writer).joined(separator: ", ")
        let filter = try self.filter(writer)
        let order = isCut ? try self.order(writer) : ""
        let limit = dialect.limit(specification.limit, offset: specification.offset)
        // Locked before they are changed, for the same reason.
        let found = "SELECT \(keys) FROM \(writer.root.source.sql)\(filter)\(order)\(limit)\(lock)"
        return " WHERE \(isOne(of: found))"
    }

    /// Refuses an order by the rows around each row, which engines don't lock by.
    func requireLockable() throws {
        guard specification.objectOrders.contains(where: \.node.hasWindow) else { return }
        throw DatabaseError(
            .unsupported,
            "A query changes or locks objects in an order by the rows around each row. Fetch their keys first.",
            table: description.table)
    }

    private func isOne(of keys: String) -> String {
        let columnList = dialect.list(description.keyColumns)
        return "\(description.keyColumns.count == 1 ? columnList : "(\(columnList))") IN (\(keys))"
    }

    /// Sets columns in the rows of the objects.
    ///
    /// `UPDATE "project" SET "status" = $1 WHERE "project"."name" = $2`
    ///
    /// - Returns: The statement with its parameters, and what it sets.
    func update(
        _ assignments: [(path: QueryNode, value: QueryNode)]
    ) throws -> (Rendering, sets: [ColumnAssignment]) {
        try specification.validate()
        guard !assignments.isEmpty else {
            throw DatabaseError(.invalidValue, "An update by a query sets nothing.", table: description.table)
        }
        let table = dialect.quoted(description.tableName)
        let writer = makeWriter()
        let target = QueryObject(description, source: QuerySource(table), alias: table)
        let sets = try writer.withRoot(target) {
            try writer.assignments(assignments, to: target) + writer.ownChanges(except: assignments)
        }
        guard target.source.sql == table else {
            throw DatabaseError(
                .unsupported,
                "An update by a query sets a property to what a relation leads to. Set it to a value of its own.",
                table: description.table)
        }
        let list = sets.map { "\(dialect.quoted($0.column)) = \($0.sql)" }.joined(separator: ", ")
        return try (("UPDATE \(table) SET \(list)\(changed(writer))", writer.parameters), sets)
    }
}
