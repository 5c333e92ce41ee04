import ArgumentParser
import Foundation
import Holdfast

/// The time and memory for each object of random graphs of several sizes.
struct ScaleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale", abstract: "Save and load random graphs, with three links for each object.")

    @Argument(help: "The database.") var url: String
    @Argument(help: "The numbers of objects.") var sizes: [Int] = [1_000, 10_000, 100_000]

    func run() async throws {
        print(
            "| objects | links | save, µs an object | load, µs an object | one more save, µs an object | peak memory, bytes an object |"
        )
        print("|---|---|---|---|---|---|")
        for size in sizes {
            try await withEmptyDatabase(url) { try await measure($0, size) }
        }
    }

    private func measure(_ db: Database, _ size: Int) async throws {
        var random = Random(state: 42)
        let nodes = (0..<size).map { Node($0) }
        for node in nodes { node.links = (0..<3).map { _ in nodes[random.next(below: size)] } }
        let before = peakMemory
        let save = try await seconds { try await db.save(nodes) }
        let again = try await seconds { try await db.save(nodes) }
        var loaded: [Node] = []
        let load = try await seconds { loaded = try await db.fetch(Node.self) }
        try require(loaded.count == size, "\(loaded.count) objects came back.")
        for (node, same) in zip(nodes, loaded) {
            try require(node.links.map(\.number) == same.links.map(\.number), "A node came back with other links.")
        }
        Node.dissolve(nodes)
        Node.dissolve(loaded)
        func perObject(_ time: Double) -> String { String(format: "%.2f", time * 1e6 / Double(size)) }
        let memory = (peakMemory - before) * 1_048_576 / size
        print("| \(size) | \(3 * size) | \(perObject(save)) | \(perObject(load)) | \(perObject(again)) | \(memory) |")
    }
}

/// A generator that gives the same numbers each time (SplitMix64; Steele, Lea and Flood 2014).
struct Random {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(limit))
    }
}
