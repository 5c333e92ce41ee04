import Foundation
import HoldfastConformance
import Testing

@testable import Holdfast
@testable import HoldfastConformance

/// Objects that are moved from a file of SQLite to each engine, many of them, with a cycle of types.
@Suite struct ImportTests {
    @Table("old_node") final class OldNode {
        @PrimaryKey let number: Int64
        @Column(storage: .julianDay) var seen: Date?
        var price: Decimal
        @Column(storage: .uppercaseText) var token: UUID
        var next: OldNode?
        var group: OldGroup?
        init(number: Int64) { (self.number, price, token) = (number, Decimal(number) / 8, UUID()) }
    }

    @Table("old_group") final class OldGroup {
        @PrimaryKey let name: String
        var first: OldNode?
        var nodes: [OldNode] = []
        init(_ name: String) { self.name = name }
    }

    @Table("moved_node") final class Node {
        var id: Int64?
        var seen: Date?
        var price: Decimal = 0
        var token: UUID
        var next: Reference<Node>?
        var group: Group?
        init(token: UUID) { self.token = token }
    }

    @Table("moved_group") final class Group {
        @PrimaryKey let name: String
        var first: Node?
        var nodes: [Node]? = []
        init(_ name: String) { self.name = name }
    }

    @Test(arguments: SchemaEngine.available)
    func `objects of a file are moved to each engine`(_ engine: SchemaEngine) async throws {
        let (home, newHome) = (
            try await SchemaEngine.sqlite.provision.makeDatabase(), try await engine.provision.makeDatabase()
        )
        let (old, db) = (
            try await Database.open(home.configuration), try await Database.open(newHome.configuration)
        )
        var failure: (any Error)?
        do { try await move(from: old, to: db) } catch { failure = error }
        try await old.close()
        try await db.close()
        try await home.destroy()
        try await newHome.destroy()
        if let failure { throw failure }
    }

    private func move(from old: Database, to db: Database) async throws {
        try await old.migrate(OldGroup.self, OldNode.self)
        let nodes = (1...3_000).map { OldNode(number: $0) }
        let groups = ["a", "b"].map { OldGroup($0) }
        for (index, node) in nodes.enumerated() {
            node.next = nodes[(index + 1) % nodes.count]
            node.group = index.isMultiple(of: 3) ? nil : groups[index % 2]
            node.seen = Date(timeIntervalSince1970: Double(index) * 86_400)
        }
        for group in groups {
            group.nodes = nodes.filter { $0.group === group }.reversed()
            group.first = group.nodes.last
        }
        try await old.save(nodes)
        try await db.migrate(Group.self, Node.self)
        let report = try await db.importObjects(
            from: old,
            [
                ObjectImport(OldNode.self, as: Node.self, renaming: ["number": "id"]),
                ObjectImport(OldGroup.self, as: Group.self),
            ])
        #expect(report.counts == ["Node": 3_000, "Group": 2])
        let found = try await db.fetch(Node.self)
        #expect(found.map(\.id) == (1...3_000).map { $0 })
        #expect(found.map(\.token) == nodes.map(\.token) && found.map(\.price) == nodes.map(\.price))
        #expect(found.map(\.seen) == nodes.map(\.seen))
        #expect(found.map { $0.next?.key } == nodes.map { $0.next.map { Key($0.number) } })
        #expect(found.map { $0.group?.name } == nodes.map { $0.group?.name })
        let moved = try await db.fetch(Group.self)
        #expect(moved.map { $0.nodes?.map(\.id) } == groups.map { $0.nodes.map { $0.number } })
        #expect(moved.map { $0.first?.id } == groups.map { $0.first.map { $0.number } })
        let next = Node(token: UUID())
        try await db.save(next)
        #expect(next.id == 3_001)
    }
}
