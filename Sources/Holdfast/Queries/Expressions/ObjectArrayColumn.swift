/// An array of objects of a model, as the conditions of a query ask about it.
public struct ObjectArrayColumn<Target: TableObject>: Sendable {
    let path: QueryPath
    let failure: DatabaseError?

    /// Whether `object` is one of the elements: compares keys.
    public func contains(_ object: Target) -> Condition { contains { $0 == object } }

    /// Whether one of the elements has the key.
    public func contains(key: some KeyConvertible) -> Condition { contains { $0.hasKey(key) } }

    /// Whether one of the elements meets a condition.
    ///
    /// ```swift
    /// .where { $0.meetings.contains { $0.minutes > 60 } }
    /// ```
    public func contains(where condition: (Columns<Target>) -> some ConditionConvertible) -> Condition {
        let scope = QueryScope.element()
        return Condition(node(.hasElement(path, scope: scope, element(scope, condition))))
    }

    /// Whether each of the elements meets a condition; true for an array without elements.
    public func allSatisfy(_ condition: (Columns<Target>) -> some ConditionConvertible) -> Condition {
        !contains { !condition($0).condition }
    }

    /// Whether the array has no elements; true for an array that is nil.
    public var isEmpty: Condition { Condition(node(.not(.hasElement(path, scope: .element(), nil)))) }

    /// The number of elements; 0 for an array that is nil.
    public var count: QueryExpression<Int> { QueryExpression(node(.elementCount(path, scope: .element(), nil))) }

    /// The number of elements that meet a condition.
    public func count(where condition: (Columns<Target>) -> some ConditionConvertible) -> QueryExpression<Int> {
        let scope = QueryScope.element()
        return QueryExpression(node(.elementCount(path, scope: scope, element(scope, condition))))
    }

    /// Whether the array is nil.
    public static func == (array: ObjectArrayColumn, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.equal, array.node(.path(array.path)), .null))
    }

    /// Whether the array is not nil.
    public static func != (array: ObjectArrayColumn, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.notEqual, array.node(.path(array.path)), .null))
    }

    private func element(
        _ scope: QueryScope, _ condition: (Columns<Target>) -> some ConditionConvertible
    ) -> QueryNode {
        condition(Columns(QueryPath(scope: scope))).condition.node
    }

    private func node(_ node: QueryNode) -> QueryNode { failure.map { .failure($0) } ?? node }
}
