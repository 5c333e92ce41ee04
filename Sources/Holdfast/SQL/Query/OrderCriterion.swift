/// One value that a query orders by, down to the parts of keys.
struct OrderCriterion: Sendable {
    let node: QueryNode
    let type: ColumnType
    let isDescending: Bool
    let isNullable: Bool
    let nullsFirst: Bool
}

extension QueryWriter {
    /// Resolves orders to the values that they compare, with the primary key at the end.
    func criteria(_ orders: [Ordering]) throws -> [OrderCriterion] {
        var criteria: [OrderCriterion] = []
        var names: Set<String> = []
        func add(_ node: QueryNode, _ ordering: Ordering?) throws {
            let node = try declaredValue(node) ?? node
            let type = try type(of: node)
            guard let columnType = type.type else {
                throw DatabaseError(.invalidValue, "A query is ordered by a constant.", table: description.table)
            }
            let isDescending = ordering?.isDescending ?? false
            let nullsFirst = ordering?.nullPlacement.map { $0 == .first } ?? !isDescending
            criteria.append(
                OrderCriterion(
                    node: node, type: columnType, isDescending: isDescending, isNullable: type.isNullable,
                    nullsFirst: nullsFirst))
            if case .path(let path) = node, path.scope.isQueried, !joinedScopes.contains(path.scope) {
                names.insert(path.text)
            }
        }
        for ordering in orders {
            if case .path(let path) = ordering.node, case .object(let target, _) = try locate(path) {
                for key in target.keyIndices { try add(.path(path.appending(target.properties[key].name)), ordering) }
            } else {
                try add(ordering.ignoresCase ? .function(.lowercased, [ordering.node]) : ordering.node, ordering)
            }
        }
        for key in description.keyIndices where !names.contains(description.properties[key].name) {
            try add(.path(QueryPath(scope: .root, [description.properties[key].name])), nil)
        }
        if let joined, let scope = joinedScopes.all.first {
            for key in joined.description.keyIndices {
                try add(.path(QueryPath(scope: scope, [joined.description.properties[key].name])), nil)
            }
        }
        return criteria
    }
}

extension QueryWriter {
    /// A number that tells the table and an order of its objects apart from others, also in another process.
    func fingerprint(_ criteria: [OrderCriterion]) throws -> UInt32 {
        var hash: UInt32 = 0x811C_9DC5
        func add(_ text: String) {
            // FNV-1a; no byte of UTF-8 is the one at the end.
            for byte in Array(text.utf8) + [0xFF] { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        }
        add(description.tableName.description)
        if let joined { add(joined.description.tableName.description) }
        for criterion in criteria {
            if case .path(let path) = criterion.node, try documentPath(criterion.node) == nil {
                add((joinedScopes.contains(path.scope) ? "joined " : "") + path.text)
            } else {
                for term in try plain(criterion.node) { add(term) }
            }
            add("\(criterion.type.rawValue) \(criterion.isDescending) \(criterion.nullsFirst)")
        }
        return hash
    }
}

extension OrderCriterion {
    /// Whether a value comes after another one in this order; nil if none does.
    func isLater(than value: QueryNode, isNull: Bool) -> QueryNode? {
        if isNull { return nullsFirst ? .comparison(.notEqual, node, .null) : nil }
        let later = QueryNode.comparison(isDescending ? .less : .greater, node, value)
        return isNullable && !nullsFirst ? .or([later, .comparison(.equal, node, .null)]) : later
    }

    /// Whether the cell is one that a value of the type can come as.
    func canHold(_ cell: Cell) -> Bool {
        if cell.isNull { return isNullable }
        return switch type {
        case .boolean: cell.kind == .boolean || (cell.kind == .integer && cell.payload <= 1)
        case .int16: cell.kind == .integer && Int16(exactly: cell.integer) != nil
        case .int32: cell.kind == .integer && Int32(exactly: cell.integer) != nil
        case .int64: cell.kind == .integer
        case .float, .double: cell.kind == .real || cell.kind == .integer
        // As SQLite has it; what is no number throws when it is read.
        case .decimal: cell.kind == .decimal || cell.kind == .text
        case .text: cell.kind == .text
        case .blob: cell.kind == .blob
        case .timestamp: cell.kind == .timestamp || cell.kind == .integer
        case .uuid: (cell.kind == .uuid || cell.kind == .blob) && cell.count == 16
        case .json: false
        }
    }
}
