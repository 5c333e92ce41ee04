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
        case .rowNumber, .rank, .denseRank, .bucket: return ValueType(type: .int64)
        case .relativeRank, .cumulativeShare: return ValueType(type: .double)
        case .aggregate(let aggregate): return try type(of: aggregate)
        case .earlier(let value, _), .later(let value, _):
            var type = try typeOfWhole(value)
            type.isNullable = true
            return type
        case .first(let value), .last(let value): return try typeOfWhole(value)
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
        // An aggregate is a value of each group, and of all objects together.
        if groups == nil, window.nodes.contains(where: \.hasAggregate) { throw QueryWriter.aggregateOfAggregate }
        allowsWindows = false
        defer { allowsWindows = true }
        func call(
            _ name: String, _ value: QueryNode, _ rest: String = "", _ frame: String = ""
        ) throws -> String {
            let sql = try operand(value, type(of: value), isTyped: true)
            return try "\(name)(\(sql)\(rest))\(over(window, isWholeOrder: true, frame))"
        }
        switch window.function {
        case .rowNumber: return try "row_number()\(over(window, isWholeOrder: true))"
        case .rank: return try "rank()\(over(window, isWholeOrder: false))"
        case .denseRank: return try "dense_rank()\(over(window, isWholeOrder: false))"
        case .earlier(let value, let count): return try call("lag", value, ", \(count)")
        case .later(let value, let count): return try call("lead", value, ", \(count)")
        case .first(let value): return try call("first_value", value)
        case .last(let value):
            return try call("last_value", value, "", " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING")
        case .bucket(let count): return try "ntile(\(count))\(over(window, isWholeOrder: true))"
        case .relativeRank: return try "percent_rank()\(over(window, isWholeOrder: false))"
        case .cumulativeShare: return try "cume_dist()\(over(window, isWholeOrder: false))"
        case .aggregate(let aggregate):
            // Of rows that the order leaves the same, RANGE would take all at once: ROWS takes one after another.
            let frame = window.frame ?? (window.orders.isEmpty ? nil : WindowFrame(low: nil, high: 0))
            if frame?.low != nil, case .function(.standardDeviation) = aggregate.kind {
                throw DatabaseError(
                    .unsupported,
                    "A query asks for the standard deviation of rows that move along: engines round it differently.",
                    table: description.table)
            }
            return try self.aggregate(aggregate) {
                try self.over(window, isWholeOrder: frame != nil, frame.map { " \($0.sql)" } ?? "")
            }
        }
    }

    /// - Parameter isWholeOrder: Whether the key of the object is to leave no two rows the same.
    private func over(_ window: QueryWindow, isWholeOrder: Bool, _ frame: String = "") throws -> String {
        let partition = try window.partition.flatMap { try groupingTerms($0) }
        let order = try order(of: window, isWhole: isWholeOrder)
        let parts =
            (partition.isEmpty ? [] : ["PARTITION BY \(partition.joined(separator: ", "))"])
            + (order.isEmpty ? [] : ["ORDER BY \(order.joined(separator: ", "))"])
        return " OVER (\(parts.joined(separator: " "))\(frame))"
    }

    /// Writes the order in the parts of a window: one that is whole ends with the key of the object, or with what the
    /// rows are grouped by.
    private func order(of window: QueryWindow, isWhole: Bool) throws -> [String] {
        if isWhole, groups == nil { return try orderTerms(window.orders, of: root) }
        var terms = try window.orders.flatMap { try orderTerms($0) }
        guard isWhole, let groups else { return terms }
        for group in groups where !group.asksOtherRows {
            terms += try orderTerms(Ordering(group, isDescending: false))
        }
        // What a query inside gives can't be written again: the least key of a group tells it apart from others.
        if groups.contains(where: \.asksOtherRows) { terms.append(try leastKey()) }
        return terms
    }

    private func leastKey() throws -> String {
        let type = description.properties[description.keyIndices[0]].columnType ?? .int64
        guard description.keyIndices.count == 1, type.hasExtremes, type != .uuid else {
            throw DatabaseError(
                .unsupported,
                "A window puts groups in order that are by what a query inside gives, and the key of \(description.type) is none that a least one is found of. Number them in Swift.",
                table: description.table)
        }
        return "min(\(dialect.ordered(root.key(self)[0], type)))"
    }
}

extension WindowFrame {
    /// Writes `ROWS BETWEEN 6 PRECEDING AND CURRENT ROW`.
    fileprivate var sql: String {
        func bound(_ distance: Int?, _ unbounded: String) -> String {
            guard let distance else { return "UNBOUNDED \(unbounded)" }
            return distance == 0 ? "CURRENT ROW" : "\(distance.magnitude) \(distance < 0 ? "PRECEDING" : "FOLLOWING")"
        }
        return "ROWS BETWEEN \(bound(low, "PRECEDING")) AND \(bound(high, "FOLLOWING"))"
    }
}
