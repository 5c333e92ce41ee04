/// A query for objects, each together with values that the database computes for it.
///
/// ```swift
/// let rows = try await db.query(Author.self)
///     .order { $0.books.count.descending }
///     .select { ($0, $0.books.count, $0.books.contains { $0.price > 100 }.asBool) }
///     .fetch()
/// for (author, count, sellsExpensively) in rows { … }
/// ```
public struct ObjectSelection<Model: TableObject, each Value: Storable>: Sendable {
    fileprivate let query: Query<Model>
    fileprivate let nodes: [QueryNode]
    fileprivate let storages: [ValueStorage]

    /// Fetches the objects in the order of the query, with what they lead to, each with its values.
    ///
    /// One statement reads the rows and the values, and others what the objects lead to, in one snapshot:
    ///
    /// ```sql
    /// SELECT t0."id", t0."name", (SELECT count(*) FROM "book" AS t1 WHERE …) FROM "author" AS t0 ORDER BY …
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` for a value that does not fit its type;
    ///   ``DatabaseError/Code/invalidValue`` for an aggregate, which is one value of all rows, and for an object that
    ///   is not the query's own; and the errors of ``Query/fetch(fileID:line:)``.
    public func fetch(
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [(Model, repeat each Value)] {
        let (query, nodes, storages) = (query.at(fileID, line), nodes, storages)
        let operation = try LoadOperation<Model>(try query.access, query.specification.scope)
        let (statement, parameters) = try await query.written(selecting: nodes) { try $0.ofGiven.select(with: nodes) }
        let (objects, rows, values) = try await operation.objects(
            statement, parameters, with: nodes.count, by: try query.need(selecting: nodes), purpose: "fetch")
        return try query.access.naming {
            try zip(objects, rows).compactMap { object, row in
                guard let cells = values.cells(ofRow: row) else { return nil }
                var position = 0
                func next<Next: Storable>(_ type: Next.Type) throws -> Next {
                    defer { position += 1 }
                    return try decodeSelected(cells, position, storages[position])
                }
                return (object, repeat try next((each Value).self))
            }
        }
    }

    /// Fetches the first object with its values, or nil.
    public func first(
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> (Model, repeat each Value)? {
        var query = query
        query.specification = query.specification.limited(to: 1)
        return try await ObjectSelection(query: query, nodes: nodes, storages: storages)
            .fetch(fileID: fileID, line: line).first
    }

    /// Returns the statement that reads the rows and values, without its parameters and without a database.
    ///
    /// ```swift
    /// print(try Query(Project.self).select { ($0, $0.budget * 2) }.sql(for: .sqlite))
    /// // SELECT t0."id", t0."name", t0."budget", t0."budget" * ? FROM "project" AS t0 ORDER BY t0."id"
    /// ```
    public func sql(for driver: DriverType) throws -> String {
        try Model.ownDescription.checkScopes(driver.dialect)
        return try QuerySQL(
            specification: query.specification, description: Model.ownDescription, dialect: driver.dialect
        ).ofGiven.select(with: nodes).sql
    }
}

extension ObjectSelection {
    init(_ query: Query<Model>, _ columns: (Columns<Model>) -> (Columns<Model>, repeat QueryExpression<each Value>)) {
        var query = query
        let (nodes, storages) = Query<Model>.parts(columns, query.makeColumns())
        if case .path(let path) = nodes[0], !path.names.isEmpty {
            query.specification.failure = DatabaseError(
                .invalidValue,
                "A query selects \"\(path.text)\", which is a relation. Select the object itself, which is loaded with it, or properties of its target, such as its key.",
                table: Model.ownDescription.table, properties: path.names)
        }
        if nodes.contains(where: \.hasAggregate) {
            query.specification.failure =
                query.specification.failure
                ?? DatabaseError(
                    .invalidValue,
                    "A query selects objects together with an aggregate, which is one value of all rows. Over a window it is one of each.",
                    table: Model.ownDescription.table)
        }
        let values = Array(nodes.dropFirst())
        self.init(query: query.selecting(values), nodes: values, storages: Array(storages.dropFirst()))
    }
}

extension Query {
    // Expressions can only be taken out of a tuple that is nothing but a pack.
    fileprivate static func parts<each Part: SelectedPart>(
        _ columns: (Columns<Model>) -> (repeat each Part), _ own: Columns<Model>
    ) -> (nodes: [QueryNode], storages: [ValueStorage]) {
        let parts = columns(own)
        var (nodes, storages): ([QueryNode], [ValueStorage]) = ([], [])
        for part in repeat each parts {
            nodes.append(part.node)
            storages.append(part.storage)
        }
        return (nodes, storages)
    }
}

/// A part of what is selected together: the object, or a value of it.
private protocol SelectedPart {
    var node: QueryNode { get }
    var storage: ValueStorage { get }
}

extension QueryExpression: SelectedPart {}

extension Columns: SelectedPart {
    fileprivate var storage: ValueStorage { .native }
}
