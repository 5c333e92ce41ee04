/// A query for tuples of values instead of objects: columns, expressions, or aggregates of groups.
///
/// ```swift
/// let rows = try await db.query(Project.self)
///     .group { $0.status }
///     .having { $0.rowCount > 3 }
///     .select { ($0.status, $0.rowCount, $0.budget.average) }
///     .fetch()
/// for (status, count, average) in rows { … }
/// ```
public struct Selection<Model: TableObject, each Value: Storable>: Sendable {
    let query: Query<Model>
    let nodes: [QueryNode]
    let storages: [ValueStorage]

    /// Fetches the values, a tuple for each row, in the order of the query.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` for a value that does not fit its type, and the errors of
    ///   ``Query/fetch(fileID:line:)``.
    public func fetch(
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [(repeat each Value)] {
        let (nodes, storages) = (nodes, storages)
        return try await query.at(fileID, line).run("select", selecting: nodes, { try $0.select(nodes) }) {
            try Self.values(of: $0, storages)
        }.value
    }

    /// Streams the values, a tuple for each row.
    ///
    /// ```swift
    /// for try await (name, budget) in db.query(Project.self).select { ($0.name, $0.budget) }.stream() { … }
    /// ```
    public func stream(
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> QueryStream<(repeat each Value)> {
        let (query, nodes, storages) = (query.at(fileID, line), nodes, storages)
        return QueryStream {
            query.stream(of: { try $0.select(nodes) }) { source, session in
                let found = try await source.read(session)
                return .init(isLast: found.isLast) { try Self.values(of: found.rows, storages).value }
            }
        }
    }

    static func values(
        of rows: any RowSource, _ storages: [ValueStorage]
    ) throws -> Transfer<[(repeat each Value)]> {
        var result: [(repeat each Value)] = []
        while let cells = try rows.next() {
            var position = 0
            func next<Next: Storable>(_ type: Next.Type) throws -> Next {
                defer { position += 1 }
                return try decodeSelected(cells, position, storages[position])
            }
            result.append((repeat try next((each Value).self)))
        }
        return Transfer(value: result)
    }

    /// Fetches the values of the first row, or nil.
    public func first(
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> (repeat each Value)? {
        var query = query
        query.specification = query.specification.limited(to: 1)
        return try await Selection(query: query, nodes: nodes, storages: storages)
            .fetch(fileID: fileID, line: line).first
    }

    /// Keeps each tuple once, ordered by the selected values unless the query has an order of its own.
    ///
    /// ```swift
    /// let rows = try await db.query(Person.self).select { ($0.city, $0.age) }.distinct().fetch()
    /// // SELECT t0."city", t0."age" FROM "person" AS t0 GROUP BY t0."city", t0."age" ORDER BY t0."city", t0."age"
    /// ```
    public func distinct() -> Selection {
        Selection(query: query.grouped(asSelected: nodes), nodes: nodes, storages: storages)
    }

    /// Returns the statement, without its parameters and without a database.
    ///
    /// ```swift
    /// print(try Query(Project.self).select { $0.name }.sql(for: .sqlite))
    /// // SELECT t0."name" FROM "project" AS t0 ORDER BY t0."id"
    /// ```
    public func sql(for driver: DriverType) throws -> String {
        try Model.ownDescription.checkScopes(driver.dialect)
        return try QuerySQL(
            specification: query.specification, description: Model.ownDescription, dialect: driver.dialect
        ).select(nodes).sql
    }
}

/// Decodes the value of a selected column.
func decodeSelected<Value: Storable>(
    _ cells: UnsafePointer<Cell>, _ position: Int, _ storage: ValueStorage
) throws -> Value {
    var cell = cells[position]
    cell.storage = storage
    do {
        return try Value._decode(cell)
    } catch {
        let mismatch = error as? CellMismatch
        let sentence = mismatch?.sentence ?? "was refused by the conversion to its type"
        let hint =
            mismatch == .null
            ? " Select it as `.optional`, where a relation can lead nowhere, or a division be by 0." : ""
        throw DatabaseError(.decoding, "The value at position \(position) of a row \(sentence).\(hint)")
    }
}

extension Query {
    /// Selects several values instead of objects.
    ///
    /// ```swift
    /// let rows = try await db.query(Project.self).select { ($0.name, $0.budget * 2) }.fetch()
    /// // one row for each project: (String, Decimal)
    /// ```
    ///
    /// - Parameter columns: Properties and expressions; in a grouped query, aggregates and the grouped expressions.
    public func select<each Value: Storable>(
        _ columns: (Columns<Model>) -> (repeat QueryExpression<each Value>)
    ) -> Selection<Model, repeat each Value> {
        var query = self
        let expressions = columns(query.makeColumns())
        var nodes: [QueryNode] = []
        var storages: [ValueStorage] = []
        for expression in repeat each expressions {
            nodes.append(expression.node)
            storages.append(expression.storage)
        }
        // A closure of one expression may be taken for one that returns nothing. (A pack with a first element would
        // refuse that, but then the compiler does not find the members of what is returned.)
        if nodes.isEmpty {
            query.specification.failure = DatabaseError(
                .invalidValue,
                "A query selects nothing: a relation is no value. Select properties of its target, such as its key.",
                table: Model.ownDescription.table)
        }
        return Selection(query: query.selecting(nodes), nodes: nodes, storages: storages)
    }

    /// Selects each object together with values that the database computes for it.
    ///
    /// ```swift
    /// let rows = try await db.query(Author.self).select { ($0, $0.books.count) }.fetch()    // [(Author, Int)]
    /// ```
    ///
    /// - Parameter columns: The object itself, `$0`, and expressions behind it. Aggregates of all rows are refused:
    ///   over a window, as in `$0.price.sum.over(partition: [$0.category])`, they are a value of each object.
    // Behind the one for values alone: the compiler tries them in this order, and takes thirty times as long for tuples
    // of arithmetic in the other (decision 0074).
    public func select<each Value: Storable>(
        _ columns: (Columns<Model>) -> (Columns<Model>, repeat QueryExpression<each Value>)
    ) -> ObjectSelection<Model, repeat each Value> { ObjectSelection(self, columns) }

    /// Groups the objects by what is selected of them.
    func grouped(asSelected nodes: [QueryNode]) -> Query {
        var query = self
        guard specification.groups.isEmpty else {
            query.specification.failure = DatabaseError(
                .unsupported,
                "A query asks for the distinct of what it selects of groups. Group by that alone, or make it distinct in Swift."
            )
            return query
        }
        query.specification.groups = nodes
        if nodes.contains(where: \.hasAggregate) {
            query.specification.failure = DatabaseError(
                .unsupported,
                "A query asks for the distinct of an aggregate, which is one value. Group it, or leave it out.")
        }
        return query
    }

    /// Groups the objects by values, for `select` with aggregates.
    ///
    /// ```swift
    /// .group { $0.status }.select { ($0.status, $0.rowCount) }    // GROUP BY t0."status"
    /// ```
    public func group<First: Storable, each Value: Storable>(
        by columns: (Columns<Model>) -> (QueryExpression<First>, repeat QueryExpression<each Value>)
    ) -> Query {
        groupByAll(columns)
    }

    /// Groups the objects by one value, for `select` with aggregates.
    ///
    /// ```swift
    /// .group(by: \.status).select { ($0.status, $0.rowCount) }    // GROUP BY t0."status"
    /// ```
    public func group<Value: Storable>(by column: (Columns<Model>) -> QueryExpression<Value>) -> Query {
        var query = self
        query.specification.groups = [column(query.makeColumns()).node]
        return query
    }

    // Groups by the expressions of a pack, which may be empty. Expressions can only be taken out of a tuple that is
    // nothing but a pack, so the functions that require at least one expression pass theirs on to this.
    private func groupByAll<each Value: Storable>(
        _ columns: (Columns<Model>) -> (repeat QueryExpression<each Value>)
    ) -> Query {
        var query = self
        let expressions = columns(query.makeColumns())
        query.specification.groups = []
        for expression in repeat each expressions { query.specification.groups.append(expression.node) }
        return query
    }

    /// Groups the objects by the target of a relation, for `select` with aggregates.
    ///
    /// ```swift
    /// .group { $0.lead }.select { ($0.lead.id, $0.rowCount) }    // GROUP BY t0."lead_id"
    /// ```
    ///
    /// Select the key of the target, as `.optional` where the relation can be nil. To select other properties of it,
    /// group by those.
    public func group<Target>(by relation: (Columns<Model>) -> Columns<Target>) -> Query {
        var query = self
        query.specification.groups = [relation(query.makeColumns()).node]
        return query
    }

    /// Keeps only groups that meet a condition.
    ///
    /// ```swift
    /// .group { $0.status }.having { $0.budget.sum > 1_000 }
    /// ```
    public func having(_ condition: (Columns<Model>) -> some ConditionConvertible) -> Query {
        var query = self
        let condition = condition(query.makeColumns()).condition
        query.specification.groupConditions.append(condition.node)
        return query
    }
}
