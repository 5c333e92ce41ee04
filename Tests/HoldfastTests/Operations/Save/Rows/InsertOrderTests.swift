import Testing

@testable import Holdfast

@Suite struct InsertOrderTests {
    private func order(
        _ tables: [Int32], _ edges: [(owner: Int, target: Int)], isRequired: Bool = false
    ) -> InsertOrder {
        InsertOrder(
            tables: tables, edges: edges.map { .init(owner: $0.owner, target: $0.target, isRequired: isRequired) })
    }

    @Test func `without objects there is nothing to order`() {
        let order = order([], [])
        #expect(order.ranks.isEmpty && order.deferred.isEmpty && order.stuck == nil)
    }

    @Test func `a table comes before those that refer to it, all its rows together`() {
        let order = order([0, 1, 0, 1, 2], [(owner: 0, target: 1), (owner: 2, target: 3), (owner: 4, target: 0)])
        #expect(order.ranks[0] == order.ranks[2])
        #expect(order.ranks[1] == order.ranks[3])
        #expect(order.ranks[1] < order.ranks[0])
        #expect(order.ranks[0] < order.ranks[4])
        #expect(order.deferred.isEmpty && order.stuck == nil)
    }

    @Test func `tables that do not refer to each other are not inserted together`() {
        let order = order([0, 1], [])
        #expect(order.ranks[0] != order.ranks[1])
    }

    @Test func `rows that refer to others of their table come level by level`() {
        // 0 -> 1 -> 2, and 3 -> 2.
        let order = order(
            [0, 0, 0, 0], [(owner: 0, target: 1), (owner: 1, target: 2), (owner: 3, target: 2)])
        #expect(order.ranks[2] < order.ranks[1])
        #expect(order.ranks[1] < order.ranks[0])
        #expect(order.ranks[3] == order.ranks[1])
        #expect(order.deferred.isEmpty)
    }

    @Test func `a list of as many levels as are allowed is inserted level by level`() {
        let count = InsertOrder.maximumLevels
        let order = order(
            [Int32](repeating: 0, count: count), (1..<count).map { (owner: $0 - 1, target: $0) })
        #expect(order.deferred.isEmpty)
        #expect(order.ranks == (0..<count).reversed())
    }

    @Test func `a longer list is inserted together, and its references are set afterwards`() {
        let count = InsertOrder.maximumLevels + 1
        let order = order(
            [Int32](repeating: 0, count: count), (1..<count).map { (owner: $0 - 1, target: $0) })
        #expect(order.deferred == Set(0..<count - 1))
        #expect(Set(order.ranks).count == 1)
    }

    @Test func `a longer list of references that can't be NULL is inserted level by level all the same`() {
        let count = InsertOrder.maximumLevels + 1
        let order = order(
            [Int32](repeating: 0, count: count), (1..<count).map { (owner: $0 - 1, target: $0) }, isRequired: true)
        #expect(order.deferred.isEmpty && order.stuck == nil)
        #expect(order.ranks == (0..<count).reversed())
    }

    @Test func `of a cycle the references that can be NULL are set afterwards`() {
        let order = InsertOrder(
            tables: [0, 1],
            edges: [.init(owner: 0, target: 1, isRequired: true), .init(owner: 1, target: 0, isRequired: false)])
        #expect(order.deferred == [1])
        #expect(order.ranks[1] < order.ranks[0])
        #expect(order.stuck == nil)
    }

    @Test func `a cycle of references that can't be NULL has no order`() {
        let order = order(
            [0, 1, 2], [(owner: 0, target: 1), (owner: 1, target: 0), (owner: 2, target: 0)], isRequired: true)
        #expect(order.stuck == 0 || order.stuck == 1)
    }

    @Test func `a row that refers to itself is a cycle`() {
        let order = order([0], [(owner: 0, target: 0)])
        #expect(order.deferred == [0])
    }

    @Test func `a cycle of tables without one of rows defers nothing`() {
        // Two tables refer to each other, but 0 -> 1 -> 2 ends.
        let order = order([0, 1, 0], [(owner: 0, target: 1), (owner: 1, target: 2)])
        #expect(order.deferred.isEmpty)
        #expect(order.ranks[2] < order.ranks[1])
        #expect(order.ranks[1] < order.ranks[0])
    }

    @Test func `a cycle leaves the order of other tables as it is`() {
        // Table 1 is a cycle; 0 refers to it, and it refers to 2.
        let order = order(
            [0, 1, 1, 2],
            [(owner: 1, target: 2), (owner: 2, target: 1), (owner: 0, target: 1), (owner: 2, target: 3)])
        #expect(order.deferred == [0, 1])
        #expect(order.ranks[3] < order.ranks[1])
        #expect(order.ranks[1] == order.ranks[2])
        #expect(order.ranks[1] < order.ranks[0])
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func `every reference that is not deferred finds its row`(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        let count = Int.random(in: 1...24, using: &random)
        let tables = (0..<count).map { _ in Int32.random(in: 0..<5, using: &random) }
        let edges = (0..<Int.random(in: 0...30, using: &random)).map { _ in
            InsertOrder.Edge(
                owner: .random(in: 0..<count, using: &random), target: .random(in: 0..<count, using: &random),
                isRequired: Int.random(in: 0..<4, using: &random) == 0)
        }
        let order = InsertOrder(tables: tables, edges: edges)
        #expect(order.deferred.allSatisfy { !edges[$0].isRequired })
        guard order.stuck == nil else { return }
        // What goes together is of one table.
        for (rank, nodes) in Dictionary(grouping: tables.indices, by: { order.ranks[$0] }) {
            #expect(Set(nodes.map { tables[$0] }).count == 1, "rank \(rank)")
        }
        for (index, edge) in edges.enumerated() where !order.deferred.contains(index) {
            #expect(order.ranks[edge.target] < order.ranks[edge.owner], "\(edge)")
        }
    }
}
