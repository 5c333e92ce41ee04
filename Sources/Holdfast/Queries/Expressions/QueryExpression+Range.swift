/// Ranges of values and of optional values; no range contains nil.
extension QueryExpression where Value: Storable & Comparable {
    /// Whether the value is in the range.
    ///
    /// ```swift
    /// .where { $0.age.in(18...65) }    // t0."age" >= $1 AND t0."age" <= $2
    /// ```
    public func `in`(_ range: ClosedRange<Value>) -> Condition {
        (self >= range.lowerBound) && (self <= range.upperBound)
    }

    /// Whether the value is in the range.
    ///
    /// ```swift
    /// .where { $0.age.in(18..<66) }    // t0."age" >= $1 AND t0."age" < $2
    /// ```
    public func `in`(_ range: Range<Value>) -> Condition {
        (self >= range.lowerBound) && (self < range.upperBound)
    }

    /// Whether the value is in the range.
    ///
    /// ```swift
    /// .where { $0.age.in(18...) }    // t0."age" >= $1
    /// ```
    public func `in`(_ range: PartialRangeFrom<Value>) -> Condition {
        self >= range.lowerBound
    }

    /// Whether the value is in the range.
    ///
    /// ```swift
    /// .where { $0.age.in(...18) }    // t0."age" <= $1
    /// ```
    public func `in`(_ range: PartialRangeThrough<Value>) -> Condition {
        self <= range.upperBound
    }

    /// Whether the value is in the range.
    ///
    /// ```swift
    /// .where { $0.age.in(..<18) }    // t0."age" < $1
    /// ```
    public func `in`(_ range: PartialRangeUpTo<Value>) -> Condition {
        self < range.upperBound
    }
}

extension QueryExpression {
    /// Whether the optional value is in the range; false for nil.
    public func `in`<Wrapped: Storable & Comparable>(_ range: ClosedRange<Wrapped>) -> Condition
    where Value == Wrapped? {
        (self >= range.lowerBound) && (self <= range.upperBound)
    }

    /// Whether the optional value is in the range; false for nil.
    public func `in`<Wrapped: Storable & Comparable>(_ range: Range<Wrapped>) -> Condition where Value == Wrapped? {
        (self >= range.lowerBound) && (self < range.upperBound)
    }

    /// Whether the optional value is in the range; false for nil.
    public func `in`<Wrapped: Storable & Comparable>(_ range: PartialRangeFrom<Wrapped>) -> Condition
    where Value == Wrapped? {
        self >= range.lowerBound
    }

    /// Whether the optional value is in the range; false for nil.
    public func `in`<Wrapped: Storable & Comparable>(_ range: PartialRangeThrough<Wrapped>) -> Condition
    where Value == Wrapped? {
        self <= range.upperBound
    }

    /// Whether the optional value is in the range; false for nil.
    public func `in`<Wrapped: Storable & Comparable>(_ range: PartialRangeUpTo<Wrapped>) -> Condition
    where Value == Wrapped? {
        self < range.upperBound
    }
}
