/// What a query asks for.
struct QuerySpecification: Sendable {
    var conditions: [QueryNode] = []
    var orders: [Ordering] = []
    var limit: Int?
    var offset = 0
    /// Of the objects that are the same in these, one is given: the first by `choice`, and else by key.
    var distinct: [QueryNode] = []
    var choice: [Ordering] = []
    /// What values are grouped by.
    var groups: [QueryNode] = []
    var groupConditions: [QueryNode] = []
    var scope = LoadScope()

    var condition: QueryNode? { conditions.isEmpty ? nil : .and(conditions) }
    /// Whether all objects of the type are asked for.
    var isAll: Bool { conditions.isEmpty && limit == nil && offset == 0 && distinct.isEmpty }

    func validate() throws {
        if let limit, limit < 0 {
            throw DatabaseError(.invalidValue, "A query gives 0 objects or more, not \(limit).")
        }
        if offset < 0 { throw DatabaseError(.invalidValue, "A query passes over 0 objects or more, not \(offset).") }
    }
}
