import Foundation
import Holdfast
import HoldfastSQLite
import Testing

/// Files as DBBBuilder, DBBuilder, AgileDB and SundeedQLite lay them out, with the models of the articles on moving
/// from them.
@Suite struct OlderLibrariesTests {
    @Table("Person", naming: .asDeclared) final class Person {
        @PrimaryKey(.database) var id: Int64?
        var firstName: String?
        @Column(storage: .secondsSince2001) var dateOfBirth: Date?
        var isActive: Bool?
        @Timestamp(.created) @Column(storage: .secondsSince2001) var createdTime: Date?
        @Timestamp(.modified) @Column(storage: .secondsSince2001) var modifiedTime: Date?
        init(_ name: String) { firstName = name }
    }

    @Table("Company", naming: .asDeclared) final class Company {
        @PrimaryKey(.database) var id: Int64?
        var name: String?
        @Timestamp(.created) @Column(storage: .secondsSince2001) var createdTime: Date?
        @Timestamp(.modified) @Column(storage: .secondsSince2001) var modifiedTime: Date?
        @Relation(
            joinTable: .named("Company_employees", owner: "Company_ID", element: "employees", generatedKey: "id"),
            foreignKey: false)
        var employees: [Person] = []
        init(_ name: String) { self.name = name }
    }

    /// A document of AgileDB 7.1.
    @Table("Note", naming: .asDeclared) struct Document: Equatable {
        struct Content: Codable, Equatable {
            var title: String
            var tags: [String]?
        }
        @PrimaryKey var key: String
        var value: Content
    }

    @Table("Employee", naming: .asDeclared) final class Employee {
        @PrimaryKey(.database) @Column("SUNDEED_OFFLINE_ID") var id: Int64?
        @Column("SUNDEED_UNIQUE_KEY") var key: String?
        @Column("SUNDEED_FIELD_NAME_LINK") var link = ""
        @Column("firstName") var firstName: String?
        @Column("hiredAt") var hiredAt: Double?
        init(key: String, _ name: String) { (self.key, firstName) = (key, name) }
    }

    @Table("person", naming: .asDeclared) final class Attendee {
        @PrimaryKey(.database) var id: Int64?
        var name: String?
        @Column(storage: .text) var creationDate: Date?
        @Column(storage: .text) var modificationDate: Date?
        init(_ name: String) { self.name = name }
    }

    @Table("meeting", naming: .asDeclared) final class BoardMeeting {
        @PrimaryKey(.database) var id: Int64?
        var purpose: String?
        @Column(storage: .text) var creationDate: Date?
        @Column(storage: .text) var modificationDate: Date?
        @Column("organizer_id") @Relation(foreignKey: false) var organizer: Attendee?
        @Relation(
            joinTable: .named("meeting_participants", owner: "meeting_id", element: "person_id", position: nil),
            foreignKey: false)
        var participants: [Attendee] = []
        init(_ purpose: String) { self.purpose = purpose }
    }

