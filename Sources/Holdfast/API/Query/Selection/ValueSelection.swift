/// A query for one value instead of each object: a column, an expression, or an aggregate of a group.
///
/// ```swift
/// let names = try await db.query(Project.self).select { $0.name }.fetch()     // [String]
/// ```
public struct ValueSelection<Model: TableObject, Value: Storable>: Sendable {
    let selection: Selection<Model, Value>

    init(_ selection: Selection<Model, Value>) { self.selection = selection }

    /// Fetches the values in the order of the query.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` for a value that does not fit its type, and the errors of
    ///   ``Query/fetch(fileID:line:)``.
    public func fetch(fileID: StaticString = #fileID, line: UInt = #line) async throws -> [Value] {
        let storage = storage
        return try await selection.query.at(fileID, line).run(
            "select", selecting: selection.nodes, { [nodes = selection.nodes] in try $0.select(nodes) }
        ) { rows in
            try Self.values(of: rows, storage)
        }.value
    }

    /// Streams the values.
    ///
    /// ```swift
    /// for try await name in db.query(Project.self).select { $0.name }.stream() { print(name) }
    /// ```
    public func stream(fileID: StaticString = #fileID, line: UInt = #line) -> QueryStream<Value> {
        let (query, nodes, storage) = (selection.query.at(fileID, line), selection.nodes, storage)
        return QueryStream {
            query.stream(of: { try $0.select(nodes) }) { source, session in
                let found = try await source.read(session)
                return .init(isLast: found.isLast) { try Self.values(of: found.rows, storage).value }
            }
        }
    }

    /// Fetches the value of the first row, or nil.
    public func first(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Value? {
        var query = selection.query
        query.specification = query.specification.limited(to: 1)
        return try await ValueSelection(
            Selection(query: query, nodes: selection.nodes, storages: selection.storages)
        ).fetch(fileID: fileID, line: line).first
    }

    /// Keeps each value once, in the order of the values unless the query has another by them.
    ///
    /// ```swift
    /// let cities = try await db.query(Person.self).select { $0.city }.distinct().fetch()
    /// // SELECT t0."city" FROM "person" AS t0 GROUP BY t0."city" ORDER BY t0."city"
    /// ```
    public func distinct() -> ValueSelection { ValueSelection(selection.distinct()) }

    /// Returns the statement, without its parameters and without a database.
    ///
    /// ```swift
    /// print(try Query(Project.self).select { $0.name }.sql(for: .sqlite))
    /// // SELECT t0."name" FROM "project" AS t0 ORDER BY t0."id"
    /// ```
    public func sql(for driver: DriverType) throws -> String { try selection.sql(for: driver) }

    var storage: ValueStorage { selection.storages[0] }

    static func values(of rows: any RowSource, _ storage: ValueStorage) throws -> Transfer<[Value]> {
        var result: [Value] = []
        while let cells = try rows.next() { result.append(try decodeSelected(cells, 0, storage)) }
        return Transfer(value: result)
    }
}

extension Query {
    /// Selects one value instead of each object.
    ///
    /// ```swift
    /// let names: [String] = try await db.query(Project.self).select(\.name).fetch()
    /// ```
    ///
    /// - Parameter column: A property or an expression; in a grouped query, an aggregate or a grouped expression.
    public func select<Value: Storable>(
        _ column: (Columns<Model>) -> QueryExpression<Value>
    ) -> ValueSelection<Model, Value> {
        var query = self
        let expression = column(query.makeColumns())
        query.specification.levels = Swift.max(query.specification.levels, expression.levels)
        return ValueSelection(
            Selection<Model, Value>(
                query: query.selecting([expression.node]), nodes: [expression.node], storages: [expression.storage]))
    }
}
