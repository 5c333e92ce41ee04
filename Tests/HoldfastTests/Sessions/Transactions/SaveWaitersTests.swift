import Testing

@testable import Holdfast

@Suite struct SaveWaitersTests {
    private final class Thing {}

    private let waiters = SaveWaiters()
    private let thing = Thing()
    private var object: ObjectIdentifier { ObjectIdentifier(thing) }

    @Test(.timeLimit(.minutes(1)))
    func `whoever drew a ticket before the other save ended does not wait for it`() async throws {
        let ticket = waiters.ticket(for: object)
        waiters.finished([object])
        try await waiters.wait(with: ticket)
        #expect(!waiters.hasWaiters)
    }

    @Test(.timeLimit(.minutes(1)))
    func `all who wait go on when the other save ends`() async throws {
        let tickets = (0..<3).map { _ in waiters.ticket(for: object) }
        try await withThrowingTaskGroup { [waiters, object] group in
            for ticket in tickets { group.addTask { try await waiters.wait(with: ticket) } }
            group.addTask {
                try await Task.sleep(for: .milliseconds(20))
                waiters.finished([object])
            }
            try await group.waitForAll()
        }
        #expect(!waiters.hasWaiters)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a task that is cancelled stops waiting, and leaves no ticket behind`() async throws {
        let task = Task { [waiters, ticket = waiters.ticket(for: object)] in try await waiters.wait(with: ticket) }
        task.cancel()
        await #expect(throws: DatabaseError.self) { try await task.value }
        #expect(!waiters.hasWaiters)
    }

    @Test func `saves of other objects are none of one's business`() {
        let ticket = waiters.ticket(for: object)
        waiters.finished([ObjectIdentifier(Thing.self)])
        #expect(waiters.hasWaiters)
        #expect(ticket.object == object)
    }
}
