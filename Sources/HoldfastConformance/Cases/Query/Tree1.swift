import Foundation
import Holdfast

/// Trees along a relation of a type to itself.
extension ConformanceCase {
    static let tree1: [ConformanceCase] = [
        ConformanceCase(
            "tree-1.reference", "TREE-1",
            "Whatever is above or below an object is found, by the reference that it holds"
        ) { environment in
            let sample = try await InnerSample(environment)
            let (all, engineers) = (sample.all, sample.engineers)
            func above(_ engineer: Engineer, _ depth: Int = .max) -> [Engineer] {
                depth > 0 ? engineer.boss.map { [$0] + above($0, depth - 1) } ?? [] : []
            }
            func below(_ top: Engineer, _ depth: Int = .max) -> [Key] {
                sample.keys { above($0, depth).contains { $0.id == top.id } }
            }
            for engineer in engineers.prefix(8) {
                let name = engineer.name
                try expect(
                    try await all.descendants(of: engineer, via: \.boss).keys(), equals: below(engineer),
                    "below \(name)")
                let found = Set(above(engineer).map(\.id))
                try expect(
                    try await all.ancestors(of: engineer, via: \.boss).fetch().map(\.id),
                    equals: engineers.map(\.id).filter(found.contains), "above \(name)")
            }
            let top = engineers[0]
            for depth in 0...3 {
                try expect(
                    try await all.descendants(of: top, via: \.boss, depth: depth).keys(), equals: below(top, depth),
                    "\(depth) steps down")
            }
            let low = engineers.max { above($0).count < above($1).count } ?? top
            try expect(
                try await all.where { $0.isAncestor(of: low, via: \.boss, depth: 2) }.count(),
                equals: Set(above(low, 2).map(\.id)).count, "two steps up")
            let few = all.descendants(of: top, via: \.boss).where { $0.age > 10 }.order { $0.age.descending }.limit(3)
            let expected = engineers.filter { e in e.age > 10 && above(e).contains { $0.id == top.id } }
                .sorted { ($1.age, $0.id ?? 0) < ($0.age, $1.id ?? 0) }.prefix(3).map(\.id)
            try expect(
                try await few.fetch().map(\.id), equals: Array(expected), "with a condition, an order and a limit")
            try await sample.check("a condition, negated, and behind a relation") {
                $0.boss.isDescendant(ofKey: top.id ?? 0, via: \.boss)
            } means: { e in
                e.boss.map { above($0).contains { $0.id == top.id } } ?? false
            }
            try expect(
                try await all.descendants(of: top, via: \.boss).update { $0.shoe.set(-7) }, equals: below(top).count,
                "a bulk update")
        },
        ConformanceCase(
            "tree-1.cycles", "TREE-1", "A walk ends in a cycle, and what it begins at is not part of what it finds"
        ) { environment in
            let db = try await environment.open(Vertex.self)
            var random = SplitMix64(state: environment.seed)
            let vertices = (0..<30).map { Vertex("v\($0 < 10 ? "0" : "")\($0)") }
            for vertex in vertices {
                if Int.random(in: 0..<5, using: &random) > 0 { vertex.next = vertices.randomElement(using: &random) }
                vertex.edges = Array(vertices.shuffled(using: &random).prefix(Int.random(in: 0..<3, using: &random)))
            }
            vertices[0].next = vertices[1]
            vertices[1].next = vertices[0]
            vertices[2].next = vertices[2]
            try await db.save(vertices)
            func reached(from start: Vertex, depth: Int?, _ step: (Vertex) -> [Vertex]) -> [String] {
                var (found, frontier): (Set<String>, [Vertex]) = ([], [start])
                for _ in 0..<(depth ?? 100) {
                    frontier = frontier.flatMap(step).filter { found.insert($0.name).inserted }
                }
                return found.subtracting([start.name]).sorted()
            }
            let all = db.query(Vertex.self)
            for vertex in vertices {
                for depth in [nil, 1, 3] {
                    let what = "\(vertex.name), \(depth.map { "\($0) steps" } ?? "all")"
                    let above = try await all.ancestors(of: vertex, via: \.next, depth: depth).keys()
                    try expect(
                        above,
                        equals: reached(from: vertex, depth: depth) { $0.next.map { [$0] } ?? [] }.map { Key($0) },
                        "above \(what)")
                    let below = try await all.descendants(of: vertex, via: \.next, depth: depth).keys()
                    try expect(
                        below,
                        equals: reached(from: vertex, depth: depth) { v in vertices.filter { $0.next === v } }
                            .map { Key($0) },
                        "below \(what)")
                    let along = try await all.descendants(of: vertex, via: \.edges, depth: depth).keys()
                    try expect(
                        along, equals: reached(from: vertex, depth: depth) { $0.edges }.map { Key($0) },
                        "along the edges from \(what)")
                    let back = try await all.where { $0.isAncestor(of: vertex, via: \.edges, depth: depth) }.keys()
                    try expect(
                        back,
                        equals: reached(from: vertex, depth: depth) { v in
                            vertices.filter { $0.edges.contains { $0 === v } }
                        }.map { Key($0) }, "back along the edges from \(what)")
                }
            }
        },
        ConformanceCase(
            "tree-1.levels", "TREE-1", "Objects have levels in a tree: the number of those above them, each once"
        ) { environment in
            let db = try await environment.open(Vertex.self, Plot.self)
            let vertices = (0..<9).map { Vertex("v\($0)") }
            for index in 1..<7 { vertices[index].next = vertices[(index - 1) / 2] }
            (vertices[7].next, vertices[8].next) = (vertices[8], vertices[7])
            vertices[0].edges = [vertices[1], vertices[2]]
            vertices[1].edges = [vertices[2]]
            try await db.save(vertices)
            let all = db.query(Vertex.self)
            let found = try await all.select { ($0, $0.treeLevel(via: \.next), $0.treeLevel(via: \.edges)) }.fetch()
            try expect(found.map(\.0.name), equals: vertices.map(\.name), "the objects")
            try expect(found.map(\.1), equals: [0, 1, 1, 2, 2, 2, 2, 1, 1], "the levels, and those of a cycle")
            try expect(found.map(\.2), equals: [0, 1, 2, 0, 0, 0, 0, 0, 0], "the levels by an array of children")
            let deep = try await all.where { $0.treeLevel(via: \.next) == 2 }.order { $0.name.descending }.fetch()
            try expect(deep.map(\.name), equals: ["v6", "v5", "v4", "v3"], "a condition on the level")
            let groups = try await all.group { $0.treeLevel(via: \.next) }
                .select { ($0.treeLevel(via: \.next), $0.rowCount) }.fetch()
            try expect(groups.map { "\($0.0) \($0.1)" }, equals: ["0 1", "1 4", "2 4"], "groups by the level")
            let parents = try await all.order { $0.treeLevel(via: \.next).descending }
                .select { $0.next.treeLevel(via: \.next) }.fetch()
            try expect(parents, equals: [1, 1, 1, 1, 0, 0, 1, 1, 0], "the level of what a relation leads to")
            let plots = (0..<6).map { Plot("r\($0 % 2)", $0) }
            for (index, plot) in plots.enumerated() where index > 0 { plot.parent = plots[(index - 1) / 2] }
            try await db.save(plots)
            let levels = try await db.query(Plot.self).order(\.number).select { $0.treeLevel(via: \.parent) }.fetch()
            try expect(levels, equals: [0, 1, 1, 2, 2, 2], "the levels by a key of two values")
        },
        ConformanceCase(
            "tree-1.keys", "TREE-1",
            "Keys of several values, arrays of the other side, and what expires make trees, too"
        ) { environment in
            let clock = SetClock()
            let db = try await environment.open(Plot.self, Branch.self, Twig.self) { clock.attach(to: &$0) }
            let plots = (0..<6).map { Plot("r\($0 % 2)", $0) }
            for (index, plot) in plots.enumerated() where index > 0 { plot.parent = plots[(index - 1) / 2] }
            try await db.save(plots)
            let below = try await db.query(Plot.self).descendants(of: plots[1], via: \.parent).fetch()
            try expect(below.map(\.number).sorted(), equals: [3, 4], "below a key of two values")
            let above = try await db.query(Plot.self).where { $0.isAncestor(of: plots[5], via: \.parent) }.fetch()
            try expect(above.map(\.number).sorted(), equals: [0, 2], "above a key of two values")

            let branches = (0..<4).map { Branch("b\($0)") }
            for index in 1..<4 { branches[index - 1].branches = [branches[index]] }
            try await db.save(branches[0])
            let labels = try await db.query(Branch.self).descendants(of: branches[1], via: \.branches).fetch()
            try expect(labels.map(\.label).sorted(), equals: ["b2", "b3"], "by the array of the other side")

            let soon = clock.now.addingTimeInterval(10)
            let twigs = (0..<5).map { Twig("t\($0)", until: $0 == 2 ? soon : nil) }
            for index in 1..<5 {
                twigs[index].parent = twigs[index - 1]
                twigs[index - 1].offshoots = [twigs[index]]
            }
            try await db.save(twigs)
            func found() async throws -> [[String]] {
                let all = db.query(Twig.self)
                return [
                    try await all.descendants(of: twigs[0], via: \.parent).select(\.name).fetch(),
                    try await all.descendants(of: twigs[0], via: \.offshoots).select(\.name).fetch(),
                    try await all.ancestors(of: twigs[4], via: \.parent).select(\.name).fetch(),
                    try await all.ancestors(of: twigs[4], via: \.offshoots).select(\.name).fetch(),
                ]
            }
            let (down, up) = (["t1", "t2", "t3", "t4"], ["t0", "t1", "t2", "t3"])
            try expect(try await found(), equals: [down, down, up, up], "before one of them expires")
            clock.now = soon
            try expect(try await found(), equals: [["t1"], ["t1"], ["t3"], ["t3"]], "after it has expired")
        },
        ConformanceCase("tree-1.refused", "TREE-1", "What is no tree throws before anything is sent") { environment in
            let sample = try await InnerSample(environment)
            let (all, top) = (sample.all, sample.engineers[0])
            try await expect(.invalidValue, from: "a depth below 0") {
                _ = try await all.descendants(of: top, via: \.boss, depth: -1).fetch()
            }
            try await expect(.invalidValue, from: "a new object") {
                _ = try await all.descendants(of: Engineer("new", age: 1), via: \.boss).fetch()
            }
            try await expect(.invalidValue, from: "two relations, one after the other") {
                _ = try await all.descendants(of: top, via: \.boss.boss).fetch()
            }
            try await expect(.invalidValue, from: "a relation to another type") {
                _ = try await all.where { $0.isDescendant(of: top) { $0.team.lead } }.fetch()
            }
        },
    ]
}
