extension NumberValue where Self: FixedWidthInteger {
    public typealias SumValue = Int64
    public typealias AverageValue = Double
}

extension QueryExpression where Value: NumberValue {
    /// The sum of the values that are not nil; nil of none.
    public var sum: QueryExpression<Value.SumValue?> { QueryExpression<Value.SumValue?>(.aggregate(.sum, node)) }

    /// The average of the values that are not nil; nil of none.
    ///
    /// That of decimals is rounded to 20 fractional digits.
    public var average: QueryExpression<Value.AverageValue?> {
        QueryExpression<Value.AverageValue?>(.aggregate(.average, node))
    }
}

extension QueryExpression where Value: Storable {
    /// The least of the values that are not nil; nil of none.
    public var min: QueryExpression<Value?> { QueryExpression<Value?>(.aggregate(.minimum, node), storage: storage) }

    /// The greatest of the values that are not nil; nil of none.
    public var max: QueryExpression<Value?> { QueryExpression<Value?>(.aggregate(.maximum, node), storage: storage) }

    /// The number of values that are not nil.
    public var count: QueryExpression<Int> { QueryExpression<Int>(.aggregate(.count, node)) }

    /// The number of different values that are not nil.
    public var distinctCount: QueryExpression<Int> { QueryExpression<Int>(.aggregate(.countDistinct, node)) }
}

/// A type whose values can be nil.
public protocol OptionalValue: Storable {}

extension Optional: OptionalValue where Wrapped: Storable {}

extension QueryExpression where Value: OptionalValue {
    /// The least of the values that are not nil; nil of none.
    public var min: QueryExpression { QueryExpression(.aggregate(.minimum, node), storage: storage) }

    /// The greatest of the values that are not nil; nil of none.
    public var max: QueryExpression { QueryExpression(.aggregate(.maximum, node), storage: storage) }
}

extension Columns {
    /// The number of rows: of a group, or of all.
    public var rowCount: QueryExpression<Int> { QueryExpression<Int>(.aggregate(.count, nil)) }
}

extension Query {
    /// The sum of a property over the objects: 0 of none.
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` if it does not fit.
    public func sum<Value: NumberValue>(
        _ property: (Columns<Model>) -> QueryExpression<Value>
    ) async throws -> Value.SumValue {
        let property = property(Columns())
        // 0 of the property's own type is a cell that every kind of sum can be read of.
        if let sum = try await single(property.sum) { return sum }
        return try Value.SumValue._decode(.integer(0))
    }

    /// The average of a property over the objects; nil of none.
    public func average<Value: NumberValue>(
        _ property: (Columns<Model>) -> QueryExpression<Value>
    ) async throws -> Value.AverageValue? {
        try await single(property(Columns()).average)
    }

    /// The least value of a property; nil of none.
    public func min<Value: Storable>(_ property: (Columns<Model>) -> QueryExpression<Value>) async throws -> Value? {
        try await single(property(Columns()).min)
    }

    /// The greatest value of a property; nil of none.
    public func max<Value: Storable>(_ property: (Columns<Model>) -> QueryExpression<Value>) async throws -> Value? {
        try await single(property(Columns()).max)
    }

    /// The least value of a property that can be nil; nil of none.
    public func min<Value: Storable>(_ property: (Columns<Model>) -> QueryExpression<Value?>) async throws -> Value? {
        try await single(property(Columns()).min)
    }

    /// The greatest value of a property that can be nil; nil of none.
    public func max<Value: Storable>(_ property: (Columns<Model>) -> QueryExpression<Value?>) async throws -> Value? {
        try await single(property(Columns()).max)
    }

    private func single<Value: Storable>(_ expression: QueryExpression<Value?>) async throws -> Value? {
        // Over the objects of the query, not over all that meet its conditions.
        if specification.limit != nil || specification.offset > 0 {
            throw DatabaseError(
                .unsupported,
                "An aggregate is computed of all objects that meet a query. Ask without limit and offset.",
                table: Model.ownDescription.table)
        }
        var query = self
        try specification.validate()
        query.specification.orders = []
        return try await query.select { _ in expression }.fetch().first ?? nil
    }
}
