import Foundation
@_spi(Driver) import Holdfast
@_spi(Driver) import HoldfastPostgres
import Testing

/// What the triggers of the change log see, and who may write it.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server) struct ChangeLogTriggerTests {
    @Table("logged_entry", log: .oldValues)
    struct Entry {
        var id: Int64
        var name: String
        var size: Double = 0

        init(_ id: Int64, _ name: String = "") { (self.id, self.name) = (id, name) }
    }

    /// Calls `body` with a database in a schema of its own, which is dropped afterwards.
    private func withDatabase(
        _ body: (_ db: Database, _ schema: String) async throws -> Void
    ) async throws {
        let schema = "holdfast_triggers_\(UUID().uuidString.prefix(8).lowercased())"
        let url = try #require(TestServer.url)
        let db = try await Database.open(.postgres(url: url, schema: schema))
        try await db.sql("CREATE SCHEMA \(identifier: schema)").execute()
        do {
            try await body(db, schema)
        } catch {
            Issue.record(error)
        }
        try await db.sql("DROP SCHEMA \(identifier: schema) CASCADE").execute()
        try await db.close()
    }

    private func changes(_ db: Database, after token: inout ChangeToken) async throws -> [String] {
        let batch = try await db.changes(of: Entry.self, after: token).fetch()
        token = batch.token
        return batch.changes.map { change in
            ["\(change.kind)", change.keyTexts.compactMap(\.self).joined(), change.columns.joined(separator: ",")]
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    private func run(_ db: Database, _ statements: String...) async throws {
        for statement in statements { try await db.sql(SQLFragment(unsafe: statement)).execute() }
    }

    @Test func `what is written to partitions is logged once, also of those that are attached later`() async throws {
        try await withDatabase { db, _ in
            try await run(
                db,
                """
                CREATE TABLE logged_entry (id bigint PRIMARY KEY, name text COLLATE "C" NOT NULL,
                    size double precision NOT NULL DEFAULT 0) PARTITION BY RANGE (id)
                """,
                "CREATE TABLE entry_a PARTITION OF logged_entry FOR VALUES FROM (0) TO (100)")
            try await db.migrate(Entry.self)
            var token = try await db.changeToken()
            try await run(
                db,
                """
                CREATE TABLE entry_b (size double precision NOT NULL DEFAULT 0, name text COLLATE "C" NOT NULL,
                    id bigint PRIMARY KEY)
                """,
                "ALTER TABLE logged_entry ATTACH PARTITION entry_b FOR VALUES FROM (100) TO (200)")
            _ = try await db.save([Entry(1), Entry(2), Entry(101)])
            #expect(try await changes(db, after: &token) == ["inserted 1", "inserted 2", "inserted 101"])
            try await run(
                db, "INSERT INTO entry_b (id, name) VALUES (102, 'direct')",
                "UPDATE entry_a SET name = 'x' WHERE id = 1",
                "UPDATE logged_entry SET name = 'y' WHERE id = 101", "DELETE FROM entry_a WHERE id = 2",
                "UPDATE logged_entry SET id = 103 WHERE id = 1")
            #expect(
                try await changes(db, after: &token) == [
                    "inserted 102", "updated 1 name", "updated 101 name", "deleted 2", "deleted 1", "inserted 103",
                ])
            // Those that are a part no more are logged no more.
            try await run(
                db, "ALTER TABLE logged_entry DETACH PARTITION entry_b", "UPDATE entry_b SET name = 'detached'",
                "TRUNCATE logged_entry")
            #expect(try await changes(db, after: &token) == ["truncated"])
            #expect(try await db.migrate(Entry.self).isEmpty)
        }
    }

    @Test func `settings of who writes hide nothing, and change no text`() async throws {
        try await withDatabase { db, schema in
            try await db.migrate(Entry.self)
            _ = try await db.save(Entry(1))
            let token = try await db.changeToken()
            try await db.transaction { tx in
                for setting in [
                    "session_replication_role = replica", "extra_float_digits = -15", "search_path = pg_temp",
                    "\"TimeZone\" = 'Asia/Tokyo'", "\"DateStyle\" = 'German'", "bytea_output = 'escape'",
                ] {
                    try await tx.sql(SQLFragment(unsafe: "SET LOCAL \(setting)")).execute()
                }
                for value in ["0.3", "0.1::float8 + 0.2", "1e308"] {
                    try await tx.sql(SQLFragment(unsafe: "UPDATE \(schema).logged_entry SET size = \(value)")).execute()
                }
            }
            let batch = try await db.changes(of: Entry.self, after: token).fetch()
            #expect(try batch.changes.map { try $0.oldValue(\Entry.size) } == [0, 0.3, 0.1 + 0.2])
        }
    }

    @Test func `columns that somebody adds or drops are logged, and break nobody's statement`() async throws {
        try await withDatabase { db, _ in
            try await db.migrate(Entry.self)
            _ = try await db.save([Entry(1), Entry(2)])
            var token = try await db.changeToken()
            try await run(
                db, "ALTER TABLE logged_entry ADD COLUMN extra text",
                "UPDATE logged_entry SET extra = 'e' WHERE id = 1",
                "UPDATE logged_entry SET id = 3 WHERE id = 1", "ALTER TABLE logged_entry DROP COLUMN size",
                "UPDATE logged_entry SET name = 'n', extra = 'f' WHERE id = 2", "DELETE FROM logged_entry WHERE id = 3")
            let all = try await db.changes(of: Entry.self, after: token).fetch().changes
            #expect(
                try await changes(db, after: &token) == [
                    "updated 1 extra", "deleted 1", "inserted 3", "updated 2 extra,name", "deleted 3",
                ])
            #expect(all.last?.oldTexts == ["id": "3", "name": "", "extra": "e"])
        }
    }

    @Test func `triggers that were switched off are made anew, and leave a gap`() async throws {
        try await withDatabase { db, _ in
            try await db.migrate(Entry.self)
            var token = try await db.changeToken()
            try await run(
                db, "ALTER TABLE logged_entry DISABLE TRIGGER ALL",
                "INSERT INTO logged_entry (id, name) VALUES (1, 'n')",
                "ALTER TABLE logged_entry ENABLE TRIGGER ALL")
            try await db.migrate(Entry.self)
            try await run(db, "UPDATE logged_entry SET name = 'm'")
            #expect(try await changes(db, after: &token) == ["gap", "updated 1 name"])
            #expect(try await db.migrate(Entry.self).isEmpty)
        }
    }

    @Test func `a page behind the first is found by its number, however old the statistics are`() async throws {
        try await withDatabase { db, _ in
            try await db.migrate(Entry.self)
            _ = try await db.save(Entry(1))
            try await run(db, "ALTER TABLE holdfast_log SET (autovacuum_enabled = off)", "ANALYZE holdfast_log")
            let snapshot: SQLFragment = "SELECT pg_current_snapshot()::text"
            let position = try #require(try await db.sql(snapshot).fetch(as: String.self).first)
            try await run(
                db,
                """
                INSERT INTO holdfast_log (at, table_name, kind, row_key, columns, transaction_id)
                SELECT now(), 'logged_entry', 2, '["1"]', '["name"]', pg_current_xact_id()::text::bigint
                FROM generate_series(1, 20000)
                """)
            var stretch = ChangeLogStretch(after: position)
            (stretch.number, stretch.end) = (5000, try await db.sql(snapshot).fetch(as: String.self).first)
            let page = try #require(PostgresDialect().changeLog).page(stretch, tables: ["logged_entry"], limit: 1000)
            let plan = try await db.sql(SQLFragment(unsafe: "EXPLAIN \(page)")).fetch(as: String.self)
            let next = try #require(position.split(separator: ":").dropFirst().first)
            #expect(plan.contains { $0.contains("(transaction_id + 0) >= ") })
            #expect(!plan.contains { $0.contains("Index Cond: (transaction_id >= \(next))") })
        }
    }

    @Test func `who may write the table is logged, and can't write the log`() async throws {
        try await withDatabase { db, schema in
            let role = "\(schema)_writer"
            try await run(
                db, "CREATE ROLE \(role)",
                "ALTER DEFAULT PRIVILEGES IN SCHEMA \(schema) GRANT ALL ON TABLES TO \(role)",
                "ALTER DEFAULT PRIVILEGES IN SCHEMA \(schema) GRANT ALL ON FUNCTIONS TO \(role)",
                "GRANT ALL ON SCHEMA \(schema) TO \(role)")
            try await db.migrate(Entry.self)
            var token = try await db.changeToken()
            try await db.transaction { tx in
                try await tx.sql(SQLFragment(unsafe: "SET LOCAL ROLE \(role)")).execute()
                try await tx.sql("INSERT INTO logged_entry (id, name) VALUES (1, 'n')").execute()
                try await tx.sql("UPDATE logged_entry SET name = 'm'").execute()
                try await tx.sql("DELETE FROM logged_entry").execute()
            }
            #expect(try await changes(db, after: &token) == ["inserted 1", "updated 1 name", "deleted 1"])
            let function = try #require(
                try await db.sql(
                    """
                    SELECT proname::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
                        AND starts_with(proname, 'holdfast_log_logged_entry_delete')
                    """
                ).fetch(as: String.self).first)
            for statements in [
                ["INSERT INTO holdfast_log SELECT * FROM holdfast_log"], ["UPDATE holdfast_log SET kind = 1"],
                ["TRUNCATE holdfast_log"],
                [
                    "CREATE TABLE forged (id bigint, name text, size float8)",
                    """
                    CREATE TRIGGER forge AFTER DELETE ON forged REFERENCING OLD TABLE AS gone
                    FOR EACH STATEMENT EXECUTE FUNCTION \(function)()
                    """,
                ],
            ] {
                let error = await #expect(throws: DatabaseError.self) {
                    try await db.transaction { tx in
                        try await tx.sql(SQLFragment(unsafe: "SET LOCAL ROLE \(role)")).execute()
                        for statement in statements { try await tx.sql(SQLFragment(unsafe: statement)).execute() }
                    }
                }
                #expect(error?.code == .permissionDenied)
            }
            #expect(try await changes(db, after: &token) == [])
            try await run(db, "DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }
}
