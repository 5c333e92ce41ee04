extension QueryNode {
    /// The nodes that it is made of.
    var children: [QueryNode] {
        switch self {
        case .path, .value, .key, .null, .constant, .isHeld, .text, .failure: []
        case .subquery(let query), .exists(let query): query.nodes
        case .isInQuery(let node, let query): [node] + query.nodes
        case .comparison(_, let left, let right), .arithmetic(_, let left, let right),
            .concatenation(let left, let right), .coalesce(let left, let right),
            .like(let left, pattern: let right, _), .match(_, let left, let right, _),
            .hasJSONElement(let left, _, let right):
            [left, right]
        case .and(let nodes), .or(let nodes): nodes
        case .not(let node), .isInList(let node, _), .json(let node, _, _), .hasJSON(let node, _, _),
            .isInTree(let node, _), .treeLevel(let node, _), .matches(let node, _), .searchRank(let node, _):
            [node]
        case .function(_, let nodes), .date(_, let nodes): nodes
        case .choice(let choice): choice.nodes
        case .window(let window): window.nodes
        case .elementAggregate(let aggregate): [aggregate.value] + (aggregate.condition.map { [$0] } ?? [])
        case .edited(let node, let edits): [node] + edits.compactMap(\.value)
        case .isIn(let node, let nodes): [node] + nodes
        case .between(let node, let low, let high): [node, low, high]
        case .hasElement(_, _, let node), .elementCount(_, _, let node): node.map { [$0] } ?? []
        case .aggregate(let aggregate): aggregate.nodes
        case .sql(let fragment, _): fragment.expressions
        }
    }
}
