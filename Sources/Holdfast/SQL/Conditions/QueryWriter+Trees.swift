/// Trees along a relation of a type to itself.
extension QueryWriter {
    /// A relation as a table of its edges, each from a child to a parent.
    private struct Edges {
        let source: String
        let child: [String]
        let parent: [String]
    }

    /// Writes whether an object is above or below another one.
    ///
    /// The rows of the recursion differ from each other, so that it ends where the tree is a cycle.
    ///
    /// ```sql
    /// t0."id" IN (WITH RECURSIVE t1 (k0) AS (SELECT t2."id" FROM "folder" AS t2 WHERE t2."parent_id" = $1
    /// UNION SELECT t3."id" FROM "folder" AS t3 JOIN t1 ON t3."parent_id" = t1.k0)
    /// SELECT t1.k0 FROM t1 WHERE t1.k0 <> $2)
    /// ```
    func isIn(_ node: QueryNode, _ tree: QueryTree) throws -> String {
        let key = try key(of: node, in: tree)
        let start = try self.key(tree.start, of: tree.description)
        let found = try walk(tree) { comparison, columns in
            columns.indices.map { index in
                var part = ParameterBuffer(width: 1)
                start.withRow(0) { part.append(copying: $0[index]) }
                return "\(columns[index]) \(comparison) \(bind(part))"
            }
        }
        return "\(key.count == 1 ? key[0] : "(\(key.joined(separator: ", ")))") IN "
            + "(\(found.recursion) SELECT \(found.columns.joined(separator: ", ")) \(found.others))"
    }

    /// Writes the number of objects above an object.
    ///
    /// ```sql
    /// (WITH RECURSIVE t1 (k0) AS (SELECT t2."parent_id" FROM "folder" AS t2 WHERE t2."id" = t0."id"
    /// UNION SELECT t3."parent_id" FROM "folder" AS t3 JOIN t1 ON t3."id" = t1.k0)
    /// SELECT count(*) FROM t1 WHERE t1.k0 <> t0."id")
    /// ```
    func level(of node: QueryNode, in tree: QueryTree) throws -> String {
        let key = try key(of: node, in: tree)
        let found = try walk(tree) { comparison, columns in zip(columns, key).map { "\($0) \(comparison) \($1)" } }
        return "(\(found.recursion) SELECT count(*) \(found.others))"
    }

    /// Writes the key of an object in a tree.
    private func key(of node: QueryNode, in tree: QueryTree) throws -> [String] {
        if case .failure(let error) = node { throw error }
        guard let (path, description, _) = try objectPath(node), description === tree.description else {
            throw DatabaseError(
                .invalidValue,
                "A query asks where something is in a tree of \(tree.description.type) that is none. Ask for objects of that type.",
                table: tree.description.table)
        }
        return try object(at: path.names, in: path.scope).key(self)
    }

    /// Writes the recursion that finds what is in a tree.
    ///
    /// - Parameter start: Compares columns with the key of the object at which it begins.
    /// - Returns: The recursion, the columns of the keys that it finds, and the source of those other than the first.
    private func walk(
        _ tree: QueryTree, from start: (_ comparison: String, _ columns: [String]) -> [String]
    ) throws -> (recursion: String, columns: [String], others: String) {
        let description = tree.description
        if let depth = tree.depth, depth < 0 {
            throw DatabaseError(.invalidValue, "The depth of a tree is 0 or more.", table: description.table)
        }
        let name = makeAlias()
        let names = description.keyIndices.indices.map { "k\($0)" }
        func step(_ edges: Edges) -> (near: [String], far: [String]) {
            tree.direction == .below ? (edges.parent, edges.child) : (edges.child, edges.parent)
        }
        let first = try edges(of: tree)
        let (near, far) = step(first)
        let base =
            "SELECT \((far + (tree.depth == nil ? [] : ["1"])).joined(separator: ", ")) FROM \(first.source) "
            + "WHERE \((start("=", near) + (tree.depth == 0 ? ["FALSE"] : [])).joined(separator: " AND "))"
        let next = try edges(of: tree)
        let (nextNear, nextFar) = step(next)
        let matches = zip(nextNear, names).map { "\($0) = \(name).\($1)" }.joined(separator: " AND ")
        let level = tree.depth == nil ? [] : ["\(name).level + 1"]
        let further =
            "SELECT \((nextFar + level).joined(separator: ", ")) FROM \(next.source) JOIN \(name) ON \(matches)"
            + (tree.depth.map { " WHERE \(name).level < \($0)" } ?? "")
        let columns = (names + (tree.depth == nil ? [] : ["level"])).joined(separator: ", ")
        let found = names.map { "\(name).\($0)" }
        let isOther = start("<>", found).joined(separator: " OR ")
        return (
            "WITH RECURSIVE \(name) (\(columns)) AS (\(base) UNION \(further))", found,
            "FROM \(name) WHERE \(isOther)"
        )
    }

