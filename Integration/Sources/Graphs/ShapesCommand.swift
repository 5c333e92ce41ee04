import ArgumentParser
import Holdfast

/// Graphs on which recursion, or a statement for each object, would fail or not end.
struct ShapesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shapes", abstract: "A long list, a clique, a deep tree, marriages.")

    @Argument(help: "The database.") var url: String
    @Option(help: "The length of the list.") var list = 100_000
    @Option(help: "The size of the clique.") var clique = 1_000
    @Option(help: "The depth of the tree.") var depth = 10_000

    func run() async throws {
        try await withEmptyDatabase(url) { db in
            try await measure("list of \(list)") { try await checkList(db) }
            try await db.deleteAll(Node.self)
            try await measure("clique of \(clique)") { try await checkClique(db) }
            try await db.deleteAll(Node.self)
            try await measure("tree of depth \(depth)") { try await checkTree(db) }
            try await measure("marriages") { try await checkMarriages(db) }
        }
    }

    private func measure(_ what: String, _ body: () async throws -> Void) async throws {
        print("\(what):")
        try await body()
    }

    private func step(_ what: String, _ body: () async throws -> Void) async throws {
        let time = try await seconds(body)
        print("    \(what) \((time * 100).rounded() / 100) s, at most \(peakMemory) MiB so far")
    }

    private func checkList(_ db: Database) async throws {
        let nodes = (0..<list).map { Node($0) }
        defer { Node.dissolve(nodes) }
        for index in 1..<nodes.count { nodes[index - 1].next = nodes[index] }
        nodes[nodes.count - 1].next = nodes[0]
        try await step("save") { try await db.save(nodes[0]) }
        let wrong = try await db.sql(
            "SELECT count(*) FROM node a JOIN node b ON a.next_id = b.id WHERE b.number = a.number + 1"
        ).fetch(as: Int.self)
        try require(wrong == [list - 1], "The list is not in the database as it is in memory: \(wrong).")
        var first: Node?
        try await step("load") { first = try await db.find(Node.self, key: nodes[0].id ?? 0) }
        var loaded: [Node] = []
        var node = first
        while let now = node, loaded.isEmpty || now !== loaded[0] {
            loaded.append(now)
            node = now.next
        }
        defer { Node.dissolve(loaded) }
        try require(loaded.map(\.number) == nodes.map(\.number), "The list came back otherwise.")
    }

    private func checkClique(_ db: Database) async throws {
        let nodes = (0..<clique).map { Node($0) }
        defer { Node.dissolve(nodes) }
        for node in nodes { node.links = nodes }
        try await step("save") { try await db.save(nodes[0]) }
        let count = try await db.sql("SELECT count(*) FROM node_links").fetch(as: Int.self)
        try require(count == [clique * clique], "The clique has \(count) links in the database.")
        var first: Node?
        try await step("load") { first = try await db.find(Node.self, key: nodes[clique / 2].id ?? 0) }
        let loaded = first?.links ?? []
        defer { Node.dissolve(loaded) }
        try require(loaded.count == clique, "The clique came back with \(loaded.count) nodes.")
        for node in loaded {
            try require(node.links.count == clique, "A node came back with \(node.links.count) links.")
            for (index, other) in node.links.enumerated() {
                try require(other === loaded[index], "A link leads to another instance, or to another node.")
            }
        }
        // One element more or less does not rewrite the others.
        loaded[0].links.insert(loaded[5], at: clique / 2)
        try await step("insert into one array") { try await db.save(loaded[0]) }
        let numbers = try await db.sql(
            "SELECT number FROM node_links JOIN node ON node.id = links_id WHERE node_id = \(loaded[0].id) ORDER BY position"
        ).fetch(as: Int.self)
        try require(numbers == loaded[0].links.map(\.number), "The changed array is not in the database as in memory.")
    }

    private func checkTree(_ db: Database) async throws {
        var leaves = [Leaf(0)]
        defer { for leaf in leaves { leaf.children = [] } }
        for number in 1..<depth {
            let leaf = Leaf(number)
            leaves[number - 1].children = [leaf, Leaf(-number)]
            leaves.append(leaf)
        }
        try await step("save") { try await db.save(leaves[0]) }
        let count = try await db.sql(
            "SELECT count(*) FROM leaf a JOIN leaf b ON b.parent_id = a.id"
        ).fetch(as: Int.self)
        try require(count == [2 * depth - 2], "The tree has \(count) branches in the database.")
        var root: Leaf?
        try await step("load") { root = try await db.find(Leaf.self, key: leaves[0].id ?? 0) }
        var loaded: [Leaf] = []
        var leaf = root
        while let now = leaf {
            loaded.append(now)
            leaf = now.children.first
            try require(now.children.allSatisfy { $0.parent === now }, "A child does not lead back to its parent.")
        }
        defer { for leaf in loaded { leaf.children = [] } }
        try require(loaded.map(\.number) == leaves.map(\.number), "The tree came back otherwise.")
        try await step("delete") { _ = try await db.delete(loaded[0]) }
        try require(try await db.count(Leaf.self) == 0, "Deleting the root left some of the tree.")
    }

    private func checkMarriages(_ db: Database) async throws {
        let nodes = (0..<2_000).map { Node($0) }
        defer { Node.dissolve(nodes) }
        for index in stride(from: 0, to: nodes.count, by: 2) {
            nodes[index].next = nodes[index + 1]
            nodes[index + 1].next = nodes[index]
        }
        try await step("save") { try await db.save(nodes) }
        var loaded: [Node] = []
        try await step("load") { loaded = try await db.fetch(Node.self) }
        defer { Node.dissolve(loaded) }
        try require(loaded.allSatisfy { $0.next?.next === $0 && $0.next !== $0 }, "A marriage is one-sided.")
    }
}
