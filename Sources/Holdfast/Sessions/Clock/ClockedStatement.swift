/// A statement in which parameters stand for the time: pure, from the text that an engine's clock is in.
struct ClockedStatement: Sendable {
    let statement: Statement
    /// The parameters in their order: the position of one of the original, or nil for the time.
    private let order: [(original: Int?, kind: Cell.Kind)]

    /// - Parameter width: The number of parameters that the statement has.
    /// - Returns: nil if the time is not in the statement.
    init?(_ original: Statement, _ now: CurrentTime, _ dialect: any Dialect, width: Int) {
        guard original.sql.contains(now.timestamp) || original.sql.contains(now.microseconds) else { return nil }
        let isNumbered = dialect.placeholder(1) != dialect.placeholder(2)
        var order: [(original: Int?, kind: Cell.Kind)] = []
        if isNumbered { order = (0..<width).map { ($0, .null) } }
        // Microseconds first: the text of the instant may be a part of theirs.
        let kinds: [(text: String, kind: Cell.Kind, type: ColumnType)] = [
            (now.microseconds, .integer, .int64), (now.timestamp, .timestamp, .timestamp),
        ]
        var positions: [Cell.Kind: Int] = [:]
        var (sql, next) = ("", 0)
        var rest = original.sql[...]
        var quote: Character?
        scan: while let first = rest.first {
            if quote == nil {
                // In a comment of a user's fragment, nothing is a parameter.
                var afterComment = rest.utf8
                if afterComment.skipComment() {
                    sql += rest[..<afterComment.startIndex]
                    rest = rest[afterComment.startIndex...]
                    continue
                }
                for (text, kind, type) in kinds where rest.hasPrefix(text) {
                    if !isNumbered || positions[kind] == nil {
                        order.append((nil, kind))
                        positions[kind] = order.count
                    }
                    sql += dialect.typed(dialect.placeholder(positions[kind] ?? order.count), type)
                    rest = rest.dropFirst(text.count)
                    continue scan
                }
                if !isNumbered, rest.hasPrefix(dialect.placeholder(1)) {
                    order.append((next, .null))
                    next += 1
                }
            }
            // A quote that is doubled inside ends it and begins it again.
            if first == "\"" || first == "'" { quote = quote == nil ? first : quote == first ? nil : quote }
            sql.append(first)
            rest = rest.dropFirst()
        }
        self.order = order
        statement = Statement(
            sql, isBrief: original.isBrief, isCached: original.isCached,
            ignoresCancellation: original.ignoresCancellation, changesSession: original.changesSession,
            table: original.table, rowChange: original.rowChange, columnTypes: original.columnTypes,
            deletion: original.deletion, isTold: original.isTold)
    }

    /// Rows of parameters with the time in each.
    func parameters(_ original: ParameterBuffer, _ microseconds: Int64) -> ParameterBuffer {
        var result = ParameterBuffer(width: order.count)
        result.bytes = original.bytes
        result.lists = original.lists
        for row in 0..<original.rowCount {
            for (position, kind) in order {
                if let position {
                    result.cells.append(original.cells[row * original.width + position])
                } else {
                    result.cells.append(kind == .timestamp ? .timestamp(microseconds) : .integer(microseconds))
                }
            }
        }
        return result
    }
}

extension Substring.UTF8View {
    /// Drops `-- …` or `/* … */` from the beginning.
    ///
    /// - Returns: Whether there was one.
    fileprivate mutating func skipComment() -> Bool {
        if starts(with: "--".utf8) {
            self = drop { $0 != UInt8(ascii: "\n") }
        } else if starts(with: "/*".utf8) {
            self = dropFirst(2)
            while !isEmpty, !starts(with: "*/".utf8) { removeFirst() }
            self = dropFirst(2)
        } else {
            return false
        }
        return true
    }
}
