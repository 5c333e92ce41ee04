import CSQLite
import Holdfast
import HoldfastSQLite
import Testing

/// Settings that hold for the process: each test has one of its own.
struct SQLiteProcessTests {
    @Test func `opening a database changes nothing in the process`() async {
        await #expect(processExitsWith: .success) {
            let db = try await Database.open(.sqlite(.inMemory))
            _ = try await db.sql("SELECT 1").fetch()
            // With the statistics turned off, it would be 0.
            #expect(sqlite3_memory_used() > 0)
            let error = #expect(throws: DatabaseError.self) { try SQLiteProcess.applyFastSettings() }
            #expect(error?.code == .unsupported)
            // Nothing happened to what is open.
            _ = try await db.sql("SELECT 1").fetch()
            #expect(sqlite3_memory_used() > 0)
            try await db.close()
        }
    }

    @Test func `the settings are made before anything is opened`() async {
        await #expect(processExitsWith: .success) {
            try SQLiteProcess.applyFastSettings()
            try SQLiteProcess.applyFastSettings()
            try await Database.withDatabase(.sqlite(.inMemory)) { db in
                _ = try await db.sql("SELECT 1").fetch()
                #expect(sqlite3_memory_used() == 0)
            }
            try SQLiteProcess.applyFastSettings()
        }
    }
}
