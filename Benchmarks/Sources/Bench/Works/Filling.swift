/// What is in a database before a work begins.
enum Filling: Codable, Hashable {
    case nothing
    case items(Int)
    case graph(Int)
    case web(Int)

    /// How many items there are.
    var items: Int { if case .items(let count) = self { count } else { 0 } }

    /// How many projects there are.
    var projects: Int { if case .graph(let count) = self { count } else { 0 } }

    /// How many nodes there are.
    var nodes: Int { if case .web(let count) = self { count } else { 0 } }
}
