import Foundation
import Holdfast
import Testing

@testable import HoldfastSQLite

struct DeletionTests {
    private func files(_ directory: TestDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
    }

    private func code(_ configuration: DatabaseConfiguration, _ name: String = "test.db") async -> DatabaseError.Code? {
        await databaseError { try await Database.deleteDatabase(configuration, confirmingName: name) }?.code
    }

    @Test func `a closed file is deleted with all that belongs to it`() async throws {
        let directory = try TestDirectory()
        try await Database.withDatabase(.sqlite(path: directory.path)) {
            try await $0.sql("CREATE TABLE t (a)").execute()
        }
        #expect(await code(.sqlite(path: directory.path), "other.db") == .conflict)
        #expect(try files(directory).contains("test.db"))
        #expect(await code(.sqlite(path: directory.path)) == nil)
        #expect(try files(directory) == [])
        #expect(await code(.sqlite(path: directory.path)) == .notFound)
        #expect(try files(directory) == [])
    }

    @Test func `a file that a program left behind is deleted with its log`() async throws {
        let (directory, copy) = (try TestDirectory(), try TestDirectory())
        try await Database.withDatabase(.sqlite(path: directory.path)) { db in
            try await db.sql("CREATE TABLE t (a)").execute()
            // As a crash would leave them.
            for name in try files(directory) {
                try FileManager.default.copyItem(
                    at: directory.url.appendingPathComponent(name), to: copy.url.appendingPathComponent(name))
            }
        }
        #expect(try files(copy) == ["test.db", "test.db-shm", "test.db-wal"])
        #expect(await code(.sqlite(path: copy.path)) == nil)
        #expect(try files(copy) == [])
    }

    @Test func `a file in use is not deleted`() async throws {
        let directory = try TestDirectory()
        try await Database.withDatabase(.sqlite(path: directory.path)) { db in
            try await db.sql("CREATE TABLE t (a)").execute()
            let error = await databaseError {
                try await Database.deleteDatabase(.sqlite(path: directory.path), confirmingName: "test.db")
            }
            #expect(error?.code == .conflict && error?.message.contains("in use") == true)
            try await db.sql("INSERT INTO t VALUES (1)").execute()
            #expect(try await db.sql("SELECT a FROM t").fetch(as: Int.self) == [1])
        }
        #expect(try files(directory).contains("test.db"))
    }

    @Test func `what is in memory, to be read only, or no database is refused`() async throws {
        let directory = try TestDirectory()
        #expect(await code(.sqlite(.inMemory)) == .unsupported)
        try await Database.withDatabase(.sqlite(path: directory.path)) {
            try await $0.sql("CREATE TABLE t (a)").execute()
        }
        #expect(await code(.sqlite(path: directory.path, mode: .readOnly)) == .readOnly)
        let text = directory.url.appendingPathComponent("text.db")
        try Data(repeating: 65, count: 4096).write(to: text)
        #expect(await code(.sqlite(path: text.path), "text.db") == .corrupt)
        #expect(try files(directory) == ["test.db", "text.db"])
    }

    @Test func `a link is deleted with the file that it leads to`() async throws {
        let (directory, links) = (try TestDirectory(), try TestDirectory())
        try await Database.withDatabase(.sqlite(path: directory.path)) {
            try await $0.sql("CREATE TABLE t (a)").execute()
        }
        try FileManager.default.createSymbolicLink(atPath: links.path, withDestinationPath: directory.path)
        #expect(await code(.sqlite(path: links.path)) == nil)
        #expect(try files(directory) == [])
        #expect(try files(links) == [])
    }

    @Test func `an index that a constraint has made is not dropped`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db in
            try await db.sql("CREATE TABLE constrained (id INTEGER PRIMARY KEY, code TEXT UNIQUE)").execute()
            let error = await databaseError { try await db.dropIndex(on: Constrained.self, of: "code") }
            #expect(error?.code == .conflict)
        }
    }
}

/// A table whose column another program has made unique.
private struct Constrained: TableObject {
    var id: Int64?
    var code: String?

    static let tableMapping = TableMapping<Constrained>(
        type: "Constrained",
        describe: { table in
            table.key("id", \.id)
            table.property("code", \.code)
        },
        decode: { row in Constrained(id: try row.decode(at: 0), code: try row.decode(at: 1)) })
}
