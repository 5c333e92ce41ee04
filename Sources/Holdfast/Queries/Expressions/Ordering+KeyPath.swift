extension Ordering {
    /// Orders by a property given by its key path, in ascending order.
    ///
    /// ```swift
    /// @Relation(inverse: \Comment.post, order: [.ascending(\Comment.at)]) var comments: [Comment] = []
    /// // … ORDER BY "comment"."at", "id"
    /// ```
    ///
    /// - Parameter property: A property of the ordered objects themselves. One of another type throws
    ///   ``DatabaseError/Code/invalidValue`` where the order is used.
    public static func ascending<Model: TableObject>(_ property: any PartialKeyPath<Model> & Sendable) -> Ordering {
        Ordering(.keyPath(property), isDescending: false)
    }

    /// Orders by a property given by its key path, in descending order.
    ///
    /// ```swift
    /// @Relation(inverse: \Comment.post, order: [.descending(\Comment.at)]) var comments: [Comment] = []
    /// // … ORDER BY "comment"."at" DESC, "id"
    /// ```
    public static func descending<Model: TableObject>(_ property: any PartialKeyPath<Model> & Sendable) -> Ordering {
        Ordering(.keyPath(property), isDescending: true)
    }
}

extension Ordering {
    /// The model whose property it names by a key path; nil for another criterion.
    var model: TableDescription? {
        guard case .keyPath(let keyPath) = criterion else { return nil }
        return (type(of: keyPath as AnyKeyPath).rootType as? any TableObject.Type)?.ownDescription
    }

    /// The property that it names by a key path, as a part of a query.
    var keyPathNode: QueryNode {
        guard case .keyPath(let keyPath) = criterion, let model else { return .null }
        if let index = model.index(ofKeyPath: keyPath as AnyKeyPath) {
            return .path(QueryPath(named: model.properties[index].name))
        }
        return .failure(
            DatabaseError(
                .invalidValue, "An order names a property that \(model.type) does not keep. Name one that it keeps.",
                table: model.table))
    }
}
