/// A function of all elements of an array of one object.
struct ElementAggregate: Sendable {
    let path: QueryPath
    /// The scope in which value and condition name an element.
    let scope: QueryScope
    let function: AggregateFunction
    let value: QueryNode
    let condition: QueryNode?
}
