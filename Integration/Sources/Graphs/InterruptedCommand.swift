import ArgumentParser
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// Saves one graph after the other until it is killed; whatever the moment, each graph is whole or not there.
struct InterruptedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interrupted", abstract: "Save graphs without end, to be killed; or check what is left.")

    /// The number of nodes of a graph.
    static let size = 200

    @Argument(help: "The database.") var url: String
    @Flag(help: "Check that each graph is whole.") var check = false

    func run() async throws {
        try await Database.withDatabase(url, drivers: [.sqlite, .postgres]) { db in
            try await db.migrate(Node.self)
            if check { return try await checkGraphs(db) }
            print("ready")
            // The script that waits for it reads a file.
            fflush(nil)
            while true {
                let nodes = (0..<Self.size).map { Node($0) }
                for (index, node) in nodes.enumerated() {
                    node.next = nodes[(index + 1) % Self.size]
                    node.links = [nodes[0], nodes[index], nodes[0]]
                }
                try await db.save(nodes[0])
                // Half of what is changed is in one array, the other in rows.
                for node in nodes { node.number += Self.size }
                nodes[0].links.removeFirst()
                try await db.save(nodes[0])
                Node.dissolve(nodes)
            }
        }
    }

    private func checkGraphs(_ db: Database) async throws {
        let nodes = try await db.fetch(Node.self)
        defer { Node.dissolve(nodes) }
        var seen: Set<ObjectIdentifier> = []
        for first in nodes where !seen.contains(ObjectIdentifier(first)) {
            var cycle: [Node] = []
            var node = first.next
            while let now = node, cycle.count < Self.size {
                cycle.append(now)
                node = now.next
            }
            try require(cycle.count == Self.size && cycle.last === first, "A cycle is broken.")
            let isChanged = cycle.allSatisfy { $0.number >= Self.size }
            let isNew = cycle.allSatisfy { $0.number < Self.size }
            try require(isChanged || isNew, "A graph is half changed.")
            let links = cycle.reduce(0) { $0 + $1.links.count }
            try require(links == Self.size * 3 - (isChanged ? 1 : 0), "A graph has \(links) links.")
            seen.formUnion(cycle.map { ObjectIdentifier($0) })
        }
        let total = nodes.count
        print("\(total) nodes in whole graphs")
    }
}
