import Holdfast

/// A random sequence of operations on graphs.
struct GraphTrial: Trial {
    struct VertexRow: Equatable {
        var next: String?
        var edges: [String] = []
    }

    struct PersonRow: Equatable {
        var name: String
        var company: Int64?
        var spouse: Int64?
        var siblings: [Int64] = []
    }

    struct BranchRow: Equatable { var parent: String? }

    struct World: Equatable {
        var vertices: [String: VertexRow] = [:]
        var people: [Int64: PersonRow] = [:]
        var companies: Set<Int64> = []
        var branches: [String: BranchRow] = [:]
    }

    static let longest = 6
    var generator: SplitMix64
    var world = World()
    /// How many names were made.
    var names = 0
    var log: [String] = []
    var operationCount = 0

    init(seed: UInt64) { generator = SplitMix64(state: seed) }

    mutating func operate(_ context: some DatabaseContext) async throws {
        switch Int.random(in: 0..<16, using: &generator) {
        case 0..<2: try await addVertices(context)
        case 2..<5: try await changeVertices(context)
        case 5: try await deleteVertices(context)
        case 6: try await changeVerticesBySQL(context)
        case 7..<9: try await addPeople(context)
        case 9, 10: try await changePeople(context)
        case 11, 12: try await moveStaff(context)
        case 13: try await deletePeople(context)
        case 14: try await growBranches(context)
        default: try await cutBranches(context)
        }
    }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    mutating func some<Element>(_ elements: [Element], _ count: Int) -> [Element] {
        Array(elements.shuffled(using: &generator).prefix(count))
    }

    mutating func name() -> String {
        names += 1
        return "n\(names)"
    }
}

// MARK: - Vertices

extension GraphTrial {
    /// Adds new vertices, linked at random with each other and with some that exist; saves all of them, or one with
    /// what it leads to.
    private mutating func addVertices(_ context: some DatabaseContext) async throws {
        let known = try await context.fetch(Vertex.self, keys: some(world.vertices.keys.sorted(), 3))
        let new = (0..<1 + below(6)).map { _ in Vertex(name()) }
        let pool = new + Self.reachable(known)
        for vertex in new { link(vertex, pool) }
        if let vertex = known.first, below(2) == 0 { link(vertex, pool) }
        let roots = below(2) == 0 ? new : [new[0]]
        log.append("add \(new.map(\.name)) beside \(known.map(\.name)), save \(roots.map(\.name))")
        try await context.save(roots)
        for vertex in Self.reachable(roots) { world.vertices[vertex.name] = VertexRow(vertex) }
        Self.dissolve(pool)
    }

    private mutating func changeVertices(_ context: some DatabaseContext) async throws {
        let keys = some(world.vertices.keys.sorted(), 1 + below(4))
        let roots = try await context.fetch(Vertex.self, keys: keys)
        try expect(roots.map(\.name), equals: keys, "the keys that were fetched")
        let all = Self.reachable(roots)
        let changed = some(all, 1 + below(3))
        for vertex in changed { link(vertex, all) }
        log.append("change \(changed.map(\.name)), reached from \(keys)")
        var saved = Self.reachable(roots)
        switch below(4) {
        case 0:
            log.append("save the first alone")
            try await context.save(Array(roots.prefix(1)), scope: .object)
            saved = Array(roots.prefix(1))
        case 1:
            log.append("save along edges.next")
            try await context.save(roots, scope: .following(["edges.next"]))
            saved = roots.flatMap { [$0] + $0.edges + $0.edges.compactMap(\.next) }
        default: try await context.save(roots)
        }
        for vertex in saved { world.vertices[vertex.name] = VertexRow(vertex) }
        let clean = saved.filter(\.isDirty).map(\.name)
        try expect(clean, equals: [], "what is dirty although it was saved")
        Self.dissolve(all)
    }

    private mutating func deleteVertices(_ context: some DatabaseContext) async throws {
        let keys = some(world.vertices.keys.sorted(), 1 + below(world.vertices.count > 30 ? 15 : 2))
        log.append("delete \(keys)")
        let all = try await context.fetch(Vertex.self, keys: keys)
        try expect(try await context.delete(all), equals: keys.count, "the number of rows deleted")
        for key in keys { forgetVertex(key) }
        Self.dissolve(Self.reachable(all))
    }

    private mutating func changeVerticesBySQL(_ context: some DatabaseContext) async throws {
        let keys = some(world.vertices.keys.sorted(), 2)
        guard keys.count == 2 else { return }
        switch below(3) {
        case 0:
            log.append("SQL deletes \(keys[0])")
            try await context.sql("DELETE FROM vertex WHERE name = \(keys[0])").execute()
            forgetVertex(keys[0])
        case 1:
            log.append("SQL links \(keys)")
            try await context.sql("UPDATE vertex SET next_name = \(keys[1]) WHERE name = \(keys[0])").execute()
            world.vertices[keys[0]]?.next = keys[1]
        default:
            log.append("SQL unlinks edges to \(keys[0])")
            try await context.sql("DELETE FROM vertex_edges WHERE edges_name = \(keys[0])").execute()
            for key in world.vertices.keys { world.vertices[key]?.edges.removeAll { $0 == keys[0] } }
        }
    }

    private mutating func forgetVertex(_ key: String) {
        world.vertices[key] = nil
        for other in world.vertices.keys {
            world.vertices[other]?.edges.removeAll { $0 == key }
            if world.vertices[other]?.next == key { world.vertices[other]?.next = nil }
        }
    }

    private mutating func link(_ vertex: Vertex, _ pool: [Vertex]) {
        if below(2) == 0 { vertex.next = below(4) == 0 ? nil : pool[below(pool.count)] }
        for _ in 0..<below(4) {
            ArrayEdit.random(count: vertex.edges.count, picks: pool.count, using: &generator)
                .apply(to: &vertex.edges, pool: pool)
        }
    }

    /// Returns the reachable vertices, each once.
    static func reachable(_ roots: [Vertex]) -> [Vertex] {
        var result: [Vertex] = []
        var seen = Set<ObjectIdentifier>()
        var pending = Array(roots.reversed())
        while let vertex = pending.popLast() {
            guard seen.insert(ObjectIdentifier(vertex)).inserted else { continue }
            result.append(vertex)
            pending += [vertex.next].compactMap(\.self) + vertex.edges
        }
        return result
    }

    /// Opens the cycles, so that nothing stays in memory.
    static func dissolve(_ vertices: [Vertex]) {
        for vertex in vertices { (vertex.next, vertex.edges) = (nil, []) }
    }
}

extension GraphTrial.VertexRow {
    init(_ vertex: Vertex) { self.init(next: vertex.next?.name, edges: vertex.edges.map(\.name)) }
}
