import Holdfast
import Testing

@testable import HoldfastSQLite

struct DenialMessageTests {
    @Test(
        arguments: [
            DenialMessage(constraint: "holdfast_project_lead_deny", table: "project", columns: ["lead_id"]),
            DenialMessage(constraint: "a", table: "b \"c\"", columns: ["\"", "\"\" \"", "d"]),
            DenialMessage(constraint: "é", table: "\"\"", columns: ["x y"]),
        ]
    )
    func `a message is read as it was written`(message: DenialMessage) {
        #expect(DenialMessage(message.text) == message)
    }

    @Test(arguments: ["", "FOREIGN KEY constraint failed", "holdfast delete rule", "holdfast delete rule \"a\" \"b\""])
    func `a message of another is none`(text: String) { #expect(DenialMessage(text) == nil) }

    @Test func `what a trigger of somebody else refuses stays what it is`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
            try await connection.execute("INSERT INTO t VALUES (1)")
            try await connection.execute(
                "CREATE TRIGGER holdfast_mine BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
            let error = await databaseError { try await connection.execute("DELETE FROM t") }
            #expect(error?.code == .checkViolation)
            #expect(error?.table == nil)
        }
    }

    @Test func `a row that ON DELETE RESTRICT keeps is a foreign key's violation`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
            try await connection.execute("CREATE TABLE child (p INTEGER REFERENCES parent ON DELETE RESTRICT)")
            try await connection.execute("INSERT INTO parent VALUES (1)")
            try await connection.execute("INSERT INTO child VALUES (1)")
            let error = await databaseError { try await connection.execute("DELETE FROM parent") }
            #expect(error?.code == .foreignKeyViolation)
            #expect(error?.engineCode == "1811")
        }
    }
}
