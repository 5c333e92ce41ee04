import Testing

@testable import Holdfast

@Suite(.timeLimit(.minutes(5))) struct ConnectionPoolTests {
    @Test func `a released connection is used again`() async throws {
        let server = FakeServer()
        let pool = server.pool(4)
        for _ in 0..<10 { try await pool.lease(purpose: "find").release() }
        #expect(server.opened == 1)
        await pool.close()
        #expect(server.open == 0)
    }

    @Test func `an idle connection is had without waiting`() async throws {
        let pool = FakeServer().pool(2)
        #expect(pool.leaseIdle(purpose: "find") == nil)
        try await pool.lease(purpose: "find").release()
        let lease = try #require(pool.leaseIdle(purpose: "find"))
        #expect(pool.leaseIdle(purpose: "find") == nil)
        lease.release()
        await pool.close()
    }

    @Test func `waiters are served in order`() async throws {
        let pool = FakeServer().pool(1)
        let first = try await pool.lease(purpose: "find")
        let order = Record<Int>()
        await withThrowingTaskGroup { group in
            for position in 0..<5 {
                group.addTask {
                    let lease = try await pool.lease(purpose: "find")
                    order.append(position)
                    lease.release()
                }
                #expect(await eventually { pool.waiterCount == position + 1 })
            }
            first.release()
        }
        #expect(order.all == [0, 1, 2, 3, 4])
        await pool.close()
    }

    @Test func `a cancelled task leaves the queue immediately`() async throws {
        let pool = FakeServer().pool(1)
        let held = try await pool.lease(purpose: "find")
        let waiting = Task { await code { try await pool.lease(purpose: "find") } }
        #expect(await eventually { pool.waiterCount == 1 })
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        #expect(pool.waiterCount == 0)
        held.release()
        await pool.close()
    }

    @Test func `a connection that hangs while it is opened keeps nobody`() async throws {
        let pool = FakeServer(delay: .seconds(3_600)).pool(1)
        let start = ContinuousClock.now
        let waiting = Task { await code { try await pool.lease(purpose: "find") } }
        #expect(await eventually { pool.statistics.opening == 1 })
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        #expect(pool.statistics.opening == 1)
        await pool.close()
        #expect(pool.statistics.opening == 0)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func `a task that was cancelled before does not wait`() async throws {
        let pool = FakeServer().pool(1)
        let held = try await pool.lease(purpose: "find")
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await code { try await pool.lease(purpose: "find") }
        }
        #expect(await cancelled.value == .cancelled)
        held.release()
        await pool.close()
    }

    @Test func `the connection of a cancelled request serves the next`() async throws {
        let server = FakeServer(delay: .milliseconds(50))
        let pool = server.pool(1)
        let request = Task { await code { try await pool.lease(purpose: "find") } }
        #expect(await eventually { pool.waiterCount == 1 })
        request.cancel()
        #expect(await request.value == .cancelled)
        try await pool.lease(purpose: "find").release()
        #expect(server.opened == 1)
        await pool.close()
    }

    @Test func `a request times out, and the error names the holder`() async throws {
        let pool = FakeServer().pool(1, checkoutTimeout: .milliseconds(30))
        let purpose = LeasePurpose("transaction", at: CallSite("App/Import.swift", 7))
        let held = try await pool.patientLease(purpose: purpose)
        let error = await #expect(throws: DatabaseError.self) { try await pool.lease(purpose: "find") }
        #expect(error?.code == .poolTimeout)
        #expect(error?.message.contains("1 of at most 1 connections are in use") == true)
        #expect(error?.message.contains("transaction at App/Import.swift:7 for ") == true)
        held.release()
        try await pool.lease(purpose: "find").release()
        await pool.close()
    }

    @Test func `a timeout that means never is none`() async throws {
        let pool = FakeServer().pool(1, checkoutTimeout: .seconds(Int64.max), idleTimeout: .seconds(Int64.max))
        let held = try await pool.lease(purpose: "find")
        async let second = pool.lease(purpose: "find")
        #expect(await eventually { pool.waiterCount == 1 })
        held.release()
        try await second.release()
        await pool.close()
    }

    @Test func `all who wait get the error of a server that is down`() async throws {
        let server = FakeServer(delay: .milliseconds(5))
        server.refuse(with: DatabaseError(.authenticationFailed, "No."))
        let pool = server.pool(2)
        let codes = await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { await code { try await pool.lease(purpose: "find") } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .authenticationFailed, count: 20))
        server.refuse(with: nil)
        try await pool.lease(purpose: "find").release()
        await pool.close()
    }

    @Test func `an error of no kind of ours becomes one`() async throws {
        let server = FakeServer()
        server.refuse(with: CancellationError())
        let pool = server.pool(1)
        #expect(await code { try await pool.lease(purpose: "find") } == .cannotConnect)
        await pool.close()
    }

    @Test func `lost connections are noticed and replaced`() async throws {
        let server = FakeServer()
        let pool = server.pool(3)
        let leases = [
            try await pool.lease(purpose: "find"), try await pool.lease(purpose: "find"),
            try await pool.lease(purpose: "find"),
        ]
        for lease in leases { lease.release() }
        server.restart()
        let lease = try await pool.lease(purpose: "find")
        #expect(lease.number > 3)
        #expect(server.mostOpen == 3)
        lease.release()
        await pool.close()
        #expect(server.open == 0)
    }

    @Test func `idle connections are closed after a while`() async throws {
        let server = FakeServer()
        let pool = server.pool(2, idleTimeout: .milliseconds(20))
        try await pool.lease(purpose: "find").release()
        #expect(await eventually { server.open == 0 })
        try await pool.lease(purpose: "find").release()
        #expect(server.opened == 2)
        await pool.close()
    }

    @Test func `a pool that is dropped is freed, and its connections closed`() async throws {
        let server = FakeServer()
        weak var dropped: ConnectionPool?
        do {
            let pool = server.pool(2, idleTimeout: .seconds(300))
            dropped = pool
            try await pool.lease(purpose: "find").release()
        }
        #expect(await eventually { server.open == 0 })
        #expect(await eventually { dropped == nil })
    }
}

