import CSQLite
@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastSQLite

struct StatementCacheTests {
    /// A session that keeps two statements, and the number of compiled statements that it has.
    private func withSession(_ body: (SQLiteSession, _ count: () -> Int) throws -> Void) throws {
        let directory = try TestDirectory()
        let options = SQLiteOptions(location: .file(directory.path))
        let database = try DatabaseHandle.open(
            path: directory.path,
            options,
            role: .write,
            until: .distantFuture,
            isCancelled: { false }
        )
        let session = SQLiteSession(database, .init(cachedStatements: 2), deadlines: Deadlines(), checkpointer: nil)
        try body(session) {
            var count = 0
            var statement = sqlite3_next_stmt(database.pointer, nil)
            while let next = statement {
                count += 1
                statement = sqlite3_next_stmt(database.pointer, next)
            }
            return count
        }
    }

    private func run(_ statement: Statement, in session: SQLiteSession) throws {
        try session.perform(statement, .none, lock: .none) { while try $0.next() != nil {} }
    }

    @Test func `a statement is compiled once`() throws {
        try withSession { session, count in
            let statement = Statement("SELECT 1")
            for _ in 0..<3 { try run(statement, in: session) }
            #expect(count() == 1)
        }
    }

    @Test func `the least recently used one goes first, and is finalized`() throws {
        var cache = RecentlyUsed<Int, PreparedStatement>(capacity: 2)
        let directory = try TestDirectory()
        let database = try DatabaseHandle(path: directory.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        func prepared() throws -> PreparedStatement {
            try PreparedStatement(Statement("SELECT 1"), isKept: true, in: database)
        }
        cache.insert(try prepared(), for: 1)
        weak let second = try {
            let statement = try prepared()
            cache.insert(statement, for: 2)
            return statement
        }()
        #expect(second != nil)
        #expect(cache.value(for: 1) != nil)
        _ = cache.removeOldest()
        cache.insert(try prepared(), for: 3)
        #expect(cache.count == 2)
        #expect(cache.value(for: 2) == nil)
        #expect(second == nil)
        #expect(cache.value(for: 1) != nil)
    }

    @Test func `no more statements are kept than allowed, and none that is not to be kept`() throws {
        try withSession { session, count in
            for number in 0..<10 { try run(Statement("SELECT \(number)"), in: session) }
            #expect(count() == 2)
            try run(Statement("SELECT 11", isCached: false), in: session)
            #expect(count() == 2)
        }
    }
}
