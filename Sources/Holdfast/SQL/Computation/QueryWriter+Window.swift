extension QueryWriter {
    /// Writes what may compute with the rows around each row: what is selected, and orders.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withWindows<Result>(_ body: () throws -> Result) throws -> Result {
        let outer = allowsWindows
        allowsWindows = true
        defer { allowsWindows = outer }
        return try body()
    }

    /// Returns the type of a function of the rows around a row.
    func type(of window: QueryWindow) throws -> ValueType {
        switch window.function {
        case .rowNumber, .rank, .denseRank: return ValueType(type: .int64)
        case .aggregate(let aggregate): return try type(of: aggregate)
        case .earlier(let value, _), .later(let value, _):
            var type = try typeOfWhole(value)
            type.isNullable = true
            return type
        case .first(let value): return try typeOfWhole(value)
        }
    }

    /// The type of a value of another row, as it is written.
    private func typeOfWhole(_ value: QueryNode) throws -> ValueType {
        var type = try type(of: value)
        guard type.type != nil else {
            throw DatabaseError(.invalidValue, "A query asks for a constant of another row.")
        }
        (type.textForm, type.isInDocument, type.isValue, type.property) = (nil, false, false, nil)
        return type
    }

    /// Writes a function of the rows around a row.
    func window(_ window: QueryWindow) throws -> String {
        guard allowsWindows else {
            throw DatabaseError(
                .unsupported,
                "A query uses a function of the rows around each row where there are none yet. Select it, or order by it; for the first objects of each group, ask by `first(_:ofEach:)`.",
                table: description.table)
        }
        if window.nodes.contains(where: \.hasAggregate) { throw QueryWriter.aggregateOfAggregate }
        allowsWindows = false
        defer { allowsWindows = true }
        func call(_ name: String, _ value: QueryNode, _ rest: String = "") throws -> String {
            let sql = try operand(value, type(of: value), isTyped: true)
            return try "\(name)(\(sql)\(rest))\(over(window, isWholeOrder: true))"
        }
        switch window.function {
        case .rowNumber: return try "row_number()\(over(window, isWholeOrder: true))"
        case .rank: return try "rank()\(over(window, isWholeOrder: false))"
        case .denseRank: return try "dense_rank()\(over(window, isWholeOrder: false))"
        case .earlier(let value, let count): return try call("lag", value, ", \(count)")
        case .later(let value, let count): return try call("lead", value, ", \(count)")
        case .first(let value): return try call("first_value", value)
        case .aggregate(let aggregate):
            // Of rows that the order leaves the same, RANGE would take all at once: ROWS takes one after another.
            let frame = window.orders.isEmpty ? "" : " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
            return try self.aggregate(aggregate) {
                try self.over(window, isWholeOrder: !window.orders.isEmpty, frame)
            }
        }
    }

    /// - Parameter isWholeOrder: Whether the key of the object is to leave no two rows the same.
    private func over(_ window: QueryWindow, isWholeOrder: Bool, _ frame: String = "") throws -> String {
        let partition = try window.partition.flatMap { try groupingTerms($0) }
        let order =
            try isWholeOrder ? orderTerms(window.orders, of: root) : window.orders.flatMap { try orderTerms($0) }
        let parts =
            (partition.isEmpty ? [] : ["PARTITION BY \(partition.joined(separator: ", "))"])
            + (order.isEmpty ? [] : ["ORDER BY \(order.joined(separator: ", "))"])
        return " OVER (\(parts.joined(separator: " "))\(frame))"
    }
}
