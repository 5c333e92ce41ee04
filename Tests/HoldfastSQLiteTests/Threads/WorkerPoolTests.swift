import Foundation
import Holdfast
import Testing

@testable import HoldfastSQLite

struct WorkerPoolTests {
    @Test(.timeLimit(.minutes(4))) func `every job runs, also where threads end meanwhile`() async throws {
        let pool = WorkerPool(patience: .milliseconds(1))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<4 {
                group.addTask {
                    var sum = 0
                    for index in 0..<500 {
                        sum += try await pool.run { index }
                        // Long enough, at times, for the thread to give up just now.
                        if index % 5 == number { try await Task.sleep(for: .microseconds(Int.random(in: 900...1100))) }
                    }
                    return sum
                }
            }
            for try await sum in group { #expect(sum == 499 * 250) }
        }
    }

    @Test(.timeLimit(.minutes(4))) func `jobs that block don't keep others from running`() async throws {
        let pool = WorkerPool()
        let gate = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await pool.run { gate.wait() } } }
            try await pool.run { for _ in 0..<20 { gate.signal() } }
            try await group.waitForAll()
        }
    }

    @Test func `a stopped pool still runs what comes`() async throws {
        let pool = WorkerPool()
        #expect(try await pool.run { 1 } == 1)
        pool.stop()
        for number in 0..<20 { #expect(try await pool.run { number } == number) }
    }

    @Test func `what a job throws is passed on`() async throws {
        struct Refusal: Error {}
        let pool = WorkerPool()
        await #expect(throws: Refusal.self) { try await pool.run { throw Refusal() } }
    }

    @Test func `durations of any length can be added to a moment`() {
        let now = MonotonicTime.now
        #expect(now.advanced(by: .milliseconds(5)).nanoseconds == now.nanoseconds + 5_000_000)
        #expect(now.advanced(by: .seconds(Int64.max)) == .distantFuture)
        #expect(now.advanced(by: .seconds(3_000_000_000)) < .distantFuture)
        #expect(now.advanced(by: .zero) == now)
    }
}
