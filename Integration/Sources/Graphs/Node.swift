import Holdfast

/// A node of a graph of any shape, whose key the engine makes.
@Table
final class Node {
    var id: Int64?
    var number: Int
    var next: Node?
    var links: [Node] = []

    init(_ number: Int) { self.number = number }
}

/// A node of a tree, whose parents hold nothing of it.
@Table
final class Leaf {
    var id: Int64?
    var number: Int
    weak var parent: Leaf?
    @Relation(inverse: \Leaf.parent, deleteRule: .cascade, loading: .eager) var children: [Leaf] = []

    init(_ number: Int) { self.number = number }
}

extension Node {
    /// Takes a graph apart, so that releasing it does not recurse along its nodes.
    static func dissolve(_ nodes: [Node]) {
        for node in nodes {
            node.next = nil
            node.links = []
        }
    }
}
