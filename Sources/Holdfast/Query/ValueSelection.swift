/// One value of each object of a query, in place of the objects: a column, what is computed of it, an aggregate of
/// groups.
///
/// ```swift
/// let names = try await db.query(Project.self).select { $0.name }.fetch()     // [String]
/// ```
public struct ValueSelection<Model: TableObject, Value: Storable>: Sendable {
    private let selection: Selection<Model, Value>

    init(_ selection: Selection<Model, Value>) { self.selection = selection }

    /// The values, in the order of the query, or of groups in theirs.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` for a value that does not fit its type; and what
    ///   ``Query/fetch()`` throws.
    public func fetch() async throws -> [Value] {
        let storage = storage
        return try await selection.query.run("select", { [nodes = selection.nodes] in try $0.select(nodes) }) { rows in
            try Self.values(of: rows, storage)
        }.value
    }

    /// The values, as they are asked for.
    public func stream() -> QueryStream<Value> {
        let (query, nodes, storage) = (selection.query, selection.nodes, storage)
        return QueryStream {
            query.stream(of: { try $0.select(nodes) }) { source, session in
                let found = try await source.read(session)
                return .init(isLast: found.isLast) { try Self.values(of: found.rows, storage).value }
            }
        }
    }

    /// The value of the first row, or nil.
    public func first() async throws -> Value? {
        var query = selection.query
        query.specification = query.specification.limited(to: 1)
        return try await ValueSelection(
            Selection(query: query, nodes: selection.nodes, storages: selection.storages)
        ).fetch().first
    }

    /// The statement, without its parameters; no database is asked.
    public func sql(for dialect: some Dialect) throws -> String { try selection.sql(for: dialect) }

    private var storage: ValueStorage { selection.storages[0] }

    private static func values(of rows: any RowSource, _ storage: ValueStorage) throws -> Transfer<[Value]> {
        var result: [Value] = []
        while let cells = try rows.next() { result.append(try decodeSelected(cells, 0, storage)) }
        return Transfer(value: result)
    }
}

extension Query {
    /// One value in place of each object.
    ///
    /// - Parameter column: A property, or what is computed of properties; an aggregate, or in a grouped query what
    ///   it is grouped by.
    public func select<Value: Storable>(
        _ column: (Columns<Model>) -> QueryExpression<Value>
    ) -> ValueSelection<Model, Value> {
        let expression = column(Columns())
        return ValueSelection(
            Selection<Model, Value>(query: self, nodes: [expression.node], storages: [expression.storage]))
    }
}
