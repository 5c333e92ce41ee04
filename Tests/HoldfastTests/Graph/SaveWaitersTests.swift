import Testing

@testable import Holdfast

@Suite struct SaveWaitersTests {
    private final class Thing {}

    private let waiters = SaveWaiters()
    private let thing = Thing()
    private var object: ObjectIdentifier { ObjectIdentifier(thing) }

    @Test(.timeLimit(.minutes(1)))
    func `whoever took a place before the other save ended does not wait for it`() async throws {
        let place = waiters.place(at: object)
        waiters.finished([object])
        try await waiters.wait(at: place)
        #expect(!waiters.hasWaiters)
    }

    @Test(.timeLimit(.minutes(1)))
    func `all who wait go on when the other save ends`() async throws {
        let places = (0..<3).map { _ in waiters.place(at: object) }
        try await withThrowingTaskGroup { [waiters, object] group in
            for place in places { group.addTask { try await waiters.wait(at: place) } }
            group.addTask {
                try await Task.sleep(for: .milliseconds(20))
                waiters.finished([object])
            }
            try await group.waitForAll()
        }
        #expect(!waiters.hasWaiters)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a task that is cancelled stops waiting, and leaves no place behind`() async throws {
        let task = Task { [waiters, place = waiters.place(at: object)] in try await waiters.wait(at: place) }
        task.cancel()
        await #expect(throws: DatabaseError.self) { try await task.value }
        #expect(!waiters.hasWaiters)
    }

    @Test func `saves of other objects are none of one's business`() {
        let place = waiters.place(at: object)
        waiters.finished([ObjectIdentifier(Thing.self)])
        #expect(waiters.hasWaiters)
        #expect(place.object == object)
    }
}
