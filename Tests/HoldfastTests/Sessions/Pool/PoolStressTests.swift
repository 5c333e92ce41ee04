import Synchronization
import Testing

@testable import Holdfast

/// What became of many requests.
private final class Tally: Sendable {
    struct Counts: Sendable {
        var served = 0
        var clashes = 0
        var codes: [DatabaseError.Code: Int] = [:]

        var failed: Int { codes.values.reduce(0, +) }
    }

    private let mutex = Mutex(Counts())

    var counts: Counts { mutex.withLock { $0 } }

    func count(_ change: (inout sending Counts) -> Void) { mutex.withLock { change(&$0) } }
}

extension ConnectionPool {
    /// Uses a lease as `draw` says: now and then it breaks, is left in a transaction, or dropped.
    fileprivate func exercise(_ draw: UInt64, _ tally: Tally) async {
        do {
            let lease = try await lease(purpose: "stress")
            let connection = lease.connection as? FakeConnection
            let isFine = await connection?.use() ?? false
            tally.count { counts in
                counts.served += 1
                if !isFine { counts.clashes += 1 }
            }
            switch draw % 20 {
            case 0: connection?.breakDown()
            case 1: connection?.begin()
            case 2: return
            case 3: lease.release()
            case 4: return lease.discard()
            default: break
            }
            lease.release()
        } catch let error as DatabaseError {
            tally.count { $0.codes[error.code, default: 0] += 1 }
        } catch {
            Issue.record(error)
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct PoolStressTests {
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `a thousand tasks with cancellations and breakage all end, on four connections`(seed: UInt64) async throws {
        var random = SeededGenerator(state: seed)
        let server = FakeServer()
        let tally = Tally()
        weak var dropped: ConnectionPool?
        do {
            let pool = server.pool(4, idleTimeout: .milliseconds(5))
            dropped = pool
            await withTaskGroup { group in
                for _ in 0..<1_000 {
                    let draw = random.next()
                    group.addTask {
                        let task = Task { await pool.exercise(draw, tally) }
                        if draw % 7 == 0 {
                            for _ in 0..<(draw % 50) { await Task.yield() }
                            task.cancel()
                        }
                        if draw % 211 == 0 { server.restart() }
                        await task.value
                    }
                }
            }
            let report = pool.statistics
            #expect(report.holders.isEmpty)
            #expect(pool.waiterCount == 0)
            await pool.close()
        }
        let end = tally.counts
        #expect(end.served + end.failed == 1_000)
        #expect(end.clashes == 0)
        #expect(end.codes.keys.allSatisfy { $0 == .cancelled }, "\(end.codes)")
        #expect(server.mostOpen <= 4)
        #expect(server.open == 0)
        #expect(await eventually { dropped == nil })
    }

    @Test func `a server that comes and goes fails requests, but none hangs`() async throws {
        let server = FakeServer()
        let pool = server.pool(4)
        let tally = Tally()
        await withTaskGroup { group in
            group.addTask {
                for round in 0..<20 {
                    server.refuse(with: round % 2 == 0 ? DatabaseError(.cannotConnect, "Down.") : nil)
                    server.restart()
                    for _ in 0..<50 { await Task.yield() }
                }
                server.refuse(with: nil)
            }
            for draw in 0..<1_000 as Range<UInt64> {
                group.addTask {
                    for _ in 0..<draw { await Task.yield() }
                    await pool.exercise(draw, tally)
                }
            }
        }
        let end = tally.counts
        #expect(end.served + end.failed == 1_000)
        #expect(end.clashes == 0)
        #expect(end.codes.keys.allSatisfy { $0 == .cannotConnect }, "\(end.codes)")
        try await pool.lease(purpose: "find").release()
        await pool.close()
        #expect(server.open == 0)
    }

    @Test func `a pool that is closed under load serves who came before, and refuses the rest`() async throws {
        let server = FakeServer()
        let pool = server.pool(4)
        let tally = Tally()
        await withTaskGroup { group in
            for draw in 0..<1_000 as Range<UInt64> {
                group.addTask {
                    for _ in 0..<(draw / 10) { await Task.yield() }
                    await pool.exercise(draw, tally)
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    _ = await eventually { tally.counts.served > 300 }
                    await pool.close()
                    #expect(server.open == 0)
                }
            }
        }
        let end = tally.counts
        #expect(end.served + end.failed == 1_000)
        #expect(end.clashes == 0)
        #expect(end.codes.keys.allSatisfy { $0 == .closed }, "\(end.codes)")
        #expect(server.open == 0)
    }

    @Test func `timeouts under load leave nothing behind`() async throws {
        let server = FakeServer()
        let pool = server.pool(2, checkoutTimeout: .milliseconds(20))
        let held = [try await pool.patientLease(purpose: "stream"), try await pool.patientLease(purpose: "stream")]
        let tally = Tally()
        await withTaskGroup { group in
            for draw in 0..<500 as Range<UInt64> {
                group.addTask { await pool.exercise(draw, tally) }
            }
        }
        #expect(tally.counts.codes == [.poolTimeout: 500])
        #expect(pool.waiterCount == 0)
        for lease in held { lease.release() }
        await pool.close()
        #expect(server.open == 0)
    }
}
