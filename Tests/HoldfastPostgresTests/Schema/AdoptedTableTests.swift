import Foundation
import Holdfast
import Testing

@testable import HoldfastPostgres

/// Tables of kinds that only PostgreSQL has, and that a migration would not make.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct AdoptedTableTests {
    @Table("adopted_entry") final class Entry {
        @PrimaryKey(.database) var id: Int32?
        var name: String
        init(_ name: String) { self.name = name }
    }

    @Table("adopted_entry") final class Coded {
        @PrimaryKey(.database) var id: String?
        var name: String
        init(_ name: String) { self.name = name }
    }

    @Table("adopted_measure") struct Measure: Equatable {
        @PrimaryKey var sensor: String
        @PrimaryKey var day: Int
        var value: Double
    }

    @Table("adopted_reading") final class Reading {
        var id: Int64?
        var measure: Measure?
        init() {}
    }

    private func withDatabase(_ body: (Database) async throws -> Void) async throws {
        try await TestServer.withSchema { driver async throws in
            try await Database.withDatabase(TestServer.configuration(schema: driver.options.schema), body)
        }
    }

    @Test(arguments: [
        "id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "id serial PRIMARY KEY",
        "id integer DEFAULT nextval('numbers') PRIMARY KEY",
    ])
    func `each object of a batch gets the number of its own row`(key: String) async throws {
        try await withDatabase { db async throws in
            try await db.sql("CREATE SEQUENCE numbers START 7 INCREMENT 3").execute()
            try await db.sql("CREATE TABLE adopted_entry (\(unsafe: key), name varchar(20) NOT NULL)").execute()
            try await db.adopt(Entry.self)
            try await db.migrate(Entry.self)
            let entries = (0..<150).map { Entry("\($0)") }
            try await db.save(entries)
            try await db.save(Entry("last"))
            #expect(Set(entries.map(\.id)).count == 150)
            for entry in entries {
                let id = try #require(entry.id)
                #expect(try await db.find(Entry.self, key: id)?.name == entry.name)
            }
        }
    }

    @Test func `a key that a trigger makes is that of the row`() async throws {
        try await withDatabase { db async throws in
            try await db.sql("CREATE TABLE adopted_entry (id text PRIMARY KEY, name text NOT NULL)").execute()
            try await db.sql(
                """
                CREATE FUNCTION code() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN NEW.id = 'E' || NEW.name; RETURN NEW; END $$
                """
            ).execute()
            try await db.sql(
                "CREATE TRIGGER coding BEFORE INSERT ON adopted_entry FOR EACH ROW EXECUTE FUNCTION code()"
            ).execute()
            try await db.adopt(Coded.self)
            let entries = (0..<100).map { Coded("\($0)") }
            try await db.save(entries)
            #expect(entries.map(\.id) == (0..<100).map { "E\($0)" })
        }
    }

    @Test func `a partitioned table is adopted, written and referred to`() async throws {
        try await withDatabase { db async throws in
            try await db.sql(
                """
                CREATE TABLE adopted_measure (
                    sensor varchar(9) NOT NULL, day integer NOT NULL, value real NOT NULL, PRIMARY KEY (sensor, day)
                ) PARTITION BY RANGE (day)
                """
            ).execute()
            for (name, from, to) in [("old", 0, 100), ("new", 100, 200)] {
                try await db.sql(
                    "CREATE TABLE adopted_\(unsafe: name) PARTITION OF adopted_measure FOR VALUES FROM (\(unsafe: "\(from)")) TO (\(unsafe: "\(to)"))"
                ).execute()
            }
            try await db.migrate(Schema(Reading.self, adopting: [Measure.self]))
            let rows = (0..<200).map { Measure(sensor: "a", day: $0, value: 0.5) }
            _ = try await db.save(rows)
            #expect(try await db.query(Measure.self).where { $0.day >= 100 }.count() == 100)
            #expect(try await db.fetch(Measure.self).count == 200)
            let reading = Reading()
            reading.measure = rows[150]
            try await db.save(reading)
            #expect(try await db.query(Reading.self).first()?.measure == rows[150])
            #expect(try await db.query(Measure.self).where { $0.day < 100 }.delete() == 100)
            #expect(try await db.migrate(Schema(Reading.self, adopting: [Measure.self])).isEmpty)
        }
    }
}
