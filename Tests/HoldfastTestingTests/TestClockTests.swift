import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import HoldfastTesting
import Testing

@Suite struct TestClockTests {
    @Test(
        .database(models: Ticket.self, clock: Date(timeIntervalSince1970: 1_000)),
        arguments: DriverType.tested(.sqlite, .postgres))
    func `objects expire by the clock of the test`(engine: DriverType) async throws {
        let db = try await Database.current(on: engine)
        let clock = try #require(try TestDatabase.current.clock)
        #expect(clock.now == Date(timeIntervalSince1970: 1_000))
        try await db.save(Ticket(code: "a", until: clock.now + 60))
        clock.advance(by: .seconds(59))
        #expect(try await db.count(Ticket.self) == 1)
        clock.advance(by: .seconds(1))
        #expect(try await db.count(Ticket.self) == 0)
        clock.set(to: Date(timeIntervalSince1970: 1_000))
        #expect(try await db.count(Ticket.self) == 1)
    }

    @Test(.database(.sqlite, models: Ticket.self, clock: Date()))
    func `a date computed from the clock is reached exactly`()
        async throws
    {
        let (db, clock) = (try Database.current, try #require(try TestDatabase.current.clock))
        for number in 1...200 {
            clock.set(to: Date() + Double(number) / 7)
            try await db.save(Ticket(code: "\(number)", until: clock.now + 60))
            clock.advance(by: .seconds(60))
            #expect(try await db.count(Ticket.self) == 0)
        }
    }

    @Test(.database(.sqlite)) func `without a time there is no clock`() throws {
        #expect(try TestDatabase.current.clock == nil)
    }

    @Test func `a clock goes forward and back`() {
        let clock = TestClock(Date(timeIntervalSince1970: 10))
        clock.advance(by: .milliseconds(1_500))
        #expect(clock.now == Date(timeIntervalSince1970: 11.5))
        clock.advance(by: .milliseconds(-11_500))
        #expect(clock.now == Date(timeIntervalSince1970: 0))
    }
}
