import CSQLite
import Holdfast
import Testing

@testable import HoldfastSQLite

struct InterrupterTests {
    private static let endless =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 1000000000000) SELECT count(*) FROM c"

    private func withInterrupter(_ body: (Interrupter, DatabaseHandle) throws -> Void) throws {
        let directory = try TestDirectory()
        let database = try DatabaseHandle(path: directory.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        let deadlines = Deadlines()
        defer { deadlines.stop() }
        let interrupter = Interrupter(database.pointer, deadlines: deadlines)
        defer { interrupter.invalidate() }
        try body(interrupter, database)
    }

    @Test(.timeLimit(.minutes(4))) func `an interrupt that came before the statement began is not lost`() throws {
        try withInterrupter { interrupter, database throws in
            for _ in 0..<10 {
                let run = interrupter.begin(until: .distantFuture)
                interrupter.cancel(run)
                #expect(interrupter.isInterrupted)
                let failure = #expect(throws: ResultCode.self) { try database.execute(Self.endless) }
                #expect(failure?.code == SQLITE_INTERRUPT)
                #expect(interrupter.reason == .cancelled)
                interrupter.end(run)
            }
        }
    }

    @Test(.timeLimit(.minutes(4))) func `a deadline that has passed stops the statement, and the first reason stays`()
        throws
    {
        try withInterrupter { interrupter, database throws in
            let run = interrupter.begin(until: .now.advanced(by: .milliseconds(20)))
            #expect(throws: ResultCode.self) { try database.execute(Self.endless) }
            #expect(interrupter.reason == .timedOut)
            interrupter.cancel(run)
            #expect(interrupter.reason == .timedOut)
            interrupter.end(run)
        }
    }

    @Test func `a run that has ended can't be stopped, nor the next one in its place`() throws {
        try withInterrupter { interrupter, database throws in
            let first = interrupter.begin(until: .now.advanced(by: .milliseconds(5)))
            interrupter.end(first)
            interrupter.cancel(first)
            let second = interrupter.begin(until: .distantFuture)
            interrupter.cancel(first)
            MonotonicTime.sleep(milliseconds: 20)
            #expect(!interrupter.isInterrupted)
            #expect(try database.execute("SELECT 1") == "1")
            interrupter.end(second)
            interrupter.cancel(second)
            #expect(try database.execute("SELECT 1") == "1")
        }
    }

    @Test func `a closed database is not touched`() throws {
        try withInterrupter { interrupter, _ in
            let run = interrupter.begin(until: .distantFuture)
            interrupter.invalidate()
            interrupter.cancel(run)
            #expect(interrupter.isInterrupted)
        }
    }
}
