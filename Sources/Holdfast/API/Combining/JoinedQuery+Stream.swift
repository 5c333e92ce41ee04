extension JoinedQuery where Partner == Right {
    /// Streams the pairs, with at most some thousand in memory.
    ///
    /// ```swift
    /// for try await (ticket, customer) in joined.stream() { print(ticket.title, customer.name) }
    /// ```
    ///
    /// These are the pairs of `fetch`, in the same order; in a transaction, objects are as they are when their portion
    /// is loaded, and a pair whose first object is gone by then is left out. Objects and what they lead to are loaded
    /// for some thousand pairs at a time, so an object that is in several pairs is one instance only within such a
    /// portion.
    public func stream(fileID: StaticString = #fileID, line: UInt = #line) -> QueryStream<(Left, Right)> {
        let query = query.at(fileID, line)
        return QueryStream {
            try Self.reader(query) { pairs in pairs.compactMap { left, right in right.map { (left, $0) } } }
        }
    }
}

extension JoinedQuery where Partner == Right? {
    /// Streams the pairs, with at most some thousand in memory; the other object is nil where there is none.
    public func stream(fileID: StaticString = #fileID, line: UInt = #line) -> QueryStream<(Left, Right?)> {
        let query = query.at(fileID, line)
        return QueryStream { try Self.reader(query) { $0 } }
    }
}

extension JoinedQuery {
    private static func reader<Pair>(
        _ query: Query<Left>, _ given: @escaping @Sendable ([(Left, Right?)]) -> [Pair]
    ) throws -> StreamReader<Pair> {
        let (left, isOneType) = try lefts(of: query)
        let right = Query<Right>(access: try query.access)
        return StreamReader(
            open: {
                try await right.learnLooseTables()
                return try await query.source { try $0.pairs() }
            }, isRowsOnly: false,
            read: { source, session in
                let found = try await source.read(session)
                var keys: [PairKey] = []
                while let cells = try found.rows.next() { keys.append(key(of: cells)) }
                let others = keys.compactMap(\.1)
                let makeLefts = try await left.objects(keys.map(\.0) + (isOneType ? others : []), through: session)
                let makeRights = isOneType ? nil : try await right.objects(others, through: session)
                return .init(isLast: found.isLast) { [keys] in
                    let lefts = try makeLefts.value()
                    let rights = try makeRights?.value() ?? lefts as? [Key: Right] ?? [:]
                    return given(
                        keys.compactMap { key, other in lefts[key].map { ($0, other.flatMap { rights[$0] }) } })
                }
            }, explain: { Left.ownDescription.explained($0) })
    }
}

extension Query {
    /// Loads the objects with some keys, and what they lead to, through a session that reads other rows besides.
    ///
    /// - Returns: Creates the objects, by their keys.
    fileprivate func objects(
        _ keys: [Key], through session: Session
    ) async throws -> Transfer<() throws -> [Key: Model]> {
        guard !keys.isEmpty else { return Transfer { [:] } }
        let query = keyed(Array(Set(keys)))
        let access = try query.access
        let (sql, parameters) = try query.rendered { try $0.select() }
        let statement = access.core.statementTexts.statement(
            sql, table: Model.ownDescription.table, includesCallersSQL: false)
        let operation = try LoadOperation<Model>(access, specification.scope)
        let make = try await operation.objects(statement, parameters, through: session)
        return Transfer {
            var found: [Key: Model] = [:]
            for object in try make.value() {
                if let key = try Model.ownMapping.key(of: object) { found[key] = object }
            }
            return found
        }
    }
}
