import Testing

@testable import Holdfast

@Suite struct WaiterQueueTests {
    @Test func `members leave in the order in which they came`() {
        var queue = WaiterQueue<Int>()
        for member in 1...3 { _ = queue.append(member) }
        #expect([queue.popFirst(), queue.popFirst(), queue.popFirst(), queue.popFirst()] == [1, 2, 3, nil])
        #expect(queue.isEmpty)
    }

    @Test(arguments: 0..<4) func `a member that leaves early is skipped`(position: Int) {
        var queue = WaiterQueue<Int>()
        let tickets = (0..<4).map { queue.append($0) }
        #expect(queue.remove(tickets[position]) == position)
        #expect(queue.remove(tickets[position]) == nil)
        #expect(queue.count == 3)
        var rest: [Int] = []
        while let member = queue.popFirst() { rest.append(member) }
        #expect(rest == (0..<4).filter { $0 != position })
    }

    @Test func `a ticket that was served removes nobody`() {
        var queue = WaiterQueue<Int>()
        let first = queue.append(1)
        #expect(queue.popFirst() == 1)
        _ = queue.append(2)
        #expect(queue.remove(first) == nil)
        #expect(queue.first == 2)
    }

    @Test func `places left empty behind the first are dropped with it`() {
        var queue = WaiterQueue<Int>()
        let tickets = (0..<5).map { queue.append($0) }
        for ticket in tickets[1...3] { _ = queue.remove(ticket) }
        #expect(queue.popFirst() == 0)
        #expect(queue.first == 4)
        #expect(queue.count == 1)
    }

    @Test func `an emptied queue goes on with new tickets`() {
        var queue = WaiterQueue<Int>()
        let old = queue.append(1)
        _ = queue.remove(old)
        let new = queue.append(2)
        #expect(new != old)
        #expect(queue.remove(new) == 2)
    }
}
