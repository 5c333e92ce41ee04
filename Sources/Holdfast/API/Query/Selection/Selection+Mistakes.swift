// Mistakes that the compiler answers with a sentence (decision 0074).

extension Selection {
    /// Refuses a condition after `select`.
    @available(*, unavailable, message: "Write `where` before `select`, which comes last.")
    public func `where`(_ condition: (Columns<Model>) -> some ConditionConvertible) -> Selection { self }

    /// Refuses an order after `select`.
    @available(*, unavailable, message: "Write `order` before `select`, which comes last.")
    public func order(_ orders: (Columns<Model>) -> [Ordering]) -> Selection { self }

    /// Refuses a limit after `select`.
    @available(*, unavailable, message: "Write `limit` before `select`, which comes last.")
    public func limit(_ count: Int) -> Selection { self }

    /// Refuses an offset after `select`.
    @available(*, unavailable, message: "Write `offset` before `select`, which comes last.")
    public func offset(_ count: Int) -> Selection { self }
}

extension ObjectSelection {
    /// Refuses a condition after `select`.
    @available(*, unavailable, message: "Write `where` before `select`, which comes last.")
    public func `where`(_ condition: (Columns<Model>) -> some ConditionConvertible) -> ObjectSelection { self }

    /// Refuses an order after `select`.
    @available(*, unavailable, message: "Write `order` before `select`, which comes last.")
    public func order(_ orders: (Columns<Model>) -> [Ordering]) -> ObjectSelection { self }

    /// Refuses a limit after `select`.
    @available(*, unavailable, message: "Write `limit` before `select`, which comes last.")
    public func limit(_ count: Int) -> ObjectSelection { self }

    /// Refuses an offset after `select`.
    @available(*, unavailable, message: "Write `offset` before `select`, which comes last.")
    public func offset(_ count: Int) -> ObjectSelection { self }
}

extension ValueSelection {
    /// Refuses a condition after `select`.
    @available(*, unavailable, message: "Write `where` before `select`, which comes last.")
    public func `where`(_ condition: (Columns<Model>) -> some ConditionConvertible) -> ValueSelection { self }

    /// Refuses an order after `select`.
    @available(*, unavailable, message: "Write `order` before `select`, which comes last.")
    public func order(_ orders: (Columns<Model>) -> [Ordering]) -> ValueSelection { self }

    /// Refuses a limit after `select`.
    @available(*, unavailable, message: "Write `limit` before `select`, which comes last.")
    public func limit(_ count: Int) -> ValueSelection { self }

    /// Refuses an offset after `select`.
    @available(*, unavailable, message: "Write `offset` before `select`, which comes last.")
    public func offset(_ count: Int) -> ValueSelection { self }
}

extension Query {
    /// Refuses to group by an array of values.
    @available(
        *, unavailable,
        message: "An array is no value to group by: group by its elements, as in `$0.tags.element`, or by its count."
    )
    public func group<Element>(by column: (Columns<Model>) -> ValueArrayColumn<Element>) -> Query { self }

    /// Refuses to group by an array of objects.
    @available(*, unavailable, message: "An array is no value to group by: group by its count, or by a property.")
    public func group<Target>(by column: (Columns<Model>) -> ObjectArrayColumn<Target>) -> Query { self }
}
