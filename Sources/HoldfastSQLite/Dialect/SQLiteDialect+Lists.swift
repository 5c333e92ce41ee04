@_spi(Driver) import Holdfast

/// Lists of values, which a statement reads as a table.
extension SQLiteDialect {
    public func isIn(_ columns: [(name: String, type: ColumnType)], from position: Int) -> String {
        let list = list(columns.map(\.type), from: position)
        // Texts and blobs come first: from the affinity of the first column SQLite decides for all whether an index
        // will do, and that of a number does not for a text (`comparisonAffinity` in its expr.c).
        let order =
            columns.indices.filter { !columns[$0].type.isNumber } + columns.indices.filter { columns[$0].type.isNumber }
        let names = order.map { columns[$0].name }.joined(separator: ", ")
        let values = order.map { list.columns[$0] }.joined(separator: ", ")
        return "\(columns.count == 1 ? names : "(\(names))") IN (SELECT \(values) FROM \(list.source))"
    }

    /// By the table of ours that `list.h` defines.
    public func list(_ types: [ColumnType], from position: Int) -> (source: String, columns: [String]) {
        let placeholders = types.indices.map { placeholder(position + $0) }.joined(separator: ", ")
        return ("holdfast_list(\(placeholders)) AS list", types.indices.map { "c\($0)" })
    }
}

extension ColumnType {
    /// Whether its columns have the affinity of a number.
    fileprivate var isNumber: Bool {
        switch self {
        case .boolean, .int16, .int32, .int64, .float, .double, .timestamp: true
        case .decimal, .text, .blob, .uuid, .json: false
        }
    }
}
