import Foundation
import Holdfast
import HoldfastPostgres
import Logging
import Testing

/// The change log on servers that are copies of others.
@Suite(.server) struct ChangeLogTests {
    @Table("logged_item", log: true)
    struct Item {
        var id: Int64
        var name: String

        init(_ id: Int64) { (self.id, name) = (id, "\(id)") }
    }

    @Test func `a standby gives no tokens and reads from none, and observed queries there are read again`() async throws
    {
        let server = try await ServerScript("Integration/standby-server")
        defer { server.stop() }
        let urls = server.line.split(separator: " ").map(String.init)
        let primary = try await Database.open(.postgres(url: urls[0]))
        let standby = try await Database.open(.postgres(url: urls[1]))
        try await primary.migrate(Item.self)
        _ = try await primary.save(Item(1))
        let token = try await primary.changeToken()
        try await standby.follow(primary)
        let refused = await #expect(throws: DatabaseError.self) { _ = try await standby.changeToken() }
        #expect(refused?.code == .unsupported)
        #expect(refused?.message.contains("standby") == true)
        let unread = await #expect(throws: DatabaseError.self) {
            _ = try await standby.changes(of: Item.self, after: token).fetch()
        }
        #expect(unread?.code == .unsupported)
        // An open transaction of the primary's would be passed over there.
        var counts = standby.query(Item.self).observe { try await $0.count() }.makeAsyncIterator()
        #expect(try await counts.next() == 1)
        _ = try await primary.save(Item(2))
        #expect(try await counts.next() == 2)
        try await standby.close()
        try await primary.close()
    }

    @Test func `a server that has lost changes refuses the tokens that have seen them, and no others`() async throws {
        let server = try await ServerScript("Integration/standby-server")
        defer { server.stop() }
        let urls = server.line.split(separator: " ").map(String.init)
        let primary = try await Database.open(.postgres(url: urls[0]))
        let standby = try await Database.open(.postgres(url: urls[1]))
        try await primary.migrate(Item.self)
        _ = try await primary.save(Item(1))
        let kept = try await primary.changeToken()
        try await standby.follow(primary)
        try await standby.sql("ALTER SYSTEM SET primary_conninfo = ''").execute()
        _ = try await standby.sql("SELECT pg_reload_conf()").fetch()
        while try await standby.sql("SELECT count(*) FROM pg_stat_wal_receiver").fetch(as: Int.self) != [0] {
            try await Task.sleep(for: .milliseconds(20))
        }
        for id: Int64 in 2...4 { _ = try await primary.save(Item(id)) }
        let lost = try await primary.changeToken()
        _ = try await standby.sql("SELECT pg_promote()").fetch()
        try await standby.expectTrimmed(after: lost)
        // The same numbers, of entries and of transactions.
        for id: Int64 in 12...19 { _ = try await standby.save(Item(id)) }
        try await standby.expectTrimmed(after: lost)
        let changes = try await standby.changes(of: Item.self, after: kept).fetch().changes
        #expect(changes.map(\.keyTexts) == (12...19).map { ["\($0)"] })
        try await standby.close()
        try await primary.close()
    }

    @Test(arguments: [true, false], [true, false])
    func `a dump that is restored on another server begins a new log there`(isAhead: Bool, migrates: Bool) async throws
    {
        let other = try await ServerScript("bash", "-c", "echo $HOLDFAST_POSTGRES_URL; cat")
        defer { other.stop() }
        let schema = "holdfast_dumped_\(UUID().uuidString.prefix(8).lowercased())"
        let url = try #require(TestServer.url)
        try await Database.withDatabase(.postgres(url: url)) { admin async throws in
            try await admin.sql("CREATE SCHEMA \(identifier: schema)").execute()
        }
        let source = try await Database.open(.postgres(url: url, schema: schema))
        // One of the servers counts far ahead of the other.
        try await Database.withDatabase(.postgres(url: isAhead ? other.line : url)) { server async throws in
            try await server.passTransactions(20_000)
        }
        try await source.migrate(Item.self)
        let start = try await source.changeToken()
        for id: Int64 in 1...8 { _ = try await source.save(Item(id)) }
        try await source.trimChanges(keeping: 3)
        let end = try await source.changeToken()
        try shell("pg_dump -n \(schema) '\(url)' | psql -qX -v ON_ERROR_STOP=1 '\(other.line)'")
        let copy = try await Database.open(.postgres(url: other.line, schema: schema))
        if migrates { try await copy.migrate(Item.self) }
        for token in [start, end] { try await copy.expectTrimmed(after: token) }
        let new = try await copy.changeToken()
        for id: Int64 in 11...14 { _ = try await copy.save(Item(id)) }
        let changes = try await copy.changes(of: Item.self, after: new).fetch()
        #expect(changes.changes.map(\.keyTexts) == (11...14).map { ["\($0)"] })
        for token in [start, end] { try await copy.expectTrimmed(after: token) }
        try await copy.trimChanges(olderThan: .zero)
        _ = try await copy.changes(of: Item.self, after: changes.token).fetch()
        // Where it came from, all goes on.
        _ = try await source.save(Item(9))
        #expect(try await source.changes(of: Item.self, after: end).fetch().changes.count == 1)
        try await copy.close()
        try await source.sql("DROP SCHEMA \(identifier: schema) CASCADE").execute()
        try await source.close()
    }

    @Test func `a dump that is put back on its server refuses the tokens from after it, and no others`() async throws {
        let schema = "holdfast_back_\(UUID().uuidString.prefix(8).lowercased())"
        let url = try #require(TestServer.url)
        try await Database.withDatabase(.postgres(url: url)) { admin async throws in
            try await admin.sql("CREATE SCHEMA \(identifier: schema)").execute()
        }
        let db = try await Database.open(.postgres(url: url, schema: schema))
        try await db.migrate(Item.self)
        _ = try await db.save(Item(1))
        let before = try await db.changeToken()
        let file = FileManager.default.temporaryDirectory.appending(path: "\(schema).sql")
        defer { try? FileManager.default.removeItem(at: file) }
        try shell("pg_dump -n \(schema) '\(url)' >'\(file.path)'")
        for id: Int64 in 2...4 { _ = try await db.save(Item(id)) }
        let after = try await db.changeToken()
        try shell(
            "psql -qX -v ON_ERROR_STOP=1 '\(url)' -c 'DROP SCHEMA \(schema) CASCADE' -f '\(file.path)' 2>&1 | grep -v NOTICE || true"
        )
        try await db.expectTrimmed(after: after)
        for id: Int64 in 12...16 { _ = try await db.save(Item(id)) }
        try await db.expectTrimmed(after: after)
        let changes = try await db.changes(of: Item.self, after: before).fetch().changes
        #expect(changes.map(\.keyTexts) == (12...16).map { ["\($0)"] })
        let new = try await db.changeToken()
        _ = try await db.save(Item(20))
        #expect(try await db.changes(of: Item.self, after: new).fetch().changes.count == 1)
        try await db.sql("DROP SCHEMA \(identifier: schema) CASCADE").execute()
        try await db.close()
    }

    private func shell(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", "set -o pipefail; " + command]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

extension Database {
    /// Waits until a standby has what is committed on its primary now.
    fileprivate func follow(_ primary: Database) async throws {
        let end = try #require(
            try await primary.sql("SELECT pg_current_wal_insert_lsn()::text").fetch(as: String.self).first)
        for _ in 0..<500 {
            let isThere = try await sql("SELECT pg_last_wal_replay_lsn() >= \(end)::pg_lsn").fetch(as: Bool.self)
            if isThere == [true] { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("The standby does not follow.")
    }

    fileprivate func expectTrimmed(after token: ChangeToken, _ location: SourceLocation = #_sourceLocation) async throws
    {
        let error = await #expect(throws: DatabaseError.self, sourceLocation: location) {
            _ = try await changes(of: ChangeLogTests.Item.self, after: token).fetch()
        }
        #expect(error?.code == .changesTrimmed, sourceLocation: location)
    }

    /// Lets the server count so many transactions.
    fileprivate func passTransactions(_ count: Int) async throws {
        try await transaction { tx in
            try await tx.sql("CREATE TEMPORARY TABLE passed (number int)").execute()
            try await tx.sql(
                SQLFragment(
                    unsafe: """
                        DO $$ BEGIN
                            FOR number IN 1..\(count) LOOP
                                BEGIN
                                    INSERT INTO passed VALUES (number);
                                EXCEPTION WHEN division_by_zero THEN NULL;
                                END;
                            END LOOP;
                        END $$
                        """)
            ).execute()
            try await tx.sql("DROP TABLE passed").execute()
        }
    }
}
