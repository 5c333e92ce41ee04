import Testing

@testable import Holdfast

@Suite struct LockPatienceTests {
    @Test func `pauses grow up to five seconds`() {
        var patience = LockPatience(limit: nil)
        let pauses = (0..<12).compactMap { _ in patience.nextPause() }
        #expect(pauses.count == 12)
        for (number, pause) in pauses.enumerated() {
            let longest = Duration.milliseconds(min(100 << number, 5_000))
            #expect(longest / 2 <= pause && pause <= longest)
        }
        #expect(patience.attempts == 12)
    }

    @Test func `there is no pause after the limit`() {
        let start = ContinuousClock.now
        var patience = LockPatience(limit: .seconds(10), start: start)
        #expect(patience.nextPause(at: start + .seconds(9)) != nil)
        #expect(patience.nextPause(at: start + .seconds(10)) == nil)
    }
}