    private func withTables(_ statements: [String], _ body: (Database) async throws -> Void) async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db async throws in
            for sql in statements { try await db.sql("\(unsafe: sql)").execute() }
            try await body(db)
        }
    }

    @Test func `objects of DBBBuilder, with their join tables`() async throws {
        let tables = [
            """
            CREATE TABLE Person (id Integer PRIMARY KEY AUTOINCREMENT, firstName Text, dateOfBirth Real,
                isActive Boolean, createdTime Real, modifiedTime Real)
            """,
            "CREATE TABLE Company (id Integer PRIMARY KEY AUTOINCREMENT, name Text, createdTime Real, modifiedTime Real)",
            """
            CREATE TABLE Company_employees (id Integer PRIMARY KEY AUTOINCREMENT, Company_ID Integer,
                employees Integer)
            """,
            "CREATE INDEX Company_employees_idx ON Company_employees (Company_ID)",
            "INSERT INTO Person VALUES (1, 'Ann', -220924800, 1, 700000000.5, 700000000.5)",
            "INSERT INTO Company VALUES (1, 'Acme', 700000001, 700000001)",
            "INSERT INTO Company_employees (Company_ID, employees) VALUES (1, 1)",
        ]
        try await withTables(tables) { db async throws in
            try await db.migrate(Schema(adopting: [Person.self, Company.self]))
            let company = try #require(try await db.find(Company.self, key: 1))
            let ann = try #require(company.employees.first)
            #expect(ann.firstName == "Ann" && ann.isActive == true)
            #expect(ann.dateOfBirth == Date(timeIntervalSinceReferenceDate: -220_924_800))
            #expect(ann.createdTime == Date(timeIntervalSinceReferenceDate: 700_000_000.5))
            let ben = Person("Ben")
            ben.isActive = false
            company.employees.append(ben)
            try await db.save(company)
            // As the original reads it.
            let rows = try await db.sql(
                """
                SELECT c.id || p.firstName || p.isActive || typeof(p.createdTime) FROM Company_employees AS c
                JOIN Person AS p ON p.id = c.employees WHERE c.Company_ID = 1 ORDER BY c.id
                """
            ).fetch(as: String.self)
            #expect(rows == ["1Ann1real", "2Ben0real"])
            // In the order of the array, with what is in it twice.
            company.employees = [ben, ann, ben]
            try await db.save(company)
            let again = try #require(try await db.find(Company.self, key: 1))
            #expect(again.employees.map(\.firstName) == ["Ben", "Ann", "Ben"])
            company.employees = [ben]
            try await db.save(company)
            #expect(
                try await db.query(Company.self).where { $0.employees.contains { $0.firstName == "Ben" } }.count() == 1)
            #expect(try await db.delete(ben) == 1)
            // As for the original, a row of the join table stays, and leads to nobody.
            let error = await #expect(throws: DatabaseError.self) { _ = try await db.find(Company.self, key: 1) }
            #expect(error?.code == .notFound)
            let left = try await db.find(Company.self, key: 1, missingTarget: .skip)
            #expect(left?.employees.isEmpty == true)
        }
    }

    @Test func `objects of DBBuilder, whose references are 0 for none`() async throws {
        let own = "id Integer PRIMARY KEY AUTOINCREMENT, creationDate Text, modificationDate Text"
        let tables = [
            "CREATE TABLE person (\(own), name Text)",
            "CREATE TABLE meeting (\(own), purpose Text, organizer_id Integer)",
            "CREATE TABLE meeting_participants (\(own), meeting_id Integer, person_id Integer)",
            "INSERT INTO person (id, creationDate, name) VALUES (1, '2013-05-14 09:30:00', 'Ann'), (2, NULL, 'Bob')",
            "INSERT INTO meeting (id, creationDate, purpose, organizer_id) VALUES (1, '2013-05-14 10:00:00', 'Plan', 0)",
            "INSERT INTO meeting_participants (meeting_id, person_id) VALUES (1, 2), (1, 1)",
        ]
        try await withTables(tables) { db async throws in
            try await db.migrate(Schema(adopting: [BoardMeeting.self, Attendee.self]))
            let meeting = try await db.query(BoardMeeting.self).missingTarget(.nil).one()
            #expect(meeting.organizer == nil && meeting.participants.map(\.name) == ["Ann", "Bob"])
            #expect(meeting.creationDate == Date(timeIntervalSince1970: 1_368_525_600))
            meeting.modificationDate = Date(timeIntervalSince1970: 1_368_525_660)
            (meeting.organizer, meeting.participants) = (meeting.participants[1], [meeting.participants[0]])
            try await db.save(meeting)
            let rows = try await db.sql(
                "SELECT modificationDate || ' ' || organizer_id || ' ' || (SELECT group_concat(person_id) FROM meeting_participants) FROM meeting"
            ).fetch(as: String.self)
            #expect(rows == ["2013-05-14 10:01:00 2 1"])
        }
    }

    @Test func `documents of AgileDB`() async throws {
        let tables = [
            """
            CREATE TABLE Note (key TEXT PRIMARY KEY, autoDeleteDateTime TEXT, addedDateTime TEXT, updatedDateTime TEXT,
                value JSON)
            """,
            """
            INSERT INTO Note VALUES ('n1', NULL, '2026-11-21T09:30:00.000+01:00', '2026-11-21T09:30:00.000+01:00',
                '{"title":"One","tags":["a"]}')
            """,
        ]
        try await withTables(tables) { db async throws in
            try await db.migrate(Schema(adopting: [Document.self]))
            var note = try #require(try await db.find(Document.self, key: "n1"))
            #expect(note.value == Document.Content(title: "One", tags: ["a"]))
            note.value.tags = nil
            _ = try await db.save([note, Document(key: "n2", value: .init(title: "Two"))])
            let rows = try await db.sql(
                "SELECT key || json_extract(value, '$.title') || coalesce(addedDateTime, '') FROM Note ORDER BY key"
            ).fetch(as: String.self)
            #expect(rows == ["n1One2026-11-21T09:30:00.000+01:00", "n2Two"])
        }
    }

    @Test func `objects of SundeedQLite that no other one holds`() async throws {
        let tables = [
            """
            CREATE TABLE Employee (SUNDEED_OFFLINE_ID INTEGER PRIMARY KEY, SUNDEED_FOREIGN_KEY TEXT,
                SUNDEED_FIELD_NAME_LINK TEXT, firstName TEXT, hiredAt DOUBLE, SUNDEED_UNIQUE_KEY TEXT,
                UNIQUE (SUNDEED_FOREIGN_KEY, SUNDEED_UNIQUE_KEY, SUNDEED_FIELD_NAME_LINK))
            """,
            "INSERT INTO Employee VALUES (1, NULL, '', 'Ann', 1700000000000, 'TUD-1')",
            "INSERT INTO Employee VALUES (2, 'E-9', 'staff', 'Copy', NULL, 'TUD-1')",
        ]
        try await withTables(tables) { db async throws in
            try await db.migrate(Schema(adopting: [Employee.self]))
            let own = db.query(Employee.self).where { $0.link == "" }
            let ann = try #require(try await own.first())
            #expect(ann.firstName == "Ann" && ann.hiredAt == 1_700_000_000_000)
            ann.firstName = "Anna"
            try await db.save([ann, Employee(key: "TUD-2", "Ben")])
            #expect(try await own.order { $0.key }.fetch().map(\.firstName) == ["Anna", "Ben"])
            #expect(try await db.count(Employee.self) == 3)
        }
    }
}
