import Holdfast

/// A node of a web: its links lead to other nodes, or to itself.
@Table
final class Node {
    var id: Int64?
    var number: Int
    var links: [Node] = []

    init(number: Int) { self.number = number }
}
