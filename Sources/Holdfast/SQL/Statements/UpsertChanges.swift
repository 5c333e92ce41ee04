/// What an upsert sets in a row that exists, in place of the values of the object: expressions of both.
///
/// Two are the same if their SQL is; the values that are bound in it may differ, and go with each row that is sent.
struct UpsertChanges: Hashable, Sendable {
    private let assignments: [(path: QueryNode, value: QueryNode)]
    /// Where the new row is in the expressions.
    private let newRow: QueryScope
    private let text: String
    /// The values that are bound, one row.
    let parameters: ParameterBuffer

    /// - Throws: ``DatabaseError/Code/invalidValue`` for what can't be set, ``DatabaseError/Code/unsupported`` for what
    ///   can't be computed.
    init(
        _ assignments: [(path: QueryNode, value: QueryNode)], newRow: QueryScope, _ description: TableDescription,
        _ dialect: any Dialect
    ) throws {
        (self.assignments, self.newRow) = (assignments, newRow)
        let (sets, parameters) = try Self.written(assignments, newRow, after: 0, description, dialect)
        text = sets.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
        self.parameters = parameters
    }

    /// The values of columns as SQL, whose parameters begin behind those of a row.
    func sets(
        after count: Int, _ description: TableDescription, _ dialect: any Dialect
    ) throws -> [String: String] {
        try Self.written(assignments, newRow, after: count, description, dialect).sets
    }

    /// Rows with the values that are bound behind each.
    func joined(to rows: ParameterBuffer) -> ParameterBuffer {
        guard parameters.width > 0 else { return rows }
        var values = ParameterBuffer(width: parameters.width)
        for _ in 0..<rows.rowCount { values.appendRow(0, of: parameters) }
        return rows.joined(with: values)
    }

    private static func written(
        _ assignments: [(path: QueryNode, value: QueryNode)], _ newRow: QueryScope, after count: Int,
        _ description: TableDescription, _ dialect: any Dialect
    ) throws -> (sets: [String: String], parameters: ParameterBuffer) {
        // The row is met whatever scope it is in; the upsert itself keeps to those with a value.
        let writer = QueryWriter(
            description, dialect: dialect, declared: nil, scopes: QueryScopes(),
            seen: SeenRows(passed: PassedScopes(passesAll: true)))
        guard writer.boundValues.width == 0, dialect.insertedValue("a") == "excluded." + dialect.quoted("a") else {
            throw DatabaseError(
                .unsupported, "An upsert computes values of a row that exists, which is not possible here.",
                table: description.table)
        }
        var none = ParameterBuffer(width: 1)
        none.append(.null)
        for _ in 0..<count { _ = writer.bind(none) }
        let table = dialect.quoted(description.tableName)
        let target = QueryObject(description, source: QuerySource(table), alias: table)
        let new = QueryObject(description, source: QuerySource("excluded"), alias: "excluded")
        let sets = try writer.withRoot(target) {
            try writer.withElement(newRow, .object(new)) { try writer.assignments(assignments, to: target) }
        }
        guard target.source.sql == table, new.source.sql == "excluded" else {
            throw DatabaseError(
                .unsupported, "An upsert sets a property to what a relation of the new row leads to.",
                table: description.table)
        }
        let all = try writer.parameters
        var parameters = ParameterBuffer(width: all.width - count)
        all.withRow(0) { cells in for cell in cells.dropFirst(count) { parameters.append(copying: cell) } }
        return (Dictionary(sets.map { ($0.column, $0.sql) }) { first, _ in first }, parameters)
    }

    static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
