extension Columns {
    /// Whether the relation has this target, or is nil as it is; compares keys.
    ///
    /// ```swift
    /// .where { $0.lead == ann }    // WHERE t0."lead_id" = $1; IS NULL if ann is nil
    /// ```
    public static func == (columns: Columns, object: Model?) -> Condition {
        object.map { columns.compared(.equal, $0) } ?? (columns == nil)
    }

    /// Whether the relation has another target, or is nil where the object is not.
    public static func != (columns: Columns, object: Model?) -> Condition {
        object.map { columns.compared(.notEqual, $0) } ?? (columns != nil)
    }

    /// Whether both relations have the same target, or both are nil.
    ///
    /// ```swift
    /// .where { $0.lead == $0.deputy }
    /// ```
    public static func == (left: Columns, right: Columns) -> Condition {
        Condition(.comparison(.equal, left.node, right.node))
    }

    /// Whether the relations have different targets.
    public static func != (left: Columns, right: Columns) -> Condition {
        Condition(.comparison(.notEqual, left.node, right.node))
    }

    /// Whether the relation is nil.
    ///
    /// ```swift
    /// .where { $0.lead == nil }    // WHERE t0."lead_id" IS NULL
    /// ```
    public static func == (columns: Columns, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.equal, columns.node, .null))
    }

    /// Whether the relation has a target.
    public static func != (columns: Columns, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.notEqual, columns.node, .null))
    }

    /// Whether the relation has one of these targets.
    ///
    /// ```swift
    /// .where { $0.lead.in([ann, bob]) }
    /// ```
    public func `in`(_ objects: some Collection<Model>) -> Condition {
        Condition(.isIn(node, objects.map { keyNode(of: $0) }))
    }

    /// Whether the object has one of the keys.
    ///
    /// ```swift
    /// .where { $0.lead.in(keys: [3, 5]) }
    /// ```
    public func `in`(keys: some Collection<some KeyConvertible>) -> Condition {
        Condition(.isIn(node, keys.map { .key(Model.ownDescription.canonical($0._key)) }))
    }

    /// Whether the object has the key.
    ///
    /// ```swift
    /// .where { $0.lead.hasKey(3) }
    /// ```
    public func hasKey(_ key: some KeyConvertible) -> Condition {
        Condition(.comparison(.equal, node, .key(Model.ownDescription.canonical(key._key))))
    }

    private func compared(_ comparison: ComparisonOperator, _ object: Model) -> Condition {
        Condition(.comparison(comparison, node, keyNode(of: object)))
    }

    private func keyNode(of object: Model) -> QueryNode { QueryNode.key(of: object) }
}

extension QueryNode {
    /// Returns the key of an object as a value to compare with.
    static func key<Model: TableObject>(of object: Model) -> QueryNode {
        do {
            if let key = try Model.ownMapping.key(of: object) { return .key(key) }
            let description = Model.ownDescription
            return .failure(
                DatabaseError(
                    .invalidValue,
                    "A query compares with a new \(description.type), which has no key yet. Save it first.",
                    table: description.table))
        } catch {
            return .failure(
                error as? DatabaseError
                    ?? DatabaseError(.invalidValue, "The key of an object in a query can't be stored."))
        }
    }
}
