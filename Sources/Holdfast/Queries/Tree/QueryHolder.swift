/// A relation that may hold the object of a scope.
struct QueryHolder: Sendable {
    /// The type that has the relation.
    let owner: any TableObject.Type
    /// The position of its property.
    let property: Int
    let scope: QueryScope
}
