/// Ranges: of values, and of values that can be nil. Nil lies in none.
extension QueryExpression where Value: Storable & Comparable {
    /// Whether the value lies in the range.
    public func `in`(_ range: ClosedRange<Value>) -> Condition {
        (self >= range.lowerBound) && (self <= range.upperBound)
    }

    /// Whether the value lies in the range.
    public func `in`(_ range: Range<Value>) -> Condition {
        (self >= range.lowerBound) && (self < range.upperBound)
    }

    /// Whether the value lies in the range: `$0.age.in(18...)`.
    public func `in`(_ range: PartialRangeFrom<Value>) -> Condition {
        self >= range.lowerBound
    }

    /// Whether the value lies in the range: `$0.age.in(...18)`.
    public func `in`(_ range: PartialRangeThrough<Value>) -> Condition {
        self <= range.upperBound
    }

    /// Whether the value lies in the range: `$0.age.in(..<18)`.
    public func `in`(_ range: PartialRangeUpTo<Value>) -> Condition {
        self < range.upperBound
    }
}

extension QueryExpression {
    /// Whether there is a value, and it lies in the range.
    public func `in`<Wrapped: Storable & Comparable>(_ range: ClosedRange<Wrapped>) -> Condition
    where Value == Wrapped? {
        (self >= range.lowerBound) && (self <= range.upperBound)
    }

    /// Whether there is a value, and it lies in the range.
    public func `in`<Wrapped: Storable & Comparable>(_ range: Range<Wrapped>) -> Condition where Value == Wrapped? {
        (self >= range.lowerBound) && (self < range.upperBound)
    }

    /// Whether there is a value, and it lies in the range.
    public func `in`<Wrapped: Storable & Comparable>(_ range: PartialRangeFrom<Wrapped>) -> Condition
    where Value == Wrapped? {
        self >= range.lowerBound
    }

    /// Whether there is a value, and it lies in the range.
    public func `in`<Wrapped: Storable & Comparable>(_ range: PartialRangeThrough<Wrapped>) -> Condition
    where Value == Wrapped? {
        self <= range.upperBound
    }

    /// Whether there is a value, and it lies in the range.
    public func `in`<Wrapped: Storable & Comparable>(_ range: PartialRangeUpTo<Wrapped>) -> Condition
    where Value == Wrapped? {
        self < range.upperBound
    }
}
