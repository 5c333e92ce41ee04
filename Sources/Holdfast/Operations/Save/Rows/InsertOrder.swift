/// In which order new rows are inserted, so that each foreign key finds its row.
///
/// Tables come before those that refer to them. Where tables refer to each other, or one to itself, their rows are
/// inserted level by level, if the levels are few; else with NULL in the keys that take it, which are set afterwards.
struct InsertOrder {
    /// A reference from one new row to another.
    struct Edge {
        let owner: Int
        let target: Int
        /// Whether it can't be NULL, so can't be set afterwards.
        let isRequired: Bool
    }

    /// More levels than this are not inserted one by one.
    static let maximumLevels = 16

    /// For each node, when it is inserted: nodes of equal rank together.
    private(set) var ranks: [Int]
    /// The edges, by their indices, that are set after all rows were inserted.
    private(set) var deferred: Set<Int> = []
    /// A node in a cycle of references none of which can be NULL; then there is no order.
    private(set) var stuck: Int?

    /// - Parameters:
    ///   - tables: For each node the number of its table.
    ///   - edges: The references among the nodes.
    init(tables: [Int32], edges: [Edge]) {
        ranks = [Int](repeating: 0, count: tables.count)
        let tableCount = Int(tables.max() ?? -1) + 1
        var targets = [Set<Int>](repeating: [], count: tableCount)
        for edge in edges { targets[Int(tables[edge.owner])].insert(Int(tables[edge.target])) }
        let components = Self.components(targets)
        var componentOfTable = [Int](repeating: 0, count: tableCount)
        for (number, component) in components.enumerated() {
            for table in component { componentOfTable[table] = number }
        }
        var inner = [[Int]](repeating: [], count: components.count)
        for (index, edge) in edges.enumerated() {
            let component = componentOfTable[Int(tables[edge.owner])]
            if component == componentOfTable[Int(tables[edge.target])] { inner[component].append(index) }
        }
        var levels = [Int](repeating: 0, count: tables.count)
        var depths = [Int](repeating: 1, count: components.count)
        for (component, indices) in inner.enumerated() where !indices.isEmpty {
            depths[component] = assignLevels(indices, edges, &levels)
        }
        var offsets: [Int] = []
        var offset = 0
        for (component, depth) in depths.enumerated() {
            // Tables of one component share its levels, and are told apart within them.
            offsets.append(offset)
            offset += depth * components[component].count
        }
        var numbers = [Int](repeating: 0, count: tableCount)
        for component in components {
            for (number, table) in component.enumerated() { numbers[table] = number }
        }
        for node in tables.indices {
            let table = Int(tables[node])
            let component = componentOfTable[table]
            ranks[node] = offsets[component] + levels[node] * components[component].count + numbers[table]
        }
    }

    /// Gives the nodes of a component their levels, and defers what it must.
    ///
    /// - Returns: The number of levels.
    private mutating func assignLevels(_ indices: [Int], _ edges: [Edge], _ levels: inout [Int]) -> Int {
        if let count = Self.levels(indices, edges, &levels).count, count <= Self.maximumLevels { return count }
        for index in indices { levels[edges[index].owner] = 0 }
        for index in indices { levels[edges[index].target] = 0 }
        let required = indices.filter { edges[$0].isRequired }
        deferred.formUnion(indices.lazy.filter { !edges[$0].isRequired })
        guard !required.isEmpty else { return 1 }
        let (count, rest) = Self.levels(required, edges, &levels)
        if let rest { stuck = stuck ?? rest }
        return count ?? 1
    }

    /// Kahn's topological order (1962), by levels.
    ///
    /// - Returns: The number of levels, or a node that is part of a cycle.
    private static func levels(
        _ indices: [Int], _ edges: [Edge], _ levels: inout [Int]
    ) -> (count: Int?, stuck: Int?) {
        var missing: [Int: Int] = [:]
        var owners: [Int: [Int]] = [:]
        for index in indices {
            missing[edges[index].owner, default: 0] += 1
            missing[edges[index].target, default: 0] += 0
            owners[edges[index].target, default: []].append(edges[index].owner)
        }
        var ready = missing.filter { $0.value == 0 }.map(\.key)
        var placed = 0
        var greatest = 0
        while let node = ready.popLast() {
            placed += 1
            greatest = max(greatest, levels[node])
            for owner in owners[node] ?? [] {
                levels[owner] = max(levels[owner], levels[node] + 1)
                let left = (missing[owner] ?? 0) - 1
                missing[owner] = left
                if left == 0 { ready.append(owner) }
            }
        }
        if placed == missing.count { return (greatest + 1, nil) }
        return (nil, missing.first { $0.value > 0 }?.key)
    }

    /// The strongly connected components of a graph, those that are referred to first (Tarjan 1972), without recursion.
    private static func components(_ targets: [Set<Int>]) -> [[Int]] {
        var indices = [Int](repeating: -1, count: targets.count)
        var lows = indices
        var isOnStack = [Bool](repeating: false, count: targets.count)
        var stack: [Int] = []
        var result: [[Int]] = []
        var next = 0
        for root in targets.indices where indices[root] < 0 {
            var path: [(node: Int, rest: [Int])] = []
            func enter(_ node: Int) {
                indices[node] = next
                lows[node] = next
                next += 1
                stack.append(node)
                isOnStack[node] = true
                path.append((node, targets[node].sorted()))
            }
            enter(root)
            while let (node, rest) = path.last {
                if let target = rest.last {
                    path[path.count - 1].rest.removeLast()
                    if indices[target] < 0 {
                        enter(target)
                    } else if isOnStack[target] {
                        lows[node] = min(lows[node], indices[target])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.node { lows[parent] = min(lows[parent], lows[node]) }
                guard lows[node] == indices[node] else { continue }
                var component: [Int] = []
                while let member = stack.popLast() {
                    isOnStack[member] = false
                    component.append(member)
                    if member == node { break }
                }
                result.append(component.sorted())
            }
        }
        return result
    }
}
