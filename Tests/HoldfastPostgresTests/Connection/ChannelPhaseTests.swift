import Testing

@testable import HoldfastPostgres

struct ChannelPhaseTests {
    private static let all: [ChannelPhase] = [.idle, .working, .underWay, .paused, .standing]

    private func after(_ change: (inout ChannelPhase) -> Void) -> [ChannelPhase] {
        Self.all.map { phase in
            var phase = phase
            change(&phase)
            return phase
        }
    }

    @Test func `a run begins only where none is under way`() {
        for phase in Self.all {
            var begun = phase
            #expect(begun.begin() == (phase == .idle))
            #expect(begun == (phase == .idle ? .working : phase))
        }
    }

    @Test func `what is sent makes the server busy, but not without a run`() {
        #expect(after { $0.send() } == [.idle, .underWay, .underWay, .paused, .standing])
        #expect(Self.all.map(\.isServerBusy) == [false, false, true, true, true])
    }

    @Test func `an answer leaves the run with its task, and one that stands as it is`() {
        #expect(after { $0.settle() } == [.idle, .working, .working, .working, .standing])
    }

    @Test func `a run is paused while its task is at work, and goes on under way`() {
        #expect(after { $0.pause() } == [.idle, .paused, .paused, .paused, .standing])
        #expect(after { $0.resume() } == [.idle, .working, .underWay, .underWay, .underWay])
    }

    @Test func `a run is parked by its task, which then counts no more`() {
        var results: [Bool] = []
        #expect(after { results.append($0.park()) } == [.idle, .standing, .standing, .paused, .standing])
        #expect(results == [false, true, true, false, false])
        #expect(Self.all.map(\.isAtWork) == [false, true, true, true, false])
    }

    @Test func `a run ends from every phase`() {
        #expect(after { $0.end() }.allSatisfy { $0 == .idle && !$0.hasRun })
    }
}
