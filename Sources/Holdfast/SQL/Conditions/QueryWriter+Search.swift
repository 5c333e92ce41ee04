extension QueryWriter {
    /// Writes whether an object has what is looked for.
    func matches(_ node: QueryNode, _ query: SearchQuery) throws -> String {
        let (search, source, isNullable) = try searchSource(of: node, query)
        switch query.terms {
        case .nothing: return "FALSE"
        case .everything:
            return isNullable ? "\(source.key[0]) IS NOT NULL" : "TRUE"
        default:
            let sql = try search.matches(query.terms, in: source) { try bound($0) }
            // What is looked for is not missing where there is no object.
            return isNullable ? "(\(source.key[0]) IS NOT NULL AND \(sql))" : sql
        }
    }

    /// Writes how well an object has it.
    func searchRank(_ node: QueryNode, _ query: SearchQuery) throws -> String {
        let (search, source, _) = try searchSource(of: node, query)
        var seen: Set<SearchTerms> = []
        let phrases = query.terms.wanted.filter { seen.insert($0).inserted }
        if phrases.isEmpty { return "0.0" }
        return try search.rank(phrases, in: source) { try bound($0) }
    }

    private func bound(_ text: String) throws -> String { bind(ParameterBuffer(text: text)) }

    private func searchSource(
        of node: QueryNode, _ query: SearchQuery
    ) throws -> (dialect: any SearchDialect, SearchSource, isNullable: Bool) {
        if case .failure(let error) = node { throw error }
        if query.isTooDeep { throw DatabaseError.nestedTooDeeply }
        guard let (path, description, isNullable) = try objectPath(node) else {
            throw DatabaseError(.invalidValue, "A query searches what is no object. Search objects of a type.")
        }
        guard let index = SearchIndex(description) else {
            throw DatabaseError(
                .invalidValue,
                "A query searches \(description.type), which declares no search. Name its properties in `@Table(search:)`.",
                table: description.table)
        }
        guard let search = dialect.search else {
            throw DatabaseError(
                .unsupported, "The driver has no full text search, so that no query can search \(description.type).",
                table: description.table)
        }
        let object = try object(at: path.names, in: path.scope)
        let key = object.key(self)
        let columns = search.isKeptByTriggers ? [] : index.columns.map { object.qualified($0, self) }
        return (search, SearchSource(index: index, columns: columns, key: key), isNullable)
    }
}

extension ParameterBuffer {
    /// One text.
    fileprivate init(text: String) {
        self.init(width: 1)
        var text = text
        text.withUTF8 { append(.text, UnsafeRawBufferPointer($0)) }
    }
}
