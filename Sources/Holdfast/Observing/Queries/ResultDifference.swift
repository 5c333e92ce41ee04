/// The difference between two results of a query, by the keys of the objects.
///
/// ```swift
/// for key in results.difference.removed { list.remove(key) }
/// ```
///
/// It is empty if only objects have changed that the results lead to.
public struct ResultDifference: Hashable, Sendable {
    /// The keys of the objects that were not in the result before, in the order of the result.
    public var inserted: [Key] = []
    /// The keys of the objects that are in the result no more, in the order that they had.
    public var removed: [Key] = []
    /// The keys of the objects that have another position among those that are in both results: as few as explain the
    /// new order.
    public var moved: [Key] = []
    /// The keys of the objects in both results of which properties, arrays or links have changed.
    public var updated: [Key] = []

    /// Creates a difference.
    public init(inserted: [Key] = [], removed: [Key] = [], moved: [Key] = [], updated: [Key] = []) {
        (self.inserted, self.removed, self.moved, self.updated) = (inserted, removed, moved, updated)
    }

    /// Whether the results have the same objects in the same order, with the same values.
    public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && moved.isEmpty && updated.isEmpty }
}
