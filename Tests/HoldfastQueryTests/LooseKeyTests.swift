import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// Keys in tables of SQLite that another program has made.
@Suite struct LooseKeyTests {
    @Table("code") struct Code { var id: String; var name: String }
    @Table("device") struct Device { var id: UUID; var name: String }

    @Test func `a key that the column compares without case is compared by its bytes`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db in
            try await db.sql("CREATE TABLE code (id TEXT COLLATE NOCASE PRIMARY KEY, name TEXT)").execute()
            try await db.sql("INSERT INTO code VALUES ('abc', 'x')").execute()
            #expect(try await db.find(Code.self, key: "abc")?.name == "x")
            #expect(try await db.find(Code.self, key: "ABC") == nil)
            #expect(try await db.fetch(Code.self, keys: ["ABC", "abc"]).map(\.id) == ["abc"])
            #expect(try await db.query(Code.self).where { $0.id == "ABC" }.count() == 0)
            try await db.transaction { tx async throws in
                #expect(try await tx.find(Code.self, key: "ABC") == nil)
            }
        }
    }

    @Test(arguments: [false, true]) func `a UUID that is stored as a text is never said to be missing`(
        isLower: Bool
    ) async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db in
            let id = UUID()
            let text = isLower ? id.uuidString.lowercased() : id.uuidString
            try await db.sql("CREATE TABLE device (id TEXT PRIMARY KEY, name TEXT)").execute()
            try await db.sql("INSERT INTO device VALUES (\(text), 'x')").execute()
            #expect(try await db.fetch(Device.self).map(\.id) == [id])
            let finds: [(UUID) async throws -> Bool] = [
                { try await db.find(Device.self, key: $0) != nil },
                { try await db.fetch(Device.self, keys: [$0]).isEmpty == false },
                { key in try await db.transaction { try await $0.find(Device.self, key: key) } != nil },
            ]
            for find in finds {
                let error = await #expect(throws: DatabaseError.self) { try await find(id) }
                #expect(error?.code == .decoding && error?.table == "device" && error?.properties == ["id"])
                #expect(try await find(UUID()) == false)
            }
        }
    }

    @Table("device") final class Gadget {
        @PrimaryKey var id: UUID
        var name: String
        init(id: UUID, name: String) { (self.id, self.name) = (id, name) }
    }

    @Test(arguments: [false, true]) func `a UUID that is stored as a text gets no second row, and is not passed over`(
        isLower: Bool
    ) async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db in
            let id = UUID()
            let text = isLower ? id.uuidString.lowercased() : id.uuidString
            try await db.sql("CREATE TABLE device (id TEXT PRIMARY KEY, name TEXT)").execute()
            let early = Device(id: UUID(), name: "bytes")
            _ = try await db.save(early)
            try await db.sql("INSERT INTO device VALUES (\(text), 'x')").execute()
            let device = Device(id: id, name: "y")
            let fetched = try #require(try await db.fetch(Gadget.self).first { $0.id == id })
            fetched.name = "y"
            let writes: [(DatabaseError.Code, (any DatabaseContext) async throws -> Void)] = [
                (.invalidValue, { _ = try await $0.save(device) }),
                (.invalidValue, { _ = try await $0.insert(device) }),
                (.invalidValue, { _ = try await $0.save([device, early]) }),
                (.invalidValue, { _ = try await $0.save(Gadget(id: id, name: "y")) }),
                (.notFound, { _ = try await $0.update(device) }),
                (.notFound, { try await $0.save(fetched) }),
                (.decoding, { _ = try await $0.delete(device) }),
                (.decoding, { _ = try await $0.delete([early, device]) }),
                (.decoding, { _ = try await $0.delete(fetched) }),
            ]
            for (code, write) in writes {
                let outside = await #expect(throws: DatabaseError.self) { try await write(db) }
                #expect(outside?.code == code && outside?.table == "device")
                let inside = await #expect(throws: DatabaseError.self) {
                    try await db.transaction { tx in try await write(tx) }
                }
                #expect(inside?.code == code && inside?.table == "device")
                #expect(try await db.query(Device.self).order { $0.name }.fetch().map(\.name) == ["bytes", "x"])
            }
        }
    }

    @Test func `UUIDs as bytes are found in a table that another program has made`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db in
            try await db.sql("CREATE TABLE device (id BLOB PRIMARY KEY, name TEXT)").execute()
            let device = Device(id: UUID(), name: "x")
            _ = try await db.insert(device)
            #expect(try await db.find(Device.self, key: device.id)?.name == "x")
            #expect(try await db.find(Device.self, key: UUID()) == nil)
        }
    }

    @Table("part") struct Part { @PrimaryKey var device: UUID; @PrimaryKey var number: Int; var name: String }

    @Test func `a part of a key is not said to be missing either`() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            let id = UUID()
            try await db.sql("CREATE TABLE part (device TEXT, number INTEGER, name TEXT, PRIMARY KEY (device, number))")
                .execute()
            try await db.sql("INSERT INTO part VALUES (\(id.uuidString), 1, 'x')").execute()
            let error = await #expect(throws: DatabaseError.self) {
                _ = try await db.find(Part.self, key: Key(id, 1))
            }
            #expect(error?.code == .decoding)
            #expect(try await db.find(Part.self, key: Key(id, 2)) == nil)
        }
    }
}
