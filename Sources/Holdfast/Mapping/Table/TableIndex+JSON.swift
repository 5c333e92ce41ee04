extension TableIndex.Term {
    /// Creates a term of a value inside a property that is kept as JSON, for conditions and orders by the same path
    /// and type.
    ///
    /// It is the expression that ``QueryExpression/json(_:as:)`` writes, on each engine.
    ///
    /// ```sql
    /// CREATE INDEX … ON "person" ((CASE json_type("profile", '$."address"."city"') WHEN 'text' THEN … END))
    /// ```
    ///
    /// - Parameters:
    ///   - property: The name of the property.
    ///   - path: The path, as in ``QueryExpression/json(_:as:)``. `migrate` refuses one that is none.
    ///   - type: The type of the value. All types of integers are the same.
    public static func json<Scalar: JSONScalar>(
        _ property: String, _ path: String, as type: Scalar.Type
    ) -> TableIndex.Term {
        let source = TableIndex.Term.Source.json(property, path: path, JSONScalarType(Scalar._columnType(.native)))
        return TableIndex.Term(source, isDescending: false)
    }
}
