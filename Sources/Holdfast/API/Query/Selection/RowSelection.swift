/// A query for values of a `Decodable` type instead of objects: columns, expressions, or aggregates of groups, by name.
///
/// See ``Query/select(as:_:)``.
public struct RowSelection<Model: TableObject, Row: Decodable>: Sendable {
    private let query: Query<Model>
    private let names: [String]
    private let nodes: [QueryNode]
    private let storages: [ValueStorage]

    fileprivate init(_ query: Query<Model>, _ columns: KeyValuePairs<String, any Selectable>) {
        names = columns.map(\.key)
        nodes = columns.map(\.value._selected.node)
        self.query = query.selecting(nodes)
        storages = columns.map(\.value._selected.storage)
    }

    /// Fetches the values in the order of the query.
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` for a row that does not fit the type;
    ///   ``DatabaseError/Code/invalidValue`` if nothing is selected, or two values by one name; and the errors of
    ///   ``Query/fetch(fileID:line:)``.
    public func fetch(fileID: StaticString = #fileID, line: UInt = #line) async throws -> [Row] {
        guard !names.isEmpty, Set(names).count == names.count else {
            throw DatabaseError(
                .invalidValue, "A query selects nothing, or two values by one name, for \(Row.self).",
                table: Model.ownDescription.table)
        }
        let (nodes, names, storages) = (nodes, names, storages)
        let query = query.at(fileID, line)
        let rows = try await query.run("select", selecting: nodes, { try $0.select(nodes) }) { source in
            let columns = SQLRow.Columns(names, storages: storages)
            var rows: [SQLRow] = []
            while let cells = try source.next() {
                rows.append(SQLRow(columns: columns, cells: cells))
            }
            return rows
        }
        return try query.access.naming { try rows.map { try SQLRowDecoder.decode(Row.self, from: $0) } }
    }

    /// Fetches the value of the first row, or nil.
    public func first(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Row? {
        try await RowSelection(self, limited: query.limit(1)).fetch(fileID: fileID, line: line).first
    }

    private init(_ other: RowSelection, limited query: Query<Model>) {
        (self.query, names, nodes, storages) = (query, other.names, other.nodes, other.storages)
    }
}

/// A value that a query can select by name: an expression of any type.
public protocol Selectable: Sendable {
    var _selected: SelectedNode { get }
}

/// The expression of a value that is selected by name.
public struct SelectedNode: Sendable {
    let node: QueryNode
    let storage: ValueStorage
}

extension QueryExpression: Selectable {
    public var _selected: SelectedNode { SelectedNode(node: node, storage: storage) }
}

extension Condition: Selectable {
    public var _selected: SelectedNode { asBool._selected }
}

extension Query {
    /// Selects values of a `Decodable` type instead of objects: each by the name of its coding key.
    ///
    /// ```swift
    /// struct Line: Decodable {
    ///     var name: String
    ///     var lead: String?
    ///     var share: Decimal
    /// }
    /// let lines = try await db.query(Project.self)
    ///     .select(as: Line.self) { ["name": $0.name, "lead": $0.lead.lastName.optional, "share": $0.budget * 2] }
    ///     .fetch()
    /// // SELECT t0."name", t1."last_name", t0."budget" * 2 FROM "project" AS t0 LEFT JOIN … ORDER BY t0."id"
    /// ```
    ///
    /// A name in the type's own spelling, or in snake case, fits. Where few values are selected, a tuple, as of
    /// `select { ($0.name, $0.budget) }`, says so with less.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - columns: Properties and expressions by name; in a grouped query, aggregates and the grouped expressions.
    public func select<Row: Decodable>(
        as type: Row.Type, _ columns: (Columns<Model>) -> KeyValuePairs<String, any Selectable>
    ) -> RowSelection<Model, Row> {
        var query = self
        let columns = columns(query.makeColumns())
        return RowSelection(query, columns)
    }
}
