/// A query for the values of several queries together: in one or the other, in both, or in one alone.
///
/// ```swift
/// let places = try await db.query(Customer.self).select { ($0.city, $0.country) }
///     .union(db.query(Supplier.self).select { ($0.city, $0.country) })
///     .fetch()    // [(String, String)], each once
/// ```
///
/// See ``Selection/union(_:keepingDuplicates:)``.
public struct CombinedSelection<Model: TableObject, each Value: Storable>: Sendable {
    private let selection: Selection<Model, repeat each Value>
    private var others: [SelectionPart] = []

    init(_ selection: Selection<Model, repeat each Value>) { self.selection = selection }

    fileprivate func combined<Other>(
        _ operation: SelectionPart.Operation, with other: Selection<Other, repeat each Value>
    ) -> CombinedSelection {
        var new = self
        var query = other.query
        if other.storages != selection.storages {
            query.specification.failure = DatabaseError(
                .unsupported,
                "Values that are stored in different ways are combined. Combine those of properties with one storage.",
                table: Other.ownDescription.table)
        }
        new.others.append(SelectionPart(operation: operation, query: query.inside(.keys), nodes: other.nodes))
        return new
    }

    /// The values of these queries and of another one; each once, unless duplicates are kept.
    public func union<Other>(
        _ other: Selection<Other, repeat each Value>, keepingDuplicates: Bool = false
    ) -> CombinedSelection { combined(keepingDuplicates ? .unionAll : .union, with: other) }

    /// The values that another query gives as well, each once.
    public func intersection<Other>(_ other: Selection<Other, repeat each Value>) -> CombinedSelection {
        combined(.intersection, with: other)
    }

    /// The values that another query does not give, each once.
    public func subtracting<Other>(_ other: Selection<Other, repeat each Value>) -> CombinedSelection {
        combined(.difference, with: other)
    }

    /// Fetches the values, in their order: by the first, then by the second, and nil before others.
    ///
    /// ```sql
    /// SELECT t0."city"::text COLLATE "C" FROM "customer" AS t0
    /// UNION SELECT t1."city"::text COLLATE "C" FROM "supplier" AS t1 ORDER BY 1
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/unsupported`` for values that are stored in different ways, or can't be compared;
    ///   and the errors of ``Query/fetch(fileID:line:)``.
    public func fetch(fileID: StaticString = #fileID, line: UInt = #line) async throws -> [(repeat each Value)] {
        let (nodes, storages, others) = (selection.nodes, selection.storages, others)
        let all = nodes + others.flatMap(\.nodes)
        return try await selection.query.at(fileID, line).run(
            "select", selecting: all, { try $0.select(nodes, combinedWith: others) }
        ) {
            try Selection<Model, repeat each Value>.values(of: $0, storages)
        }.value
    }
}

extension Selection {
    /// The values of this query and those of another one, of this type or of another; each once, unless duplicates are
    /// kept.
    ///
    /// ```swift
    /// let places = try await db.query(Customer.self).select { ($0.city, $0.country) }
    ///     .union(db.query(Supplier.self).select { ($0.city, $0.country) })
    ///     .fetch()
    /// ```
    ///
    /// They come in the order of the values. A limit of one of the queries counts before they are combined, and so does
    /// its order.
    ///
    /// - Parameters:
    ///   - other: The other query, which selects values of the same types. Its database does not matter.
    ///   - keepingDuplicates: Whether a value comes as often as it is found.
    public func union<Other>(
        _ other: Selection<Other, repeat each Value>, keepingDuplicates: Bool = false
    ) -> CombinedSelection<Model, repeat each Value> {
        CombinedSelection(self).union(other, keepingDuplicates: keepingDuplicates)
    }

    /// The values that both queries give, each once: see ``union(_:keepingDuplicates:)``.
    public func intersection<Other>(
        _ other: Selection<Other, repeat each Value>
    ) -> CombinedSelection<Model, repeat each Value> { CombinedSelection(self).intersection(other) }

    /// The values of this query that another one does not give, each once: see ``union(_:keepingDuplicates:)``.
    public func subtracting<Other>(
        _ other: Selection<Other, repeat each Value>
    ) -> CombinedSelection<Model, repeat each Value> { CombinedSelection(self).subtracting(other) }
}
