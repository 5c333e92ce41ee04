import Testing

@testable import Holdfast

@Suite struct BoundedBufferTests {
    private func notification(_ payload: String) -> DatabaseNotification {
        .received(channel: "c", payload: payload)
    }

    private func all(_ buffer: inout BoundedBuffer<DatabaseNotification>) -> [DatabaseNotification] {
        var result: [DatabaseNotification] = []
        while let next = buffer.next() { result.append(next) }
        return result
    }

    @Test func `as many as fit are kept in order`() {
        var buffer = BoundedBuffer(limit: 2, gap: DatabaseNotification.mayHaveMissed)
        buffer.append(notification("a"))
        buffer.append(notification("b"))
        #expect(all(&buffer) == [notification("a"), notification("b")])
        #expect(buffer.next() == nil)
    }

    @Test func `of too many the oldest go, and that is said once`() {
        var buffer = BoundedBuffer(limit: 2, gap: DatabaseNotification.mayHaveMissed)
        for payload in ["a", "b", "c", "d"] { buffer.append(notification(payload)) }
        #expect(all(&buffer) == [.mayHaveMissed, notification("c"), notification("d")])
    }

    @Test func `a gap is told before what is left`() {
        var buffer = BoundedBuffer(limit: 2, gap: DatabaseNotification.mayHaveMissed)
        buffer.append(notification("a"))
        buffer.appendGap()
        buffer.appendGap()
        #expect(all(&buffer) == [.mayHaveMissed, notification("a")])
    }

    @Test func `a limit below one is one`() {
        var buffer = BoundedBuffer(limit: 0, gap: DatabaseNotification.mayHaveMissed)
        buffer.append(notification("a"))
        #expect(all(&buffer) == [notification("a")])
    }
}
