extension QuerySQL {
    /// Selects the first row of each group, or the first few, among the rows that meet the condition.
    func distinctFilter(_ writer: QueryWriter) throws -> String {
        let alias = writer.makeAlias()
        let source = QuerySource(writer.source(of: description, as: alias, specification.seen))
        let object = QueryObject(description, source: source, alias: alias)
        let inner = try writer.withRoot(object) {
            let groups = try specification.distinct.map { try writer.groupingTerms($0).joined(separator: ", ") }
            let choice = try writer.orderTerms(specification.choice, of: object)
            let filter = try specification.condition.map { " WHERE \(try writer.condition($0))" } ?? ""
            let keys = object.key(writer)
            let names = keys.indices.map { "k\($0)" }
            let selected = zip(keys, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
            return "SELECT \(names.joined(separator: ", ")) FROM (SELECT \(selected), row_number() OVER "
                + "(PARTITION BY \(groups.joined(separator: ", ")) ORDER BY \(choice.joined(separator: ", "))) AS rank "
                + "FROM \(source.sql)\(filter)) AS grouped WHERE rank \(specification.countOfEach)"
        }
        let key = writer.root.key(writer)
        return " WHERE \(key.count == 1 ? key[0] : "(\(key.joined(separator: ", ")))") IN (\(inner))"
    }
}
