// Of the protocol, so that an operand of `&&` is found by its name, as `.all([…])`.
extension ConditionConvertible where Self == Condition {
    /// Whether all conditions are true; true for an empty list.
    ///
    /// ```swift
    /// .where(.all([.compare("age", .greaterOrEqual, 18), .isNil("spouse")]))
    /// ```
    public static func all(_ conditions: some Sequence<Condition>) -> Condition { joined(conditions) { .and($0) } }

    /// Whether at least one condition is true; false for an empty list.
    ///
    /// ```swift
    /// .where(.any(names.map { .compare("name", .equal, $0) }))
    /// ```
    public static func any(_ conditions: some Sequence<Condition>) -> Condition { joined(conditions) { .or($0) } }

    /// Whether all conditions of at least one set are true; true if there are no sets.
    ///
    /// ```swift
    /// .where(.sets([["age > 65"], ["age < 18", "guardian IS NULL"]]))    // a OR (b AND c)
    /// ```
    public static func sets(_ sets: some Sequence<[Condition]>) -> Condition {
        let sets = sets.map { Condition.all($0) }
        return sets.isEmpty ? Condition(.constant(true)) : .any(sets)
    }

    private static func joined(
        _ conditions: some Sequence<Condition>, _ join: ([QueryNode]) -> QueryNode
    ) -> Condition {
        let conditions = Array(conditions)
        return Condition(join(conditions.map(\.node)), around: conditions.map(\.levels).max())
    }

    /// A condition that is true for every row.
    public static var always: Condition { Condition(.constant(true)) }

    /// A condition that is false for every row.
    public static var never: Condition { Condition(.constant(false)) }
}
