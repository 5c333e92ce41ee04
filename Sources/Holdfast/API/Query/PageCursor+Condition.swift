extension PageCursor {
    /// The error for a cursor of another query.
    static var misfit: DatabaseError {
        DatabaseError(
            .invalidValue,
            "A page was asked for after a position in another table or order. Take the cursor of a page of the same query."
        )
    }

    /// The condition that holds for the objects after a cursor.
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` if the cursor does not fit the order.
    func condition(_ criteria: [OrderCriterion]) throws -> QueryNode {
        guard cells.count == criteria.count else { throw Self.misfit }
        var alternatives: [QueryNode] = []
        var same: [QueryNode] = []
        for (index, criterion) in criteria.enumerated() {
            let value = value(index)
            guard let cell = value.cells.first, criterion.canHold(cell) else { throw Self.misfit }
            let node: QueryNode = cell.isNull ? .null : .value(.encoded(value, criterion.type))
            if let later = criterion.isLater(than: node, isNull: cell.isNull) {
                alternatives.append(.and(same + [later]))
            }
            same.append(.comparison(.equal, criterion.node, node))
        }
        return .or(alternatives)
    }
}
