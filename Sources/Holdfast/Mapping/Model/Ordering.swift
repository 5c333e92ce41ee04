/// One criterion by which the objects of a query are ordered.
///
/// ```swift
/// .order { [$0.lastName.ascending, $0.born.descending.nulls(.last)] }   // typed
/// .order(by: [.ascending("lastName"), .descending("lead.name")])        // by names
/// ```
///
/// Text is ordered by Unicode code point. By default, nil comes first in ascending and last in descending order.
/// Objects that are equal by all criteria are ordered by primary key.
public struct Ordering: Sendable {
    /// A direction of an order.
    public enum Direction: Hashable, Sendable {
        /// The smallest value first.
        case ascending
        /// The greatest value first.
        case descending
    }

    /// A position of nil among values.
    public enum NullPlacement: Hashable, Sendable {
        /// Nil comes before all values.
        case first
        /// Nil comes after all values.
        case last
    }

    /// What objects are ordered by.
    enum Criterion: Sendable {
        /// A property, or a path of names joined by dots.
        case property(String)
        /// A property of a model, whose mapping may not be made yet.
        case keyPath(any AnyKeyPath & Sendable)
        /// A `QueryNode`.
        case expression(any Sendable)
    }

    let criterion: Criterion
    let isDescending: Bool
    private(set) var nullPlacement: NullPlacement?
    private(set) var ignoresCase = false

    init(_ criterion: Criterion, isDescending: Bool) {
        self.criterion = criterion
        self.isDescending = isDescending
    }

    /// Orders by a property given by its name, in ascending order.
    ///
    /// ```swift
    /// .order(by: [.ascending("lead.lastName")])    // ORDER BY t1."last_name" …
    /// ```
    ///
    /// - Parameter property: The name of a property, or a path of names joined by dots.
    public static func ascending(_ property: String) -> Ordering { Ordering(.property(property), isDescending: false) }

    /// Orders by a property given by its name, in descending order.
    ///
    /// ```swift
    /// .order(by: [.descending("budget")])    // ORDER BY t0."budget" DESC
    /// ```
    public static func descending(_ property: String) -> Ordering { Ordering(.property(property), isDescending: true) }

    /// Returns the order with nil first or last.
    ///
    /// ```swift
    /// .order { $0.endDate.ascending.nulls(.last) }
    /// ```
    public func nulls(_ placement: NullPlacement) -> Ordering {
        var ordering = self
        ordering.nullPlacement = placement
        return ordering
    }

    /// The order of texts that ignores the case of ASCII letters.
    ///
    /// ```swift
    /// .order { $0.name.ascending.ignoringCase }    // ORDER BY lower(…)
    /// ```
    public var ignoringCase: Ordering {
        var ordering = self
        ordering.ignoresCase = true
        return ordering
    }
}
