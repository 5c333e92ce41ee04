/// An array of values of a model, as the conditions of a query ask about it.
public struct ValueArrayColumn<Element: Storable>: Sendable {
    let path: QueryPath
    let failure: DatabaseError?
    let storage: ValueStorage

    /// Whether `value` is one of the elements.
    public func contains(_ value: Element) -> Condition {
        contains { QueryExpression($0.node, storage: $0.storage) == value }
    }

    /// Whether one of the elements meets a condition.
    ///
    /// ```swift
    /// .where { $0.tags.contains { $0.hasPrefix("green") } }
    /// ```
    public func contains(where condition: (QueryExpression<Element>) -> some ConditionConvertible) -> Condition {
        let scope = QueryScope.element()
        return Condition(node(.hasElement(path, scope: scope, element(scope, condition))))
    }

    /// Whether each of the elements meets a condition; true for an array without elements.
    public func allSatisfy(_ condition: (QueryExpression<Element>) -> some ConditionConvertible) -> Condition {
        !contains { !condition($0).condition }
    }

    /// Whether the array has no elements; true for an array that is nil.
    public var isEmpty: Condition { Condition(node(.not(.hasElement(path, scope: .element(), nil)))) }

    /// The number of elements; 0 for an array that is nil.
    public var count: QueryExpression<Int> { QueryExpression(node(.elementCount(path, scope: .element(), nil))) }

    /// The number of elements that meet a condition.
    public func count(where condition: (QueryExpression<Element>) -> some ConditionConvertible) -> QueryExpression<Int>
    {
        let scope = QueryScope.element()
        return QueryExpression(node(.elementCount(path, scope: scope, element(scope, condition))))
    }

    /// An element of the array, to group by: an object is in the group of each of its elements.
    ///
    /// ```swift
    /// let rows = try await db.query(Post.self)
    ///     .group { $0.tags.element }
    ///     .select { ($0.tags.element, $0.rowCount) }
    ///     .fetch()
    /// // SELECT t1."value", count(*) FROM "post" AS t0 JOIN "post_tags" AS t1 ON t1."post_id" = t0."id"
    /// // GROUP BY t1."value" ORDER BY t1."value"
    /// ```
    ///
    /// An object without elements is in no group, and one that has an element twice counts twice: for the number of
    /// objects, ask for the `distinctCount` of their key. Such a query can name an element in `group`, `having`,
    /// `order` and `select`, and groups by the elements of one array. Everywhere else, and in a query that does not
    /// group by it, it throws ``DatabaseError/Code/unsupported``; conditions on objects ask by
    /// ``contains(where:)``.
    public var element: QueryExpression<Element> {
        QueryExpression(node(.path(path.element)), storage: storage)
    }

    /// Whether the array is nil.
    public static func == (array: ValueArrayColumn, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.equal, array.node(.path(array.path)), .null))
    }

    /// Whether the array is not nil.
    public static func != (array: ValueArrayColumn, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.notEqual, array.node(.path(array.path)), .null))
    }

    private func element(
        _ scope: QueryScope, _ condition: (QueryExpression<Element>) -> some ConditionConvertible
    ) -> QueryNode {
        condition(QueryExpression(.path(QueryPath(scope: scope)), storage: storage)).condition.node
    }

    private func node(_ node: QueryNode) -> QueryNode { failure.map { .failure($0) } ?? node }
}
