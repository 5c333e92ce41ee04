/// The elements of the array by which a query groups: their table is joined, so that each of them is a row.
extension QueryWriter {
    /// Begins with the array by whose elements a query groups, if it does.
    func group(by groups: [QueryNode]) {
        groupedArray = groups.isEmpty ? nil : groups.flatMap(\.paths).first(where: \.isElement)
        (allowsElements, elementColumn) = (true, nil)
    }

    /// Writes what is asked of objects, before they are in groups.
    func ofObjects<Result>(_ write: () throws -> Result) rethrows -> Result {
        allowsElements = false
        defer { allowsElements = true }
        return try write()
    }

    func elementType(_ path: QueryPath) throws -> ValueType {
        _ = try start(ofElement: path)
        guard case .value(_, let type) = try elementContent(at: path.array) else { throw isNoElement(path) }
        return type
    }

    /// Writes an element.
    ///
    /// `t1."value"`, of `JOIN "post_tags" AS t1 ON t1."post_id" = t0."id"`
    func groupedElement(_ path: QueryPath) throws -> String {
        let start = try start(ofElement: path)
        if let elementColumn { return elementColumn }
        let (owner, property) = try array(at: path.array)
        let elements = try elements(of: property, in: owner.description)
        guard case .value(let sql, _) = elements.content else { throw isNoElement(path) }
        let matches = matches(elements.owner, owner.key(self)).joined(separator: " AND ")
        start.source.join("JOIN \(elements.source.sql) ON \(matches)")
        elementColumn = sql
        return sql
    }

    /// The object at which the path to an element begins: one of the query's own, which groups by the elements.
    private func start(ofElement path: QueryPath) throws -> QueryObject {
        guard case .object(let start) = try content(of: path.scope), allowsElements, let groupedArray,
            groupedArray.names == path.names, case .object(let grouped) = try content(of: groupedArray.scope),
            start === grouped, start === root || start === joined
        else { throw isNoElement(path) }
        if start === joined, start.isNullable {
            throw DatabaseError(
                .unsupported,
                "A query groups by the elements of \"\(path.text)\" of objects that may not be there. Join them by `joined`.",
                table: description.table, properties: path.names)
        }
        return start
    }

    private func isNoElement(_ path: QueryPath) -> DatabaseError {
        DatabaseError(
            .unsupported,
            "A query names an element of \"\(path.text)\" where there are no groups of such. Group by that element, and by those of no other array; a condition on objects asks by `contains`.",
            table: description.table, properties: path.names)
    }
}
