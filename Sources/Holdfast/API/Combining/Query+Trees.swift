extension Query {
    /// Keeps only the objects below another one in a tree.
    ///
    /// ```swift
    /// let all = try await db.query(Folder.self).descendants(of: folder, via: \.parent).order(\.name).fetch()
    /// // SELECT … FROM "folder" AS t0 WHERE t0."id" IN (WITH RECURSIVE …) ORDER BY t0."name", t0."id"
    /// ```
    ///
    /// One statement finds the rows, however deep the tree is. The object itself is not among them, not even in a
    /// cycle, which ends the walk. For a tree that a relation leads into, or with other conditions, ask by
    /// `isDescendant(of:via:depth:)`.
    ///
    /// When it runs, the query throws ``DatabaseError/Code/invalidValue`` for a new object, a negative depth, and what
    /// is no relation of the type to itself.
    ///
    /// - Parameters:
    ///   - object: The object, which must be saved.
    ///   - parent: The relation that leads upward, of a type to itself. It holds the key itself.
    ///   - depth: The greatest number of steps: 1 for the children; nil for any number.
    public func descendants(
        of object: Model, via parent: (Columns<Model>) -> Columns<Model>, depth: Int? = nil
    ) -> Query { `where` { $0.isDescendant(of: object, via: parent, depth: depth) } }

    /// Keeps only the objects below another one in a tree, by the array of children of each object.
    ///
    /// ```swift
    /// let all = try await db.query(Folder.self).descendants(of: folder, via: \.children).fetch()
    /// ```
    @_disfavoredOverload
    public func descendants(
        of object: Model, via children: (Columns<Model>) -> ObjectArrayColumn<Model>, depth: Int? = nil
    ) -> Query { `where` { $0.isDescendant(of: object, via: children, depth: depth) } }

    /// Keeps only the objects above another one in a tree: those that it leads to.
    ///
    /// ```swift
    /// let path = try await db.query(Folder.self).ancestors(of: folder, via: \.parent).fetch()
    /// ```
    ///
    /// They are in the order of the query, not in that of the way upward. The rest is as in
    /// `descendants(of:via:depth:)`.
    public func ancestors(
        of object: Model, via parent: (Columns<Model>) -> Columns<Model>, depth: Int? = nil
    ) -> Query { `where` { $0.isAncestor(of: object, via: parent, depth: depth) } }

    /// Keeps only the objects above another one in a tree, by the array of children of each object.
    @_disfavoredOverload
    public func ancestors(
        of object: Model, via children: (Columns<Model>) -> ObjectArrayColumn<Model>, depth: Int? = nil
    ) -> Query { `where` { $0.isAncestor(of: object, via: children, depth: depth) } }
}
