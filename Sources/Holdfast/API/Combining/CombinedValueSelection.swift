/// A query for one value of several queries together: in one or the other, in both, or in one alone.
///
/// ```swift
/// let cities = try await db.query(Customer.self).select { $0.city }
///     .union(db.query(Supplier.self).select { $0.city })
///     .fetch()    // [String], each once
/// ```
///
/// See ``ValueSelection/union(_:keepingDuplicates:)``.
public struct CombinedValueSelection<Model: TableObject, Value: Storable>: Sendable {
    private let combined: CombinedSelection<Model, Value>

    fileprivate init(_ combined: CombinedSelection<Model, Value>) { self.combined = combined }

    /// The values of these queries and of another one; each once, unless duplicates are kept.
    public func union<Other>(
        _ other: ValueSelection<Other, Value>, keepingDuplicates: Bool = false
    ) -> CombinedValueSelection {
        CombinedValueSelection(combined.union(other.selection, keepingDuplicates: keepingDuplicates))
    }

    /// The values that another query gives as well, each once.
    public func intersection<Other>(_ other: ValueSelection<Other, Value>) -> CombinedValueSelection {
        CombinedValueSelection(combined.intersection(other.selection))
    }

    /// The values that another query does not give, each once.
    public func subtracting<Other>(_ other: ValueSelection<Other, Value>) -> CombinedValueSelection {
        CombinedValueSelection(combined.subtracting(other.selection))
    }

    /// Fetches the values in their order, nil before others.
    ///
    /// ```sql
    /// SELECT t0."city"::text COLLATE "C" FROM "customer" AS t0
    /// UNION SELECT t1."city"::text COLLATE "C" FROM "supplier" AS t1 ORDER BY 1
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/unsupported`` for values that are stored in different ways, or can't be compared;
    ///   and the errors of ``Query/fetch(fileID:line:)``.
    public func fetch(fileID: StaticString = #fileID, line: UInt = #line) async throws -> [Value] {
        try await combined.fetch(fileID: fileID, line: line)
    }
}

extension ValueSelection {
    /// The values of this query and those of another one, of this type or of another; each once, unless duplicates are
    /// kept.
    ///
    /// ```swift
    /// let cities = try await db.query(Customer.self).select { $0.city }
    ///     .union(db.query(Supplier.self).select { $0.city })
    ///     .fetch()
    /// ```
    ///
    /// They come in the order of the values. A limit of one of the queries counts before they are combined, and so does
    /// its order.
    ///
    /// - Parameters:
    ///   - other: The other query, which selects a value of the same type. Its database does not matter.
    ///   - keepingDuplicates: Whether a value comes as often as it is found.
    public func union<Other>(
        _ other: ValueSelection<Other, Value>, keepingDuplicates: Bool = false
    ) -> CombinedValueSelection<Model, Value> {
        CombinedValueSelection(selection.union(other.selection, keepingDuplicates: keepingDuplicates))
    }

    /// The values that both queries give, each once: see ``union(_:keepingDuplicates:)``.
    public func intersection<Other>(_ other: ValueSelection<Other, Value>) -> CombinedValueSelection<Model, Value> {
        CombinedValueSelection(selection.intersection(other.selection))
    }

    /// The values of this query that another one does not give, each once: see ``union(_:keepingDuplicates:)``.
    public func subtracting<Other>(_ other: ValueSelection<Other, Value>) -> CombinedValueSelection<Model, Value> {
        CombinedValueSelection(selection.subtracting(other.selection))
    }
}
