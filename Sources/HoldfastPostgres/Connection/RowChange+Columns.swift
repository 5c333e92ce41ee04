@_spi(Driver) import Holdfast

extension Statement.RowChange {
    /// The column that each parameter is stored in, as an index in ``columns``, as far as there is one.
    var columnOfParameter: [Int?] {
        guard case .set(_, _, let parameters) = self else { return Array(columns.indices) }
        return (0...(parameters.compactMap(\.self).max() ?? 0)).map { parameter in
            parameters.firstIndex { $0 == parameter }
        }
    }

    /// The column that a parameter is stored in or compared with, if it is known.
    func column(ofParameter parameter: Int) -> String? {
        var names = columnOfParameter.map { $0.map { columns[$0] } }
        if case .update(_, _, let keyColumns) = self { names += keyColumns }
        return parameter < names.count ? names[parameter] : nil
    }

    /// Whether the statement returns rows that its caller wants.
    var returnsRows: Bool {
        switch self {
        case .insert(_, _, let generatedKey): generatedKey != nil
        case .update, .set: false
        case .upsert(_, _, let returnsRows, _): returnsRows
        }
    }

    /// Selects the columns, for their types to be described: it is parsed, and not run.
    ///
    /// `SELECT "name", "price" FROM "item"`
    var selection: String {
        let dialect = PostgresDialect()
        return "SELECT \(dialect.list(columns)) FROM \(dialect.quoted(table))"
    }
}
