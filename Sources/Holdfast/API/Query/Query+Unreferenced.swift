extension Query {
    /// Keeps only objects that no object holds in any of some relations, such as those at the top of a tree.
    ///
    /// ```swift
    /// let top = try await db.query(Folder.self).unreferenced(by: \Folder.children, \Project.folder).fetch()
    /// // WHERE NOT EXISTS (SELECT 1 FROM "folder_children" AS t1 WHERE t1."folder_id" = t0."id")
    /// // AND NOT EXISTS (SELECT 1 FROM "project" AS t2 WHERE t2."folder_id" = t0."id")
    /// ```
    ///
    /// The relations can be of any types: references, arrays and their other sides. Their columns are indexed. A class
    /// and its subclasses have a table each, so name the relation of each. An object that holds itself is held.
    ///
    /// When it runs, the query throws ``DatabaseError/Code/invalidValue`` for a property that is no relation to this
    /// type.
    ///
    /// - Parameters:
    ///   - relation: A relation that leads to the queried type.
    ///   - others: Further ones.
    public func unreferenced(by relation: AnyKeyPath, _ others: AnyKeyPath...) -> Query {
        changed { specification in
            for relation in [relation] + others {
                specification.conditions.append(.not(QueryNode.isHeld(by: relation)))
            }
        }
    }
}
