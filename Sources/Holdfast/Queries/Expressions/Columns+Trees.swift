/// Trees of objects of one type.
extension Columns {
    /// Whether the object is below another one in a tree: leads to it along a relation to the same type, over any
    /// number of steps.
    ///
    /// ```swift
    /// let files = try await db.query(File.self).where { $0.folder.isDescendant(of: root, via: \.parent) }.fetch()
    /// // WHERE t0."folder_id" IN (WITH RECURSIVE t1 (k0) AS (SELECT t2."id" FROM "folder" AS t2
    /// // WHERE t2."parent_id" = $1 UNION SELECT t3."id" FROM "folder" AS t3 JOIN t1 ON t3."parent_id" = t1.k0)
    /// // SELECT t1.k0 FROM t1 WHERE t1.k0 <> $2)
    /// ```
    ///
    /// An object is not below itself, not even in a cycle, which ends the walk.
    ///
    /// - Parameters:
    ///   - object: The object, which must be saved.
    ///   - parent: The relation that leads upward, of a type to itself. It holds the key itself.
    ///   - depth: The greatest number of steps; nil for any number.
    public func isDescendant(
        of object: Model, via parent: (Columns<Model>) -> Columns<Model>, depth: Int? = nil
    ) -> Condition { isInTree(.below, .key(of: object), Self.upward(parent), depth) }

    /// Whether the object is below the one with a key: see `isDescendant(of:via:depth:)`.
    ///
    /// ```swift
    /// .where { $0.isDescendant(ofKey: 7, via: \.parent) }
    /// ```
    public func isDescendant(
        ofKey key: some KeyConvertible, via parent: (Columns<Model>) -> Columns<Model>, depth: Int? = nil
    ) -> Condition { isInTree(.below, Self.key(key), Self.upward(parent), depth) }

    /// Whether the object is below another one in a tree, by the array of children of each object.
    ///
    /// ```swift
    /// .where { $0.isDescendant(of: root, via: \.children) }
    /// // … FROM "folder_children" AS t2 WHERE t2."folder_id" = $1 UNION …
    /// ```
    @_disfavoredOverload
    public func isDescendant(
        of object: Model, via children: (Columns<Model>) -> ObjectArrayColumn<Model>, depth: Int? = nil
    ) -> Condition { isInTree(.below, .key(of: object), Self.downward(children), depth) }

    /// Whether the object is below the one with a key, by the array of children of each object.
    @_disfavoredOverload
    public func isDescendant(
        ofKey key: some KeyConvertible, via children: (Columns<Model>) -> ObjectArrayColumn<Model>, depth: Int? = nil
    ) -> Condition { isInTree(.below, Self.key(key), Self.downward(children), depth) }

    /// Whether the object is above another one in a tree: the other one leads to it along a relation to the same type,
    /// over any number of steps.
    ///
    /// ```swift
    /// let path = try await db.query(Folder.self).where { $0.isAncestor(of: folder, via: \.parent) }.fetch()
    /// // WHERE t0."id" IN (WITH RECURSIVE t1 (k0) AS (SELECT t2."parent_id" FROM "folder" AS t2
    /// // WHERE t2."id" = $1 UNION SELECT t3."parent_id" FROM "folder" AS t3 JOIN t1 ON t3."id" = t1.k0)
    /// // SELECT t1.k0 FROM t1 WHERE t1.k0 <> $2)
    /// ```
    ///
    /// The parameters are those of `isDescendant(of:via:depth:)`.
    public func isAncestor(
        of object: Model, via parent: (Columns<Model>) -> Columns<Model>, depth: Int? = nil
    ) -> Condition { isInTree(.above, .key(of: object), Self.upward(parent), depth) }

    /// Whether the object is above the one with a key: see `isAncestor(of:via:depth:)`.
    public func isAncestor(
        ofKey key: some KeyConvertible, via parent: (Columns<Model>) -> Columns<Model>, depth: Int? = nil
    ) -> Condition { isInTree(.above, Self.key(key), Self.upward(parent), depth) }

    /// Whether the object is above another one in a tree, by the array of children of each object.
    @_disfavoredOverload
    public func isAncestor(
        of object: Model, via children: (Columns<Model>) -> ObjectArrayColumn<Model>, depth: Int? = nil
    ) -> Condition { isInTree(.above, .key(of: object), Self.downward(children), depth) }

    /// Whether the object is above the one with a key, by the array of children of each object.
    @_disfavoredOverload
    public func isAncestor(
        ofKey key: some KeyConvertible, via children: (Columns<Model>) -> ObjectArrayColumn<Model>, depth: Int? = nil
    ) -> Condition { isInTree(.above, Self.key(key), Self.downward(children), depth) }
}

extension Columns {
    /// The number of objects above the object in a tree: 0 at the top.
    ///
    /// ```swift
    /// let rows = try await db.query(Folder.self).order { $0.treeLevel(via: \.parent).ascending }
    ///     .select { ($0, $0.treeLevel(via: \.parent)) }.fetch()
    /// // (WITH RECURSIVE t1 (k0) AS (SELECT t2."parent_id" FROM "folder" AS t2 WHERE t2."id" = t0."id"
    /// // UNION SELECT t3."parent_id" FROM "folder" AS t3 JOIN t1 ON t3."id" = t1.k0)
    /// // SELECT count(*) FROM t1 WHERE t1.k0 <> t0."id")
    /// ```
    ///
    /// It is computed for each object, by as many steps as are counted. In a cycle, it is the number of all others that
    /// are reached; 0 where the object is that of a relation that is nil.
    ///
    /// - Parameter parent: The relation that leads upward, of a type to itself. It holds the key itself.
    public func treeLevel(via parent: (Columns<Model>) -> Columns<Model>) -> QueryExpression<Int> {
        QueryExpression<Int>(.treeLevel(node, tree(.above, .null, Self.upward(parent), nil)))
    }

    /// The number of objects above the object in a tree, by the array of children of each object.
    @_disfavoredOverload
    public func treeLevel(via children: (Columns<Model>) -> ObjectArrayColumn<Model>) -> QueryExpression<Int> {
        QueryExpression<Int>(.treeLevel(node, tree(.above, .null, Self.downward(children), nil)))
    }
}

extension Columns {
    private func isInTree(
        _ direction: QueryTree.Direction, _ start: QueryNode, _ relation: QueryNode, _ depth: Int?
    ) -> Condition { Condition(.isInTree(node, tree(direction, start, relation, depth))) }

    private func tree(
        _ direction: QueryTree.Direction, _ start: QueryNode, _ relation: QueryNode, _ depth: Int?
    ) -> QueryTree {
        QueryTree(
            description: Model.ownDescription, relation: relation, start: start, direction: direction, depth: depth)
    }

    private static func key(_ key: some KeyConvertible) -> QueryNode {
        .key(Model.ownDescription.canonical(key._key))
    }

    private static func upward(_ parent: (Columns<Model>) -> Columns<Model>) -> QueryNode {
        parent(Columns(QueryPath(scope: .root))).node
    }

    private static func downward(_ children: (Columns<Model>) -> ObjectArrayColumn<Model>) -> QueryNode {
        let array = children(Columns(QueryPath(scope: .root)))
        return array.failure.map { .failure($0) } ?? .path(array.path)
    }
}
