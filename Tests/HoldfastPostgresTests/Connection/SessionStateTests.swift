import Holdfast
import HoldfastPostgres
import Testing

/// Settings that raw SQL makes in a session, which other users of its connection must not meet.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct SessionStateTests {
    @Table("generate_series") struct Number { @PrimaryKey var n: Int64 }

    private func withDatabase(
        _ parameters: String = "", _ body: (Database) async throws -> Void
    ) async throws {
        let url = try #require(TestServer.url)
        let parameters = parameters.isEmpty ? "" : (url.contains("?") ? "&" : "?") + parameters
        let db = try await Database.open(.postgres(url: url + parameters).with { $0.pool.maximumConnections = 1 })
        do { try await body(db) } catch {
            try await db.close()
            throw error
        }
        try await db.close()
    }

    private func name(_ db: Database) async throws -> String {
        try await db.sql("SELECT current_setting('application_name')").one(as: String.self)
    }

    private static let change: SQLFragment = "SELECT 1::bigint AS n, set_config('application_name', 'left', false)"

    @Test func `a setting meets nobody else, whatever way its statement takes`() async throws {
        try await withDatabase { db async throws in
            let before = try await name(db)
            #expect(before != "left")
            func expectUnchanged(_ comment: Comment, _ body: () async throws -> Void) async throws {
                try await body()
                #expect(try await name(db) == before, comment)
            }
            try await expectUnchanged("SET") { try await db.sql("SET application_name = 'left'").execute() }
            try await expectUnchanged("rows") { _ = try await db.sql(Self.change).fetch() }
            try await expectUnchanged("a row") { _ = try await db.sql(Self.change).first() }
            try await expectUnchanged("objects") {
                let numbers = try await db.sql(Self.change).fetch(Number.self)
                #expect(numbers.map(\.n) == [1])
            }
            try await expectUnchanged("a stream") { for try await _ in db.sql(Self.change).stream() {} }
            try await expectUnchanged("a stream that is left") {
                for try await _ in db.sql(Self.change).stream() { break }
            }
            try await expectUnchanged("a stream in a transaction") {
                try await db.transaction { tx in for try await _ in tx.sql(Self.change).stream() {} }
            }
            try await expectUnchanged("an error") {
                await #expect(throws: DatabaseError.self) {
                    try await db.sql("SELECT set_config('application_name', 'left', false), 1 / 0").fetch()
                }
            }
            try await expectUnchanged("a transaction") {
                try await db.transaction { tx in
                    try await tx.sql("SET application_name = 'left'").execute()
                    let inside = try await tx.sql("SELECT current_setting('application_name')").one(as: String.self)
                    #expect(inside == "left")
                }
            }
        }
    }

    @Test(arguments: ["TimeZone", "DateStyle", "IntervalStyle", "standard_conforming_strings", "application_name"])
    func `a setting that a function has made meets nobody else`(setting: String) async throws {
        let value = ["DateStyle": "German", "IntervalStyle": "iso_8601", "standard_conforming_strings": "off"][setting]
        try await withDatabase { db async throws in
            func current() async throws -> String {
                try await db.sql("SELECT current_setting(\(setting))").one(as: String.self)
            }
            let before = try await current()
            let schema = "session_state_\(setting.lowercased())"
            try await db.sql("CREATE SCHEMA \(unsafe: schema)").execute()
            do {
                try await db.sql(
                    """
                    CREATE FUNCTION \(unsafe: schema).set_it(name text, value text) RETURNS bigint LANGUAGE plpgsql AS
                    $f$ BEGIN EXECUTE format('SET %I = %L', name, value); RETURN 1; END $f$
                    """
                ).execute()
                let call: SQLFragment = "SELECT \(unsafe: schema).set_it(\(setting), \(value ?? "Asia/Tokyo")) AS n"
                _ = try await db.sql(call).fetch()
                #expect(try await current() == before)
                _ = try await db.sql(call).fetch(Number.self)
                #expect(try await current() == before)
                try await db.transaction { _ = try await $0.sql(call).fetch() }
                #expect(try await current() == before)
                await #expect(throws: CancellationError.self) {
                    try await db.transaction {
                        _ = try await $0.sql(call).fetch()
                        throw CancellationError()
                    }
                }
                #expect(try await current() == before)
            } catch {
                try await db.sql("DROP SCHEMA \(unsafe: schema) CASCADE").execute()
                throw error
            }
            try await db.sql("DROP SCHEMA \(unsafe: schema) CASCADE").execute()
        }
    }

    @Test func `a setting that a block has made meets nobody else, and one of its transaction costs nothing`()
        async throws
    {
        try await withDatabase { db async throws in
            func process() async throws -> Int { try await db.sql("SELECT pg_backend_pid()").one(as: Int.self) }
            func path() async throws -> String {
                try await db.sql("SELECT current_setting('search_path')").one(as: String.self)
            }
            let before = try await path()
            try await db.sql("DO $$ BEGIN SET search_path = pg_catalog; END $$").execute()
            #expect(try await path() == before)
            let kept = try await process()
            try await db.sql("DO $$ BEGIN SET LOCAL search_path = pg_catalog; END $$").execute()
            #expect(try await path() == before)
            #expect(try await process() == kept)
        }
    }

    @Test func `a role that is for reading only stays so in transactions`() async throws {
        try await withDatabase("options=-c%20default_transaction_read_only%3Don") { db async throws in
            let change: SQLFragment = "CREATE TABLE session_state_forbidden (n int)"
            let error = await #expect(throws: DatabaseError.self) { try await db.sql(change).execute() }
            #expect(error?.code == .readOnly)
            for level in IsolationLevel.allCases {
                let error = await #expect(throws: DatabaseError.self) {
                    try await db.transaction(isolation: level) { try await $0.sql(change).execute() }
                }
                #expect(error?.code == .readOnly)
            }
        }
    }

    @Test func `a connection that nothing is left in is kept`() async throws {
        try await withDatabase { db async throws in
            func process() async throws -> Int { try await db.sql("SELECT pg_backend_pid()").one(as: Int.self) }
            let before = try await process()
            try await db.transaction { tx in
                try await tx.sql("SET LOCAL application_name = 'left'").execute()
                _ = try await tx.sql("SELECT set_config('application_name', 'left', true)").fetch()
                try await tx.sql("CREATE TEMP TABLE t (n int) ON COMMIT DROP").execute()
            }
            #expect(try await process() == before)
            #expect(try await name(db) != "left")
            try await db.sql("SET application_name = 'left'").execute()
            #expect(try await process() != before)
        }
    }

    @Test func `behind a transaction pooler it is refused`() async throws {
        try await withDatabase("pooler=transaction") { db async throws in
            for sql in [Self.change, "SET application_name = 'left'", "SELECT pg_advisory_lock(5)"] {
                let error = try await #require(throws: DatabaseError.self) { try await db.sql(sql).fetch() }
                #expect(error.code == .unsupported && error.message.contains("SET LOCAL"))
                await #expect(throws: DatabaseError.self) {
                    try await db.transaction { try await $0.sql(sql).execute() }
                }
                await #expect(throws: DatabaseError.self) {
                    for try await _ in db.sql(sql).stream() {}
                }
                await #expect(throws: DatabaseError.self) { try await db.sql(sql).fetch(Number.self) }
            }
            try await db.transaction { try await $0.sql("SET LOCAL application_name = 'here'").execute() }
            #expect(try await name(db) != "left")
        }
    }
}
