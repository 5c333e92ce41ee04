import Foundation
@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastSQLite

struct ContentionTests {
    @Test(.timeLimit(.minutes(4))) func `forty threads open an empty file concurrently`() async throws {
        let directory = try TestDirectory()
        let connections = try await withThrowingTaskGroup(of: (any DriverConnection).self) { group in
            for _ in 0..<40 {
                group.addTask { try await TestDatabase(directory).writer() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for connection in connections {
            #expect(try await connection.rows("PRAGMA journal_mode") == [["wal"]])
            await connection.close()
        }
    }

    /// Eight processes, each of which opens twenty connections.
    @Test(.timeLimit(.minutes(2))) func `a hundred and sixty opens from eight processes all succeed`() async throws {
        let directory = try TestDirectory()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = directory.path as String, number = number as Int] in
                        try Data().write(to: URL(fileURLWithPath: "\(path).ready\(number)"))
                        for other in 0..<8 {
                            while !FileManager.default.fileExists(atPath: "\(path).ready\(other)") { usleep(1000) }
                        }
                        let configuration = DatabaseConfiguration.sqlite(path: path)
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            for _ in 0..<20 {
                                group.addTask {
                                    let driver = try configuration.makeDriver(configuration)
                                    let connection = try await driver.connect(.write)
                                    try await connection.rows("SELECT count(*) FROM sqlite_schema")
                                    await connection.close()
                                    await driver.shutdown()
                                }
                            }
                            try await group.waitForAll()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: [true, false])
    func `a lock that is released in time is waited for`(isBrief: Bool) async throws {
        let database = try TestDatabase()
        let (one, other) = (try await database.writer(), try await TestDatabase(database.directory).writer())
        try await one.execute("CREATE TABLE t (x)")
        try await one.execute("BEGIN IMMEDIATE")
        try await one.execute("INSERT INTO t VALUES (1)")
        async let waiting = other.execute("INSERT INTO t VALUES (2)", isBrief: isBrief)
        try await Task.sleep(for: .milliseconds(150))
        try await one.execute("COMMIT")
        #expect(try await waiting == 1)
        #expect(try await one.rows("SELECT x FROM t ORDER BY x") == [[1], [2]])
        for connection in [one, other] { await connection.close() }
    }

    @Test(arguments: [true, false])
    func `a lock that is not released in time is an error`(isBrief: Bool) async throws {
        let database = try TestDatabase()
        let one = try await database.writer()
        let other = try await TestDatabase(database.directory) { $0.timeouts.lock = .milliseconds(100) }.writer()
        try await one.execute("BEGIN IMMEDIATE")
        let clock = ContinuousClock()
        let start = clock.now
        let error = await databaseError { try await other.execute("BEGIN IMMEDIATE", isBrief: isBrief) }
        #expect(error?.code == .lockTimeout)
        #expect(error?.engineCode == "5")
        #expect((.milliseconds(100) ..< .seconds(30)).contains(clock.now - start))
        #expect(other.transactionStatus == .idle)
        try await one.execute("ROLLBACK")
        try await other.execute("BEGIN IMMEDIATE", isBrief: isBrief)
        try await other.execute("ROLLBACK")
        for connection in [one, other] { await connection.close() }
    }

    @Test func `a lock held by another process is waited for`() async throws {
        let database = try TestDatabase()
        let connection = try await database.writer()
        try await connection.execute("CREATE TABLE t (x)")
        let marker = database.path + ".locked"
        async let holder: Void = {
            await #expect(processExitsWith: .success) { [path = database.path as String, marker = marker as String] in
                let configuration = DatabaseConfiguration.sqlite(path: path)
                let driver = try configuration.makeDriver(configuration)
                let other = try await driver.connect(.write)
                try await other.execute("BEGIN IMMEDIATE")
                try await other.execute("INSERT INTO t VALUES (1)")
                try Data().write(to: URL(fileURLWithPath: marker))
                try await Task.sleep(for: .milliseconds(200))
                try await other.execute("COMMIT")
                await other.close()
            }
        }()
        while !FileManager.default.fileExists(atPath: marker) { try await Task.sleep(for: .milliseconds(5)) }
        try await connection.execute("BEGIN IMMEDIATE")
        #expect(try await connection.rows("SELECT x FROM t") == [[1]])
        try await connection.execute("ROLLBACK")
        await holder
        await connection.close()
    }

    @Test func `a transaction that read before another wrote can't write`() async throws {
        let database = try TestDatabase()
        let (one, other) = (try await database.writer(), try await TestDatabase(database.directory).writer())
        try await one.execute("CREATE TABLE t (x)")
        try await one.execute("BEGIN")
        try await one.rows("SELECT * FROM t")
        try await other.execute("INSERT INTO t VALUES (1)")
        let error = await databaseError { try await one.execute("INSERT INTO t VALUES (2)") }
        #expect(error?.code == .serializationFailure)
        #expect(one.transactionStatus == .open)
        try await one.execute("ROLLBACK")
        for connection in [one, other] { await connection.close() }
    }

    @Test(.timeLimit(.minutes(4))) func `writers of eight connections lose nothing`() async throws {
        let directory = try TestDirectory()
        let first = try await TestDatabase(directory).writer()
        try await first.execute("CREATE TABLE t (n INTEGER NOT NULL) STRICT")
        try await first.execute("INSERT INTO t VALUES (0)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    // The task that holds the lock may be without a thread for long, where many tests run concurrently.
                    let connection = try await TestDatabase(directory) { $0.timeouts.lock = .seconds(180) }.writer()
                    let (begin, commit) = (
                        Statement("BEGIN IMMEDIATE", isBrief: true), Statement("COMMIT", isBrief: true)
                    )
                    let change = Statement("UPDATE t SET n = n + 1", isBrief: number % 2 == 0)
                    for _ in 0..<50 {
                        try await connection.rows(begin)
                        try await connection.rows(change)
                        try await connection.rows(commit)
                        try await connection.rows(change)
                    }
                    await connection.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await first.rows("SELECT n FROM t") == [[800]])
        await first.close()
    }
}