// MARK: - Closing

extension ConnectionPoolTests {
    @Test func `closing waits for leases, for every caller, and then refuses`() async throws {
        let server = FakeServer()
        let pool = server.pool(2)
        let held = try await pool.lease(purpose: "find")
        try await pool.lease(purpose: "find").release()
        let finished = Record<Int>()
        await withTaskGroup { group in
            for caller in 0..<3 {
                group.addTask {
                    await pool.close()
                    #expect(server.open == 0)
                    finished.append(caller)
                }
            }
            #expect(await eventually { server.open == 1 })
            #expect(await code { try await pool.lease(purpose: "find") } == .closed)
            #expect(finished.all.isEmpty)
            held.release()
        }
        await pool.close()
        #expect(finished.all.sorted() == [0, 1, 2])
        #expect(await code { try await pool.lease(purpose: "find") } == .closed)
    }

    @Test func `who waits when the pool closes is served`() async throws {
        let server = FakeServer()
        let pool = server.pool(1)
        let held = try await pool.lease(purpose: "find")
        async let waiting = pool.lease(purpose: "find")
        #expect(await eventually { pool.waiterCount == 1 })
        async let closing: Void = pool.close()
        #expect(await eventually { pool.isClosing })
        held.release()
        try await waiting.release()
        await closing
        #expect(server.open == 0)
    }

    @Test func `a cancelled task closes to the end`() async throws {
        let server = FakeServer()
        let pool = server.pool(1)
        let held = try await pool.lease(purpose: "find")
        let closing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await pool.close()
            return server.open
        }
        #expect(await eventually { pool.isClosing })
        held.release()
        #expect(await closing.value == 0)
    }
}
