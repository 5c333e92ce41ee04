import Testing

@testable import Holdfast

/// A small generator with a seed, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// What a shell would do with the actions of a state, with a plain account of everything to hold against it.
struct PoolModel {
    var state: PoolState<Int, Int>
    var random: SeededGenerator
    var now = Duration.seconds(1_000)
    let maximum: Int

    var waiting: [(request: Int, ticket: Int, since: Duration)] = []
    var opening: Set<Int> = []
    var leased: [Int: Int] = [:]
    var closing: Set<Int> = []
    /// Connections that are open, in whatever state.
    var open: Set<Int> = []
    var requestCount = 0
    var connectionCount = 0
    var served = 0
    var failed = 0
    var isClosed = false
    /// The timer that is set.
    var wake: PoolWake?
    var lastWake = 0

    init(seed: UInt64) {
        random = SeededGenerator(state: seed)
        maximum = Int.random(in: 1...5, using: &random)
        state = PoolState(
            maximum: maximum, checkoutTimeout: .seconds(Int.random(in: 1...40, using: &random)),
            idleTimeout: Bool.random(using: &random) ? .seconds(Int.random(in: 1...60, using: &random)) : nil,
            maximumLifetime: Bool.random(using: &random) ? .seconds(Int.random(in: 1...90, using: &random)) : nil)
    }

    mutating func step() {
        now = now + .milliseconds(Int.random(in: 0...2_000, using: &random))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: request()
        case 35..<42: cancel()
        case 42..<60: finishOpening(succeeding: Int.random(in: 0..<4, using: &random) > 0)
        case 60..<85: release(isHealthy: Int.random(in: 0..<5, using: &random) > 0)
        case 85..<92: finishClosing()
        case 92..<99: tick()
        default: if Int.random(in: 0..<5, using: &random) == 0 { close() }
        }
        check()
    }

    mutating func request() {
        let request = requestCount
        requestCount += 1
        if waiting.isEmpty, Bool.random(using: &random), let (slot, _) = state.leaseIdle(for: "find", now: now) {
            #expect(leased[slot] == nil)
            leased[slot] = request
            served += 1
            return
        }
        let (ticket, action) = state.request(request, for: "find", now: now)
        if let ticket { waiting.append((request, ticket, now)) }
        perform(action, new: ticket == nil ? request : nil)
    }

    mutating func cancel() {
        guard let ticket = waiting.randomElement(using: &random)?.ticket else { return }
        perform(state.cancel(ticket))
        #expect(!waiting.contains { $0.ticket == ticket })
    }

    mutating func finishOpening(succeeding: Bool) {
        guard let slot = opening.sorted().randomElement(using: &random) else { return }
        opening.remove(slot)
        if succeeding {
            connectionCount += 1
            open.insert(connectionCount)
            #expect(open.count <= maximum)
            perform(state.opened(slot, connectionCount, now: now))
        } else {
            perform(state.openFailed(slot, DatabaseError(.cannotConnect, "No.")))
        }
    }

    mutating func release(isHealthy: Bool) {
        guard let slot = leased.keys.sorted().randomElement(using: &random) else { return }
        leased[slot] = nil
        if isHealthy, Bool.random(using: &random), state.parked(slot, now: now) { return }
        perform(state.released(slot, isHealthy: isHealthy, now: now))
    }

    mutating func finishClosing() {
        guard let slot = closing.sorted().randomElement(using: &random) else { return }
        closing.remove(slot)
        perform(state.closed(slot))
    }

    mutating func tick() {
        wake = nil
        perform(state.tick(now: now))
    }

    mutating func close() {
        isClosed = true
        perform(state.close())
    }

    /// Accounts for `action`; `new` is a request that was made with it and does not wait.
    mutating func perform(_ action: PoolAction<Int, Int>, new: Int? = nil) {
        var new = new
        if let grant = action.grant {
            if grant.request == new {
                new = nil
                #expect(waiting.isEmpty, "It jumped the queue.")
            } else {
                #expect(waiting.first?.request == grant.request, "Not first in, first out.")
                waiting.removeFirst()
            }
            #expect(leased[grant.slot] == nil, "Leased twice.")
            #expect(open.contains(grant.connection))
            leased[grant.slot] = grant.request
            served += 1
        }
        for slot in action.opens { #expect(opening.insert(slot).inserted) }
        for close in action.closes {
            #expect(closing.insert(close.slot).inserted)
            #expect(leased[close.slot] == nil)
            #expect(open.remove(close.connection) != nil, "Closed twice.")
        }
        for failure in action.failures {
            if failure.request == new {
                new = nil
                #expect(isClosed)
            } else if let position = waiting.firstIndex(where: { $0.request == failure.request }) {
                waiting.remove(at: position)
            } else {
                Issue.record("Failed a request that does not wait.")
            }
            failed += 1
        }
        #expect(new == nil, "A request neither waits nor ended.")
        if let next = action.wake {
            #expect(next.number > lastWake)
            lastWake = next.number
            wake = next
        }
    }

    func check() {
        let slots = state.slots
        #expect(opening.count + leased.count + closing.count + slots.idleCount <= maximum)
        #expect(slots.openingCount == opening.count)
        #expect(slots.leasedCount == leased.count)
        #expect(slots.closingCount == closing.count)
        #expect(slots.idleCount == open.count - leased.count)
        #expect(state.waiterCount == waiting.count)
        #expect(served + failed + waiting.count == requestCount, "A request was lost.")
        #expect(waiting.isEmpty || slots.idleCount == 0, "One waits while a connection is idle.")
        #expect(waiting.isEmpty || !(opening.isEmpty && leased.isEmpty && closing.isEmpty), "One waits for nothing.")
        if let first = waiting.first {
            let time = wake?.time ?? .seconds(Int64.max)
            #expect(time <= first.since + state.checkoutTimeout, "One waits without a timer.")
        }
        if let idleTimeout = state.idleTimeout, let oldest = slots.oldestIdle {
            #expect(wake?.time ?? .seconds(Int64.max) <= oldest + idleTimeout, "One is idle without a timer.")
        }
        if state.maximumLifetime != nil, let end = slots.firstEnd {
            #expect(wake?.time ?? .seconds(Int64.max) <= end, "One grows old without a timer.")
        }
        #expect(state.isDrained == (isClosed && waiting.isEmpty && opening.isEmpty && closing.isEmpty && open.isEmpty))
    }

    /// Closes the pool, and lets everything that is under way end.
    mutating func drain() {
        close()
        while !(opening.isEmpty && leased.isEmpty && closing.isEmpty) {
            finishOpening(succeeding: true)
            release(isHealthy: true)
            finishClosing()
            check()
        }
    }
}

@Suite struct PoolStateRandomTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `any order of events keeps the promises`(seed: UInt64) {
        var model = PoolModel(seed: seed)
        for _ in 0..<400 { model.step() }
        model.drain()
        #expect(model.state.isDrained)
        #expect(model.waiting.isEmpty)
        #expect(model.served + model.failed == model.requestCount)
        #expect(model.open.isEmpty)
    }
}
