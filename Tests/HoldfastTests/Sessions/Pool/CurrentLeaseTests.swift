import Testing

@testable import Holdfast

/// A plain class of a caller's, to show that closures may use what is not Sendable.
private final class Counter {
    var count = 0
}

@Suite(.timeLimit(.minutes(5))) struct CurrentLeaseTests {
    let database = DatabaseID()
    let pool = FakeServer().pool(2)

    @Test func `nothing is refused where nothing is held`() throws {
        try CurrentLease.check(database)
    }

    @Test func `the closure of a transaction may not use its database`() async throws {
        let lease = try await pool.lease(purpose: LeasePurpose("transaction", at: CallSite("App/Import.swift", 7)))
        await CurrentLease.holding(lease, of: database) {
            let error = #expect(throws: DatabaseError.self) { try CurrentLease.check(database) }
            #expect(
                error?.description == """
                    nestedCheckout: The database was used inside the closure of its own transaction at \
                    App/Import.swift:7, which holds a connection. Use the `Transaction` that the closure was given.
                    """)
        }
        try CurrentLease.check(database)
        lease.release()
    }

    @Test func `another database may be used, and both are refused inside both`() async throws {
        let other = DatabaseID()
        let lease = try await pool.lease(purpose: "transaction")
        let otherLease = try await pool.lease(purpose: "transaction")
        try await CurrentLease.holding(lease, of: database) {
            try CurrentLease.check(other)
            await CurrentLease.holding(otherLease, of: other) {
                #expect(throws: DatabaseError.self) { try CurrentLease.check(database) }
                #expect(throws: DatabaseError.self) { try CurrentLease.check(other) }
            }
            try CurrentLease.check(other)
        }
        lease.release()
        otherLease.release()
    }

    @Test func `child tasks are inside the closure`() async throws {
        let lease = try await pool.lease(purpose: "transaction")
        let database = database
        await CurrentLease.holding(lease, of: database) {
            async let refused = code { try CurrentLease.check(database) }
            #expect(await refused == .nestedCheckout)
        }
        lease.release()
    }

    @Test func `a task that outlives the transaction is free`() async throws {
        let lease = try await pool.lease(purpose: "transaction")
        let database = database
        let (stream, gate) = AsyncStream.makeStream(of: Void.self)
        let outliving = await CurrentLease.holding(lease, of: database) {
            Task {
                let before = await code { try CurrentLease.check(database) }
                for await _ in stream { break }
                return (before, await code { try CurrentLease.check(database) })
            }
        }
        try await Task.sleep(for: .milliseconds(20))
        lease.release()
        gate.yield()
        let (before, after) = await outliving.value
        #expect(before == .nestedCheckout)
        #expect(after == nil)
    }

    @Test func `the mark does not keep a lease that was dropped`() async throws {
        let server = FakeServer()
        let pool = server.pool(1)
        let database = database
        let (stream, gate) = AsyncStream.makeStream(of: Void.self)
        func drop() async throws -> Task<Void, Never> {
            let lease = try await pool.lease(purpose: "transaction")
            return await CurrentLease.holding(lease, of: database) { Task { for await _ in stream { break } } }
        }
        let outliving = try await drop()
        let next = try await pool.lease(purpose: "find")
        #expect(next.number == 2)
        next.release()
        gate.yield()
        await outliving.value
    }

    @MainActor @Test func `the closure runs where its caller does, and returns what is not Sendable`() async throws {
        let lease = try await pool.lease(purpose: "transaction")
        let counter = Counter()
        let same = await CurrentLease.holding(lease, of: database) {
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            counter.count += 1
            return counter
        }
        #expect(same === counter && counter.count == 1)
        lease.release()
    }
}
