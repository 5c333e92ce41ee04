/// A result of an observed query, with its difference from the one before.
public struct ObservedResults<Model: TableObject> {
    /// The objects of the query, in its order: new instances, as those of each fetch are.
    public let objects: [Model]
    /// The difference from the result before, by key; for the first result everything is inserted.
    public let difference: ResultDifference
}

@available(*, unavailable)
extension ObservedResults: Sendable {}
