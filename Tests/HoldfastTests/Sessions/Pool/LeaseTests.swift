import Testing

@testable import Holdfast

@Suite(.timeLimit(.minutes(5))) struct LeaseTests {
    @Test func `releasing twice gives the connection back once`() async throws {
        let server = FakeServer()
        let pool = server.pool(1)
        let first = try await pool.lease(purpose: "find")
        first.release()
        #expect(!first.isLive)
        let second = try await pool.lease(purpose: "find")
        first.release()
        first.discard()
        #expect(second.isLive)
        #expect(pool.statistics.holders.count == 1)
        second.release()
        #expect(server.opened == 1)
        await pool.close()
    }

    @Test func `a connection left in a transaction is closed`() async throws {
        let server = FakeServer()
        let pool = server.pool(1)
        let lease = try await pool.lease(purpose: "transaction")
        (lease.connection as? FakeConnection)?.begin()
        lease.release()
        let next = try await pool.lease(purpose: "find")
        #expect(next.number == 2)
        #expect(server.open == 1)
        next.release()
        await pool.close()
    }

    @Test func `a connection that broke is closed`() async throws {
        let pool = FakeServer().pool(1)
        let lease = try await pool.lease(purpose: "find")
        (lease.connection as? FakeConnection)?.breakDown()
        lease.release()
        let next = try await pool.lease(purpose: "find")
        #expect(next.number == 2)
        next.release()
        await pool.close()
    }

    @Test func `a discarded lease closes a connection that looks healthy`() async throws {
        let pool = FakeServer().pool(1)
        try await pool.lease(purpose: "find").discard()
        let next = try await pool.lease(purpose: "find")
        #expect(next.number == 2)
        next.release()
        await pool.close()
    }

    @Test func `a lease that is dropped gives its connection back to be closed`() async throws {
        let server = FakeServer()
        let pool = server.pool(1)
        _ = try await pool.lease(purpose: "find")
        let next = try await pool.lease(purpose: "find")
        #expect(next.number == 2)
        next.release()
        await pool.close()
        #expect(server.open == 0)
    }
}
