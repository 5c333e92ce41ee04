extension TableSQL {
    /// The terms of the order that was declared for an array.
    ///
    /// `"comment"."at" DESC`
    ///
    /// - Parameter name: What the table of its objects is called.
    /// - Throws: ``DatabaseError/Code/syntax`` for a name that is no property, and ``DatabaseError/Code/invalidValue``
    ///   for what has no order.
    func orderTerms(of relation: Relation, named name: String) throws -> [String] {
        guard !relation.order.isEmpty else { return [] }
        let target = relation.target.description
        let writer = QueryWriter(target, dialect: dialect, declared: nil, scopes: QueryScopes())
        let object = QueryObject(target, source: QuerySource(""), alias: name)
        return try writer.withRoot(object) { try relation.order.flatMap { try writer.orderTerms($0) } }
    }
}