    private func edges(of tree: QueryTree) throws -> Edges {
        if case .failure(let error) = tree.relation { throw error }
        let description = tree.description
        guard case .path(let path) = tree.relation, path.names.count == 1,
            let property = description.index(ofProperty: path.names[0]),
            let relation = description.columns.relation(property), relation.target.description === description
        else {
            throw DatabaseError(
                .invalidValue,
                "A query asks for a tree of \(description.type) by something that is no relation to the same type. Name one.",
                table: description.table)
        }
        switch relation.storage {
        case .reference(let columns): return edges(of: description, by: relation, columns)
        case .inverseReference(let property, let columns):
            guard relation.isArray, let reference = description.columns.relation(property) else {
                throw DatabaseError(
                    .unsupported,
                    "A query asks for a tree of \(description.type) by \"\(relation.name)\", which the other side holds. Name the property that holds it.",
                    table: description.table, properties: [relation.name])
            }
            return edges(of: description, by: reference, columns)
        case .joinTable(let table):
            return edges(
                of: description, in: table, child: table.elementColumns.map(\.name), parent: table.ownerColumns)
        case .inverseJoinTable(_, let table):
            return edges(
                of: description, in: table, child: table.ownerColumns, parent: table.elementColumns.map(\.name))
        }
    }

    /// The edges that objects hold themselves: each has its parent.
    private func edges(of description: TableDescription, by reference: Relation, _ columns: [String]) -> Edges {
        let alias = makeAlias()
        let source = source(of: description, as: alias)
        let child = qualified(description.keyColumns, alias)
        let held = qualified(columns, alias)
        // A parent that is gone is none; and what is held may not be its key.
        guard description.hidesRows || reference.alternate != nil else {
            return Edges(source: source, child: child, parent: held)
        }
        let parent = makeAlias()
        let join = joined(description, as: parent, description.columns(heldBy: reference), held)
        return Edges(source: "\(source) \(join)", child: child, parent: qualified(description.keyColumns, parent))
    }

    /// The edges in a join table.
    private func edges(
        of description: TableDescription, in table: JoinTable, child: [String], parent: [String]
    ) -> Edges {
        let alias = makeAlias()
        let source = "\(dialect.quoted(table.name)) AS \(alias)"
        let (child, parent) = (qualified(child, alias), qualified(parent, alias))
        guard description.hidesRows else { return Edges(source: source, child: child, parent: parent) }
        let joins = [child, parent].map { joined(description, as: makeAlias(), description.keyColumns, $0) }
        return Edges(source: ([source] + joins).joined(separator: " "), child: child, parent: parent)
    }

    private func joined(
        _ description: TableDescription, as alias: String, _ columns: [String], _ values: [String]
    ) -> String {
        let matches = zip(qualified(columns, alias), values).map { "\($0) = \($1)" }.joined(separator: " AND ")
        return "JOIN \(source(of: description, as: alias)) ON \(matches)"
    }

    private func qualified(_ columns: [String], _ alias: String) -> [String] {
        columns.map { "\(alias).\(dialect.quoted($0))" }
    }
}
