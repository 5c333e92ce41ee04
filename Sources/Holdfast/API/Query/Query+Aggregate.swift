extension NumberValue where Self: FixedWidthInteger {
    public typealias SumValue = Int64
    public typealias AverageValue = Double
}

extension QueryExpression where Value: NumberValue {
    /// The sum of the values that are not nil; nil if there are none.
    ///
    /// ```swift
    /// let total = try await db.query(Project.self).select { $0.budget.sum }.first()
    /// ```
    public var sum: QueryExpression<Value.SumValue?> {
        QueryExpression<Value.SumValue?>(.computing(.sum, of: node), storage: storage)
    }

    /// The average of the values that are not nil; nil if there are none.
    ///
    /// An average of decimals is rounded to 20 fractional digits.
    public var average: QueryExpression<Value.AverageValue?> {
        QueryExpression<Value.AverageValue?>(.computing(.average, of: node))
    }
}

extension QueryExpression where Value: Storable {
    /// The minimum of the values that are not nil; nil if there are none.
    public var min: QueryExpression<Value?> {
        QueryExpression<Value?>(.computing(.minimum, of: node), storage: storage)
    }

    /// The maximum of the values that are not nil; nil if there are none.
    public var max: QueryExpression<Value?> {
        QueryExpression<Value?>(.computing(.maximum, of: node), storage: storage)
    }

    /// The number of values that are not nil.
    ///
    /// ```swift
    /// .group { $0.city }.select { ($0.city, $0.phone.count) }    // count(t0."phone")
    /// ```
    public var count: QueryExpression<Int> { QueryExpression<Int>(.computing(.count, of: node)) }

    /// The number of different values that are not nil.
    ///
    /// ```swift
    /// .select { $0.city.distinctCount }    // count(DISTINCT t0."city")
    /// ```
    public var distinctCount: QueryExpression<Int> { QueryExpression<Int>(.computing(.countDistinct, of: node)) }
}

extension QueryExpression where Value: OptionalValue {
    /// The minimum of the values that are not nil; nil if there are none.
    public var min: QueryExpression { QueryExpression(.computing(.minimum, of: node), storage: storage) }

    /// The maximum of the values that are not nil; nil if there are none.
    public var max: QueryExpression { QueryExpression(.computing(.maximum, of: node), storage: storage) }
}

extension Columns {
    /// The number of rows, of a group or of the whole query.
    ///
    /// ```swift
    /// .group { $0.city }.having { $0.rowCount > 2 }.select { ($0.city, $0.rowCount) }
    /// // GROUP BY t0."city" HAVING count(*) > $1
    /// ```
    public var rowCount: QueryExpression<Int> { QueryExpression<Int>(.computing(.count, of: nil)) }
}

extension Query {
    /// Sums a property of the objects; 0 if there are none.
    ///
    /// ```swift
    /// let total = try await db.query(Project.self).sum { $0.budget }
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` on overflow.
    public func sum<Value: NumberValue>(
        _ property: (Columns<Model>) -> QueryExpression<Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Value.SumValue {
        var query = at(fileID, line)
        let property = property(query.makeColumns())
        // 0 of the property's own type is a cell that every kind of sum can be read of.
        if let sum = try await query.single(property.sum) { return sum }
        return try Value.SumValue._decode(.integer(0))
    }

    /// Averages a property of the objects; nil if there are none.
    ///
    /// ```swift
    /// let average = try await db.query(Person.self).average { $0.age }
    /// ```
    public func average<Value: NumberValue>(
        _ property: (Columns<Model>) -> QueryExpression<Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Value.AverageValue? {
        var query = at(fileID, line)
        let property = property(query.makeColumns())
        return try await query.single(property.average)
    }

    /// Returns the minimum of a property; nil if there are no objects.
    ///
    /// ```swift
    /// let youngest = try await db.query(Person.self).min { $0.age }
    /// ```
    public func min<Value: Storable>(
        _ property: (Columns<Model>) -> QueryExpression<Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Value? {
        var query = at(fileID, line)
        let property = property(query.makeColumns())
        return try await query.single(property.min)
    }

    /// Returns the maximum of a property; nil if there are no objects.
    ///
    /// ```swift
    /// let oldest = try await db.query(Person.self).max { $0.age }
    /// ```
    public func max<Value: Storable>(
        _ property: (Columns<Model>) -> QueryExpression<Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Value? {
        var query = at(fileID, line)
        let property = property(query.makeColumns())
        return try await query.single(property.max)
    }

    /// Returns the minimum of an optional property; nil if it has no values.
    public func min<Value: Storable>(
        _ property: (Columns<Model>) -> QueryExpression<Value?>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Value? {
        var query = at(fileID, line)
        let property = property(query.makeColumns())
        return try await query.single(property.min)
    }

    /// Returns the maximum of an optional property; nil if it has no values.
    public func max<Value: Storable>(
        _ property: (Columns<Model>) -> QueryExpression<Value?>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Value? {
        var query = at(fileID, line)
        let property = property(query.makeColumns())
        return try await query.single(property.max)
    }

    private func single<Value: Storable>(_ expression: QueryExpression<Value?>) async throws -> Value? {
        // Over the objects of the query, not over all that meet its conditions.
        if specification.isCut { throw cutAggregate }
        var query = self
        try specification.validate()
        query.specification.orders = []
        let selection = query.select { _ in expression }.selection
        let (nodes, storage) = (selection.nodes, expression.storage)
        return try await query.run("select", selecting: nodes, { try $0.select(nodes) }) {
            try ValueSelection<Model, Value?>.values(of: $0, storage)
        }.value.first ?? nil
    }
}

extension Query {
    /// The query as one of which values are selected; it fails where an aggregate would be of a part of what meets it,
    /// since engines compute it before they cut.
    func selecting(_ nodes: [QueryNode]) -> Query {
        guard specification.isCut, specification.groups.isEmpty, nodes.contains(where: \.hasAggregate) else {
            return self
        }
        return changed { $0.failure = $0.failure ?? cutAggregate }
    }

    private var cutAggregate: DatabaseError {
        DatabaseError(
            .unsupported,
            "An aggregate is computed of all objects that meet a query. Ask without limit and offset, or of those whose keys another query selects: `.where { $0.id.in(first.select(\\.id)) }`.",
            table: Model.ownDescription.table)
    }
}
