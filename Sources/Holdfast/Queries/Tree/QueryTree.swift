/// The objects above or below another one of the same type, along a relation.
struct QueryTree: Sendable {
    enum Direction: Sendable {
        /// The objects that it leads to, and those that they lead to.
        case above
        /// The objects that lead to it, and those that lead to them.
        case below
    }

    let description: TableDescription
    /// The relation that makes the tree, as an expression of its own names it.
    let relation: QueryNode
    /// The key of the object at which it begins; null where that is of each row.
    let start: QueryNode
    let direction: Direction
    /// How many steps are made; nil for any number.
    let depth: Int?
}
