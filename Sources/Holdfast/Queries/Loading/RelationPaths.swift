/// The relations to follow, as a tree of property names.
///
/// ```swift
/// ["lead", "meetings.participants"]     // follows lead, meetings, and participants of meetings
/// ```
public struct RelationPaths: Sendable, ExpressibleByArrayLiteral {
    /// One level of the tree: what is followed from the objects that were reached so.
    final class Node: Sendable {
        let children: [String: Node]
        /// What is loaded of the relation that leads here; nil for all.
        let part: RelationPart?

        init(_ children: [String: Node], part: RelationPart? = nil) { (self.children, self.part) = (children, part) }

        init(_ paths: [[Substring]]) {
            var tails: [String: [[Substring]]] = [:]
            for path in paths {
                if let first = path.first { tails[String(first), default: []].append(Array(path.dropFirst())) }
            }
            children = tails.mapValues { Node($0) }
            part = nil
        }
    }

    private static let nowhere = Node([:])

    let root: Node
    var isEmpty: Bool { root.children.isEmpty }

    init(_ root: Node) { self.root = root }

    /// Creates paths from property names joined by dots.
    public init(_ paths: [String]) {
        root =
            paths.isEmpty
            ? Self.nowhere : Node(paths.map { $0.split(separator: ".", omittingEmptySubsequences: false) })
    }

    public init(arrayLiteral paths: String...) { self.init(paths) }

    /// Throws if one of the names is no relation of its type.
    func validate(from description: TableDescription) throws {
        if isEmpty { return }
        var pending = [(root, description)]
        while let (node, description) = pending.popLast() {
            for (name, child) in node.children {
                guard let index = description.index(ofProperty: name),
                    let relation = description.columns.relation(index)
                else {
                    throw DatabaseError(
                        .invalidValue,
                        "\"\(name)\" is no relation of \(description.type). Name a property that leads to objects.",
                        table: description.table, properties: [name])
                }
                pending.append((child, relation.target.description))
            }
        }
    }
}
