/// Some of the pairs of a query, and the start of the next page.
public struct PairPage<Left: TableObject, Partner> {
    /// The pairs, at most as many as were asked for.
    public let pairs: [(Left, Partner)]
    /// The start of the next page; nil if there is none.
    public let next: PageCursor?
}

extension JoinedQuery where Partner == Right {
    /// Fetches one page of pairs, in one snapshot.
    ///
    /// Pages neither repeat nor skip a pair, whatever is inserted or deleted between them, as pages of objects.
    ///
    /// ```swift
    /// let page = try await joined.order { $1.name.ascending }.page(size: 50, after: cursor)
    /// for (ticket, customer) in page.pairs { … }
    /// // SELECT t0."id", t1."id", t1."name", t0."id", t1."id" FROM "ticket" AS t0 JOIN "customer" AS t1 ON …
    /// // WHERE t1."name" > $1 OR t1."name" = $2 AND … ORDER BY t1."name", t0."id", t1."id" LIMIT 51
    /// ```
    ///
    /// - Parameters:
    ///   - size: The greatest number of pairs, at least 1.
    ///   - cursor: The ``PairPage/next`` of the page before; nil for the first page.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a cursor of another query;
    ///   ``DatabaseError/Code/unsupported`` for a query with a limit or an offset, and for one in a random order.
    public func page(
        size: Int, after cursor: PageCursor? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> PairPage<Left, Right> {
        let (pairs, next) = try await pairs(size: size, after: cursor, query.at(fileID, line))
        return PairPage(pairs: pairs.compactMap { left, right in right.map { (left, $0) } }, next: next)
    }
}

extension JoinedQuery where Partner == Right? {
    /// Fetches one page of pairs, in one snapshot; the other object is nil where there is none.
    ///
    /// - Parameters:
    ///   - size: The greatest number of pairs, at least 1.
    ///   - cursor: The ``PairPage/next`` of the page before; nil for the first page.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    public func page(
        size: Int, after cursor: PageCursor? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> PairPage<Left, Right?> {
        let (pairs, next) = try await pairs(size: size, after: cursor, query.at(fileID, line))
        return PairPage(pairs: pairs, next: next)
    }
}

extension JoinedQuery {
    private func pairs(
        size: Int, after cursor: PageCursor?, _ given: Query<Left>
    ) async throws -> (pairs: [(Left, Right?)], next: PageCursor?) {
        var query = given
        let (nodes, fingerprint) = try query.turn(size: size, after: cursor)
        return try await inSnapshot(query, "page") { query in
            let found = try await query.run("page", selecting: nodes, { try $0.pairs(with: nodes) }) { rows in
                try PairKeys(size, nodes.count, rows)
            }
            let pairs = try await Self.pairs(found.keys, by: query)
            return (pairs, found.last.map { PageCursor($0, fingerprint) })
        }
    }

    /// The keys of the pairs of a page.
    private struct PairKeys: Sendable {
        var keys: [PairKey] = []
        /// The values of the order of the last pair, if there are more.
        var last: ParameterBuffer?

        init(_ size: Int, _ criteria: Int, _ rows: any RowSource) throws {
            let first = Left.ownDescription.keyIndices.count + Right.ownDescription.keyIndices.count
            var values = ParameterBuffer(width: criteria)
            while let cells = try rows.next() {
                if keys.count == size {
                    last = values
                    continue
                }
                keys.append(JoinedQuery.key(of: cells))
                guard keys.count == size else { continue }
                for index in 0..<criteria { values.append(copying: cells[first + index]) }
            }
        }
    }
}
