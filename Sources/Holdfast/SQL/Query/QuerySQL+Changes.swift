extension QuerySQL {
    /// Deletes the rows of the objects.
    ///
    /// `DELETE FROM "project" WHERE "project"."name" = $1`; where that needs a join, is ordered or cut,
    /// `DELETE FROM "project" WHERE "id" IN (SELECT t0."id" FROM "project" AS t0 … FOR UPDATE OF t0)`
    ///
    /// - Parameter returned: What it returns of each.
    func delete(returning returned: ReturnedValues = .nothing) throws -> Rendering {
        try specification.validate()
        let table = dialect.quoted(description.tableName)
        let writer = makeWriter()
        let changed = try self.changed(writer)
        let returning = try self.returning(returned, writer)
        return ("\(changed.with)DELETE FROM \(table)\(changed.filter)\(returning)", try writer.parameters)
    }

    /// Marks the rows of the objects as deleted, those that are not.
    ///
    /// `UPDATE "note" SET "deleted_at" = $1 WHERE "note"."deleted_at" IS NULL AND ("note"."title" = $2)`
    ///
    /// - Parameter returned: What it returns of each, as it is then.
    /// - Returns: The statement with its parameters, and what it sets.
    func mark(
        _ deletion: DeletionDate, returning returned: ReturnedValues = .nothing
    ) throws -> (Rendering, sets: [ColumnAssignment]) {
        guard specification.deleted == .leftOut else {
            var specification = specification
            specification.deleted = .leftOut
            return try QuerySQL(specification: specification, description: description, dialect: dialect)
                .mark(deletion, returning: returned)
        }
        try specification.validate()
        let table = dialect.quoted(description.tableName)
        let writer = makeWriter()
        let time = try description.deletionTime(try TableDescription.deletionTime(), deletion)
        var sets = [ColumnAssignment(column: deletion.column, sql: writer.bind(time))]
        if let column = description.versionColumn {
            sets.append(ColumnAssignment(column: column, sql: description.countedUp(dialect.quoted(column))))
        }
        let list = sets.map { "\(dialect.quoted($0.column)) = \($0.sql)" }.joined(separator: ", ")
        let changed = try self.changed(writer)
        let returning = try self.returning(returned, writer)
        return (
            ("\(changed.with)UPDATE \(table) SET \(list)\(changed.filter)\(returning)", try writer.parameters), sets
        )
    }

    /// The condition of a statement that changes rows.
    ///
    /// Where possible, it is a condition on the changed rows themselves: an engine that waited for another transaction
    /// then checks it again for what that transaction has left.
    ///
    /// - Returns: What comes before the statement, and its condition.
    private func changed(_ writer: QueryWriter) throws -> (with: String, filter: String) {
        let table = dialect.quoted(description.tableName)
        let locksRows = !dialect.rowLock.isEmpty
        let waits = !locksRows || (specification.lock ?? .waiting) == .waiting
        if specification.lock != nil, !specification.distinct.isEmpty { _ = try locking(("", .none)) }
        if specification.isAll, waits {
            return ("", writer.timed { description.filter(nil, $0, specification.seen) })
        }
        let isCut = specification.isCut
        if isCut { try requireLockable() }
        if !isCut, waits, specification.distinct.isEmpty, let condition = specification.condition {
            let target = QueryObject(description, source: QuerySource(table), alias: table)
            let start = writer.mark
            let written = try writer.withRoot(target) { try writer.condition(condition) }
            if target.source.sql == table {
                return ("", writer.timed { description.filter(written, $0, specification.seen) })
            }
            writer.reset(to: start)
        }
        let keys = writer.root.key(writer).joined(separator: ", ")
        let filter = try self.filter(writer)
        let order = isCut ? try self.order(writer) : ""
        let limit = dialect.limit(specification.limit, offset: specification.offset)
        // Locked before they are changed, for the same reason.
        let found = "SELECT \(keys) FROM \(writer.root.source.sql)\(filter)\(order)\(limit)\(try changeLock)"
        // A server that runs the subquery again for each row it compares would find others each time, as those it has
        // locked, or changed, are passed over.
        guard locksRows, isCut || !waits else { return ("", " WHERE \(isOne(of: found))") }
        // They are read in front of the statement, whose own values were bound before.
        guard dialect.numbersPlaceholders else {
            throw DatabaseError(
                .unsupported,
                "A query changes objects with a limit or without waiting, which needs placeholders with numbers. Fetch their keys first.",
                table: description.table)
        }
        let names = description.keyColumns.indices.map { "k\($0)" }.joined(separator: ", ")
        return (
            "WITH found(\(names)) AS MATERIALIZED (\(found)) ", " WHERE \(isOne(of: "SELECT \(names) FROM found"))"
        )
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
    /// - Parameter returned: What it returns of each, as it is then.
    /// - Returns: The statement with its parameters, and what it sets.
    func update(
        _ assignments: [(path: QueryNode, value: QueryNode)], returning returned: ReturnedValues = .nothing
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
        let changed = try self.changed(writer)
        let returning = try self.returning(returned, writer)
        return (
            ("\(changed.with)UPDATE \(table) SET \(list)\(changed.filter)\(returning)", try writer.parameters), sets
        )
    }
}
