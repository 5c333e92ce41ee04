/// The value of the first condition that is true, as `CASE WHEN … THEN … ELSE … END` gives it.
struct QueryChoice: Sendable {
    /// Each condition, with the value that it gives.
    let cases: [(condition: QueryNode, value: QueryNode)]
    /// The value where no condition is true; nil for none.
    let otherwise: QueryNode?

    var nodes: [QueryNode] { cases.flatMap { [$0.condition, $0.value] } + (otherwise.map { [$0] } ?? []) }

    /// What is chosen from.
    var values: [QueryNode] { cases.map(\.value) + (otherwise.map { [$0] } ?? []) }
}
