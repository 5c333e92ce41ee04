import Holdfast
import Testing

@testable import HoldfastPostgres

/// Texts in columns of `char(n)`, in which blanks at the end mean nothing.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct PaddedKeyTests {
    @Table("padded") final class Padded {
        @PrimaryKey let code: String
        var note: String
        @Column(storage: .array) var codes: [String] = []
        init(_ code: String, _ note: String = "") { (self.code, self.note) = (code, note) }
    }

    private func withDatabase(_ parameters: String, _ body: (Database) async throws -> Void) async throws {
        try await TestServer.withSchema { driver async throws in
            let url = try #require(TestServer.url)
            let configuration = DatabaseConfiguration.postgres(
                url: url + (url.contains("?") ? "&" : "?") + parameters, schema: driver.options.schema)
            try await Database.withDatabase(configuration) { db in
                try await db.sql(
                    "CREATE TABLE padded (code char(3) PRIMARY KEY, note bpchar NOT NULL, codes char(3)[] NOT NULL)"
                ).execute()
                try await db.adopt(Padded.self)
                try await body(db)
            }
        }
    }

    @Test(arguments: ["pooler=session", "prepared_statements=off"])
    func `an object is as its row is read, or refused`(parameters: String) async throws {
        try await withDatabase(parameters) { db async throws in
            let padded = Padded("R", "a b")
            padded.codes = ["x", "yz"]
            try await db.save(padded)
            let found = try #require(try await db.find(Padded.self, key: "R"))
            #expect(found.code == padded.code && found.note == padded.note && found.codes == padded.codes)
            #expect(try await db.find(Padded.self, key: "R ") == nil)
            for (code, note, codes) in [("S ", "", []), ("S  ", "", []), ("T", "a ", []), ("T", "", ["x "])] {
                let refused = Padded(code, note)
                refused.codes = codes
                let error = await #expect(throws: DatabaseError.self) { try await db.save(refused) }
                #expect(error?.code == .invalidValue && error?.table == "padded")
            }
            let many = (0..<100).map { Padded("\($0)", $0 == 70 ? " " : "") }
            let error = await #expect(throws: DatabaseError.self) { try await db.save(many) }
            #expect(error?.code == .invalidValue)
            found.note = "changed "
            await #expect(throws: DatabaseError.self) { try await db.save(found) }
            await #expect(throws: DatabaseError.self) {
                try await db.query(Padded.self).update { $0.note.set("x ") }
            }
            #expect(try await db.fetch(Padded.self).map(\.code) == ["R"])
        }
    }
}
