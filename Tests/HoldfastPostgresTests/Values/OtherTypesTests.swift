import Foundation
@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// Columns of types that Holdfast has no value for, as the texts of their values.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct OtherTypesTests {
    @Table("device") final class Device {
        let id: Int64
        @Column(storage: .text) var address: String?
        @Column(storage: .text) var network: String?
        @Column(storage: .text) var mac: String?
        @Column(storage: .text) var opens: String?
        @Column(storage: .text) var closes: String?
        @Column(storage: .text) var span: String?
        @Column(storage: .text) var price: String?
        @Column(storage: .text) var flags: String?
        @Column(storage: .text) var mask: String?
        @Column(storage: .text) var ports: String?
        @Column(storage: .text) var uptime: String?
        @Column(storage: .text) var words: String?
        @Column(storage: .text) var place: String?
        @Column(storage: .text) var spans: String?
        @Column(storage: .text) var size: String?
        @Column(storage: .text) var note: String?
        @Column(storage: .text) var kind: String?
        init(id: Int64) { self.id = id }
    }

    @Table("device") struct Undeclared {
        let id: Int64
        var address: String?
    }

    @Table("bag") struct Bag: Equatable {
        enum Mood: String, Storable { case sad, glad }
        let id: Int64
        @Column(storage: .array) var prices: [Decimal] = []
        @Column(storage: .array) var times: [Date] = []
        @Column(storage: .array) var days: [Date] = []
        @Column(storage: .array) var moods: [Mood]?
        @Column(storage: .array) var codes: [String] = []
    }

    private static let tables = """
        CREATE TYPE size AS (width int, height int);
        CREATE TYPE mood AS ENUM ('sad', 'glad');
        CREATE TABLE device (id bigint PRIMARY KEY, address inet, network cidr, mac macaddr, opens time, closes timetz,
            span interval, price money, flags bit(4), mask varbit, ports int4range, uptime tstzrange, words tsvector,
            place point, spans interval[], size size, note xml, kind mood);
        CREATE TABLE bag (id bigint PRIMARY KEY, prices numeric(10,2)[] NOT NULL, times timestamptz(3)[] NOT NULL,
            days date[] NOT NULL, moods mood[], codes varchar(3)[] NOT NULL)
        """

    private func withDatabase(_ body: (Database) async throws -> Void) async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            for statement in Self.tables.split(separator: ";\n") { try await connection.execute(String(statement)) }
            await connection.close()
            try await Database.withDatabase(TestServer.configuration(schema: driver.options.schema), body)
        }
    }

    private static var texts: [(ReferenceWritableKeyPath<Device, String?>, given: String, stored: String)] {
        [
            (\.address, "10.0.0.9", "10.0.0.9"), (\.network, "10.1", "10.1.0.0/16"),
            (\.mac, "08-00-2b-01-02-03", "08:00:2b:01:02:03"), (\.opens, "9:30", "09:30:00"),
            (\.closes, "18:00+1", "18:00:00+01"), (\.span, "90 min", "01:30:00"), (\.price, "1234.5", "$1,234.50"),
            (\.flags, "0101", "0101"), (\.mask, "11", "11"), (\.ports, "[1,3]", "[1,4)"),
            (\.uptime, "[2026-01-01 00:00+01,)", #"["2025-12-31 23:00:00+00",)"#), (\.words, "b a:1", "'a':1 'b'"),
            (\.place, "(1,2)", "(1,2)"), (\.spans, "{1 day,NULL}", #"{"1 day",NULL}"#), (\.size, "(1,)", "(1,)"),
            (\.note, "<a>x</a>", "<a>x</a>"), (\.kind, "glad", "glad"),
        ]
    }

    @Test func `texts become values, and come back in the engine's form`() async throws {
        try await withDatabase { db async throws in
            try await db.adopt(Device.self)
            let device = Device(id: 1)
            for (path, given, _) in Self.texts { device[keyPath: path] = given }
            try await db.save(device)
            try await db.save(Device(id: 2))
            func check(_ found: Device) {
                for (path, _, stored) in Self.texts { #expect(found[keyPath: path] == stored) }
            }
            check(try #require(try await db.find(Device.self, key: 1)))
            check(try await db.fetch(Device.self)[0])
            check(try #require(try await db.query(Device.self).where { $0.address == "10.0.0.9" }.first()))
            for try await found in db.query(Device.self).limit(1).stream() { check(found) }
            let empty = try #require(try await db.find(Device.self, key: 2))
            for (path, _, _) in Self.texts { #expect(empty[keyPath: path] == nil) }
            try await db.reload(device)
            check(device)
            #expect(try await db.query(Device.self).select { $0.span }.fetch() == ["01:30:00", nil])

            // Again, as many rows, by an update of all columns, and by an upsert.
            let many = (10..<150).map { (number: Int64) in
                let device = Device(id: number)
                for (path, given, _) in Self.texts { device[keyPath: path] = given }
                return device
            }
            try await db.insert(many)
            check(try await db.fetch(Device.self, keys: [Int64(149)])[0])
            for other in many { (other.address, other.span) = ("10.0.0.\(other.id)", "2 h") }
            try await db.update(many)
            try await db.upsert(many[0], on: \.id)
            check(
                { other in
                    (other.address, other.span) = ("10.0.0.9", "01:30:00")
                    return other
                }(try await db.fetch(Device.self, keys: [Int64(149)])[0]))
            #expect(try await db.query(Device.self).where { $0.span == "120 min" }.count() == 140)
            many[0].span = nil
            many[0].address = nil
            try await db.save(many)
            #expect(try await db.query(Device.self).where { $0.span == nil }.count() == 2)
        }
    }

    @Test func `values are compared, ordered and grouped by the column's type`() async throws {
        try await withDatabase { db async throws in
            for (number, address) in ["10.0.0.10", "10.0.0.9", "9.0.0.1", nil].enumerated() {
                let device = Device(id: Int64(number))
                device.address = address
                device.span = ["90 min", "1:30", "2 days", "26 h"][number]
                device.ports = "[\(number),9)"
                device.kind = number == 0 ? "sad" : "glad"
                try await db.save(device)
            }
            let all = db.query(Device.self)
            let ordered = try await all.order { $0.address.ascending }.fetch().map(\.address)
            #expect(ordered == [nil, "9.0.0.1", "10.0.0.9", "10.0.0.10"])
            #expect(try await all.where { $0.address > "10.0.0.9" }.fetch().map(\.id) == [0])
            #expect(try await all.where { $0.address < "10.0.0.9" }.fetch().map(\.id) == [2])
            #expect(try await all.where { $0.address != "10.0.0.9" }.fetch().map(\.id) == [0, 2, 3])
            #expect(try await all.where { $0.address.in(["9.0.0.1", "10.0.0.9"]) }.fetch().map(\.id) == [1, 2])
            #expect(
                try await all.where { $0.address >= "9.0.0.0" && $0.address <= "10.0.0.9" }.fetch().map(\.id) == [1, 2])
            #expect(try await all.where { $0.span == "5400 s" }.fetch().map(\.id) == [0, 1])
            #expect(try await all.where { $0.address.hasPrefix("10.") }.fetch().map(\.id) == [0, 1])
            #expect(try await all.where { $0.address.like("%0.1") }.fetch().map(\.id) == [2])
            #expect(try await all.order { $0.kind.descending }.fetch().map(\.id) == [1, 2, 3, 0])
            #expect(try await all.max { $0.span } == "2 days")
            #expect(try await all.min { $0.address } == "9.0.0.1")
            let groups = try await all.group { $0.span }.select { ($0.span, $0.rowCount) }.fetch()
            #expect(groups.map(\.0) == ["01:30:00", "26:00:00", "2 days"] && groups.map(\.1) == [2, 1, 1])
            #expect(try await all.distinct { $0.span }.count() == 3)
            let page = try await all.order { $0.span.ascending }.page(size: 3)
            let rest = try await all.order { $0.span.ascending }.page(size: 3, after: page.next)
            #expect(page.objects.map(\.id) == [0, 1, 3] && rest.objects.map(\.id) == [2])
            try await all.where { $0.span > "1 day" }.update { $0.ports.set("empty") }
            #expect(try await all.where { $0.ports == "empty" }.fetch().map(\.id) == [2, 3])
            let other = await #expect(throws: DatabaseError.self) {
                _ = try await all.where { $0.address == $0.span.lowercased() }.count()
            }
            #expect(other?.code == .invalidValue && other?.properties == ["address"])
            let device = Device(id: 9)
            device.address = "nowhere"
            let wrong = await #expect(throws: DatabaseError.self) { try await db.save(device) }
            #expect(wrong?.code == .invalidValue)
        }
    }

    @Test func `a type that can't be read is refused before there is a row`() async throws {
        try await withDatabase { db async throws in
            for body in [
                { _ = try await db.fetch(Undeclared.self) }, { _ = try await db.find(Undeclared.self, key: 1) },
                { _ = try await db.query(Undeclared.self).where { $0.id > 1 }.fetch() },
                { _ = try await db.query(Undeclared.self).order { $0.id.descending }.first() },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: DatabaseError.self) { try await body() }
                #expect(error?.code == .unsupported && error?.table == "device" && error?.properties == ["address"])
                for word in ["\"address\" of Undeclared", "\"device\"", "inet", "@Column(storage: .text)"] {
                    #expect(error?.message.contains(word) == true)
                }
            }
            try await db.transaction { tx async throws in
                for _ in 0..<3 {
                    let error = await #expect(throws: DatabaseError.self) {
                        _ = try await tx.find(Undeclared.self, key: 1)
                    }
                    #expect(error?.code == .unsupported)
                }
                #expect(try await tx.count(Undeclared.self) == 0)
            }
        }
    }

    @Test func `arrays of decimals, dates and enums are one column`() async throws {
        try await withDatabase { db async throws in
            let time = Date(timeIntervalSince1970: 1_700_000_000.125)
            let day = Date(timeIntervalSince1970: 1_699_920_000)
            let bag = Bag(
                id: 1, prices: [Decimal(string: "12.50") ?? 0, -1], times: [time], days: [day], moods: [.glad, .sad],
                codes: ["abc", "é😀x"])
            #expect(try await db.insert(bag) == bag)
            let many = (2..<200).map { Bag(id: $0, prices: [Decimal($0)], times: [time, day]) }
            #expect(try await db.insert(many) == many)
            #expect(try await db.update(many.map { Bag(id: $0.id, moods: [.sad]) }).count == 198)
            #expect(try await db.find(Bag.self, key: 1) == bag)
            let texts = try await db.sql("SELECT prices::text || moods::text FROM bag WHERE id < 3 ORDER BY id")
                .fetch(as: String.self)
            #expect(texts == ["{12.50,-1.00}{glad,sad}", "{}{sad}"])
            for (wrong, property) in [
                (Bag(id: 0, prices: [Decimal(string: "0.001") ?? 0]), "prices"),
                (Bag(id: 0, times: [time + 0.0001]), "times"), (Bag(id: 0, days: [time]), "days"),
                (Bag(id: 0, codes: ["abc  "]), "codes"),
            ] {
                let error = await #expect(throws: DatabaseError.self) { _ = try await db.insert(wrong) }
                #expect(error?.code == .invalidValue && error?.properties == [property])
            }
            try await db.sql("UPDATE bag SET prices = '{NaN}' WHERE id = 1").execute()
            let error = await #expect(throws: DatabaseError.self) { _ = try await db.find(Bag.self, key: 1) }
            #expect(error?.code == .decoding && error?.properties == ["prices"])
        }
    }
}
