import Foundation
import Holdfast
import HoldfastSQLite
import Testing

struct AttachedTests {
    private func withFiles(_ body: (_ path: String, _ other: String) async throws -> Void) async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("attached-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        try await body(
            home.appendingPathComponent("main.db").path, home.appendingPathComponent("it's \"other\".db").path)
    }

    private func open(_ path: String, _ attached: [String: String]) async throws -> Database {
        try await Database.open(.sqlite(path: path, attached: attached))
    }

    @Test func `files are attached to readers and writers, and their logs are copied`() async throws {
        try await withFiles { path, other in
            try await Database.withDatabase(.sqlite(path: other)) { db in
                try await db.sql("CREATE TABLE t (a TEXT) STRICT").execute()
            }
            let db = try await open(path, ["the other": other])
            for value in 0..<20 {
                let text = String(repeating: "\(value % 10)", count: 1 << 20)
                try await db.sql("INSERT INTO \(identifier: "the other").t VALUES (\(text))").execute()
            }
            let count = try await db.read { try await $0.sql("SELECT count(*) FROM t").first(as: Int.self) }
            #expect(count == 20)
            try await db.close()
            let size = try FileManager.default.attributesOfItem(atPath: other)[.size] as? Int ?? 0
            #expect(size >= 20 << 20)
            #expect(!FileManager.default.fileExists(atPath: other + "-wal"))
        }
    }

    @Test func `a file that does not exist is not made`() async throws {
        try await withFiles { path, other in
            let error = await #expect(throws: DatabaseError.self) { _ = try await open(path, ["other": other]) }
            #expect(error?.code == .cannotConnect)
            #expect(!FileManager.default.fileExists(atPath: other))
        }
    }

    @Test(arguments: ["main", "TEMP", ""]) func `a file can't have a name of SQLite's own`(name: String) async throws {
        try await withFiles { path, other in
            let error = await #expect(throws: DatabaseError.self) { _ = try await open(path, [name: other]) }
            #expect(error?.code == .invalidValue)
        }
    }
}
